// SPDX-License-Identifier: GPL-3.0-or-later
// What a LiveChart draws, without its events. Private to ui/charts.
#pragma once

#include "charts/chart_math.h"
#include "charts/live_chart.h"
#include "charts/live_lanes.h"

#include <QCoreApplication>
#include <QFont>

#include <memory>
#include <optional>
#include <vector>

class QCPAxisRect;
class QCPGraph;
class QCPItemLine;
class QCPItemRect;
class QCPItemText;
class QCPItemTracer;
class QCustomPlot;

namespace sb {

struct Tokens;

// A point that was hit: which rank and which of its points.
struct LivePoint {
    int rank = 0;
    std::size_t index = 0;
};

class LivePlot {
    Q_DECLARE_TR_FUNCTIONS(sb::LiveChart)
public:
    explicit LivePlot(QWidget *parent);
    ~LivePlot();
    LivePlot(const LivePlot &) = delete;
    LivePlot &operator=(const LivePlot &) = delete;

    QCustomPlot *widget() const { return m_plot; }

    LiveChartRun run;
    LiveChartData data;
    LiveChart::XAxis axis = LiveChart::XAxis::Step;
    bool following = true;
    std::optional<double> median;
    std::optional<MedianInterval> interval;
    std::optional<double> staleS;

    void restart();                         // another run
    void dataMoved();                       // vectors are elsewhere: start reading from the front
    void applyTheme(const QWidget &widget); // colours and fonts
    void layOut(int height);                // how many lanes fit
    void update();                          // reads what is new and asks for a repaint
    void setRange(double low, double high); // zoomed
    double low() const { return m_low; }
    double high() const { return m_high; }
    double xAtPixel(double pixel) const;
    std::optional<LivePoint> pointAt(QPoint position) const;
    // Marks a point; returns where it is.
    QPoint mark(const LivePoint &point);
    void unmark();
    std::size_t shownPoints(int rank) const; // of this rank, no more than were there when it stood still
    const std::vector<double> &xs(const Series &series) const;

private:
    struct Line {
        QCPGraph *graph = nullptr;
        Envelope envelope;
        std::size_t next = 0;  // first point not yet in the envelope
        std::size_t limit = 0; // points to show
        bool fresh = true;     // the envelope must start again
    };
    void addLines(std::size_t count);
    void chooseRange();
    void extend(Line &line, const Series &series);
    void updateLanes();
    void updateScales();
    void updateMarks();
    void updateWords(double last);
    QColor lineColour(std::size_t rank) const;
    double lastX() const;
    double xOfStep(double step) const;

    QCustomPlot *m_plot;
    QCPAxisRect *m_rect = nullptr;
    std::vector<Line> m_lines;
    LiveLanes m_lanes;
    QCPItemRect *m_warmup = nullptr;
    QCPItemRect *m_hatch = nullptr;
    QCPItemRect *m_steady = nullptr;
    QCPItemRect *m_band = nullptr;
    QCPItemLine *m_medianLine = nullptr;
    QCPItemLine *m_begin = nullptr;
    QCPItemLine *m_now = nullptr;
    QCPItemText *m_warmupWords = nullptr;
    QCPItemText *m_steadyWords = nullptr;
    QCPItemText *m_staleWords = nullptr;
    QCPItemText *m_simulated = nullptr;
    QCPItemTracer *m_tracer = nullptr;
    AxisScale m_scale;
    double m_low = 0;
    double m_high = 1;
    std::size_t m_buckets = 0;
    const Tokens *m_tokens;
    QFont m_font;
};

} // namespace sb
