// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/session_model.h"
#include "widgets/panel.h"
#include "widgets/texts.h"

class QPushButton;

namespace sb {

// The bottom of the Plan page: whether it can start, how long it takes, and the buttons to look and to start.
class PlanFoot : public Panel {
    Q_OBJECT
public:
    explicit PlanFoot(SessionModel &session, QWidget *parent = nullptr);

    void refresh();
    QPushButton *startButton() { return m_start; }
    QPushButton *dryRunButton() { return m_dryRun; }

protected:
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    struct ToDo {
        int runs;
        std::optional<double> timeS; // unless a case has no estimate
    };
    ToDo toDo() const; // what results do not have yet
    QString nodesText() const;

    SessionModel &m_session;
    bool m_ready = false;
    TextLabel *m_state;
    TextLabel *m_where;
    TextLabel *m_total;
    TextLabel *m_runs;
    QPushButton *m_dryRun;
    QPushButton *m_start;
};

} // namespace sb
