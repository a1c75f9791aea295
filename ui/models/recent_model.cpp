// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/recent_model.h"

#include <QDir>
#include <QFileInfo>
#include <QFont>
#include <QLocale>

namespace sb {

QString shortPath(const QString &folder)
{
    const QString home = QDir::homePath();
    if (home.size() > 1 && (folder == home || folder.startsWith(home + u'/')))
        return u'~' + folder.mid(home.size());
    return folder;
}

QString whenText(const QDateTime &thenUtc, const QDateTime &nowUtc)
{
    const QDateTime then = thenUtc.toLocalTime();
    const QDateTime now = nowUtc.toLocalTime();
    const qint64 days = then.date().daysTo(now.date());
    const QLocale locale(RecentModel::tr("en", "language of dates: en or zh"));
    if (days == 0)
        return RecentModel::tr("Today %1").arg(then.toString(QStringLiteral("HH:mm")));
    if (days > 0 && days < 7)
        return locale.dayName(then.date().dayOfWeek());
    return locale.toString(then.date(), then.date().year() == now.date().year()
                                            ? RecentModel::tr("d MMM", "date without year")
                                            : RecentModel::tr("d MMM yyyy", "date with year"));
}

RecentModel::RecentModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void RecentModel::setRecents(std::vector<RecentWorkspace> recents)
{
    beginResetModel();
    m_recents = std::move(recents);
    m_missing.clear();
    for (const RecentWorkspace &recent : m_recents)
        m_missing.push_back(!QFileInfo(recent.folder).isDir());
    endResetModel();
}

void RecentModel::retranslate()
{
    if (!m_recents.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

int RecentModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_recents.size());
}

int RecentModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : kColumns;
}

QString RecentModel::cellText(const RecentWorkspace &recent, bool missing, int column) const
{
    switch (column) {
    case Name:
        return recent.name;
    case Folder:
        return shortPath(recent.folder);
    case Content:
        if (missing)
            return tr("Folder not found · Locate…");
        return recent.runs == 0
                   ? tr("No runs yet")
                   : QString(tr("%n run(s)", nullptr, recent.runs) +
                             (recent.nodes > 0
                                  ? QStringLiteral(" · ") + tr("%n node(s)", nullptr, recent.nodes)
                                  : QString()));
    case When:
        return whenText(recent.openedUtc, QDateTime::currentDateTimeUtc());
    default:
        return {};
    }
}

QVariant RecentModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const RecentWorkspace &recent = m_recents[static_cast<std::size_t>(index.row())];
    const bool missing = m_missing[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return cellText(recent, missing, index.column());
    case Qt::ToolTipRole:
        return recent.folder;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment(Qt::AlignVCenter | (index.column() == When ? Qt::AlignRight : Qt::AlignLeft)));
    case Qt::AccessibleTextRole:
        return QString(recent.name + QStringLiteral(", ") + cellText(recent, missing, Content));
    case FolderPathRole:
        return recent.folder;
    case MissingRole:
        return missing;
    default:
        return {};
    }
}

QVariant RecentModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("Name");
    case Folder:
        return tr("Folder");
    case Content:
        return tr("Content");
    case When:
        return tr("Opened");
    default:
        return {};
    }
}

} // namespace sb
