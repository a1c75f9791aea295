// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/run_details.h"

#include "charts/chart_text.h"
#include "charts/live_chart.h"
#include "core/units.h"
#include "pages/live_figures.h"
#include "session/telemetry_file.h"
#include "widgets/panel.h"

#include <QComboBox>
#include <QDesktopServices>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QSplitter>
#include <QTableWidget>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace sb {

namespace {

constexpr std::size_t kMostNamed = 12; // outliers that are named one by one

QString milliseconds(double ms)
{
    return toQString(formatNumber(ms, ms < 10 ? 3 : ms < 1000 ? 2 : 0));
}

QString signedPercent(double share)
{
    return (share > 0 ? QStringLiteral("+") : QString()) + toQString(formatPercent(share, 1));
}

// "node1 · GPU 3": where a rank of this run was.
QString placeOf(const Run &run, int rank)
{
    const int perNode = std::max(1, run.key.devicesPerNode);
    const auto node = static_cast<std::size_t>(rank / perNode);
    const QString host = node < run.hosts.size() ? toQString(run.hosts[node]) : QStringLiteral("—");
    return run.key.device == "cuda" ? RunDetails::tr("%1 · GPU %2").arg(host).arg(rank % perNode) : host;
}

} // namespace

std::vector<Figure> stepFigures(const RunSteps &steps)
{
    if (!steps.steps)
        return {};
    const StepStatistics &all = *steps.steps;
    std::vector<Figure> figures(5);
    figures[0].value = milliseconds(all.median);
    figures[0].unit = RunDetails::tr("ms, p50 of %n step(s)", nullptr, static_cast<int>(all.steps));
    if (all.interval)
        figures[0].remark =
            (all.interval->few ? RunDetails::tr("about 95 %: %1 – %2") : RunDetails::tr("95 %: %1 – %2"))
                .arg(milliseconds(all.interval->low), milliseconds(all.interval->high));
    figures[1].value = milliseconds(all.p90);
    figures[1].unit = RunDetails::tr("ms, p90");
    figures[1].remark = signedPercent(all.p90 / all.median - 1);
    figures[2].value = milliseconds(all.p99);
    figures[2].unit = RunDetails::tr("ms, p99");
    figures[2].remark = RunDetails::tr("longest %1").arg(milliseconds(all.greatest));
    figures[3].value = all.drift ? signedPercent(all.drift->change) : QString();
    figures[3].unit = RunDetails::tr("drift");
    if (all.drift)
        figures[3].remark = all.drift->flagged ? RunDetails::tr("first to last step, flagged")
                                               : RunDetails::tr("first to last step, chance");
    figures[4].value = QString::number(all.outlierSteps.size());
    figures[4].unit = RunDetails::tr("outliers");
    figures[4].remark = RunDetails::tr("flagged, not dropped");
    return figures;
}

QString stragglerText(const Run &run, const RunSteps &steps)
{
    if (steps.ranks.empty())
        return {};
    const QString judged =
        steps.ownWork ? RunDetails::tr("Judged by own work a step, without waits.")
                      : RunDetails::tr("Judged by step times, since not every rank logs its own work; "
                                       "a collective evens them out.");
    QStringList found;
    for (const RankStatistics &rank : steps.ranks)
        if (rank.straggler)
            found.append(RunDetails::tr("Straggler: rank %1 (%2), %3 ms a step, %4 over the median rank, "
                                        "slowest in %5 of the steps.")
                             .arg(rank.rank)
                             .arg(placeOf(run, rank.rank), milliseconds(rank.medianMs),
                                  toQString(formatPercent(rank.overMedian, 1)),
                                  toQString(formatPercent(rank.slowestShare, 0))));
    if (found.isEmpty())
        found.append(RunDetails::tr("No straggler: rank %1 is the slowest, %2 over the median rank.")
                         .arg(steps.ranks.front().rank)
                         .arg(toQString(formatPercent(steps.ranks.front().overMedian, 1))));
    return found.join(QLatin1Char(' ')) + QLatin1Char(' ') + judged;
}

