// SPDX-License-Identifier: GPL-3.0-or-later
// What the Compare page draws, exports and puts into the report: the runs of two sides, and a case over time.
#include "pages/compare_page.h"

#include "charts/chart_style.h"
#include "charts/chart_text.h"
#include "charts/history_figure.h"
#include "charts/run_dots.h"
#include "core/units.h"
#include "pages/compare_models.h"
#include "sentences/sentence.h"
#include "widgets/panel.h"
#include "widgets/segmented.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QHeaderView>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QTableWidget>

#include <algorithm>

namespace sb {

namespace {

QString verdictWord(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Faster:
        return QStringLiteral("▲ ") + CaseTableModel::tr("faster");
    case Verdict::Slower:
        return QStringLiteral("▼ ") + CaseTableModel::tr("slower");
    case Verdict::Same:
        return QStringLiteral("＝ ") + CaseTableModel::tr("the same");
    case Verdict::CannotTell:
        break;
    }
    return QStringLiteral("◆ ") + CaseTableModel::tr("cannot tell");
}

// "resnet50-fp32-b128-4n8g": the beginning of a file's name.
QString stemOf(const CaseKey &key)
{
    return QStringLiteral("%1-%2-b%3-%4")
        .arg(toQString(key.workload), toQString(key.precision))
        .arg(key.batchSizePerDevice)
        .arg(toQString(key.scaleName()));
}

HistoryFigure::Line lineOf(const std::vector<HistoryPoint> &points, const QString &name)
{
    HistoryFigure::Line line;
    line.name = name;
    for (const HistoryPoint &point : points) {
        HistoryFigure::Point made;
        made.place = point.dayUtc + '/' + point.planName;
        made.day = toQString(point.dayUtc);
        made.value = point.result.throughput;
        made.low = point.result.interval ? point.result.interval->low : point.result.minThroughput;
        made.high = point.result.interval ? point.result.interval->high : point.result.maxThroughput;
        made.change = point.change;
        made.tip = QStringLiteral("%1 · %2\n%3")
                       .arg(made.day, toQString(point.planName), toQString(formatThroughput(made.value)));
        line.points.push_back(std::move(made));
    }
    if (!points.empty())
        line.style = frameworkStyle(points.front().result.key.framework);
    return line;
}

} // namespace

NamedFigure ComparePage::verdictFigure(const Comparison &one) const
{
    const QString nameA = toQString(one.a.frameworkTitle);
    const QString nameB = toQString(one.b.frameworkTitle);
    const bool alike = nameA == nameB;
    const auto side = [](const QString &name, const CaseResult &result) {
        RunDots::Side made;
        made.name = name;
        made.style = frameworkStyle(result.key.framework);
        made.runs = result.runThroughputs;
        made.median = result.throughput;
        if (result.interval)
            made.interval = std::pair(result.interval->low, result.interval->high);
        return made;
    };
    PaintedFigure figure = paintedDots({side(alike ? QStringLiteral("A · ") + nameA : nameA, one.a),
                                        side(alike ? QStringLiteral("B · ") + nameB : nameB, one.b)},
                                       tr("%1; band: interval of the median").arg(rateUnit(one.a.unit)));
    figure.title =
        tr("%1 against %2 at %3: %4")
            .arg(m_a->currentText(), m_b->currentText(), toQString(one.a.key.scaleName()), verdictText(one));
    if (one.unlike)
        figure.title += QStringLiteral(" † ") + tr("unlike keys");
    figure.simulated = one.a.simulated || one.b.simulated ? tr("SIMULATED") : QString();
    QStringList provenance{tr("A ÷ B %1").arg(toQString(formatNumber(one.ratio, 3)))};
    if (one.interval)
        provenance.append(tr("95 % interval %1 – %2")
                              .arg(toQString(formatNumber(one.interval->low, 3)),
                                   toQString(formatNumber(one.interval->high, 3))));
    provenance.append(QStringLiteral("Scaleboard · ") + toQString(m_session.workspaceName()));
    const CompareSide *a = sideOf(m_a);
    const CompareSide *b = sideOf(m_b);
    if (m_reference && ((a && a->published) || (b && b->published)))
        provenance.append(tr("Published: %1.").arg(toQString(m_reference->citation())));
    figure.provenance = provenance.join(QStringLiteral(" · "));
    return {tr("Runs of A and B"), QStringLiteral("compare-") + stemOf(one.a.key), {}, figure};
}

