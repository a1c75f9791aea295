// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/state_mark.h"

#include <QPainter>
#include <QPainterPath>

namespace sb {

namespace {

void paintTriangle(QPainter *painter, const QRectF &box, const QColor &colour)
{
    QPainterPath shape;
    shape.moveTo(box.center().x(), box.top() + 1);
    shape.lineTo(box.right() - 0.5, box.bottom() - 1.5);
    shape.lineTo(box.left() + 0.5, box.bottom() - 1.5);
    shape.closeSubpath();
    painter->setPen(QPen(colour, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->setBrush(Qt::NoBrush);
    painter->drawPath(shape);
    const double x = box.center().x();
    painter->drawLine(QPointF(x, box.top() + 5), QPointF(x, box.top() + 8.4));
    painter->setPen(Qt::NoPen);
    painter->setBrush(colour);
    painter->drawEllipse(QPointF(x, box.top() + 10.6), 0.9, 0.9);
}

void paintHalfDisc(QPainter *painter, const QRectF &circle, const QColor &colour)
{
    painter->setPen(QPen(colour, 1.4));
    painter->setBrush(Qt::NoBrush);
    painter->drawEllipse(circle);
    painter->setPen(Qt::NoPen);
    painter->setBrush(colour);
    painter->drawPie(circle, -90 * 16, 180 * 16);
}

} // namespace

void paintStateMark(QPainter *painter, const QRectF &rect, StepState state, const Tokens &tokens)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF circle = rect.adjusted(2, 2, -2, -2);
    switch (state) {
    case StepState::Nothing:
        painter->setPen(QPen(tokens.axis, 1.4));
        painter->setBrush(Qt::NoBrush);
        painter->drawEllipse(circle);
        break;
    case StepState::Current:
        paintHalfDisc(painter, circle, tokens.accent);
        break;
    case StepState::Done: {
        painter->setPen(QPen(tokens.ok, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        const QPointF corner = rect.topLeft();
        const QPointF tick[] = {corner + QPointF(2, 7.6), corner + QPointF(5.4, 11),
                                corner + QPointF(12, 3.6)};
        painter->drawPolyline(tick, 3);
        break;
    }
    case StepState::NeedsYou:
        paintTriangle(painter, rect, tokens.warn);
        break;
    case StepState::Broken: {
        painter->setPen(QPen(tokens.err, 1.4, Qt::SolidLine, Qt::RoundCap));
        painter->setBrush(Qt::NoBrush);
        painter->drawEllipse(rect.adjusted(1, 1, -1, -1));
        const QPointF middle = rect.center();
        painter->drawLine(middle + QPointF(-2.2, -2.2), middle + QPointF(2.2, 2.2));
        painter->drawLine(middle + QPointF(-2.2, 2.2), middle + QPointF(2.2, -2.2));
        break;
    }
    }
    painter->restore();
}

} // namespace sb
