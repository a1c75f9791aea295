// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/series.h"
#include "core/step_statistics.h"
#include "session/session_model.h"
#include "widgets/figure_strip.h"
#include "widgets/texts.h"

#include <QDialog>

#include <string>
#include <vector>

class QComboBox;
class QPushButton;
class QTableWidget;

namespace sb {

class LiveChart;
class Panel;
class RankStrip;

// Figures of the steps of a run, in the window's language: median with its interval, p90, p99, drift,
// outliers.
std::vector<Figure> stepFigures(const RunSteps &steps);
// "Straggler: rank 3 (node1:GPU 3), own work 27.10 ms, 4.2 % over the median rank, slowest in 97 % of the
// steps." or that no rank stands out, and what they were judged by. Empty with one rank.
QString stragglerText(const Run &run, const RunSteps &steps);

// The steps of the runs behind a number: one run at a time, its curve, how its steps spread, its ranks
// against each other, and its log. Not modal; closed with the window.
class RunDetails : public QDialog {
    Q_OBJECT
public:
    // `runIds` are the repeats of one case, or one run. `chosen` is shown first.
    RunDetails(SessionModel &session, std::vector<std::string> runIds, const std::string &chosen,
               QWidget *parent = nullptr);

    QString straggler() const;
    QTableWidget *ranks() { return m_ranks; }
    FigureStrip *figures() { return m_figures; }
    void showRun(int index);

protected:
    void changeEvent(QEvent *event) override;

private:
    void build();
    void fillRuns();
    void read(const Run &run);
    void showSteps(const Run &run);
    void showRanks(const Run &run);
    const Run *runAt(int index) const;

    SessionModel &m_session;
    std::vector<std::string> m_runIds;
    QComboBox *m_runs;
    FigureStrip *m_figures;
    Panel *m_chartPanel;
    LiveChart *m_chart;
    Panel *m_ranksPanel;
    QTableWidget *m_ranks;
    TextLabel *m_straggler;
    TextLabel *m_outliers;
    TextLabel *m_log;
    QPushButton *m_openLog;
    std::vector<Series> m_series; // read by the chart in place
    std::vector<TelemetrySample> m_telemetry;
    RunSteps m_steps;
    Texts m_texts;
};

} // namespace sb
