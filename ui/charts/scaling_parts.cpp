// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/scaling_parts.h"

#include "charts/chart_math.h"

#include <algorithm>
#include <cmath>

namespace sb {

FigureColours FigureColours::of(ChartPalette palette)
{
    const Tokens &tokens = palette == ChartPalette::Dark ? Tokens::dark() : Tokens::light();
    FigureColours colours{tokens.base, tokens.text, tokens.text2, tokens.axis, tokens.grid, tokens.sim};
    if (palette == ChartPalette::Grey) {
        colours.text = colours.text2 = colours.axis = Qt::black;
        colours.sim = QColor(0x60, 0x60, 0x60);
        colours.grid = QColor(0xE4, 0xE4, 0xE4);
    }
    return colours;
}

void ListTicker::setTicks(const QVector<double> &ticks, const QVector<QString> &labels)
{
    m_ticks = ticks;
    m_labels = labels;
}

void ListTicker::generate(const QCPRange &range, const QLocale &, QChar, int, QVector<double> &ticks,
                          QVector<double> *subTicks, QVector<QString> *tickLabels)
{
    ticks.clear();
    if (subTicks)
        subTicks->clear();
    if (tickLabels)
        tickLabels->clear();
    for (int i = 0; i < m_ticks.size(); ++i) {
        if (!range.contains(m_ticks[i]))
            continue;
        ticks.append(m_ticks[i]);
        if (tickLabels)
            tickLabels->append(m_labels.value(i));
    }
}

CurvesItem::CurvesItem(QCustomPlot *plot, QCPAxis *x, QCPAxis *y)
    : QCPAbstractItem(plot)
    , m_x(x)
    , m_y(y)
{
    setClipToAxisRect(false); // markers on the border stay whole
    setSelectable(false);
    setAntialiased(true);
}

QPointF CurvesItem::pixel(double devices, double value) const
{
    return {m_x->coordToPixel(devices), m_y->coordToPixel(value)};
}

void CurvesItem::draw(QCPPainter *painter)
{
    if (!message.isEmpty()) {
        painter->setFont(look.font);
        painter->setPen(colours.text2);
        const QRect area = m_x->axisRect()->rect();
        painter->drawText(area.adjusted(8, 0, -8, 0), Qt::AlignCenter | Qt::TextWordWrap, message);
    }
    for (const DrawnFit &fit : fits)
        drawFit(painter, fit);
    drawIdeal(painter);
    for (const DrawnCurve &curve : curves)
        drawCurve(painter, curve);
    if (ring) {
        painter->setPen(QPen(ringColour, 1.6 * look.scale));
        painter->setBrush(Qt::NoBrush);
        const double radius = look.markerSize;
        painter->drawEllipse(pixel(ring->x(), ring->y()), radius, radius);
    }
}

void CurvesItem::drawCurve(QCPPainter *painter, const DrawnCurve &curve) const
{
    QPolygonF line;
    for (const DrawnPoint &point : curve.points)
        line.append(pixel(point.devices, point.value));
    painter->setBrush(Qt::NoBrush);
    painter->setPen(seriesPen(curve.style, curve.colour, curve.width));
    if (line.size() > 1)
        painter->drawPolyline(line);
    painter->setPen(QPen(curve.colour, 1.2 * look.scale * (look.exported ? 0.7 : 1)));
    const double cap = look.markerSize * 0.45;
    for (const DrawnPoint &point : curve.points) {
        const QPointF low = pixel(point.devices, point.low);
        const QPointF high = pixel(point.devices, point.high);
        if (low.y() - high.y() < look.markerSize)
            continue; // behind the marker
        painter->drawLine(low, high);
        for (const QPointF &end : {low, high})
            painter->drawLine(end - QPointF(cap, 0), end + QPointF(cap, 0));
    }
    for (const QPointF &place : line)
        drawMarker(*painter, place, curve.style, look.markerSize, curve.colour, colours.ground);
}

void CurvesItem::drawFit(QCPPainter *painter, const DrawnFit &drawn) const
{
    QPolygonF band;
    QPolygonF within;
    QPolygonF beyond;
    for (const FigureFit::Point &point : drawn.fit.points) {
        band.append(pixel(point.devices, point.high));
        QPolygonF &line = point.devices <= drawn.lastMeasured * 1.0001 ? within : beyond;
        line.append(pixel(point.devices, point.value));
    }
    for (auto point = drawn.fit.points.rbegin(); point != drawn.fit.points.rend(); ++point)
        band.append(pixel(point->devices, point->low));
    painter->save();
    painter->setClipRect(m_x->axisRect()->rect()); // a wide band must not run over the labels
    painter->setPen(Qt::NoPen);
    QColor shade = drawn.colour; // clear, so that what lies under a second band stays visible
    shade.setAlphaF(0.18f);
    painter->setBrush(shade);
    if (drawn.fit.banded)
        painter->drawPolygon(band);
    painter->setBrush(Qt::NoBrush);
    QPen pen(drawn.colour, 1 * look.scale * (look.exported ? 0.7 : 1));
    painter->setPen(pen);
    painter->drawPolyline(within);
    if (!within.isEmpty())
        beyond.prepend(within.last());
    pen.setDashPattern({4, 3});
    painter->setPen(pen);
    painter->drawPolyline(beyond);
    painter->restore();
}

void CurvesItem::drawIdeal(QCPPainter *painter) const
{
    if (!ideal)
        return;
    const QPointF from = pixel(ideal->first.x(), ideal->first.y());
    const QPointF to = pixel(ideal->second.x(), ideal->second.y());
    QPen pen(colours.text2, 1.2 * look.scale * (look.exported ? 0.6 : 1));
    pen.setDashPattern({2 / 1.2, 3 / 1.2});
    painter->setPen(pen);
    painter->drawLine(from, to);
    painter->save();
    painter->setFont(look.font);
    painter->setPen(colours.text2);
    const QLineF along(from, to);
    const QFontMetricsF metrics(look.font);
    const double width = metrics.horizontalAdvance(idealWord);
    // Where the line is longest above the curves: towards its end, but with the whole word on it.
    const double share = std::abs(from.y() - to.y()) < 1 ? 0.5 : 0.72;
    const double start = std::max(0.0, along.length() * share - width / 2);
    painter->translate(along.pointAt(along.length() > 0 ? start / along.length() : 0));
    painter->rotate(-along.angle());
    painter->drawText(QPointF(0, -4 * look.scale), idealWord);
    painter->restore();
}

LabelColumn::LabelColumn(QCustomPlot *plot, CurvesItem *curves, FigureKind kind)
    : QCPLayoutElement(plot)
    , m_curves(curves)
    , m_kind(kind)
{
    setLayer(QStringLiteral("axes"));
}

int LabelColumn::neededWidth() const
{
    const FigureLook &look = m_curves->look;
    const QFontMetricsF metrics(look.font);
    double names = 0;
    double values = 0;
    for (const DrawnCurve &curve : m_curves->curves) {
        names = std::max(names, metrics.horizontalAdvance(curve.label));
        if (!curve.points.empty())
            values = std::max(values,
                              metrics.horizontalAdvance(figureValueText(m_kind, curve.points.back().value)));
    }
    return static_cast<int>(std::ceil(names + values + 40 * look.scale));
}

std::vector<double> LabelColumn::places(std::vector<const DrawnCurve *> &sorted) const
{
    for (const DrawnCurve &curve : m_curves->curves)
        if (!curve.points.empty())
            sorted.push_back(&curve);
    std::sort(sorted.begin(), sorted.end(), [](const DrawnCurve *a, const DrawnCurve *b) {
        return a->points.back().value > b->points.back().value;
    });
    std::vector<double> wanted;
    for (const DrawnCurve *curve : sorted) {
        const double y = m_curves->pixel(curve->points.back().devices, curve->points.back().value).y();
        wanted.push_back(wanted.empty() ? y : std::max(y, wanted.back()));
    }
    const double gap = std::max(16 * m_curves->look.scale, QFontMetricsF(m_curves->look.font).height());
    return spreadLabels(wanted, gap, mRect.top() + gap / 2, mRect.bottom() - gap / 2);
}

void LabelColumn::draw(QCPPainter *painter)
{
    std::vector<const DrawnCurve *> sorted;
    const std::vector<double> centres = places(sorted);
    const FigureLook &look = m_curves->look;
    const QFontMetricsF metrics(look.font);
    painter->setFont(look.font);
    const double left = mRect.left() + 20 * look.scale;
    const double right = mRect.right() - 6 * look.scale;
    double mostDevices = 0;
    for (const DrawnCurve *curve : sorted)
        mostDevices = std::max(mostDevices, curve->points.back().devices);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const DrawnCurve &curve = *sorted[i];
        const DrawnPoint &last = curve.points.back();
        QPointF end = m_curves->pixel(last.devices, last.value);
        end.rx() += look.markerSize * 0.9;
        // A plain line across the plot would pass for a curve.
        const bool early = end.x() < m_curves->pixel(mostDevices, last.value).x();
        painter->setPen(QPen(mixed(curve.colour, m_curves->colours.ground, 0.75), look.scale * 0.9,
                             early ? Qt::DotLine : Qt::SolidLine));
        const double bend = left - 7 * look.scale;
        painter->drawPolyline(
            QPolygonF({end, QPointF(std::max(end.x(), mRect.left() + 1.0), end.y()),
                       QPointF(bend, centres[i]), QPointF(left - 2 * look.scale, centres[i])}));
        const QString value = figureValueText(m_kind, last.value);
        const double valueWidth = metrics.horizontalAdvance(value);
        const double baseline = centres[i] + metrics.capHeight() / 2;
        painter->setPen(m_curves->colours.text);
        painter->drawText(QPointF(right - valueWidth, baseline), value);
        const double room = right - valueWidth - 6 * look.scale - left;
        painter->drawText(QPointF(left, baseline), metrics.elidedText(curve.label, Qt::ElideMiddle, room));
    }
}

