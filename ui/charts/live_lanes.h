// SPDX-License-Identifier: GPL-3.0-or-later
// The telemetry lanes under a live chart. Private to ui/charts.
#pragma once

#include "charts/chart_math.h"
#include "core/sample.h"
#include "core/series.h"

#include <QCoreApplication>
#include <QFont>
#include <QString>

#include <functional>
#include <optional>
#include <vector>

class QCPAxisRect;
class QCPGraph;
class QCPItemText;
class QCPMarginGroup;
class QCustomPlot;

namespace sb {

struct Tokens;

enum class LaneKind { CpuLoad, Memory, Power, SmClock, GpuLoad };

// What a lane shows of one sample: mean over the GPUs for power and load, the lowest for the clock, percent
// for loads, GB for memory. Absent where the node does not say.
std::optional<double> laneValue(LaneKind kind, const TelemetrySample &sample);

// The lanes that these samples can fill: GPU lanes where there are GPUs, else those of the CPU.
std::vector<LaneKind> lanesOf(const std::vector<TelemetrySample> &telemetry);

// Place of a time on the axis of steps, between the steps that rank 0 reported: time 0 is step 0. Nothing
// after the last step.
std::optional<double> stepAtTime(const Series &series, double timeS);

class LiveLanes {
    Q_DECLARE_TR_FUNCTIONS(sb::LiveChart)
public:
    LiveLanes(QCustomPlot *plot, QCPMarginGroup *margins);

    static constexpr int kLaneHeight = 31;

    // Makes rects for these lanes below the chart; returns true if that changed the layout.
    bool show(const std::vector<LaneKind> &kinds);
    std::size_t count() const { return m_lanes.size(); }
    QCPAxisRect *lastRect() const;
    void applyTheme(const Tokens &tokens, const QFont &font, int leftMargin, int rightMargin);
    void restart(); // read the telemetry from its front again
    // Draws new telemetry in [low, high); `place` gives the x of a telemetry sample, nothing = not yet.
    void update(const std::vector<TelemetrySample> &telemetry, double low, double high, std::size_t buckets,
                const std::function<std::optional<double>(const TelemetrySample &)> &place);
    void setDimmed(bool dimmed);

private:
    struct Lane {
        LaneKind kind;
        QCPAxisRect *rect = nullptr;
        QCPGraph *graph = nullptr;
        QCPItemText *name = nullptr;
        QCPItemText *unit = nullptr;
        QCPItemText *figures = nullptr;
        Envelope envelope;
        AxisScale scale;
        std::vector<double> seen; // values so far, for the figures at the right
    };
    void addLane(LaneKind kind);
    void writeFigures(Lane &lane) const;
    void colourLines();

    QCustomPlot *m_plot;
    QCPMarginGroup *m_margins;
    std::vector<Lane> m_lanes;
    const Tokens *m_tokens;
    QFont m_font;
    int m_left = 62;
    int m_right = 16;
    std::size_t m_next = 0;
    double m_shownLow = 0;
    double m_shownHigh = 0;
    std::size_t m_buckets = 0;
    bool m_dimmed = false;
};

} // namespace sb
