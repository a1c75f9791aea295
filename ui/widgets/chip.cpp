// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chip.h"

#include "widgets/sb_style.h"
#include "widgets/style_painting.h"
#include "widgets/text.h"

#include <QPainter>
#include <QStyleOptionButton>

namespace sb {

Chip::Chip(const QString &text, QWidget *parent)
    : QPushButton(text, parent)
{
    setCheckable(true);
    setControlSize(this, ControlSize::Small);
    setAccessibleName(text);
}

QSize Chip::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(text()) + 12,
            SbStyle::controlHeight(ControlSize::Small, fontMetrics())};
}

void Chip::paintEvent(QPaintEvent *)
{
    const Tokens &tokens = Tokens::of(palette());
    QPainter painter(this);
    const QColor fill = isChecked() ? tokens.sel : underMouse() ? tokens.alt : tokens.base;
    paintCard(&painter, QRectF(rect()), fill, isChecked() ? tokens.accent : tokens.strong);
    painter.setFont(font());
    painter.setPen(!isEnabled() ? tokens.dis : isChecked() ? tokens.onSel : tokens.text);
    painter.drawText(rect(), static_cast<int>(Qt::AlignCenter), text());
    QStyleOptionButton option;
    initStyleOption(&option);
    if ((option.state & QStyle::State_HasFocus) && (option.state & QStyle::State_KeyboardFocusChange))
        paintFocusRing(&painter, rect(), tokens);
}

} // namespace sb
