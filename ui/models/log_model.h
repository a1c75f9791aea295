// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/session_model.h"

#include <QAbstractListModel>
#include <QSortFilterProxyModel>

#include <deque>
#include <string>

namespace sb {

// The newest lines of a run's log, as the session holds them. sync() takes over only what is new.
class LogModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { RankRole = Qt::UserRole, WarningRole };
    explicit LogModel(QObject *parent = nullptr);

    void sync(const LiveRun &run);
    void clear();
    std::int64_t linesSeen() const { return m_seen; }
    int warnings() const { return m_warnings; }

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    void append(const LiveRun &run, std::size_t count);
    void trim();

    std::string m_runId;
    std::deque<LogLine> m_lines;
    std::int64_t m_seen = 0;
    int m_warnings = 0; // among the lines held
};

// The same, or only its warnings.
class LogFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setWarningsOnly(bool only);

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    bool m_warningsOnly = false;
};

} // namespace sb
