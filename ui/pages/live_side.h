// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/case_grid_model.h"
#include "session/session_model.h"
#include "widgets/run_rows.h"
#include "widgets/texts.h"

#include <QElapsedTimer>
#include <QWidget>

#include <vector>

namespace sb {

class FormRows;
class Panel;
class ProgressGrid;
class ProgressLine;

// The right side of the Live page: every case of the sweep, how long it still takes, what comes and what was.
class LiveSide : public QWidget {
    Q_OBJECT
public:
    explicit LiveSide(SessionModel &session, QWidget *parent = nullptr);

    void refresh();
    // Times go on between two reports of the session.
    void tick();
    CaseGridModel &grid() { return m_grid; }

protected:
    void changeEvent(QEvent *event) override;

private:
    Panel *buildProgress();
    Panel *buildSweep();
    Panel *buildRuns();
    void takeSweep();
    void showSweep();
    void showRuns();
    std::vector<RunRows::Row> runRows() const;

    SessionModel &m_session;
    std::vector<PlannedCase> m_cases; // of the sweep at hand; the plan may be edited meanwhile
    int m_repeats = 0;
    bool m_active = false;
    QElapsedTimer m_sinceReport; // of the sweep's times, which the session tells when a run begins or ends
    SweepProgress m_report;
    CaseGridModel m_grid;
    Panel *m_progressPanel = nullptr;
    Panel *m_sweepPanel = nullptr;
    Panel *m_runsPanel = nullptr;
    ProgressGrid *m_cells = nullptr;
    ProgressLine *m_bar = nullptr;
    TextLabel *m_percent = nullptr;
    FormRows *m_sweep = nullptr;
    RunRows *m_rows = nullptr;
    Texts m_texts;
};

} // namespace sb