RunDetails::RunDetails(SessionModel &session, std::vector<std::string> runIds, const std::string &chosen,
                       QWidget *parent)
    : QDialog(parent)
    , m_session(session)
    , m_runIds(std::move(runIds))
    , m_runs(new QComboBox(this))
    , m_figures(new FigureStrip(this))
    , m_chartPanel(new Panel(Panel::TitleRow::Dense, this))
    , m_chart(new LiveChart(this))
    , m_ranksPanel(new Panel(Panel::TitleRow::Dense, this))
    , m_ranks(new QTableWidget(this))
    , m_straggler(new TextLabel(TextRole::Body, this))
    , m_outliers(new TextLabel(TextRole::Secondary, Tone::Muted, this))
    , m_log(new TextLabel(TextRole::Mono, Tone::Muted, this))
    , m_openLog(new QPushButton(this))
{
    resize(940, 660);
    build();
    connect(m_runs, &QComboBox::currentIndexChanged, this, &RunDetails::showRun);
    connect(m_openLog, &QPushButton::clicked, this, [this] {
        if (const Run *run = runAt(m_runs->currentIndex()))
            QDesktopServices::openUrl(QUrl::fromLocalFile(toQString(m_session.rawLogPath(run->id, 0))));
    });
    m_texts.add([this] {
        m_openLog->setText(tr("Open the log"));
        m_runs->setAccessibleName(tr("Run"));
        m_figures->setAccessibleName(tr("Steps of the run"));
        m_chartPanel->setTitle(tr("Throughput by step"));
        m_ranksPanel->setTitle(tr("Ranks"));
        m_ranks->setAccessibleName(tr("Ranks, slowest first"));
        fillRuns();
    });
    const auto first = std::find(m_runIds.begin(), m_runIds.end(), chosen);
    const int index = first == m_runIds.end() ? 0 : static_cast<int>(first - m_runIds.begin());
    m_runs->setCurrentIndex(index);
    showRun(index);
}

void RunDetails::build()
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(10);
    layout->addWidget(m_runs);
    layout->addWidget(m_figures);
    m_chartPanel->setBodyMargins(1, 4, 4, 2);
    m_chartPanel->body()->addWidget(m_chart);
    m_ranks->setColumnCount(5);
    m_ranks->setFrameShape(QFrame::NoFrame);
    m_ranks->setShowGrid(false);
    m_ranks->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_ranks->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_ranks->verticalHeader()->hide();
    m_ranks->verticalHeader()->setDefaultSectionSize(24);
    m_ranks->horizontalHeader()->setStretchLastSection(true);
    m_ranks->setMinimumHeight(72);
    m_straggler->setWordWrap(true);
    m_outliers->setWordWrap(true);
    m_ranksPanel->setBodyMargins(8, 4, 8, 6);
    m_ranksPanel->body()->addWidget(m_straggler);
    m_ranksPanel->body()->addWidget(m_ranks, 1);
    auto *rows = new QSplitter(Qt::Vertical, this);
    rows->setChildrenCollapsible(false);
    rows->addWidget(m_chartPanel);
    rows->addWidget(m_ranksPanel);
    rows->setStretchFactor(0, 1);
    rows->setSizes({300, 210});
    layout->addWidget(rows, 1);
    layout->addWidget(m_outliers);
    auto *foot = new QHBoxLayout;
    m_log->setElided(true);
    foot->addWidget(m_log, 1);
    foot->addWidget(m_openLog);
    layout->addLayout(foot);
}

const Run *RunDetails::runAt(int index) const
{
    if (index < 0 || index >= static_cast<int>(m_runIds.size()))
        return nullptr;
    const std::string &id = m_runIds[static_cast<std::size_t>(index)];
    for (const Run &run : m_session.runs())
        if (run.id == id)
            return &run;
    return nullptr;
}

void RunDetails::fillRuns()
{
    const QSignalBlocker quiet(m_runs);
    const int before = m_runs->currentIndex();
    m_runs->clear();
    for (int i = 0; i < static_cast<int>(m_runIds.size()); ++i) {
        const Run *run = runAt(i);
        QString text = run ? tr("%1 · repeat %2").arg(runTitle(*run)).arg(run->repeat)
                           : toQString(m_runIds[static_cast<std::size_t>(i)]);
        if (run && run->measurement)
            text += QStringLiteral(" · %1 %2")
                        .arg(toQString(formatThroughput(run->measurement->throughput)), rateUnit(run->unit));
        m_runs->addItem(text);
    }
    m_runs->setCurrentIndex(std::max(0, before));
    if (before >= 0)
        showRun(before);
}

