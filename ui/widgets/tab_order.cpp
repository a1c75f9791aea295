// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tab_order.h"

#include <QLayout>
#include <QScrollArea>
#include <QSplitter>

#include <vector>

namespace sb {

namespace {

void collect(QWidget *widget, std::vector<QWidget *> &stops);

void collect(QLayout *layout, std::vector<QWidget *> &stops)
{
    for (int i = 0; i < layout->count(); ++i) {
        QLayoutItem *item = layout->itemAt(i);
        if (item->widget())
            collect(item->widget(), stops);
        else if (item->layout())
            collect(item->layout(), stops);
    }
}

void collect(QWidget *widget, std::vector<QWidget *> &stops)
{
    const auto *area = qobject_cast<const QScrollArea *>(widget);
    const auto *splitter = qobject_cast<const QSplitter *>(widget);
    const bool stop = (widget->focusPolicy() & Qt::TabFocus) != 0 && !widget->focusProxy();
    if (stop)
        stops.push_back(widget);
    if (area && area->widget()) {
        collect(area->widget(), stops);
    } else if (splitter) {
        for (int i = 0; i < splitter->count(); ++i)
            collect(splitter->widget(i), stops);
    } else if (!stop && widget->layout()) { // what is inside a field is its own
        collect(widget->layout(), stops);
    }
}

} // namespace

void orderTabs(QWidget *root)
{
    std::vector<QWidget *> stops;
    collect(root, stops);
    for (std::size_t i = 1; i < stops.size(); ++i)
        QWidget::setTabOrder(stops[i - 1], stops[i]);
}

} // namespace sb
