// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/case_grid_model.h"

#include "core/units.h"
#include "sentences/sentence.h"
#include "widgets/text.h"

#include <algorithm>

namespace sb {

CaseGridModel::CaseGridModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void CaseGridModel::setCases(std::span<const PlannedCase> cases, std::span<const Framework> frameworks,
                             int repeats)
{
    beginResetModel();
    m_repeats = repeats;
    m_cases.clear();
    int order = 0;
    for (const PlannedCase &planned : cases) {
        CaseInfo info;
        info.planned = planned;
        info.progress.repeats = repeats;
        info.order = planned.refused() ? 0 : ++order;
        m_cases.push_back(std::move(info));
    }
    buildGrid(frameworks);
    endResetModel();
}

std::size_t CaseGridModel::groupFor(const CaseKey &key, std::span<const Framework> frameworks)
{
    const auto at = std::find_if(m_groups.begin(), m_groups.end(), [&](const Group &g) {
        return g.workload == key.workload && g.precision == key.precision &&
               g.batchSizePerDevice == key.batchSizePerDevice;
    });
    if (at != m_groups.end())
        return static_cast<std::size_t>(at - m_groups.begin());
    Group group{key.workload, key.workload, key.precision, key.batchSizePerDevice, 0, 0};
    for (const Framework &framework : frameworks)
        if (const Workload *workload = framework.findWorkload(key.workload))
            group.workloadTitle = workload->title;
    m_groups.push_back(std::move(group));
    return m_groups.size() - 1;
}

void CaseGridModel::buildGrid(std::span<const Framework> frameworks)
{
    m_frameworks.clear();
    m_titles.clear();
    m_groups.clear();
    m_columns.clear();
    m_cells.clear();
    for (const CaseInfo &info : m_cases) {
        const CaseKey &key = info.planned.key;
        if (std::find(m_frameworks.begin(), m_frameworks.end(), key.framework) == m_frameworks.end()) {
            const Framework *known = findFramework(frameworks, key.framework);
            m_frameworks.push_back(key.framework);
            m_titles.push_back(known ? known->title : key.framework);
        }
        const std::size_t group = groupFor(key, frameworks);
        const Scale scale{key.nodes, key.devicesPerNode};
        const bool seen = std::any_of(m_columns.begin(), m_columns.end(),
                                      [&](const Column &c) { return c.group == group && c.scale == scale; });
        if (!seen)
            m_columns.push_back({group, scale, key.device});
    }
    std::stable_sort(m_columns.begin(), m_columns.end(),
                     [](const Column &a, const Column &b) { return a.group < b.group; });
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        Group &group = m_groups[m_columns[i].group];
        if (group.columns++ == 0)
            group.firstColumn = static_cast<int>(i);
    }
    m_cells.assign(m_frameworks.size(), std::vector<Cell>(m_columns.size()));
    for (std::size_t i = 0; i < m_cases.size(); ++i) {
        const CaseKey &key = m_cases[i].planned.key;
        const std::size_t group = groupFor(key, frameworks);
        const auto row =
            std::find(m_frameworks.begin(), m_frameworks.end(), key.framework) - m_frameworks.begin();
        const auto column = std::find_if(m_columns.begin(), m_columns.end(), [&](const Column &c) {
            return c.group == group && c.scale == Scale{key.nodes, key.devicesPerNode};
        });
        m_cells[static_cast<std::size_t>(row)][static_cast<std::size_t>(column - m_columns.begin())]
            .caseIndex = i;
    }
}

void CaseGridModel::setResults(std::span<const CaseResult> results)
{
    for (CaseInfo &info : m_cases) {
        const auto at = std::find_if(results.begin(), results.end(),
                                     [&](const CaseResult &r) { return r.key == info.planned.key; });
        info.throughput.reset();
        if (at == results.end())
            continue;
        info.throughput = at->throughput;
        info.unit = toQString(at->unit);
        info.progress.done = std::max(info.progress.done, std::min(at->repeats, m_repeats));
    }
    everythingChanged();
}

void CaseGridModel::setProgress(std::span<const CaseProgress> progress)
{
    if (progress.size() != m_cases.size())
        return;
    for (std::size_t i = 0; i < m_cases.size(); ++i)
        m_cases[i].progress = progress[i];
    everythingChanged();
}

