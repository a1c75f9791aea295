// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/step_model.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace sb {

namespace {

struct RailText {
    Q_DECLARE_TR_FUNCTIONS(RailText)
};

constexpr double kMostNameWidth = 16;

// Characters from U+2E80 on (Chinese, Japanese, Korean) are as wide as 16/9 Latin ones.
double characterWidth(QChar character)
{
    return character.unicode() >= 0x2E80 ? 16.0 / 9.0 : 1.0;
}

QString shortName(const QString &name)
{
    double width = 0;
    for (qsizetype i = 0; i < name.size(); ++i) {
        const double next = width + characterWidth(name[i]);
        const double rest =
            i + 1 < name.size() ? 1.0 : 0.0; // room for the ellipsis unless this is the last one
        if (next + rest > kMostNameWidth)
            return name.size() == i + 1 && next <= kMostNameWidth ? name : name.left(i) + u'…';
        width = next;
    }
    return name;
}

int percentDone(const RailFacts &facts)
{
    const int finished = facts.doneRuns + facts.failedRuns;
    return facts.totalRuns > 0 ? static_cast<int>(std::floor(100.0 * finished / facts.totalRuns)) : 0;
}

Step startStep(const RailFacts &facts)
{
    Step step;
    step.subLine =
        facts.workspaceName.isEmpty() ? RailText::tr("Choose a door") : shortName(facts.workspaceName);
    step.state = facts.workspaceName.isEmpty() ? StepState::Current : StepState::Done;
    return step;
}

Step nodesStep(const RailFacts &facts)
{
    Step step;
    if (facts.onlyThisMachine)
        step.subLine = RailText::tr("This machine");
    else
        step.subLine = RailText::tr("%1 of %2 ready").arg(facts.readyNodes).arg(facts.nodes);
    step.state = facts.failedNodes > 0                                ? StepState::NeedsYou
                 : facts.readyNodes == facts.nodes && facts.nodes > 0 ? StepState::Done
                                                                      : StepState::Current;
    return step;
}

Step topologyStep(const TopologySummary &facts)
{
    Step step;
    step.state = facts.damagedRows > 0 ? StepState::NeedsYou
                 : facts.nodes > 0     ? StepState::Done
                                       : StepState::Nothing;
    if (facts.damagedRows > 0)
        step.subLine = RailText::tr("%n row(s) damaged", nullptr, facts.damagedRows);
    else if (facts.islands > 0)
        step.subLine = RailText::tr("%n island(s)", nullptr, facts.islands);
    else
        step.subLine = facts.nodes > 0 ? RailText::tr("Read") : RailText::tr("Nothing yet");
    return step;
}

Step planStep(const RailFacts &facts)
{
    Step step;
    if (facts.planBroken) {
        step.subLine = RailText::tr("Needs a change");
        step.state = StepState::NeedsYou;
    } else if (facts.cases > 0) {
        step.subLine = facts.cases < 100 ? RailText::tr("%n case(s) · ready", nullptr, facts.cases)
                                         : RailText::tr("%n case(s)", nullptr, facts.cases);
        step.state = facts.sweepActive || facts.storedRuns > 0 ? StepState::Done : StepState::Current;
    } else {
        step.subLine = RailText::tr("Nothing yet");
    }
    return step;
}

Step liveStep(const RailFacts &facts)
{
    Step step;
    const int percent = percentDone(facts);
    if (facts.sweepActive && facts.stale) {
        step.subLine = RailText::tr("No data");
        step.state = StepState::NeedsYou;
    } else if (facts.sweepActive) {
        step.subLine = facts.pausing ? RailText::tr("Pausing · %1 %").arg(percent)
                                     : RailText::tr("Running · %1 %").arg(percent);
        step.spokenState = RailText::tr("running, %1 percent").arg(percent);
        step.state = StepState::Current;
    } else if (facts.totalRuns > 0 && facts.failedRuns > 0) {
        step.subLine = RailText::tr("%n failed", nullptr, facts.failedRuns);
        step.state = StepState::NeedsYou;
    } else if (facts.totalRuns > 0 && facts.doneRuns >= facts.totalRuns) {
        step.subLine = RailText::tr("%n run(s) done", nullptr, facts.doneRuns);
        step.state = StepState::Done;
    } else if (facts.totalRuns > 0) {
        step.subLine = RailText::tr("Paused · %1 %").arg(percent);
        step.state = StepState::Current;
    } else {
        step.subLine = RailText::tr("Not started");
    }
    return step;
}

Step scalingStep(const RailFacts &facts)
{
    Step step;
    step.subLine = facts.curves > 0    ? RailText::tr("%n curve(s)", nullptr, facts.curves)
                   : facts.results > 0 ? RailText::tr("One scale")
                                       : RailText::tr("Nothing yet");
    step.state = facts.curves > 0 ? StepState::Done : StepState::Nothing;
    return step;
}

Step compareStep(const RailFacts &facts)
{
    Step step;
    step.state = facts.compared ? StepState::Done : StepState::Nothing;
    if (!facts.compared)
        step.subLine = RailText::tr("Nothing yet");
    else if (*facts.compared == Verdict::Faster)
        step.subLine = RailText::tr("A is faster");
    else if (*facts.compared == Verdict::Slower)
        step.subLine = RailText::tr("A is slower");
    else if (*facts.compared == Verdict::Same)
        step.subLine = RailText::tr("A and B alike");
    else
        step.subLine = RailText::tr("Cannot tell");
    return step;
}

Step reportStep(const RailFacts &facts)
{
    Step step;
    step.subLine = facts.results > 0 ? RailText::tr("%n result(s)", nullptr, facts.results)
                                     : RailText::tr("Nothing yet");
    step.state = facts.results > 0 ? StepState::Current : StepState::Nothing;
    return step;
}

QString stateWord(StepState state)
{
    switch (state) {
    case StepState::Nothing:
        return RailText::tr("nothing yet");
    case StepState::Current:
        return RailText::tr("in progress");
    case StepState::Done:
        return RailText::tr("done");
    case StepState::NeedsYou:
        return RailText::tr("needs you");
    case StepState::Broken:
        return RailText::tr("broken");
    }
    return {};
}

QString iconName(PageId page)
{
    switch (page) {
    case PageId::Start:
        return QStringLiteral("start");
    case PageId::Nodes:
        return QStringLiteral("nodes");
    case PageId::Topology:
        return QStringLiteral("topology");
    case PageId::Plan:
        return QStringLiteral("plan");
    case PageId::Live:
        return QStringLiteral("live");
    case PageId::Scaling:
        return QStringLiteral("scaling");
    case PageId::Compare:
        return QStringLiteral("compare");
    case PageId::Report:
        return QStringLiteral("report");
    }
    return {};
}

} // namespace

