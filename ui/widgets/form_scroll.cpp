// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form_scroll.h"

#include <QEvent>
#include <QScrollBar>

namespace sb {

FormScroll::FormScroll(QWidget *form, QWidget *parent)
    : QScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus); // its fields have the focus and are scrolled to
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setBackgroundRole(QPalette::Base);
    form->setBackgroundRole(QPalette::Base);
    setWidget(form);
    form->installEventFilter(this);
}

QSize FormScroll::minimumSizeHint() const
{
    return {widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width(), 120};
}

QSize FormScroll::sizeHint() const
{
    return minimumSizeHint().expandedTo(widget()->sizeHint());
}

bool FormScroll::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == widget() && event->type() == QEvent::LayoutRequest)
        updateGeometry();
    return QScrollArea::eventFilter(watched, event);
}

} // namespace sb