std::optional<std::size_t> LabelColumn::curveAt(QPointF position) const
{
    if (!mRect.contains(position.toPoint()))
        return std::nullopt;
    std::vector<const DrawnCurve *> sorted;
    const std::vector<double> centres = places(sorted);
    for (std::size_t i = 0; i < centres.size(); ++i)
        if (std::abs(centres[i] - position.y()) < 8 * m_curves->look.scale)
            return sorted[i]->index;
    return std::nullopt;
}

LegendRow::LegendRow(QCustomPlot *plot, CurvesItem *curves, int width)
    : QCPLayoutElement(plot)
    , m_curves(curves)
{
    setLayer(QStringLiteral("axes"));
    entries(width, &m_height);
}

std::vector<LegendRow::Entry> LegendRow::entries(int width, int *height) const
{
    const FigureLook &look = m_curves->look;
    const QFontMetricsF metrics(look.font);
    const double key = 26 * look.scale;
    const double line = metrics.height() * 1.1;
    std::vector<Entry> all;
    std::vector<const DrawnCurve *> sorted;
    double widest = 0;
    for (const DrawnCurve &curve : m_curves->curves) {
        sorted.push_back(&curve);
        widest = std::max(widest, key + metrics.horizontalAdvance(curve.label) + 10 * look.scale);
    }
    std::sort(sorted.begin(), sorted.end(),
              [](const DrawnCurve *a, const DrawnCurve *b) { return a->index < b->index; });
    // Columns of equal width read as a table, not as a heap.
    const int columns = std::max(1, static_cast<int>(width / std::max(1.0, widest)));
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const auto column = static_cast<double>(i % static_cast<std::size_t>(columns));
        const auto row = static_cast<double>(i / static_cast<std::size_t>(columns));
        all.push_back({QPointF(column * width / columns, row * line), sorted[i]});
    }
    if (height)
        *height = all.empty() ? 0 : static_cast<int>(std::ceil(all.back().place.y() + line));
    return all;
}

