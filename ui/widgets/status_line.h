// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/session_model.h"
#include "widgets/text.h"

#include <QElapsedTimer>
#include <QStatusBar>
#include <QTimer>

namespace sb {

// The bar at the bottom: nodes at the left; what runs and where results go at the right.
class StatusLine : public QStatusBar {
    Q_OBJECT
public:
    explicit StatusLine(SessionModel &session, QWidget *parent = nullptr);

    void setStale(std::optional<double> seconds);

protected:
    void changeEvent(QEvent *event) override;

private:
    void refresh();
    void tellDeploying(const QString &what);

    SessionModel &m_session;
    std::optional<double> m_staleS;
    QTimer m_tick; // while a sweep is on: the time that is left goes down
    QElapsedTimer m_sinceReport;
    QString m_deploying; // what is put on a node or built there before the run starts
    QLabel *m_mark;
    TextLabel *m_nodes;
    TextLabel *m_run;
    TextLabel *m_folder;
};

} // namespace sb
