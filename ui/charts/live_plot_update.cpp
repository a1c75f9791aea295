// SPDX-License-Identifier: GPL-3.0-or-later
// The half of LivePlot that runs at every refresh, and its hit tests.
#include "charts/live_plot.h"

#include "charts/chart_style.h"
#include "charts/chart_text.h"
#include "charts/qcp_parts.h"
#include "core/units.h"

#include <algorithm>
#include <cmath>

namespace sb {

namespace {

constexpr double kHitDistancePx = 14;
constexpr std::size_t kMostSmoothPoints = 20000; // antialiasing more points than this costs too much

void span(QCPItemRect *item, double from, double to)
{
    item->topLeft->setCoords(from, 0);
    item->bottomRight->setCoords(to, 1);
    item->setVisible(to > from);
}

void placeUpright(QCPItemLine *item, std::optional<double> x)
{
    item->setVisible(x.has_value());
    if (x) {
        item->start->setCoords(*x, 0);
        item->end->setCoords(*x, 1);
    }
}

} // namespace

void LivePlot::update()
{
    const std::size_t ranks = data.ranks ? data.ranks->size() : 0;
    addLines(ranks);
    if (following)
        for (std::size_t rank = 0; rank < ranks; ++rank)
            m_lines[rank].limit = (*data.ranks)[rank].size();
    const double low = m_plot->xAxis->range().lower;
    const double high = m_plot->xAxis->range().upper;
    chooseRange();
    const auto buckets = static_cast<std::size_t>(std::max(1, m_rect->width()));
    const bool moved = m_low != low || m_high != high || buckets != m_buckets;
    m_buckets = buckets;
    std::size_t points = 0;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        m_lines[rank].fresh = m_lines[rank].fresh || moved;
        extend(m_lines[rank], (*data.ranks)[rank]);
        points += static_cast<std::size_t>(m_lines[rank].graph->dataCount());
    }
    for (std::size_t rank = 0; rank < m_lines.size(); ++rank) {
        m_lines[rank].graph->setAntialiased(points <= kMostSmoothPoints);
        const QPen pen(lineColour(rank), 1);
        if (m_lines[rank].graph->pen() != pen)
            m_lines[rank].graph->setPen(pen);
    }
    updateLanes();
    updateScales();
    updateMarks();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void LivePlot::updateLanes()
{
    if (!data.telemetry || m_lanes.count() == 0)
        return;
    m_lanes.setDimmed(staleS.has_value());
    if (!following && !m_lines.empty() && m_lines.front().next > 0 &&
        m_plot->xAxis->range() == QCPRange(m_low, m_high))
        return; // standing still
    const auto place = [this](const TelemetrySample &sample) -> std::optional<double> {
        if (!data.telemetryStartS)
            return std::nullopt;
        const double timeS = sample.timeS - *data.telemetryStartS;
        if (axis == LiveChart::XAxis::Time)
            return timeS >= 0 ? std::optional(timeS) : std::nullopt;
        return data.ranks && !data.ranks->empty() ? stepAtTime(data.ranks->front(), timeS) : std::nullopt;
    };
    m_lanes.update(*data.telemetry, m_low, m_high, m_buckets, place);
}

void LivePlot::updateScales()
{
    if (median)
        m_scale = grownScale(m_scale, *median, 6);
    m_plot->yAxis->setRange(0, m_scale.top);
    static_cast<FigureTicker *>(m_plot->yAxis->ticker().data())->setStep(m_scale.step);
    m_plot->yAxis->setLabel(rateUnit(run.unit));
    const QString name = axis == LiveChart::XAxis::Step ? tr("step") : tr("time since the start (s)");
    const bool lanes = m_lanes.count() > 0;
    m_plot->xAxis->setRange(m_low, m_high);
    m_plot->xAxis->setTicks(!lanes);
    m_plot->xAxis->setTickLabels(!lanes);
    m_plot->xAxis->setLabel(lanes ? QString() : name);
    for (int row = 1; row < m_plot->plotLayout()->rowCount(); ++row) {
        auto *rect = qobject_cast<QCPAxisRect *>(m_plot->plotLayout()->element(row, 0));
        QCPAxis *bottom = rect->axis(QCPAxis::atBottom);
        bottom->setTicker(m_plot->xAxis->ticker());
        bottom->setRange(m_low, m_high);
        bottom->setLabel(rect == m_lanes.lastRect() ? name : QString());
    }
}

double LivePlot::xOfStep(double step) const
{
    if (axis == LiveChart::XAxis::Step)
        return step;
    if (!data.ranks || data.ranks->empty() || data.ranks->front().empty())
        return m_high;
    const Series &series = data.ranks->front();
    const auto found = std::lower_bound(series.step.begin(), series.step.end(), step);
    return found == series.step.end() ? series.timeS.back()
                                      : series.timeS[static_cast<std::size_t>(found - series.step.begin())];
}

void LivePlot::updateMarks()
{
    const double last = lastX();
    const double begin = xOfStep(run.warmupSteps);
    const double end = std::min(last, xOfStep(run.totalSteps()));
    // On the axis of steps the warm-up is known beforehand; on that of time only as far as it came.
    const double warmupEnd = axis == LiveChart::XAxis::Step ? begin : std::min(begin, last);
    const double warmupStart = axis == LiveChart::XAxis::Step ? 0 : std::max(0.0, xOfStep(1) - 1);
    const bool warming = run.warmupSteps > 0;
    span(m_warmup, warming ? warmupStart : 0, warming ? warmupEnd : 0);
    span(m_hatch, warming ? warmupStart : 0, warming ? warmupEnd : 0);
    span(m_steady, begin, std::max(begin, end));
    placeUpright(m_begin, warming && last >= begin ? std::optional(begin) : std::nullopt);
    placeUpright(m_now, last > 0 ? std::optional(last) : std::nullopt);

    m_medianLine->setVisible(median.has_value());
    if (median) {
        m_medianLine->start->setCoords(0, *median);
        m_medianLine->end->setCoords(1, *median);
    }
    m_band->setVisible(interval.has_value() && interval->high > interval->low);
    if (interval) {
        m_band->topLeft->setTypeX(QCPItemPosition::ptPlotCoords);
        m_band->bottomRight->setTypeX(QCPItemPosition::ptPlotCoords);
        m_band->topLeft->setCoords(begin, interval->high);
        m_band->bottomRight->setCoords(std::max(begin, end), interval->low);
    }
    m_simulated->setVisible(run.simulated);
    m_simulated->setText(tr("SIMULATED"));
    updateWords(last);
}

void LivePlot::updateWords(double last)
{
    const QFontMetricsF metrics(m_font);
    const auto pixel = [this](double x) { return m_plot->xAxis->coordToPixel(x); };
    // Words go where they fit, never over the border of what they name.
    const auto place = [&](QCPItemText *text, double from, double to, const QStringList &choices) {
        const double left = std::max(from, m_low);
        const double room = pixel(std::min(to, m_high)) - pixel(left) - 10;
        text->setVisible(false);
        for (const QString &choice : choices) {
            if (to <= from || metrics.horizontalAdvance(choice) > room)
                continue;
            text->setVisible(true);
            text->setText(choice);
            break;
        }
        text->position->setCoords(left, 1);
    };
    const double begin = xOfStep(run.warmupSteps);
    const double warmupEnd = axis == LiveChart::XAxis::Step ? begin : std::min(begin, last);
    place(m_warmupWords, axis == LiveChart::XAxis::Step ? 0 : std::max(0.0, xOfStep(1) - 1), warmupEnd,
          {tr("warm-up, not counted"), tr("warm-up")});
    // The measured window may still be growing: its words may reach over the empty part to the right.
    place(m_steadyWords, begin, last > begin ? m_high : begin,
          {tr("measured: steps %1–%2").arg(run.warmupSteps + 1).arg(run.totalSteps()), tr("measured")});
    m_staleWords->setVisible(false);
    if (!staleS)
        return;
    const QString full = tr("no step for %1 s").arg(static_cast<int>(*staleS));
    const bool fits = m_high - last > 0 && pixel(m_high) - pixel(last) - 10 > metrics.horizontalAdvance(full);
    m_staleWords->setVisible(true);
    m_staleWords->setText(full);
    m_staleWords->setPositionAlignment((fits ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignTop);
    m_staleWords->position->setCoords(std::clamp(last, m_low, m_high), 0);
}

double LivePlot::xAtPixel(double pixel) const
{
    return m_plot->xAxis->pixelToCoord(pixel);
}

std::optional<LivePoint> LivePlot::pointAt(QPoint position) const
{
    if (!data.ranks || !m_rect->rect().contains(position))
        return std::nullopt;
    const double x = xAtPixel(position.x());
    std::optional<LivePoint> nearest;
    double best = kHitDistancePx;
    for (std::size_t rank = 0; rank < std::min(m_lines.size(), data.ranks->size()); ++rank) {
        const Series &series = (*data.ranks)[rank];
        const std::vector<double> &all = xs(series);
        const auto stop = all.begin() + static_cast<std::ptrdiff_t>(m_lines[rank].limit);
        const auto found = std::lower_bound(all.begin(), stop, x);
        for (auto at = found - (found != all.begin() ? 1 : 0); at != stop && at <= found; ++at) {
            const auto index = static_cast<std::size_t>(at - all.begin());
            const double dx = m_plot->xAxis->coordToPixel(*at) - position.x();
            const double dy = m_plot->yAxis->coordToPixel(series.throughput[index]) - position.y();
            if (std::hypot(dx, dy) < best) {
                best = std::hypot(dx, dy);
                nearest = LivePoint{static_cast<int>(rank), index};
            }
        }
    }
    return nearest;
}

QPoint LivePlot::mark(const LivePoint &point)
{
    const Series &series = (*data.ranks)[static_cast<std::size_t>(point.rank)];
    const double x = xs(series)[point.index];
    const double y = series.throughput[point.index];
    m_tracer->position->setCoords(x, y);
    m_tracer->setVisible(true);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
    return QPointF(m_plot->xAxis->coordToPixel(x), m_plot->yAxis->coordToPixel(y)).toPoint();
}

void LivePlot::unmark()
{
    if (!m_tracer->visible())
        return;
    m_tracer->setVisible(false);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

} // namespace sb
