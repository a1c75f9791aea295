// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/loss_figure.h"

#include "charts/chart_math.h"
#include "charts/chart_style.h"
#include "charts/chart_text.h"
#include "core/units.h"

#include <QFontMetricsF>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace sb {

namespace {

constexpr std::array kCauses{LossCause::Communication, LossCause::Data, LossCause::Straggler,
                             LossCause::Clock,         LossCause::Work, LossCause::Unexplained};

// Where things are in a rectangle: legend, names, bars, remarks, axis.
struct Places {
    QRectF legend;
    QRectF bars;
    double lane = 0;
    double most = 1e-3; // ms at the right end
    AxisScale axis;

    double x(double ms) const { return bars.left() + ms / most * bars.width(); }
    QRectF laneRect(std::size_t bar) const
    {
        return {bars.left(), bars.top() + lane * static_cast<double>(bar), bars.width(), lane};
    }
};

double lostMs(const LossFigure::Bar &bar)
{
    double sum = 0;
    for (const LossPart &part : bar.parts)
        sum += part.ms;
    return sum;
}

double widest(const std::vector<LossFigure::Bar> &bars, const QFontMetricsF &metrics,
              QString LossFigure::Bar::*text)
{
    double width = 0;
    for (const LossFigure::Bar &bar : bars)
        width = std::max(width, metrics.horizontalAdvance(bar.*text));
    return width;
}

Places placesOf(const LossFigure &figure, const QRectF &area, const QFont &font, double legendHeight)
{
    const QFontMetricsF metrics(font);
    Places places;
    const double line = metrics.height();
    const double left = widest(figure.bars, metrics, &LossFigure::Bar::name) + 12;
    const double right = widest(figure.bars, metrics, &LossFigure::Bar::remark) + 12;
    places.legend = QRectF(area.left(), area.top(), area.width(), legendHeight);
    places.bars =
        QRectF(area.left() + left, places.legend.bottom() + 4, std::max(40.0, area.width() - left - right),
               std::max(20.0, area.height() - legendHeight - 4 - 2 * line - 6));
    for (const LossFigure::Bar &bar : figure.bars)
        places.most = std::max(places.most, lostMs(bar));
    places.axis = axisScale(places.most, std::max(2, static_cast<int>(places.bars.width() / 70)));
    places.most = places.axis.top;
    const double count = static_cast<double>(std::max<std::size_t>(1, figure.bars.size()));
    places.lane = std::min(places.bars.height() / count, 44.0);
    places.bars.setHeight(places.lane * count);
    return places;
}

struct Entry {
    QString word;
    QColor colour;
    QPointF place;
};

// Keys in as many rows as the width needs; the height of all is returned.
double layOutLegend(const LossFigure &figure, const QRectF &area, const QFont &font, ChartPalette palette,
                    std::vector<Entry> *entries)
{
    const QFontMetricsF metrics(font);
    std::set<LossCause> used;
    for (const LossFigure::Bar &bar : figure.bars)
        for (const LossPart &part : bar.parts)
            used.insert(part.cause);
    std::vector<Entry> all;
    for (const LossCause cause : kCauses)
        if (used.contains(cause))
            all.push_back({figure.causeWord(cause), causeColour(cause, palette), {}});
    double x = area.left();
    double y = area.top();
    for (Entry &entry : all) {
        const double width = 14 + metrics.horizontalAdvance(entry.word) + 14;
        if (x > area.left() && x + width > area.right()) {
            x = area.left();
            y += metrics.height() + 3;
        }
        entry.place = {x, y};
        x += width;
    }
    if (entries)
        *entries = std::move(all);
    return y + metrics.height() + 3 - area.top();
}

void paintAxis(QPainter &painter, const Places &places, const LossFigure &figure, const PaintLook &look)
{
    const QFontMetricsF metrics(look.fine);
    painter.setFont(look.fine);
    const int ticks = static_cast<int>(std::lround(places.axis.top / places.axis.step));
    for (int i = 0; i <= ticks; ++i) {
        const double value = i * places.axis.step;
        painter.setPen(look.tokens.grid);
        painter.drawLine(QPointF(places.x(value), places.bars.top()),
                         QPointF(places.x(value), places.bars.bottom()));
        painter.setPen(look.tokens.text2);
        painter.drawText(QRectF(places.x(value) - 40, places.bars.bottom() + 2, 80, metrics.height()),
                         Qt::AlignCenter, painted(formatNumber(value, places.axis.step < 1 ? 2 : 0)));
    }
    painter.setPen(look.tokens.text);
    painter.drawText(QRectF(places.bars.left(), places.bars.bottom() + metrics.height() + 2,
                            places.bars.width(), metrics.height()),
                     Qt::AlignCenter, figure.axis);
}

void paintBar(QPainter &painter, const Places &places, const LossFigure &figure, std::size_t index,
              const PaintLook &look)
{
    const LossFigure::Bar &bar = figure.bars[index];
    const QRectF lane = places.laneRect(index);
    const double height = std::min(22.0, lane.height() * 0.6);
    const double top = lane.center().y() - height / 2;
    painter.setFont(look.font);
    painter.setPen(look.tokens.text);
    painter.drawText(
        QRectF(places.legend.left(), lane.top(), lane.left() - places.legend.left() - 8, lane.height()),
        Qt::AlignVCenter | Qt::AlignRight, bar.name);
    if (!bar.missing.isEmpty()) {
        painter.setFont(look.fine);
        painter.setPen(look.tokens.text2);
        painter.drawText(lane.adjusted(4, 0, 0, 0), Qt::AlignVCenter | Qt::TextWordWrap, bar.missing);
        return;
    }
    const auto block = [&](double fromMs, double untilMs, const QColor &colour) {
        painter.fillRect(QRectF(places.x(fromMs), top, places.x(untilMs) - places.x(fromMs), height), colour);
        painter.setPen(QPen(look.tokens.base, 1)); // neighbours are told apart without their colours
        painter.drawLine(QPointF(places.x(untilMs), top), QPointF(places.x(untilMs), top + height));
    };
    double at = 0;
    for (const LossPart &part : bar.parts) {
        block(at, at + part.ms, causeColour(part.cause, look.palette));
        at += part.ms;
    }
    if (figure.chosen == index) {
        painter.setPen(QPen(look.tokens.accent, 1.5));
        painter.drawRect(QRectF(places.x(0), top, places.x(at) - places.x(0), height).adjusted(-1, -2, 1, 2));
    }
    painter.setFont(look.font);
    painter.setPen(look.tokens.text);
    painter.drawText(QRectF(lane.right() + 8, lane.top(), 400, lane.height()),
                     Qt::AlignVCenter | Qt::AlignLeft, bar.remark);
}

// The bar whose lane holds a place. Fonts do not change where lanes are by much: the legend's height is that
// of one row or two of the usual font.
std::optional<int> barAt(const LossFigure &figure, QPointF place, const QRectF &area)
{
    const QFont font = resized(QFont(), -0.75);
    const double legend = layOutLegend(figure, area, font, ChartPalette::Light, nullptr);
    const Places places = placesOf(figure, area, font, legend);
    for (std::size_t i = 0; i < figure.bars.size(); ++i) {
        const QRectF lane = places.laneRect(i);
        if (place.y() >= lane.top() && place.y() < lane.bottom())
            return static_cast<int>(i);
    }
    return std::nullopt;
}

} // namespace

