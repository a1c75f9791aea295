// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/statistics.h"
#include "session/session_model.h"
#include "widgets/panel.h"
#include "widgets/texts.h"

#include <optional>
#include <string>

namespace sb {

class LiveChart;
class Segmented;

// The live chart with its controls. All the page knows of the chart goes through here.
class LiveChartPanel : public Panel {
    Q_OBJECT
public:
    explicit LiveChartPanel(QWidget *parent = nullptr);

    // Another run, or the same run in another state.
    void showRun(const LiveRun &live, int repeats);
    void clear();
    void dataAppended(const LiveRun &live);
    void setMedian(std::optional<double> median, std::optional<MedianInterval> interval);
    void setStale(std::optional<double> seconds);
    LiveChart *chart() { return m_chart; }

protected:
    void changeEvent(QEvent *event) override;

private:
    LiveChart *m_chart;
    Segmented *m_follow;
    Segmented *m_axis;
    std::string m_runId;
    Texts m_texts;
};

} // namespace sb