std::vector<HistoryPoint> ComparePage::historyOf(const CaseKey &key) const
{
    std::vector<Run> runs = m_session.runs();
    for (const OtherRuns &other : m_others)
        for (Run run : other.runs) {
            run.planName = other.name + ": " + run.planName;
            runs.push_back(std::move(run));
        }
    return caseHistory(runs, key, {});
}

void ComparePage::setHistoryShown(bool shown)
{
    m_view->setCurrent(shown ? 1 : 0);
    showHistory();
}

void ComparePage::showHistory()
{
    const bool shown = m_view->current() == 1;
    m_views->setCurrentIndex(shown ? 1 : 0);
    const CompareSide *a = sideOf(m_a);
    const CompareSide *b = sideOf(m_b);
    if (!shown || !a) {
        m_casesPanel->setTitle(tr("All cases"));
        m_casesPanel->setHint(tr("A ÷ B of the medians"));
        return;
    }
    // Of the chosen case; without one of A's largest scale.
    const Comparison *chosen = chosenCase();
    const CaseKey keyA = chosen ? chosen->a.key : a->results.back().key;
    m_casesPanel->setTitle(tr("History of %1").arg(toQString(keyA.scaleName())));
    m_casesPanel->setHint(tr("runs made together, oldest first, each against the one before"));
    HistoryFigure figure;
    figure.axis = rateUnit(a->results.back().unit);
    figure.message = tr("Published results have no history.");
    std::vector<std::pair<QString, HistoryPoint>> rows;
    const auto add = [&](const QString &name, const CaseKey &key) {
        const auto points = historyOf(key);
        if (points.empty())
            return;
        figure.lines.push_back(
            lineOf(points, name + QStringLiteral(" · ") + toQString(points.front().result.frameworkTitle)));
        for (const HistoryPoint &point : points)
            rows.emplace_back(name, point);
    };
    add(QStringLiteral("A"), keyA);
    if (chosen && b && chosen->b.key != keyA)
        add(QStringLiteral("B"), chosen->b.key);
    PaintedFigure painted = paintedHistory(figure);
    painted.title = QStringLiteral("%1 · %2").arg(toQString(a->title), toQString(keyA.scaleName()));
    painted.provenance = QStringLiteral("Scaleboard · ") + toQString(m_session.workspaceName());
    painted.simulated =
        std::any_of(rows.begin(), rows.end(), [](const auto &row) { return row.second.result.simulated; })
            ? tr("SIMULATED")
            : QString();
    painted.description = tr("%n group(s) of runs", nullptr, static_cast<int>(rows.size()));
    m_historyChart->setFigure(painted);
    m_historyTable->setHorizontalHeaderLabels(
        {tr("Side"), tr("Day"), tr("Plan"), figure.axis, tr("Runs"), tr("÷ before"), tr("Change")});
    m_historyTable->setRowCount(static_cast<int>(rows.size()));
    for (int row = 0; row < m_historyTable->rowCount(); ++row) {
        const auto &[name, point] = rows[static_cast<std::size_t>(row)];
        const QStringList cells{name,
                                toQString(point.dayUtc),
                                toQString(point.planName),
                                toQString(formatThroughput(point.result.throughput)),
                                QString::number(point.result.repeats),
                                point.ratio ? toQString(formatNumber(*point.ratio, 3)) : QStringLiteral("—"),
                                point.change ? verdictWord(*point.change) : QString()};
        for (int column = 0; column < cells.size(); ++column) {
            auto *item = new QTableWidgetItem(cells[column]);
            const bool number = column >= 3 && column <= 5;
            item->setTextAlignment(Qt::AlignVCenter | (number ? Qt::AlignRight : Qt::AlignLeft));
            m_historyTable->setItem(row, column, item);
        }
    }
    m_historyTable->resizeColumnsToContents();
}

