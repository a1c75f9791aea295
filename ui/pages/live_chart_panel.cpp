// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/live_chart_panel.h"

#include "charts/live_chart.h"
#include "pages/live_figures.h"
#include "widgets/icon.h"
#include "widgets/segmented.h"

#include <QEvent>
#include <QVBoxLayout>

namespace sb {

namespace {

LiveChartData dataOf(const LiveRun &live)
{
    return {.ranks = &live.ranks, .telemetry = &live.telemetry, .telemetryStartS = live.telemetryStartS};
}

} // namespace

LiveChartPanel::LiveChartPanel(QWidget *parent)
    : Panel(TitleRow::Normal, parent)
    , m_chart(new LiveChart(this))
    , m_follow(new Segmented(2, this))
    , m_axis(new Segmented(2, this))
{
    setBodyMargins(1, 4, 4, 2);
    body()->addWidget(m_chart);
    addTool(m_follow);
    addTool(m_axis);
    m_follow->setSegmentIcon(0, toneIcon(QStringLiteral("follow")));
    connect(m_follow, &Segmented::chosen, this, [this](int segment) { m_chart->setFollowing(segment == 0); });
    connect(m_axis, &Segmented::chosen, this, [this](int segment) {
        m_chart->setXAxis(segment == 0 ? LiveChart::XAxis::Step : LiveChart::XAxis::Time);
    });
    connect(m_chart, &LiveChart::followingChanged, this,
            [this](bool follow) { m_follow->setCurrent(follow ? 0 : 1); });
    m_texts.add([this] {
        m_follow->setTexts({tr("Follow"), tr("Hold")});
        m_follow->setAccessibleName(tr("Follow new data"));
        m_axis->setTexts({tr("Step"), tr("Time")});
        m_axis->setAccessibleName(tr("Horizontal axis"));
    });
}

void LiveChartPanel::showRun(const LiveRun &live, int repeats)
{
    const Run &run = live.run;
    setTitle(runTitle(run));
    setHint(tr("repeat %1 of %2").arg(run.repeat).arg(std::max(repeats, run.repeat)));
    if (run.id == m_runId) {
        m_chart->setData(dataOf(live));
        return;
    }
    m_runId = run.id;
    LiveChartRun shown;
    shown.title = runTitle(run);
    shown.framework = run.key.framework;
    shown.unit = run.unit;
    shown.warmupSteps = run.key.warmupSteps;
    shown.measuredSteps = run.key.measuredSteps;
    shown.simulated = run.simulated;
    m_chart->setRun(shown, dataOf(live));
    m_follow->setCurrent(0);
}

void LiveChartPanel::clear()
{
    if (m_runId.empty())
        return;
    m_runId.clear();
    m_chart->clear();
}

void LiveChartPanel::dataAppended(const LiveRun &live)
{
    m_chart->setData(dataOf(live));
    m_chart->dataAppended();
}

void LiveChartPanel::setMedian(std::optional<double> median, std::optional<MedianInterval> interval)
{
    m_chart->setMedian(median, interval);
}

void LiveChartPanel::setStale(std::optional<double> seconds)
{
    m_chart->setStale(seconds);
}

void LiveChartPanel::changeEvent(QEvent *event)
{
    Panel::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        m_texts.refresh();
}

} // namespace sb
