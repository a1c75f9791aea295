// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/live_plot.h"

#include "charts/chart_style.h"
#include "charts/chart_text.h"
#include "charts/qcp_parts.h"

#include <algorithm>
#include <cmath>

namespace sb {

namespace {

constexpr int kLeftMargin = 62;
constexpr int kRightMargin = 22;
constexpr double kTimeWindowS = 120;
constexpr int kLeastChartHeight = 110;
constexpr int kAxisHeight = 38;

QCPItemRect *shade(QCustomPlot *plot)
{
    auto *item = new QCPItemRect(plot);
    item->setLayer(QStringLiteral("background"));
    item->setPen(Qt::NoPen);
    item->setSelectable(false);
    item->setAntialiased(false);
    for (QCPItemPosition *corner : {item->topLeft, item->bottomRight}) {
        corner->setTypeX(QCPItemPosition::ptPlotCoords);
        corner->setTypeY(QCPItemPosition::ptAxisRectRatio);
    }
    return item;
}

QCPItemLine *upright(QCustomPlot *plot)
{
    auto *item = new QCPItemLine(plot);
    item->setSelectable(false);
    item->setAntialiased(false);
    for (QCPItemPosition *end : {item->start, item->end}) {
        end->setTypeX(QCPItemPosition::ptPlotCoords);
        end->setTypeY(QCPItemPosition::ptAxisRectRatio);
    }
    return item;
}

QCPItemText *words(QCustomPlot *plot, Qt::Alignment alignment)
{
    auto *item = new QCPItemText(plot);
    item->setSelectable(false);
    item->position->setTypeX(QCPItemPosition::ptPlotCoords);
    item->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    item->setPositionAlignment(alignment);
    item->setPadding(QMargins(6, 4, 6, 6));
    return item;
}

} // namespace

LivePlot::LivePlot(QWidget *parent)
    : m_plot(new QCustomPlot(parent))
    , m_lanes(m_plot, new QCPMarginGroup(m_plot))
    , m_tokens(&Tokens::light())
{
    m_plot->setMinimumSize(1, 1); // QCustomPlot complains of having nothing to paint on
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setMouseTracking(true);
    m_plot->setNoAntialiasingOnDrag(true);
    m_plot->setPlottingHint(QCP::phFastPolylines);
    m_plot->plotLayout()->clear();
    m_plot->plotLayout()->setRowSpacing(0);
    m_rect = new QCPAxisRect(m_plot, false);
    QCPAxis *left = m_rect->addAxis(QCPAxis::atLeft);
    QCPAxis *bottom = m_rect->addAxis(QCPAxis::atBottom);
    left->setTicker(QSharedPointer<QCPAxisTicker>(new FigureTicker(6)));
    bottom->setTicker(QSharedPointer<QCPAxisTicker>(new FigureTicker(8, 1)));
    m_plot->plotLayout()->addElement(0, 0, m_rect);
    m_rect->setAutoMargins(QCP::msBottom);
    m_rect->setMinimumMargins(QMargins());
    m_plot->xAxis = bottom; // items take the plot's default axes
    m_plot->yAxis = left;

    m_warmup = shade(m_plot);
    m_hatch = shade(m_plot);
    m_steady = shade(m_plot);
    m_band = new QCPItemRect(m_plot);
    m_band->setLayer(QStringLiteral("background"));
    m_band->setPen(Qt::NoPen);
    m_band->setSelectable(false);
    for (QCPItemPosition *corner : {m_band->topLeft, m_band->bottomRight}) {
        corner->setTypeX(QCPItemPosition::ptAxisRectRatio);
        corner->setAxisRect(m_rect);
    }
    m_medianLine = new QCPItemLine(m_plot);
    m_medianLine->setSelectable(false);
    m_medianLine->setAntialiased(false);
    for (QCPItemPosition *end : {m_medianLine->start, m_medianLine->end})
        end->setTypeX(QCPItemPosition::ptAxisRectRatio);
    m_begin = upright(m_plot);
    m_now = upright(m_plot);
    m_warmupWords = words(m_plot, Qt::AlignLeft | Qt::AlignBottom);
    m_steadyWords = words(m_plot, Qt::AlignLeft | Qt::AlignBottom);
    m_staleWords = words(m_plot, Qt::AlignLeft | Qt::AlignTop);
    m_simulated = words(m_plot, Qt::AlignCenter);
    m_simulated->setLayer(QStringLiteral("background"));
    m_simulated->position->setType(QCPItemPosition::ptAxisRectRatio);
    m_simulated->position->setCoords(0.5, 0.5);
    m_tracer = new QCPItemTracer(m_plot);
    m_tracer->setStyle(QCPItemTracer::tsCircle);
    m_tracer->setSize(9);
    m_tracer->setSelectable(false);
    m_tracer->setVisible(false);
    restart();
}

LivePlot::~LivePlot() = default;

void LivePlot::restart()
{
    for (const Line &line : m_lines)
        m_plot->removeGraph(line.graph);
    m_lines.clear();
    m_lanes.restart();
    m_scale = {};
    following = true;
    median.reset();
    interval.reset();
    staleS.reset();
    m_tracer->setVisible(false);
    m_low = 0;
    m_high = 1;
}

void LivePlot::dataMoved()
{
    for (Line &line : m_lines)
        line.fresh = true;
    m_lanes.restart();
}

void LivePlot::applyTheme(const QWidget &widget)
{
    m_tokens = &Tokens::of(widget.palette());
    m_font = resized(widget.font(), -1.5);
    const double growth = std::max(1.0, QFontMetricsF(m_font).height() / 14.0);
    const int left = static_cast<int>(std::lround(kLeftMargin * growth));
    m_plot->setBackground(QBrush(m_tokens->base));
    const AxisLook look{m_tokens->axis, m_tokens->grid, m_tokens->text, m_tokens->text2, m_font, 1};
    dressAxis(m_plot->xAxis, look);
    dressAxis(m_plot->yAxis, look);
    m_rect->setMargins(QMargins(left, 8, kRightMargin, m_lanes.count() > 0 ? 4 : 0));
    m_lanes.applyTheme(*m_tokens, m_font, left, kRightMargin);

    m_warmup->setBrush(m_tokens->shade);
    m_hatch->setBrush(QBrush(m_tokens->border, Qt::BDiagPattern));
    m_steady->setBrush(m_tokens->steady);
    m_band->setBrush(mixed(m_tokens->accent, m_tokens->steady, 0.18));
    m_medianLine->setPen(QPen(m_tokens->accent, 1, Qt::DashLine));
    m_begin->setPen(QPen(m_tokens->text2, 1, Qt::DashLine));
    m_now->setPen(QPen(m_tokens->axis, 1));
    for (QCPItemText *text : {m_warmupWords, m_steadyWords, m_staleWords})
        text->setFont(m_font);
    m_warmupWords->setColor(m_tokens->text2);
    m_steadyWords->setColor(m_tokens->text2);
    m_staleWords->setColor(m_tokens->warn);
    m_simulated->setFont(resized(widget.font(), 14, QFont::DemiBold));
    m_simulated->setColor(mixed(m_tokens->sim, m_tokens->base, 0.22));
    m_tracer->setPen(QPen(m_tokens->accent, 2));
    m_tracer->setBrush(m_tokens->base);
    for (std::size_t rank = 0; rank < m_lines.size(); ++rank)
        m_lines[rank].graph->setPen(QPen(lineColour(rank), 1));
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

QColor LivePlot::lineColour(std::size_t rank) const
{
    const SeriesStyle style = frameworkStyle(run.framework);
    const QColor colour =
        style.colour(m_tokens == &Tokens::dark() ? ChartPalette::Dark : ChartPalette::Light);
    // Rank 0 in full, the others behind it a little lighter: many ranks read as one band with a line.
    const double share = (rank == 0 ? 1.0 : 0.6) * (staleS ? 0.55 : 1.0);
    return mixed(colour, m_tokens->base, share);
}

void LivePlot::addLines(std::size_t count)
{
    while (m_lines.size() < count) {
        Line line;
        line.graph = m_plot->addGraph(m_plot->xAxis, m_plot->yAxis);
        line.graph->setSelectable(QCP::stNone);
        line.graph->setAdaptiveSampling(true);
        line.graph->setPen(QPen(lineColour(m_lines.size()), 1));
        m_lines.push_back(std::move(line));
    }
    if (count > 0 && m_plot->graphCount() > 0) {
        // Rank 0 is drawn last, on top.
        QCPLayer *layer = m_lines.front().graph->layer();
        if (layer && layer->children().last() != m_lines.front().graph) {
            m_lines.front().graph->setLayer(QStringLiteral("background"));
            m_lines.front().graph->setLayer(layer);
        }
    }
}

void LivePlot::layOut(int height)
{
    std::vector<LaneKind> kinds = data.telemetry ? lanesOf(*data.telemetry) : std::vector<LaneKind>();
    const int room = (height - kLeastChartHeight - kAxisHeight) / LiveLanes::kLaneHeight;
    kinds.resize(std::min(kinds.size(), static_cast<std::size_t>(std::max(0, room))));
    if (!m_lanes.show(kinds))
        return;
    applyTheme(*m_plot->parentWidget());
}

const std::vector<double> &LivePlot::xs(const Series &series) const
{
    return axis == LiveChart::XAxis::Step ? series.step : series.timeS;
}

std::size_t LivePlot::shownPoints(int rank) const
{
    const auto index = static_cast<std::size_t>(rank);
    return index < m_lines.size() ? m_lines[index].limit : 0;
}

double LivePlot::lastX() const
{
    double last = 0;
    for (std::size_t rank = 0; data.ranks && rank < std::min(m_lines.size(), data.ranks->size()); ++rank)
        if (m_lines[rank].limit > 0)
            last = std::max(last, xs((*data.ranks)[rank])[m_lines[rank].limit - 1]);
    return last;
}

void LivePlot::chooseRange()
{
    if (!following)
        return;
    const double last = lastX();
    if (axis == LiveChart::XAxis::Step) {
        m_low = 0;
        m_high = std::max({1.0, static_cast<double>(run.totalSteps()), last});
    } else {
        m_high = std::max(kTimeWindowS, last);
        m_low = m_high - kTimeWindowS;
    }
}

void LivePlot::setRange(double low, double high)
{
    m_low = low;
    m_high = high;
}

void LivePlot::extend(Line &line, const Series &series)
{
    const std::vector<double> &x = xs(series);
    if (line.fresh) {
        line.envelope.reset(m_low, m_high, m_buckets);
        const auto first = std::lower_bound(x.begin(), x.end(), m_low);
        line.next = static_cast<std::size_t>(first - x.begin());
        line.next -= line.next > 0 ? 1 : 0; // the line comes in from the left
        line.fresh = false;
    }
    const std::size_t before = line.next;
    for (; line.next < line.limit && (line.next == before || x[line.next - 1] <= m_high); ++line.next) {
        const std::size_t i = line.next;
        const bool gap = i > 0 && series.step[i] > series.step[i - 1] + 1;
        line.envelope.add(x[i], series.throughput[i], gap);
    }
    if (line.next == before)
        return;
    const std::vector<ChartPoint> thinned = line.envelope.points();
    QVector<QCPGraphData> points;
    points.reserve(static_cast<int>(thinned.size()));
    for (const ChartPoint &point : thinned)
        points.append(QCPGraphData(point.x, point.y));
    line.graph->data()->set(points, true);
    if (const auto greatest = line.envelope.greatest())
        m_scale = grownScale(m_scale, *greatest, 6);
}

} // namespace sb
