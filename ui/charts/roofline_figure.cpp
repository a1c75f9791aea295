// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/roofline_figure.h"

#include "charts/chart_math.h"
#include "charts/chart_text.h"
#include "core/units.h"

#include <QFontMetricsF>
#include <QLineF>

#include <algorithm>
#include <cmath>

namespace sb {

namespace {

// Both axes are logarithmic, from one power of ten to another.
struct Axes {
    QRectF plot;
    double lowX = 0, highX = 1; // log10
    double lowY = 0, highY = 1;

    double x(double intensity) const
    {
        return plot.left() + (std::log10(intensity) - lowX) / (highX - lowX) * plot.width();
    }
    double y(double flops) const
    {
        return plot.bottom() - (std::log10(flops) - lowY) / (highY - lowY) * plot.height();
    }
};

double ridgeOf(const RooflineFigure::Roof &roof)
{
    return roof.memoryBytesPerS ? roof.flops / *roof.memoryBytesPerS : 1;
}

double labelWidth(const RooflineFigure &figure, const QFontMetricsF &metrics)
{
    double width = 0;
    for (const RooflineFigure::Point &point : figure.points)
        width = std::max(width, metrics.horizontalAdvance(point.name));
    return width;
}

Axes axesOf(const RooflineFigure &figure, const QRectF &area, const QFontMetricsF &metrics)
{
    double leastX = 1e300, mostX = 1, leastY = 1e300, mostY = 1;
    for (const RooflineFigure::Point &point : figure.points) {
        leastX = std::min(leastX, point.intensity);
        mostX = std::max(mostX, point.intensity);
        leastY = std::min(leastY, point.flops);
        mostY = std::max(mostY, point.flops);
    }
    for (const RooflineFigure::Roof &roof : figure.roofs) {
        leastX = std::min(leastX, ridgeOf(roof));
        mostX = std::max(mostX, ridgeOf(roof));
        mostY = std::max(mostY, roof.flops);
        leastY = std::min(leastY, roof.flops / 8);
    }
    Axes axes;
    const double names = std::min(labelWidth(figure, metrics) + 26, area.width() * 0.45);
    axes.plot = area.adjusted(metrics.horizontalAdvance(QStringLiteral("0000")) + metrics.height() + 10,
                              metrics.height() + 2, -names, -2 * metrics.height() - 8);
    axes.lowX = std::floor(std::log10(leastX / 2));
    axes.highX = std::ceil(std::log10(mostX * 2));
    axes.lowY = std::log10(leastY / 1.6);
    axes.highY = std::log10(mostY * 1.6);
    return axes;
}

QString teraText(double flops)
{
    const double tera = flops / 1e12;
    return painted(formatNumber(tera, tera < 1 ? 2 : tera < 10 ? 1 : 0));
}

void paintAxes(QPainter &painter, const Axes &axes, const RooflineFigure &figure, const PaintLook &look)
{
    const QFontMetricsF metrics(look.fine);
    painter.setFont(look.fine);
    const auto word = [&](QPointF centre, const QString &text) {
        painter.setPen(look.tokens.text2);
        painter.drawText(QRectF(centre.x() - 50, centre.y() - metrics.height() / 2, 100, metrics.height()),
                         Qt::AlignCenter, text);
    };
    for (int power = static_cast<int>(axes.lowX); power <= static_cast<int>(axes.highX); ++power) {
        const double x = axes.x(std::pow(10, power));
        painter.setPen(look.tokens.grid);
        painter.drawLine(QPointF(x, axes.plot.top()), QPointF(x, axes.plot.bottom()));
        word({x, axes.plot.bottom() + metrics.height() / 2 + 2},
             painted(formatNumber(std::pow(10, power), power < 0 ? -power : 0)));
    }
    for (int power = static_cast<int>(std::floor(axes.lowY)); power <= static_cast<int>(axes.highY); ++power)
        for (const double times : {1.0, 2.0, 5.0}) {
            const double flops = times * std::pow(10, power);
            if (std::log10(flops) < axes.lowY || std::log10(flops) > axes.highY)
                continue;
            painter.setPen(look.tokens.grid);
            painter.drawLine(QPointF(axes.plot.left(), axes.y(flops)),
                             QPointF(axes.plot.right(), axes.y(flops)));
            painter.setPen(look.tokens.text2);
            painter.drawText(
                QRectF(axes.plot.left() - 64, axes.y(flops) - metrics.height() / 2, 58, metrics.height()),
                Qt::AlignRight | Qt::AlignVCenter, teraText(flops));
        }
    painter.setPen(look.tokens.axis);
    painter.drawLine(axes.plot.bottomLeft(), axes.plot.bottomRight());
    painter.drawLine(axes.plot.bottomLeft(), axes.plot.topLeft());
    painter.setPen(look.tokens.text);
    painter.drawText(QRectF(axes.plot.left() - 60, axes.plot.bottom() + metrics.height() + 4,
                            axes.plot.width() + 120, metrics.height() + 2),
                     Qt::AlignCenter, figure.intensityAxis);
    painter.save();
    painter.translate(axes.plot.left() - metrics.horizontalAdvance(QStringLiteral("0000")) -
                          metrics.height() - 2,
                      axes.plot.center().y());
    painter.rotate(-90);
    painter.drawText(
        QRectF(-axes.plot.height() / 2, -metrics.height() / 2, axes.plot.height(), metrics.height()),
        Qt::AlignCenter, figure.flopsAxis);
    painter.restore();
}

void paintRoof(QPainter &painter, const Axes &axes, const RooflineFigure::Roof &roof, const PaintLook &look)
{
    const QFontMetricsF metrics(look.fine);
    const double ridge = roof.memoryBytesPerS ? ridgeOf(roof) : std::pow(10, axes.lowX);
    painter.save();
    painter.setClipRect(axes.plot.adjusted(0, -metrics.height(), 0, 0));
    painter.setPen(QPen(look.tokens.axis, 1.5));
    painter.drawLine(QPointF(axes.x(ridge), axes.y(roof.flops)),
                     QPointF(axes.plot.right(), axes.y(roof.flops)));
    if (roof.memoryBytesPerS) {
        const double low = std::pow(10, axes.lowX);
        painter.drawLine(QPointF(axes.x(low), axes.y(low * *roof.memoryBytesPerS)),
                         QPointF(axes.x(ridge), axes.y(roof.flops)));
    }
    painter.setFont(look.fine);
    painter.setPen(look.tokens.text2);
    painter.drawText(QRectF(axes.plot.left(), axes.y(roof.flops) - metrics.height() - 1,
                            axes.plot.width() - 2, metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter, roof.name);
    painter.restore();
}

void paintPoints(QPainter &painter, const Axes &axes, const RooflineFigure &figure, const PaintLook &look)
{
    const QFontMetricsF metrics(look.font);
    std::vector<const RooflineFigure::Point *> sorted;
    for (const RooflineFigure::Point &point : figure.points)
        sorted.push_back(&point);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto *a, const auto *b) { return a->flops > b->flops; });
    std::vector<double> wanted;
    for (const auto *point : sorted)
        wanted.push_back(axes.y(point->flops));
    const auto places = spreadLabels(wanted, metrics.height(), axes.plot.top() + metrics.height() / 2,
                                     axes.plot.bottom() - metrics.height() / 2);
    const double left = axes.plot.right() + 14;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const RooflineFigure::Point &point = *sorted[i];
        const QColor colour = point.style.colour(look.palette);
        const QPointF centre(axes.x(point.intensity), axes.y(point.flops));
        painter.setPen(QPen(mixed(colour, look.tokens.base, 0.5), 1));
        painter.drawLine(centre, QPointF(left - 4, places[i]));
        drawMarker(painter, centre, point.style, 8, colour, look.tokens.base);
        painter.setFont(look.font);
        painter.setPen(look.tokens.text);
        painter.drawText(QRectF(left, places[i] - metrics.height() / 2, 1000, metrics.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, point.name);
    }
}

} // namespace

