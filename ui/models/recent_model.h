// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "settings/settings.h"

#include <QAbstractTableModel>

namespace sb {

// Recent workspaces: name, folder, content, when.
class RecentModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Folder, Content, When, kColumns };
    enum Role { FolderPathRole = Qt::UserRole, MissingRole };
    explicit RecentModel(QObject *parent = nullptr);

    // Looks whether each folder still exists.
    void setRecents(std::vector<RecentWorkspace> recents);
    void retranslate();

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QString cellText(const RecentWorkspace &recent, bool missing, int column) const;

    std::vector<RecentWorkspace> m_recents;
    std::vector<bool> m_missing;
};

// "~/bench/x" for a folder below the home folder.
QString shortPath(const QString &folder);
// "Today 11:58", "Thursday", "12 Nov", "12 Nov 2025", in the language of the window.
QString whenText(const QDateTime &thenUtc, const QDateTime &nowUtc);

} // namespace sb