QString pageTitle(PageId page)
{
    switch (page) {
    case PageId::Start:
        return RailText::tr("Start");
    case PageId::Nodes:
        return RailText::tr("Nodes");
    case PageId::Topology:
        return RailText::tr("Topology");
    case PageId::Plan:
        return RailText::tr("Plan");
    case PageId::Live:
        return RailText::tr("Live");
    case PageId::Scaling:
        return RailText::tr("Scaling");
    case PageId::Compare:
        return RailText::tr("Compare");
    case PageId::Report:
        return RailText::tr("Report");
    }
    return {};
}

Step stepFor(PageId page, const RailFacts &facts)
{
    Step step;
    switch (page) {
    case PageId::Start:
        step = startStep(facts);
        break;
    case PageId::Nodes:
        step = nodesStep(facts);
        break;
    case PageId::Plan:
        step = planStep(facts);
        break;
    case PageId::Live:
        step = liveStep(facts);
        break;
    case PageId::Scaling:
        step = scalingStep(facts);
        break;
    case PageId::Report:
        step = reportStep(facts);
        break;
    case PageId::Topology:
        step = topologyStep(facts.topology);
        break;
    case PageId::Compare:
        step = compareStep(facts);
        break;
    }
    step.page = page;
    if (step.spokenState.isEmpty())
        step.spokenState = stateWord(step.state);
    return step;
}

StepModel::StepModel(QObject *parent)
    : QAbstractListModel(parent)
{
}

void StepModel::setPages(const std::vector<PageId> &pages)
{
    beginResetModel();
    m_steps.clear();
    for (const PageId page : pages)
        m_steps.push_back(stepFor(page, m_facts));
    endResetModel();
}

void StepModel::setFacts(const RailFacts &facts)
{
    m_facts = facts;
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        Step step = stepFor(m_steps[i].page, facts);
        if (step == m_steps[i])
            continue;
        m_steps[i] = std::move(step);
        const QModelIndex changed = index(static_cast<int>(i));
        Q_EMIT dataChanged(changed, changed);
    }
}

void StepModel::retranslate()
{
    setFacts(m_facts);
    if (!m_steps.empty())
        Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

std::optional<int> StepModel::rowOf(PageId page) const
{
    const auto at =
        std::find_if(m_steps.begin(), m_steps.end(), [page](const Step &s) { return s.page == page; });
    if (at == m_steps.end())
        return std::nullopt;
    return static_cast<int>(at - m_steps.begin());
}

PageId StepModel::pageAt(int row) const
{
    return m_steps.at(static_cast<std::size_t>(row)).page;
}

int StepModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_steps.size());
}

QString StepModel::spokenText(const Step &step, int row) const
{
    return RailText::tr("%1, step %2 of %3, %4, %5")
        .arg(pageTitle(step.page))
        .arg(row + 1)
        .arg(rowCount())
        .arg(step.spokenState, step.subLine);
}

QVariant StepModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Step &step = m_steps[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return pageTitle(step.page);
    case Qt::ToolTipRole:
        return QString(pageTitle(step.page) + QStringLiteral(" · ") + step.subLine);
    case Qt::AccessibleTextRole:
        return spokenText(step, index.row());
    case SubLineRole:
        return step.subLine;
    case StateRole:
        return QVariant::fromValue(step.state);
    case IconNameRole:
        return iconName(step.page);
    case PageRole:
        return static_cast<int>(step.page);
    default:
        return {};
    }
}

} // namespace sb