PaintedFigure paintedRoofline(const RooflineFigure &figure)
{
    PaintedFigure made;
    made.heightShare = 0.62;
    made.paint = [figure](QPainter &painter, const QRectF &area, const PaintLook &look) {
        if (!figure.message.isEmpty() || figure.points.empty()) {
            painter.setFont(look.font);
            painter.setPen(look.tokens.text2);
            painter.drawText(area.adjusted(16, 0, -16, 0), Qt::AlignCenter | Qt::TextWordWrap,
                             figure.message);
            return;
        }
        const Axes axes = axesOf(figure, area, QFontMetricsF(look.font));
        paintAxes(painter, axes, figure, look);
        for (const RooflineFigure::Roof &roof : figure.roofs)
            paintRoof(painter, axes, roof, look);
        paintPoints(painter, axes, figure, look);
    };
    made.tip = [figure](QPointF place, const QRectF &area) {
        if (figure.points.empty() || !figure.message.isEmpty())
            return QString();
        const Axes axes = axesOf(figure, area, QFontMetricsF(resized(QFont(), -0.75)));
        for (const RooflineFigure::Point &point : figure.points)
            if (QLineF(place, QPointF(axes.x(point.intensity), axes.y(point.flops))).length() < 8)
                return point.tip;
        return QString();
    };
    return made;
}

} // namespace sb
