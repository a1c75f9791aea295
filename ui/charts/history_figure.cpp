// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/history_figure.h"

#include "charts/chart_math.h"
#include "charts/chart_text.h"
#include "core/units.h"

#include <QFontMetricsF>
#include <QLineF>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace sb {

namespace {

constexpr int kMostTicks = 5;

struct Axes {
    QRectF plot;
    double low = 0;
    AxisScale scale; // step and top
    std::map<std::string, std::size_t> places;

    double y(double value) const { return plot.bottom() - (value - low) / (scale.top - low) * plot.height(); }
    double x(const std::string &place) const
    {
        const double count = static_cast<double>(places.size());
        return plot.left() + plot.width() * (static_cast<double>(places.at(place)) + 0.5) / count;
    }
};

// The axis does not begin at 0: what changes from one day to the next is a few per cent.
Axes axesOf(const HistoryFigure &figure, const QRectF &area, const QFontMetricsF &metrics)
{
    Axes axes;
    double least = 1e300, most = 0;
    std::set<std::string> places;
    for (const HistoryFigure::Line &line : figure.lines)
        for (const HistoryFigure::Point &point : line.points) {
            places.insert(point.place);
            least = std::min({least, point.value, point.low});
            most = std::max({most, point.value, point.high});
        }
    std::size_t next = 0;
    for (const std::string &place : places)
        axes.places[place] = next++;
    const double room = std::max((most - least) * 0.15, most * 2e-3);
    const double step = niceStep((most - least + 2 * room) / kMostTicks);
    axes.low = std::max(0.0, std::floor((least - room) / step) * step);
    axes.scale = {step, std::ceil((most + room) / step) * step};
    const double numbers = metrics.horizontalAdvance(painted(formatNumber(axes.scale.top, step < 1 ? 2 : 0)));
    axes.plot =
        area.adjusted(numbers + metrics.height() + 18, 2 * metrics.height(), -10, -metrics.height() - 6);
    return axes;
}

QString markOf(Verdict change)
{
    return change == Verdict::Faster   ? QStringLiteral("▲")
           : change == Verdict::Slower ? QStringLiteral("▼")
                                       : QString();
}

void paintAxes(QPainter &painter, const Axes &axes, const HistoryFigure &figure, const PaintLook &look)
{
    const QFontMetricsF metrics(look.fine);
    painter.setFont(look.fine);
    const int ticks = static_cast<int>(std::lround((axes.scale.top - axes.low) / axes.scale.step));
    for (int i = 0; i <= ticks; ++i) {
        const double value = axes.low + i * axes.scale.step;
        painter.setPen(look.tokens.grid);
        painter.drawLine(QPointF(axes.plot.left(), axes.y(value)), QPointF(axes.plot.right(), axes.y(value)));
        painter.setPen(look.tokens.text2);
        painter.drawText(
            QRectF(axes.plot.left() - 106, axes.y(value) - metrics.height() / 2, 100, metrics.height()),
            Qt::AlignRight | Qt::AlignVCenter, painted(formatNumber(value, axes.scale.step < 1 ? 2 : 0)));
    }
    painter.setPen(look.tokens.axis);
    painter.drawLine(axes.plot.bottomLeft(), axes.plot.bottomRight());
    std::map<std::string, QString> days;
    for (const HistoryFigure::Line &line : figure.lines)
        for (const HistoryFigure::Point &point : line.points)
            days[point.place] = point.day;
    const double width = metrics.horizontalAdvance(QStringLiteral("2026-00-00")) + 10;
    double taken = -1e9;
    QString before;
    for (const auto &[place, day] : days) {
        const double x = axes.x(place);
        if (day == before || x - width / 2 < taken)
            continue; // several plans of one day, or no room
        before = day;
        taken = x + width / 2;
        painter.setPen(look.tokens.text2);
        painter.drawText(QRectF(x - width / 2, axes.plot.bottom() + 3, width, metrics.height()),
                         Qt::AlignCenter, day);
    }
    painter.save();
    painter.setPen(look.tokens.text);
    painter.translate(
        axes.plot.left() -
            metrics.horizontalAdvance(painted(formatNumber(axes.scale.top, axes.scale.step < 1 ? 2 : 0))) -
            metrics.height() - 6,
        axes.plot.center().y());
    painter.rotate(-90);
    painter.drawText(
        QRectF(-axes.plot.height() / 2, -metrics.height() / 2, axes.plot.height(), metrics.height()),
        Qt::AlignCenter, figure.axis);
    painter.restore();
}

void paintLine(QPainter &painter, const Axes &axes, const HistoryFigure::Line &line, const PaintLook &look)
{
    const QColor colour = line.style.colour(look.palette);
    QPolygonF path;
    for (const HistoryFigure::Point &point : line.points)
        path << QPointF(axes.x(point.place), axes.y(point.value));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(seriesPen(line.style, colour, 1.5));
    painter.drawPolyline(path);
    for (const HistoryFigure::Point &point : line.points) {
        const double x = axes.x(point.place);
        painter.setPen(QPen(colour, 1));
        painter.drawLine(QPointF(x, axes.y(point.low)), QPointF(x, axes.y(point.high)));
        for (const double end : {point.low, point.high})
            painter.drawLine(QPointF(x - 4, axes.y(end)), QPointF(x + 4, axes.y(end)));
        drawMarker(painter, {x, axes.y(point.value)}, line.style, 8, colour, look.tokens.base);
        if (point.change) {
            painter.setFont(look.fine);
            painter.setPen(*point.change == Verdict::Faster ? look.tokens.ok : look.tokens.err);
            painter.drawText(QPointF(x + 8, axes.y(point.value) - 4), markOf(*point.change));
        }
    }
}

void paintNames(QPainter &painter, const QRectF &area, const HistoryFigure &figure, const PaintLook &look)
{
    const QFontMetricsF metrics(look.font);
    painter.setFont(look.font);
    double x = area.left();
    for (const HistoryFigure::Line &line : figure.lines) {
        drawSeriesKey(painter, QRectF(x, area.top(), 30, metrics.height()), line.style, look.palette,
                      look.tokens.base);
        painter.setPen(look.tokens.text);
        painter.drawText(QPointF(x + 36, area.top() + metrics.ascent()), line.name);
        x += 36 + metrics.horizontalAdvance(line.name) + 18;
    }
}

} // namespace

