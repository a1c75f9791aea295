// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/session_model.h"
#include "settings/settings.h"
#include "widgets/page_frame.h"

#include <QElapsedTimer>
#include <QTimer>

class QPushButton;
class QStackedWidget;

namespace sb {

class Banner;
class FigureStrip;
class LiveChartPanel;
class LiveSide;
class LogPanel;
class Panel;
class RankStrip;

// Is it going well? The run in progress, or the last one. Data only mark the page as out of date; it is
// brought up to date at most every 40 ms.
class LivePage : public PageFrame {
    Q_OBJECT
public:
    LivePage(SessionModel &session, Settings &settings, QWidget *parent = nullptr);

    void togglePause();
    void askStop();
    void focusFind();
    // Seconds without data, if that is too long for this run.
    std::optional<double> staleS() const;
    LiveSide *side() { return m_side; }
    LogPanel *log() { return m_log; }
    FigureStrip *figures() { return m_figures; }
    LiveChartPanel *chart() { return m_chart; }
    Banner *banner() { return m_banner; }

Q_SIGNALS:
    void planWanted();
    void continueWanted(); // the sweep is paused and should go on
    void staleChanged(bool stale);

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void buildHeader();
    QWidget *buildMain();
    void takeRun();
    void takeData();
    void tick();
    void showHeader();
    void showButtons();
    void showData();
    void showRanks();
    void showEnd();
    void showEmpty();
    void showSteps();

    SessionModel &m_session;
    Banner *m_banner;
    QPushButton *m_pause = nullptr;
    QPushButton *m_stop = nullptr;
    QPushButton *m_steps = nullptr;
    FigureStrip *m_figures;
    LiveChartPanel *m_chart;
    Panel *m_ranksPanel;
    RankStrip *m_ranks;
    LogPanel *m_log;
    LiveSide *m_side;
    QTimer m_redraw;   // single shot, 40 ms
    QTimer m_ageTimer; // while a run is on
    QElapsedTimer m_sinceData;
    std::int64_t m_stepsSeen = 0;
    bool m_wasStale = false;
    std::string m_endShown; // run whose end the banner has told
};

} // namespace sb