void CaseGridModel::retranslate()
{
    everythingChanged();
    if (columnCount() > 0)
        Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

void CaseGridModel::everythingChanged()
{
    if (rowCount() > 0 && columnCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

QModelIndex CaseGridModel::indexOfCase(std::size_t caseIndex) const
{
    for (std::size_t row = 0; row < m_cells.size(); ++row)
        for (std::size_t column = 0; column < m_cells[row].size(); ++column)
            if (m_cells[row][column].caseIndex == caseIndex)
                return index(static_cast<int>(row), static_cast<int>(column));
    return {};
}

QString CaseGridModel::groupTitle(const Group &group) const
{
    const QString title =
        tr("%1 · batch %2").arg(precisionText(group.precision)).arg(group.batchSizePerDevice);
    const bool several = std::any_of(m_groups.begin(), m_groups.end(),
                                     [&](const Group &g) { return g.workload != m_groups.front().workload; });
    return several ? QString(toQString(group.workloadTitle) + QStringLiteral(" · ") + title) : title;
}

QString CaseGridModel::devicesText(int devices, const std::string &device)
{
    return device == "cuda" ? tr("%n GPU(s)", nullptr, devices) : tr("%n worker(s)", nullptr, devices);
}

int CaseGridModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_frameworks.size());
}

int CaseGridModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

const CaseGridModel::CaseInfo *CaseGridModel::infoAt(const QModelIndex &index) const
{
    const Cell &cell =
        m_cells[static_cast<std::size_t>(index.row())][static_cast<std::size_t>(index.column())];
    return cell.caseIndex ? &m_cases[*cell.caseIndex] : nullptr;
}

CaseState CaseGridModel::stateOf(const CaseInfo &info) const
{
    if (info.planned.refused())
        return CaseState::Refused;
    if (info.progress.running)
        return CaseState::Running;
    if (m_repeats > 0 && info.progress.done >= m_repeats)
        return CaseState::Done;
    if (info.progress.failed > 0)
        return CaseState::Failed;
    return info.progress.done > 0 ? CaseState::Partial : CaseState::Planned;
}

QString CaseGridModel::spokenText(const CaseInfo &info, int row) const
{
    const CaseKey &key = info.planned.key;
    const QString name = toQString(m_titles[static_cast<std::size_t>(row)]) + QStringLiteral(", ") +
                         precisionText(key.precision) + QStringLiteral(", ") + toQString(key.scaleName());
    switch (stateOf(info)) {
    case CaseState::Refused:
        return tr("%1, refused: %2").arg(name, translateSentence(info.planned.refusalReason));
    case CaseState::Running:
        return tr("%1, %2 of %3 repeats, running").arg(name).arg(info.progress.done).arg(m_repeats);
    case CaseState::Failed:
        return tr("%1, %2 of %3 repeats, %4 failed")
            .arg(name)
            .arg(info.progress.done)
            .arg(m_repeats)
            .arg(info.progress.failed);
    case CaseState::Done:
    case CaseState::Partial:
        return tr("%1, %2 of %3 repeats done").arg(name).arg(info.progress.done).arg(m_repeats);
    case CaseState::Planned:
    case CaseState::Absent:
        break;
    }
    return tr("%1, %n repeat(s) planned", nullptr, m_repeats).arg(name);
}

QVariant CaseGridModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount() || index.column() >= columnCount())
        return {};
    if (role == FrameworkRole)
        return toQString(m_frameworks[static_cast<std::size_t>(index.row())]);
    if (role == GroupStartRole)
        return m_groups[m_columns[static_cast<std::size_t>(index.column())].group].firstColumn ==
               index.column();
    const CaseInfo *info = infoAt(index);
    if (!info)
        return role == StateRole ? QVariant::fromValue(CaseState::Absent) : QVariant();
    switch (role) {
    case Qt::AccessibleTextRole:
        return spokenText(*info, index.row());
    case Qt::ToolTipRole:
        return info->planned.refused() ? QVariant(translateSentence(info->planned.refusalReason))
                                       : QVariant();
    case StateRole:
        return QVariant::fromValue(stateOf(*info));
    case CaseIndexRole:
        return QVariant::fromValue(static_cast<qulonglong>(info - m_cases.data()));
    case RunTimeRole:
        return info->planned.estimatedRunTimeS ? QVariant(*info->planned.estimatedRunTimeS) : QVariant();
    case RepeatsRole:
        return m_repeats;
    case DoneRole:
        return info->progress.done;
    case FailedRole:
        return info->progress.failed;
    case ThroughputRole:
        return info->throughput ? QVariant(*info->throughput) : QVariant();
    case UnitRole:
        return info->unit;
    case OrderRole:
        return info->order > 0 ? QVariant(info->order) : QVariant();
    case RefusalRole:
        return translateSentence(info->planned.refusal);
    default:
        return {};
    }
}

QVariant CaseGridModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (section < 0 || role != Qt::DisplayRole)
        return {};
    if (orientation == Qt::Vertical)
        return section < rowCount() ? QVariant(toQString(m_titles[static_cast<std::size_t>(section)]))
                                    : QVariant();
    if (section >= columnCount())
        return {};
    const Scale &scale = m_columns[static_cast<std::size_t>(section)].scale;
    return QStringLiteral("%1n%2g").arg(scale.nodes).arg(scale.devicesPerNode);
}

} // namespace sb