std::vector<NamedFigure> ComparePage::figures() const
{
    std::vector<NamedFigure> all;
    if (const Comparison *chosen = chosenCase())
        all.push_back(verdictFigure(*chosen));
    if (m_view->current() == 1 && m_historyTable->rowCount() > 0) {
        const Comparison *chosen = chosenCase();
        const CompareSide *a = sideOf(m_a);
        all.push_back({tr("History"),
                       QStringLiteral("history-") + stemOf(chosen ? chosen->a.key : a->results.back().key),
                       {},
                       m_historyChart->figure()});
    }
    return all;
}

void ComparePage::exportFigures()
{
    std::vector<NamedFigure> all = figures();
    if (all.empty())
        return;
    const QString folder =
        m_session.hasWorkspace() ? toQString(m_session.workspaceFolder()) : QDir::homePath();
    auto *dialog = new FigureDialog(std::move(all), folder + QStringLiteral("/figures"), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

KeptComparison ComparePage::keptNow() const
{
    const CompareSide *a = sideOf(m_a);
    const CompareSide *b = sideOf(m_b);
    const bool unlike = chosenCase() && chosenCase()->unlike;
    return {a ? a->id : std::string(), b ? b->id : std::string(), unlike};
}

void ComparePage::showReportButton()
{
    m_export->setEnabled(!m_cases->cases().empty() || m_view->current() == 1);
    const KeptComparison now = keptNow();
    const bool other = now.a.starts_with("other:") || now.b.starts_with("other:");
    const bool possible =
        m_session.hasWorkspace() && !m_session.readOnly() && !m_cases->cases().empty() && !other;
    bool kept = false;
    if (m_session.hasWorkspace()) {
        const auto all = readKeptComparisons(m_session.workspaceFolder());
        if (!all) {
            m_note->setText(translateSentence(all.error().message));
            m_note->show();
        } else {
            kept = std::any_of(all->begin(), all->end(), [&now](const KeptComparison &one) {
                return one.a == now.a && one.b == now.b;
            });
        }
    }
    m_report->setEnabled(possible);
    m_report->setChecked(kept);
    m_report->setText(kept ? tr("In the report") : tr("Add to report"));
    m_report->setToolTip(
        !m_session.hasWorkspace() ? tr("A report belongs to a workspace; none is open.")
        : m_session.readOnly()    ? tr("This workspace came as a bundle and is read-only.")
        : other ? tr("Results of another workspace are not kept in this one's report; import them "
                     "for that.")
                : tr("The report gets a table of this comparison, computed again whenever it is "
                     "written."));
}

void ComparePage::setInReport(bool kept)
{
    const KeptComparison now = keptNow();
    auto all = readKeptComparisons(m_session.workspaceFolder());
    if (all) {
        std::erase_if(*all, [&now](const KeptComparison &one) { return one.a == now.a && one.b == now.b; });
        if (kept)
            all->push_back(now);
    }
    const auto written =
        all ? writeKeptComparisons(m_session.workspaceFolder(), *all) : Result<void>(all.error());
    showReportButton();
    if (!written) {
        m_note->setText(translateSentence(written.error().message));
        m_note->show();
        return;
    }
    Q_EMIT comparisonsKept();
}

std::optional<QString> ComparePage::addOther(const QString &path)
{
    auto other = readOtherRuns(path.toStdString());
    if (!other)
        return translateSentence(other.error().message);
    if (aggregate(other->runs).empty())
        return tr("%1 has no measured runs.").arg(path);
    std::erase_if(m_others, [&other](const OtherRuns &known) { return known.name == other->name; });
    m_others.push_back(std::move(*other));
    takeResults();
    return std::nullopt;
}

void ComparePage::askOther(bool bundle)
{
    auto *dialog = new QFileDialog(this, bundle ? tr("Bundle") : tr("Workspace"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(bundle ? QFileDialog::ExistingFile : QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
        if (const auto wrong = addOther(path)) {
            m_note->setText(*wrong);
            m_note->show();
        }
    });
    dialog->open();
}

} // namespace sb