PaintedFigure paintedHistory(const HistoryFigure &figure)
{
    PaintedFigure made;
    made.heightShare = 0.5;
    const bool empty = std::all_of(figure.lines.begin(), figure.lines.end(),
                                   [](const HistoryFigure::Line &line) { return line.points.empty(); });
    made.paint = [figure, empty](QPainter &painter, const QRectF &area, const PaintLook &look) {
        if (empty) {
            painter.setFont(look.font);
            painter.setPen(look.tokens.text2);
            painter.drawText(area, Qt::AlignCenter | Qt::TextWordWrap, figure.message);
            return;
        }
        const Axes axes = axesOf(figure, area, QFontMetricsF(look.fine));
        paintAxes(painter, axes, figure, look);
        for (const HistoryFigure::Line &line : figure.lines)
            paintLine(painter, axes, line, look);
        paintNames(painter, area, figure, look);
    };
    made.tip = [figure, empty](QPointF place, const QRectF &area) {
        if (empty)
            return QString();
        const Axes axes = axesOf(figure, area, QFontMetricsF(resized(QFont(), -1.5)));
        for (const HistoryFigure::Line &line : figure.lines)
            for (const HistoryFigure::Point &point : line.points)
                if (QLineF(place, {axes.x(point.place), axes.y(point.value)}).length() < 9)
                    return point.tip;
        return QString();
    };
    return made;
}

} // namespace sb
