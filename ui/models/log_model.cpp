// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/log_model.h"

#include "widgets/text.h"

#include <algorithm>

namespace sb {

LogModel::LogModel(QObject *parent)
    : QAbstractListModel(parent)
{
}

void LogModel::sync(const LiveRun &run)
{
    if (run.run.id != m_runId || run.logLines < m_seen) {
        clear();
        m_runId = run.run.id;
    }
    const std::int64_t added = run.logLines - m_seen;
    if (added <= 0)
        return;
    if (added >= static_cast<std::int64_t>(run.log.size()) && !m_lines.empty()) { // everything held is older
        beginResetModel();
        m_lines.assign(run.log.begin(), run.log.end());
        m_warnings = static_cast<int>(
            std::count_if(m_lines.begin(), m_lines.end(), [](const LogLine &l) { return l.warning; }));
        m_seen = run.logLines;
        endResetModel();
        return;
    }
    append(run, static_cast<std::size_t>(
                    std::min<std::int64_t>(added, static_cast<std::int64_t>(run.log.size()))));
    m_seen = run.logLines;
    trim();
}

void LogModel::append(const LiveRun &run, std::size_t count)
{
    if (count == 0)
        return;
    const int first = rowCount();
    beginInsertRows({}, first, first + static_cast<int>(count) - 1);
    for (std::size_t i = run.log.size() - count; i < run.log.size(); ++i) {
        m_lines.push_back(run.log[i]);
        m_warnings += run.log[i].warning ? 1 : 0;
    }
    endInsertRows();
}

void LogModel::trim()
{
    if (m_lines.size() <= LiveRun::kMostLogLines)
        return;
    const std::size_t surplus = m_lines.size() - LiveRun::kMostLogLines;
    beginRemoveRows({}, 0, static_cast<int>(surplus) - 1);
    for (std::size_t i = 0; i < surplus; ++i) {
        m_warnings -= m_lines.front().warning ? 1 : 0;
        m_lines.pop_front();
    }
    endRemoveRows();
}

void LogModel::clear()
{
    beginResetModel();
    m_lines.clear();
    m_runId.clear();
    m_seen = 0;
    m_warnings = 0;
    endResetModel();
}

int LogModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

QVariant LogModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const LogLine &line = m_lines[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return toQString(line.text);
    case Qt::AccessibleTextRole:
        return QString(QStringLiteral("r%1 ").arg(line.rank) + toQString(line.text));
    case RankRole:
        return line.rank;
    case WarningRole:
        return line.warning;
    default:
        return {};
    }
}

void LogFilter::setWarningsOnly(bool only)
{
    if (m_warningsOnly == only)
        return;
    m_warningsOnly = only;
    invalidateFilter();
}

bool LogFilter::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    return !m_warningsOnly || sourceModel()->index(row, 0, parent).data(LogModel::WarningRole).toBool();
}

} // namespace sb