QColor causeColour(LossCause cause, ChartPalette palette)
{
    struct Colours {
        LossCause cause;
        const char *light;
        const char *dark;
        int grey;
    };
    // Of the frameworks' palette, whose colours stay apart for every kind of colour vision.
    static constexpr std::array kColours{
        Colours{LossCause::Communication, "#156BE7", "#3F8EFF", 40},
        Colours{LossCause::Data, "#0F8A6A", "#14AF82", 150},
        Colours{LossCause::Straggler, "#D96707", "#FEA76A", 90},
        Colours{LossCause::Clock, "#73409D", "#AE91CC", 190},
        Colours{LossCause::Work, "#9F8A52", "#BDA100", 120},
        Colours{LossCause::Unexplained, "#BF3B2D", "#F46965", 215},
    };
    for (const Colours &one : kColours)
        if (one.cause == cause)
            return palette == ChartPalette::Grey   ? QColor(one.grey, one.grey, one.grey)
                   : palette == ChartPalette::Dark ? QColor(QLatin1String(one.dark))
                                                   : QColor(QLatin1String(one.light));
    return {};
}

PaintedFigure paintedLoss(const LossFigure &figure)
{
    PaintedFigure made;
    made.heightShare = 0.2 + 0.09 * static_cast<double>(figure.bars.size());
    made.paint = [figure](QPainter &painter, const QRectF &area, const PaintLook &look) {
        std::vector<Entry> entries;
        const double legend = layOutLegend(figure, area, look.font, look.palette, &entries);
        const Places places = placesOf(figure, area, look.font, legend);
        const QFontMetricsF metrics(look.font);
        painter.setFont(look.font);
        for (const Entry &entry : entries) {
            painter.fillRect(QRectF(entry.place.x(), entry.place.y() + metrics.height() / 2 - 5, 10, 10),
                             entry.colour);
            painter.setPen(look.tokens.text);
            painter.drawText(entry.place + QPointF(14, metrics.ascent()), entry.word);
        }
        paintAxis(painter, places, figure, look);
        for (std::size_t i = 0; i < figure.bars.size(); ++i)
            paintBar(painter, places, figure, i, look);
    };
    made.partAt = [figure](QPointF place, const QRectF &area) { return barAt(figure, place, area); };
    made.tip = [figure](QPointF place, const QRectF &area) {
        const auto bar = barAt(figure, place, area);
        return bar && static_cast<std::size_t>(*bar) < figure.evidence.size()
                   ? figure.evidence[static_cast<std::size_t>(*bar)]
                   : QString();
    };
    return made;
}

} // namespace sb