void RunDetails::read(const Run &run)
{
    m_series.clear();
    m_steps = {};
    std::vector<std::vector<Sample>> byRank;
    for (int rank = 0; rank < run.ranks(); ++rank) {
        auto samples = m_session.samples(run.id, rank);
        byRank.push_back(samples ? std::move(*samples) : std::vector<Sample>());
        Series series;
        series.rank = rank;
        for (const Sample &sample : byRank.back())
            series.append(sample, run.facts.globalBatchSize);
        m_series.push_back(std::move(series));
    }
    // Only rank 0 of many frameworks logs its steps.
    while (m_series.size() > 1 && m_series.back().empty()) {
        m_series.pop_back();
        byRank.pop_back();
    }
    const std::int64_t first = run.measurement ? run.measurement->firstStep : run.key.warmupSteps + 1;
    const std::int64_t last =
        run.measurement ? run.measurement->lastStep : run.key.warmupSteps + run.key.measuredSteps;
    m_steps = runSteps(byRank, first, last);
    m_telemetry =
        readTelemetry(QFileInfo(toQString(m_session.rawLogPath(run.id, 0))).absolutePath().toStdString() +
                      '/' + kTelemetryFile);
}

void RunDetails::showRun(int index)
{
    const Run *run = runAt(index);
    m_openLog->setEnabled(run != nullptr);
    if (!run)
        return;
    setWindowTitle(tr("Steps of %1").arg(runTitle(*run)));
    m_chart->clear();
    read(*run);
    const QString log = toQString(m_session.rawLogPath(run->id, 0));
    m_log->setText(log);
    m_openLog->setEnabled(QFileInfo::exists(log));
    showSteps(*run);
    showRanks(*run);
}

void RunDetails::showSteps(const Run &run)
{
    m_figures->setFigures(stepFigures(m_steps));
    m_figures->setVisible(m_steps.steps.has_value());
    QString text;
    if (!m_steps.steps) {
        text = tr("The index has no steps of this run. scaleboard-cli rebuild reads them again.");
    } else if (const auto &outliers = m_steps.steps->outlierSteps; !outliers.empty()) {
        QStringList steps;
        for (std::size_t i = 0; i < std::min(outliers.size(), kMostNamed); ++i)
            steps.append(QString::number(m_steps.numbers[outliers[i]]));
        if (outliers.size() > kMostNamed)
            steps.append(QStringLiteral("…"));
        text = tr("Outliers, further than 3.5 spreads from the median: %1.")
                   .arg(steps.join(QStringLiteral(", ")));
    }
    m_outliers->setText(text);
    m_outliers->setVisible(!text.isEmpty());
    LiveChartRun shown;
    shown.title = runTitle(run);
    shown.framework = run.key.framework;
    shown.unit = run.unit;
    shown.warmupSteps = run.key.warmupSteps;
    shown.measuredSteps = run.key.measuredSteps;
    shown.simulated = run.simulated;
    m_chart->setRun(shown, {.ranks = &m_series,
                            .telemetry = &m_telemetry,
                            .telemetryStartS = m_telemetry.empty() ? std::nullopt : std::optional(0.0)});
    std::vector<double> rates;
    for (std::size_t i = 0; !m_series.empty() && i < m_series.front().size(); ++i)
        if (m_series.front().step[i] > run.key.warmupSteps)
            rates.push_back(m_series.front().throughput[i]);
    m_chart->setMedian(median(rates), medianInterval(rates));
    m_chart->refreshNow();
}

void RunDetails::showRanks(const Run &run)
{
    m_straggler->setText(stragglerText(run, m_steps));
    m_ranksPanel->setVisible(!m_steps.ranks.empty());
    m_ranks->setHorizontalHeaderLabels({tr("Rank"), tr("Where"),
                                        m_steps.ownWork ? tr("Own work, ms") : tr("Step, ms"),
                                        tr("Over the median rank"), tr("Slowest in")});
    m_ranks->setRowCount(static_cast<int>(m_steps.ranks.size()));
    for (int row = 0; row < m_ranks->rowCount(); ++row) {
        const RankStatistics &rank = m_steps.ranks[static_cast<std::size_t>(row)];
        const QStringList cells{
            (rank.straggler ? QStringLiteral("⚠ ") : QString()) + QString::number(rank.rank),
            placeOf(run, rank.rank), milliseconds(rank.medianMs), signedPercent(rank.overMedian),
            toQString(formatPercent(rank.slowestShare, 0))};
        for (int column = 0; column < cells.size(); ++column) {
            auto *item = new QTableWidgetItem(cells[column]);
            item->setTextAlignment(Qt::AlignVCenter | (column == 1 ? Qt::AlignLeft : Qt::AlignRight));
            if (rank.straggler)
                item->setForeground(Tokens::of(palette()).warn);
            m_ranks->setItem(row, column, item);
        }
    }
    m_ranks->resizeColumnsToContents();
}

QString RunDetails::straggler() const
{
    return m_straggler->text();
}

void RunDetails::changeEvent(QEvent *event)
{
    QDialog::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        m_texts.refresh();
    if (event->type() == QEvent::PaletteChange)
        showRun(m_runs->currentIndex());
}

} // namespace sb
