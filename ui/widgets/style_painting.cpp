// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style_painting.h"

#include <QPainter>
#include <QPainterPath>
#include <QStyleOption>

namespace sb {

namespace {

QColor mixed(const QColor &a, const QColor &b, float part)
{
    const auto channel = [part](float x, float y) { return x + (y - x) * part; };
    return QColor::fromRgbF(channel(a.redF(), b.redF()), channel(a.greenF(), b.greenF()),
                            channel(a.blueF(), b.blueF()));
}

} // namespace

void paintCard(QPainter *painter, const QRectF &rect, const QColor &fill, const QColor &edge)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(edge, 1));
    painter->setBrush(fill);
    painter->drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter->restore();
}

void paintButtonFace(QPainter *painter, const QStyleOption &option, ButtonRole role, const Tokens &tokens)
{
    const bool enabled = option.state & QStyle::State_Enabled;
    const bool down = option.state & (QStyle::State_Sunken | QStyle::State_On);
    const bool hover = enabled && (option.state & QStyle::State_MouseOver);
    const QRectF rect(option.rect);
    if (role == ButtonRole::Quiet) {
        if (hover || down)
            paintCard(painter, rect, mixed(tokens.window, tokens.accent, down ? 0.16F : 0.08F),
                      Qt::transparent);
        return;
    }
    if (role == ButtonRole::Primary && enabled) {
        const QColor fill = down    ? mixed(tokens.accent, tokens.text, 0.25F)
                            : hover ? mixed(tokens.accent, tokens.text, 0.12F)
                                    : tokens.accent;
        return paintCard(painter, rect, fill, fill);
    }
    QColor face = down ? tokens.sel : hover ? mixed(tokens.btn, tokens.accent, 0.08F) : tokens.btn;
    if (!enabled)
        face = tokens.window;
    paintCard(painter, rect, face, tokens.border);
    if (enabled) { // the lower edge carries the 3:1 contrast that an outline needs
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(tokens.strong, 1));
        painter->drawLine(QPointF(rect.left() + 3, rect.bottom() - 0.5),
                          QPointF(rect.right() - 3, rect.bottom() - 0.5));
        painter->restore();
    }
}

void paintButtonLabel(QPainter *painter, const QStyleOptionButton &button, ButtonRole role,
                      const Tokens &tokens)
{
    constexpr int kIconGap = 7;
    const bool enabled = button.state & QStyle::State_Enabled;
    const int iconWidth = button.icon.isNull() ? 0 : button.iconSize.width();
    const int textWidth = button.fontMetrics.size(Qt::TextShowMnemonic, button.text).width();
    const int gap = iconWidth > 0 && textWidth > 0 ? kIconGap : 0;
    int x = button.rect.left() + (button.rect.width() - iconWidth - gap - textWidth) / 2;
    if (iconWidth > 0)
        button.icon.paint(painter,
                          QRect(x, button.rect.top() + (button.rect.height() - button.iconSize.height()) / 2,
                                iconWidth, button.iconSize.height()),
                          Qt::AlignCenter, enabled ? QIcon::Normal : QIcon::Disabled);
    x += iconWidth + gap;
    painter->setPen(!enabled                      ? tokens.dis
                    : role == ButtonRole::Primary ? tokens.onAccent
                    : role == ButtonRole::Danger  ? tokens.err
                    : role == ButtonRole::Quiet   ? tokens.text2
                                                  : tokens.text);
    painter->drawText(QRect(x, button.rect.top(), textWidth + 2, button.rect.height()),
                      static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft | Qt::TextShowMnemonic), button.text);
}

void paintField(QPainter *painter, const QStyleOption &option, const Tokens &tokens)
{
    const bool enabled = option.state & QStyle::State_Enabled;
    const bool focus = enabled && (option.state & QStyle::State_HasFocus);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const double width = focus ? 2.0 : 1.0;
    painter->setPen(QPen(focus ? tokens.accent : enabled ? tokens.strong : tokens.border, width));
    painter->setBrush(enabled ? tokens.base : tokens.window);
    const double inset = width / 2;
    painter->drawRoundedRect(QRectF(option.rect).adjusted(inset, inset, -inset, -inset), 4, 4);
    painter->restore();
}

void paintCheckBox(QPainter *painter, const QStyleOption &option, const Tokens &tokens)
{
    const bool enabled = option.state & QStyle::State_Enabled;
    const bool on = option.state & QStyle::State_On;
    const bool partial = option.state & QStyle::State_NoChange;
    const QRectF box = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QColor fill = !on && !partial ? (enabled ? tokens.base : tokens.window)
                        : enabled       ? tokens.accent
                                        : tokens.dis;
    painter->setPen(QPen(!on && !partial ? (enabled ? tokens.strong : tokens.border) : fill, 1));
    painter->setBrush(fill);
    painter->drawRoundedRect(box, 3, 3);
    painter->setPen(QPen(tokens.onAccent, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->setBrush(Qt::NoBrush);
    const double x = box.left();
    const double y = box.top();
    if (on) {
        const QPointF tick[] = {{x + 3.2, y + 7.3}, {x + 6.0, y + 10.1}, {x + 11.0, y + 4.4}};
        painter->drawPolyline(tick, 3);
    } else if (partial) {
        painter->drawLine(QPointF(x + 3.5, y + 7), QPointF(x + 10.5, y + 7));
    }
    painter->restore();
}

void paintFocusRing(QPainter *painter, const QRect &rect, const Tokens &tokens)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(tokens.accent, 2));
    painter->setBrush(Qt::NoBrush);
    painter->drawRoundedRect(QRectF(rect).adjusted(1, 1, -1, -1), 4, 4);
    painter->restore();
}

void paintChevron(QPainter *painter, const QRect &rect, const QColor &colour)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(colour, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QPointF middle = QRectF(rect).center();
    const QPointF line[] = {middle + QPointF(-3.5, -1.5), middle + QPointF(0, 2),
                            middle + QPointF(3.5, -1.5)};
    painter->drawPolyline(line, 3);
    painter->restore();
}

void paintHatch(QPainter *painter, const QRectF &rect, const QColor &colour)
{
    painter->save();
    painter->setClipRect(rect, Qt::IntersectClip);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(colour, 1));
    for (double x = rect.left() - rect.height(); x < rect.right(); x += 6)
        painter->drawLine(QPointF(x, rect.bottom()), QPointF(x + rect.height(), rect.top()));
    painter->restore();
}

} // namespace sb
