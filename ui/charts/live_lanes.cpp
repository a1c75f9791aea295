// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/live_lanes.h"

#include "charts/chart_style.h"
#include "charts/chart_text.h"
#include "charts/qcp_parts.h"
#include "core/statistics.h"
#include "core/units.h"

#include <algorithm>
#include <cmath>

namespace sb {

namespace {

using Gpu = TelemetrySample::Gpu;

std::optional<double> meanOf(const TelemetrySample &sample, std::optional<double> Gpu::*field)
{
    std::vector<double> values;
    for (const Gpu &gpu : sample.gpus)
        if (gpu.*field)
            values.push_back(*(gpu.*field));
    return mean(values);
}

QCPItemText *laneText(QCustomPlot *plot, QCPAxisRect *rect, double x, double y, Qt::Alignment alignment)
{
    auto *text = new QCPItemText(plot);
    text->setLayer(QStringLiteral("axes"));
    text->setClipToAxisRect(false);
    text->position->setType(QCPItemPosition::ptAxisRectRatio);
    text->position->setAxisRect(rect);
    text->position->setCoords(x, y);
    text->setPositionAlignment(alignment);
    text->setSelectable(false);
    return text;
}

} // namespace

std::optional<double> laneValue(LaneKind kind, const TelemetrySample &sample)
{
    switch (kind) {
    case LaneKind::CpuLoad:
        return sample.cpuLoadPercent;
    case LaneKind::Memory:
        return sample.memoryUsedBytes ? std::optional(*sample.memoryUsedBytes / 1e9) : std::nullopt;
    case LaneKind::Power:
        return meanOf(sample, &Gpu::powerW);
    case LaneKind::GpuLoad:
        return meanOf(sample, &Gpu::loadPercent);
    case LaneKind::SmClock: {
        std::optional<double> lowest;
        for (const Gpu &gpu : sample.gpus)
            if (gpu.smClockMHz)
                lowest = std::min(lowest.value_or(*gpu.smClockMHz), *gpu.smClockMHz);
        return lowest;
    }
    }
    return std::nullopt;
}

std::vector<LaneKind> lanesOf(const std::vector<TelemetrySample> &telemetry)
{
    const auto has = [&telemetry](LaneKind kind) {
        // What a node can tell it tells at once; looking at the first samples is enough.
        const std::size_t most = std::min<std::size_t>(telemetry.size(), 16);
        return std::any_of(
            telemetry.begin(), telemetry.begin() + static_cast<std::ptrdiff_t>(most),
            [kind](const TelemetrySample &sample) { return laneValue(kind, sample).has_value(); });
    };
    std::vector<LaneKind> kinds;
    for (const LaneKind kind : {LaneKind::Power, LaneKind::SmClock, LaneKind::GpuLoad})
        if (has(kind))
            kinds.push_back(kind);
    if (kinds.empty())
        for (const LaneKind kind : {LaneKind::CpuLoad, LaneKind::Memory})
            if (has(kind))
                kinds.push_back(kind);
    return kinds;
}

std::optional<double> stepAtTime(const Series &series, double timeS)
{
    if (series.empty() || timeS > series.timeS.back() || timeS < 0)
        return std::nullopt;
    const auto after = std::lower_bound(series.timeS.begin(), series.timeS.end(), timeS);
    const auto index = static_cast<std::size_t>(after - series.timeS.begin());
    const double stepAfter = series.step[index];
    const double timeAfter = series.timeS[index];
    // Before its first step a program starts up; only the first step's own duration belongs to the axis.
    const double timeBefore =
        index > 0 ? series.timeS[index - 1] : timeAfter - series.stepTimeMs[index] / 1000.0;
    const double stepBefore = index > 0 ? series.step[index - 1] : stepAfter - 1;
    if (timeS < timeBefore)
        return std::nullopt;
    const double span = timeAfter - timeBefore;
    return span > 0 ? stepBefore + (stepAfter - stepBefore) * (timeS - timeBefore) / span : stepAfter;
}

LiveLanes::LiveLanes(QCustomPlot *plot, QCPMarginGroup *margins)
    : m_plot(plot)
    , m_margins(margins)
    , m_tokens(&Tokens::light())
{
}

bool LiveLanes::show(const std::vector<LaneKind> &kinds)
{
    const bool same = std::equal(kinds.begin(), kinds.end(), m_lanes.begin(), m_lanes.end(),
                                 [](LaneKind kind, const Lane &lane) { return kind == lane.kind; });
    if (same)
        return false;
    for (const Lane &lane : m_lanes) {
        m_plot->removeGraph(lane.graph);
        for (QCPItemText *text : {lane.name, lane.unit, lane.figures})
            m_plot->removeItem(text);
        m_plot->plotLayout()->remove(lane.rect);
    }
    m_plot->plotLayout()->simplify();
    m_lanes.clear();
    for (const LaneKind kind : kinds)
        addLane(kind);
    restart();
    return true;
}

void LiveLanes::addLane(LaneKind kind)
{
    Lane lane;
    lane.kind = kind;
    lane.rect = new QCPAxisRect(m_plot, false);
    QCPAxis *left = lane.rect->addAxis(QCPAxis::atLeft);
    QCPAxis *bottom = lane.rect->addAxis(QCPAxis::atBottom);
    m_plot->plotLayout()->addElement(m_plot->plotLayout()->rowCount(), 0, lane.rect);
    lane.rect->setMinimumMargins(QMargins());
    lane.rect->setMinimumSize(60, kLaneHeight);
    lane.rect->setMaximumSize(QWIDGETSIZE_MAX, kLaneHeight);
    lane.rect->setSizeConstraintRect(QCPLayoutElement::scrInnerRect);
    lane.rect->setAutoMargins(QCP::msTop | QCP::msBottom);
    lane.rect->setMarginGroup(QCP::msLeft | QCP::msRight, m_margins);
    left->setVisible(false);
    lane.graph = m_plot->addGraph(bottom, left);
    lane.graph->setSelectable(QCP::stNone);
    lane.name = laneText(m_plot, lane.rect, 0, 0.5, Qt::AlignRight | Qt::AlignBottom);
    lane.unit = laneText(m_plot, lane.rect, 0, 0.5, Qt::AlignRight | Qt::AlignTop);
    lane.figures = laneText(m_plot, lane.rect, 1, 0, Qt::AlignRight | Qt::AlignTop);
    lane.name->setPadding(QMargins(0, 0, 7, 0));
    lane.unit->setPadding(QMargins(0, 0, 7, 0));
    lane.figures->setPadding(QMargins(0, 2, 2, 0));
    switch (kind) {
    case LaneKind::CpuLoad:
        lane.name->setText(tr("CPU load"));
        lane.unit->setText(QStringLiteral("%"));
        break;
    case LaneKind::Memory:
        lane.name->setText(tr("Memory"));
        lane.unit->setText(QStringLiteral("GB"));
        break;
    case LaneKind::Power:
        lane.name->setText(tr("Power"));
        lane.unit->setText(QStringLiteral("W"));
        break;
    case LaneKind::SmClock:
        lane.name->setText(tr("SM clock"));
        lane.unit->setText(QStringLiteral("MHz"));
        break;
    case LaneKind::GpuLoad:
        lane.name->setText(tr("GPU load"));
        lane.unit->setText(QStringLiteral("%"));
        break;
    }
    m_lanes.push_back(lane);
}

QCPAxisRect *LiveLanes::lastRect() const
{
    return m_lanes.empty() ? nullptr : m_lanes.back().rect;
}

void LiveLanes::applyTheme(const Tokens &tokens, const QFont &font, int leftMargin, int rightMargin)
{
    m_tokens = &tokens;
    m_font = font;
    m_left = leftMargin;
    m_right = rightMargin;
    for (Lane &lane : m_lanes) {
        lane.rect->setMargins(QMargins(m_left, 0, m_right, 0));
        QCPAxis *bottom = lane.rect->axis(QCPAxis::atBottom);
        dressAxis(bottom, {m_tokens->axis, m_tokens->grid, m_tokens->text, m_tokens->text2, m_font, 1});
        const bool last = &lane == &m_lanes.back();
        bottom->setTicks(last);
        bottom->setTickLabels(last);
        bottom->setBasePen(QPen(last ? m_tokens->axis : m_tokens->border, 1));
        for (QCPItemText *text : {lane.name, lane.unit, lane.figures}) {
            text->setFont(m_font);
            text->setColor(text == lane.name ? m_tokens->text : m_tokens->text2);
        }
    }
    colourLines();
}

void LiveLanes::colourLines()
{
    const QColor ink = m_dimmed ? mixed(m_tokens->axis, m_tokens->base, 0.55) : m_tokens->axis;
    for (const Lane &lane : m_lanes)
        lane.graph->setPen(QPen(ink, 1));
}

void LiveLanes::setDimmed(bool dimmed)
{
    m_dimmed = dimmed;
    colourLines();
}

void LiveLanes::restart()
{
    m_next = 0;
    m_buckets = 0;
    for (Lane &lane : m_lanes) {
        lane.seen.clear();
        lane.scale = lane.kind == LaneKind::CpuLoad || lane.kind == LaneKind::GpuLoad ? AxisScale{50, 100}
                                                                                      : AxisScale();
        lane.graph->data()->clear();
        lane.figures->setText(QString());
    }
}

void LiveLanes::update(const std::vector<TelemetrySample> &telemetry, double low, double high,
                       std::size_t buckets,
                       const std::function<std::optional<double>(const TelemetrySample &)> &place)
{
    if (low != m_shownLow || high != m_shownHigh || buckets != m_buckets) {
        m_shownLow = low;
        m_shownHigh = high;
        m_buckets = buckets;
        m_next = 0;
        for (Lane &lane : m_lanes) {
            lane.envelope.reset(low, high, buckets);
            lane.seen.clear();
        }
    }
    const std::size_t before = m_next;
    for (; m_next < telemetry.size(); ++m_next) {
        const TelemetrySample &sample = telemetry[m_next];
        const auto x = place(sample);
        if (!x && m_next + 1 == telemetry.size())
            break; // newer than the newest step: its place is not known yet
        if (!x)
            continue;
        for (Lane &lane : m_lanes)
            if (const auto value = laneValue(lane.kind, sample)) {
                lane.envelope.add(*x, *value);
                lane.seen.push_back(*value);
            }
    }
    if (m_next == before)
        return;
    for (Lane &lane : m_lanes) {
        QVector<QCPGraphData> points;
        for (const ChartPoint &point : lane.envelope.points())
            points.append(QCPGraphData(point.x, point.y));
        lane.graph->data()->set(points, true);
        if (const auto greatest = lane.envelope.greatest())
            lane.scale = grownScale(lane.scale, *greatest, 3);
        // Room above, so that the figures at the right do not lie on the line.
        lane.rect->axis(QCPAxis::atLeft)->setRange(-0.06 * lane.scale.top, 1.3 * lane.scale.top);
        writeFigures(lane);
    }
}

void LiveLanes::writeFigures(Lane &lane) const
{
    if (lane.seen.empty())
        return;
    const int decimals = lane.kind == LaneKind::Memory ? 1 : 0;
    const auto text = [decimals](double value) { return painted(formatNumber(value, decimals)); };
    const auto [lowest, highest] = std::minmax_element(lane.seen.begin(), lane.seen.end());
    lane.figures->setText(lane.kind == LaneKind::SmClock
                              ? tr("lowest %1 · median %2").arg(text(*lowest), text(*median(lane.seen)))
                              : tr("mean %1 · max %2").arg(text(*mean(lane.seen)), text(*highest)));
}

} // namespace sb