QSize LegendRow::minimumOuterSizeHint() const
{
    return {10, m_height};
}

void LegendRow::draw(QCPPainter *painter)
{
    const FigureLook &look = m_curves->look;
    const QFontMetricsF metrics(look.font);
    painter->setFont(look.font);
    for (const Entry &entry : entries(mRect.width(), nullptr)) {
        const QPointF corner = QPointF(mRect.topLeft()) + entry.place;
        const double middle = corner.y() + metrics.height() / 2;
        painter->setPen(seriesPen(entry.curve->style, entry.curve->colour, look.lineWidth));
        painter->drawLine(QPointF(corner.x(), middle), QPointF(corner.x() + 20 * look.scale, middle));
        drawMarker(*painter, QPointF(corner.x() + 10 * look.scale, middle), entry.curve->style,
                   look.markerSize, entry.curve->colour, m_curves->colours.ground);
        painter->setPen(m_curves->colours.text);
        painter->drawText(QPointF(corner.x() + 25 * look.scale, middle + metrics.capHeight() / 2),
                          entry.curve->label);
    }
}

TextLines::TextLines(QCustomPlot *plot, const QString &text, const QFont &font, int width)
    : QCPLayoutElement(plot)
    , m_text(text)
    , m_font(font)
{
    setLayer(QStringLiteral("axes"));
    const QRectF needed =
        QFontMetricsF(font).boundingRect(QRectF(0, 0, width, 1e6), Qt::TextWordWrap | Qt::AlignLeft, text);
    m_height = static_cast<int>(std::ceil(needed.height()));
}

QSize TextLines::minimumOuterSizeHint() const
{
    return {10, m_height};
}

void TextLines::draw(QCPPainter *painter)
{
    painter->setFont(m_font);
    painter->setPen(colour);
    painter->drawText(QRectF(mRect), Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignVCenter, m_text);
}

} // namespace sb
