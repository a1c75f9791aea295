// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/run_dots.h"

#include "charts/chart_math.h"
#include "charts/chart_text.h"
#include "core/units.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace sb {

namespace {

constexpr int kNames = 124; // column of the names
constexpr int kMostTicks = 5;

// From the least to the greatest value, with room, on round numbers.
AxisScale axisOf(const std::vector<RunDots::Side> &sides, double *low)
{
    double least = sides.front().median;
    double most = least;
    for (const RunDots::Side &side : sides) {
        least = std::min(least, side.median);
        most = std::max(most, side.median);
        for (const double run : side.runs) {
            least = std::min(least, run);
            most = std::max(most, run);
        }
    }
    const double room = std::max((most - least) * 0.08, most * 1e-3);
    const double step = niceStep((most - least + 2 * room) / kMostTicks);
    *low = std::floor((least - room) / step) * step;
    return {step, std::ceil((most + room) / step) * step};
}

void paintDots(QPainter &painter, const QRectF &area, const RunDots &dots, const PaintLook &look)
{
    const Tokens &tokens = look.tokens;
    painter.setFont(look.fine);
    const QFontMetricsF metrics(look.fine);
    double low = 0;
    const AxisScale axis = axisOf(dots.sides, &low);
    const double left = area.left() + kNames;
    const double right = area.right() - 24;
    const double bottom = area.bottom() - 2 * metrics.height() - 4;
    const double top = area.top() + metrics.height() + 2;
    const auto x = [&](double value) { return left + (value - low) / (axis.top - low) * (right - left); };
    const int ticks = static_cast<int>(std::lround((axis.top - low) / axis.step));
    for (int i = 0; i <= ticks; ++i) {
        const double value = low + i * axis.step;
        painter.setPen(tokens.grid);
        painter.drawLine(QPointF(x(value), top - 4), QPointF(x(value), bottom));
        painter.setPen(tokens.text2);
        painter.drawText(QRectF(x(value) - 60, bottom + 2, 120, metrics.height()), Qt::AlignCenter,
                         painted(formatNumber(value, axis.step < 1 ? 2 : 0)));
    }
    painter.setPen(tokens.axis);
    painter.drawLine(QPointF(left, bottom), QPointF(right, bottom));
    painter.setPen(tokens.text);
    painter.drawText(QRectF(left, bottom + metrics.height() + 2, right - left, metrics.height()),
                     Qt::AlignCenter, dots.axis);
    const double lane = (bottom - top) / 2;
    for (std::size_t i = 0; i < 2; ++i) {
        const RunDots::Side &side = dots.sides[i];
        const QColor colour = side.style.colour(look.palette);
        const double middle = top + lane * (static_cast<double>(i) + 0.5);
        painter.setPen(tokens.text);
        painter.drawText(QRectF(area.left(), middle - lane / 2, kNames - 10, lane),
                         Qt::AlignRight | Qt::AlignVCenter,
                         metrics.elidedText(side.name, Qt::ElideRight, kNames - 12));
        const double half = std::min(14.0, lane * 0.3);
        if (side.interval)
            painter.fillRect(QRectF(QPointF(x(side.interval->first), middle - half),
                                    QPointF(x(side.interval->second), middle + half)),
                             mixed(colour, tokens.base, 0.18));
        painter.setPen(QPen(colour, 2));
        painter.drawLine(QPointF(x(side.median), middle - half), QPointF(x(side.median), middle + half));
        // Runs in the order they were made, so that equal values do not hide each other.
        for (std::size_t k = 0; k < side.runs.size(); ++k) {
            const double offset = (static_cast<double>(k % 5) - 2) / 2 * half * 0.75;
            drawMarker(painter, QPointF(x(side.runs[k]), middle + offset), side.style, 7, colour,
                       tokens.base);
        }
        painter.setPen(tokens.text);
        painter.drawText(QRectF(x(side.median) - 60, middle - half - metrics.height(), 120, metrics.height()),
                         Qt::AlignCenter, painted(formatThroughput(side.median)));
    }
}

} // namespace

PaintedFigure paintedDots(std::vector<RunDots::Side> sides, const QString &axis)
{
    QStringList spoken;
    for (const RunDots::Side &side : sides)
        spoken.append(QCoreApplication::translate("sb::RunDots", "%1: median %2, %n run(s)", nullptr,
                                                  static_cast<int>(side.runs.size()))
                          .arg(side.name, QString::fromStdString(formatThroughput(side.median))));
    PaintedFigure figure;
    figure.title = QCoreApplication::translate("sb::RunDots", "All runs");
    figure.description = spoken.join(QStringLiteral("; "));
    figure.heightShare = 0.42;
    if (sides.size() == 2)
        figure.paint = [dots = RunDots{std::move(sides), axis}](QPainter &painter, const QRectF &area,
                                                                const PaintLook &look) {
            paintDots(painter, area, dots, look);
        };
    return figure;
}

} // namespace sb
