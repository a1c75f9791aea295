// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/live_side.h"

#include "charts/chart_text.h"
#include "core/units.h"
#include "pages/live_figures.h"
#include "sentences/sentence.h"
#include "widgets/form_rows.h"
#include "widgets/panel.h"
#include "widgets/progress_grid.h"

#include <QDateTime>
#include <QEvent>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace sb {

namespace {
enum SweepRow { Left, Ends, Used, Failed, kSweepRows };
constexpr std::size_t kMostFinishedRows = 12;
} // namespace

LiveSide::LiveSide(SessionModel &session, QWidget *parent)
    : QWidget(parent)
    , m_session(session)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    layout->addWidget(buildProgress());
    layout->addWidget(buildSweep());
    layout->addWidget(buildRuns(), 1);
    refresh();
}

Panel *LiveSide::buildProgress()
{
    m_progressPanel = new Panel(Panel::TitleRow::Normal, this);
    m_cells = new ProgressGrid(m_grid, m_progressPanel);
    m_progressPanel->body()->addWidget(m_cells);
    m_texts.add([this] {
        m_progressPanel->setTitle(tr("Progress"));
        m_cells->setAccessibleName(tr("Progress of every case"));
    });
    return m_progressPanel;
}

Panel *LiveSide::buildSweep()
{
    m_sweepPanel = new Panel(Panel::TitleRow::Dense, this);
    m_percent = new TextLabel(TextRole::Secondary, m_sweepPanel);
    m_sweepPanel->addTool(m_percent);
    m_bar = new ProgressLine(m_sweepPanel);
    m_sweep = new FormRows(kSweepRows, FormRows::ValueSide::Right, m_sweepPanel);
    m_sweepPanel->body()->addWidget(m_bar);
    m_sweepPanel->body()->addSpacing(2);
    m_sweepPanel->body()->addWidget(m_sweep);
    m_sweepPanel->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    m_texts.add([this] {
        m_sweepPanel->setTitle(tr("Whole sweep"));
        m_bar->setAccessibleName(tr("Whole sweep"));
        m_sweep->setName(Left, tr("Left"));
        m_sweep->setName(Ends, tr("Ends about"));
        m_sweep->setName(Used, tr("Used"));
        m_sweep->setName(Failed, tr("Failed"));
    });
    return m_sweepPanel;
}

Panel *LiveSide::buildRuns()
{
    m_runsPanel = new Panel(Panel::TitleRow::Normal, this);
    m_rows = new RunRows(m_runsPanel);
    m_runsPanel->body()->addWidget(m_rows, 1);
    m_texts.add([this] {
        m_runsPanel->setTitle(tr("Next and last"));
        m_rows->setAccessibleName(tr("Next and last"));
    });
    return m_runsPanel;
}

// The cases are taken when a sweep begins: progress speaks of those, also when the plan is edited later.
void LiveSide::takeSweep()
{
    const SweepProgress &progress = m_session.progress();
    const bool begins = progress.active && !m_active;
    m_active = progress.active;
    if (!begins && progress.cases.size() == m_cases.size())
        return;
    m_cases = m_session.cases();
    m_repeats = m_session.plan().measurement.repeats;
    if (progress.cases.size() != m_cases.size())
        m_cases.clear();
    m_grid.setCases(m_cases, m_session.frameworks(), m_repeats);
}

void LiveSide::tick()
{
    if (m_session.progress().active)
        showSweep();
}

void LiveSide::refresh()
{
    if (m_session.progress() != m_report || !m_sinceReport.isValid()) {
        m_report = m_session.progress();
        m_sinceReport.start();
    }
    takeSweep();
    m_grid.setProgress(m_session.progress().cases);
    showSweep();
    showRuns();
}

void LiveSide::showSweep()
{
    const SweepProgress &progress = m_session.progress();
    const int finished = progress.doneRuns + progress.failedRuns;
    const double part = progress.totalRuns > 0 ? static_cast<double>(finished) / progress.totalRuns : 0;
    m_progressPanel->setHint(tr("%1 of %n run(s)", nullptr, progress.totalRuns).arg(progress.doneRuns));
    m_percent->setText(toQString(formatPercent(std::floor(part * 100) / 100, 0)));
    m_bar->setPart(part);
    const bool known = progress.active && progress.leftS.has_value();
    const double sinceS = progress.active && m_sinceReport.isValid()
                              ? static_cast<double>(m_sinceReport.elapsed()) / 1000.0
                              : 0;
    const double leftS = known ? std::max(0.0, *progress.leftS - sinceS) : 0;
    m_sweep->setValue(Left, known ? durationText(leftS) : QStringLiteral("—"));
    m_sweep->setValue(Ends, known ? QDateTime::currentDateTime()
                                        .addSecs(static_cast<qint64>(leftS))
                                        .toString(leftS < 86400 ? QStringLiteral("HH:mm")
                                                                : QStringLiteral("yyyy-MM-dd HH:mm"))
                                  : QStringLiteral("—"));
    const std::optional<LiveRun> &live = m_session.live();
    const double hours = progress.deviceHours + (live ? sinceS * live->run.ranks() / 3600.0 : 0);
    m_sweep->setValue(Used,
                      durationText(progress.elapsedS + sinceS) + QStringLiteral(" · ") +
                          tr("%1 device-hours").arg(toQString(formatNumber(hours, hours < 0.1 ? 3 : 2))));
    m_sweep->setValue(Failed, QString::number(progress.failedRuns), Tone::Warn);
    m_sweep->setRowVisible(Failed, progress.failedRuns > 0);
}

std::vector<RunRows::Row> LiveSide::runRows() const
{
    std::vector<RunRows::Row> rows;
    const SweepProgress &progress = m_session.progress();
    if (progress.active && progress.cases.size() == m_cases.size())
        for (const PlannedRun &planned : runOrder(m_cases, {.repeats = m_repeats})) {
            const CaseProgress &at = progress.cases[planned.caseIndex];
            const int begun = at.done + at.failed + at.stopped + (at.running ? 1 : 0);
            if (planned.repeat <= begun)
                continue;
            const CaseKey &key = m_cases[planned.caseIndex].key;
            rows.push_back({QStringLiteral("clock"), Tone::Muted,
                            QStringLiteral("%1 · b%2 · %3")
                                .arg(precisionText(key.precision))
                                .arg(key.batchSizePerDevice)
                                .arg(toQString(key.scaleName())),
                            tr("next")});
            break;
        }
    const std::vector<Run> &runs = m_session.runs();
    for (auto run = runs.rbegin(); run != runs.rend() && rows.size() < kMostFinishedRows; ++run) {
        if (!isFinal(run->state))
            continue;
        const bool done = run->state == RunState::Done && run->measurement;
        rows.push_back({done ? QStringLiteral("ok") : QStringLiteral("warning"), done ? Tone::Ok : Tone::Warn,
                        QStringLiteral("%1 · b%2 · %3 · r%4")
                            .arg(precisionText(run->key.precision))
                            .arg(run->key.batchSizePerDevice)
                            .arg(toQString(run->key.scaleName()))
                            .arg(run->repeat),
                        done ? toQString(formatThroughput(run->measurement->throughput)) + QLatin1Char(' ') +
                                   rateUnit(run->unit)
                             : runStateText(run->state),
                        done ? QString() : translateSentence(run->reason)});
    }
    return rows;
}

void LiveSide::showRuns()
{
    m_rows->setRows(runRows());
}

void LiveSide::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        m_texts.refresh();
        m_grid.retranslate();
        showSweep();
        showRuns();
    }
}

} // namespace sb
