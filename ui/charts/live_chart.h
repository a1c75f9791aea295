// SPDX-License-Identifier: GPL-3.0-or-later
// Throughput of a run while it goes on, with the node's telemetry in lanes below on the same x axis.
#pragma once

#include "core/sample.h"
#include "core/series.h"
#include "core/statistics.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sb {

class LivePlot;
class ChartTip;

// What does not change while a run goes on.
struct LiveChartRun {
    QString title; // accessible name, e.g. "Native (sbtrain) · ResNet-50 · FP32 · 1n2g"
    std::string framework;
    std::string unit; // "images"
    int warmupSteps = 0;
    int measuredSteps = 0;
    bool simulated = false;

    int totalSteps() const { return warmupSteps + measuredSteps; }
};

// The growing data, read in place and never copied. The vectors must stay where they are until the next
// setData() or clear(); telemetry may be null.
struct LiveChartData {
    const std::vector<Series> *ranks = nullptr; // index = rank
    const std::vector<TelemetrySample> *telemetry = nullptr;
    std::optional<double> telemetryStartS; // telemetry time at which the run's own clock was 0
};

class LiveChart : public QWidget {
    Q_OBJECT
public:
    enum class XAxis {
        Step, // 0 … the planned number of steps
        Time, // the newest 120 s
    };

    explicit LiveChart(QWidget *parent = nullptr);
    ~LiveChart() override;

    // Begins another run: scales, zoom and pause start afresh.
    void setRun(const LiveChartRun &run, const LiveChartData &source);
    // The same run, its vectors may have moved (or telemetryStartS has become known).
    void setData(const LiveChartData &source);
    void clear();
    // The data grew at their ends. Cheap; drawing happens at most every 40 ms.
    void dataAppended();

    XAxis xAxis() const;
    void setXAxis(XAxis axis);
    // Not following = the picture stands still, new data wait. Zooming and panning stop following.
    bool following() const;
    void setFollowing(bool follow);
    void resetZoom(); // and follows again
    void zoom(double factor);

    // Median of the measured steps so far, as a dashed line, with its interval as a band.
    void setMedian(std::optional<double> median, std::optional<MedianInterval> interval);
    // Reads and draws at once what has been announced, for pictures and measurements.
    void refreshNow();
    // Seconds without data, shown in words with the curves dimmed; nothing = fresh.
    void setStale(std::optional<double> seconds);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void followingChanged(bool follow);

protected:
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void scheduleRefresh();
    void refresh();
    void hover(QPoint position);
    void moveCursor(int steps);
    void moveToRank(int rank);
    void showCursor();
    void hideCursor();
    void describe();

    std::unique_ptr<LivePlot> m_plot;
    ChartTip *m_tip;
    class QTimer *m_timer;
    std::optional<QPoint> m_dragFrom;
    int m_cursorRank = 0;
    std::optional<std::size_t> m_cursor; // point of m_cursorRank chosen by keyboard
};

} // namespace sb
