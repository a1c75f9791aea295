// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panel_steps.h"

#include "widgets/panel.h"

#include <QApplication>

namespace sb {

namespace {

QWidget *firstFocusable(QWidget *root)
{
    const auto accepts = [](const QWidget *w) {
        return w->isEnabled() && w->isVisible() && (w->focusPolicy() & Qt::TabFocus);
    };
    if (accepts(root))
        return root;
    for (QWidget *child : root->findChildren<QWidget *>())
        if (accepts(child))
            return child;
    return nullptr;
}

} // namespace

void focusNextPanel(const QList<QWidget *> &roots, int direction)
{
    QList<QWidget *> stops{roots.front()};
    for (QWidget *root : roots.mid(1))
        for (Panel *panel : root->findChildren<Panel *>())
            if (panel->isVisible() && firstFocusable(panel))
                stops << panel;
    qsizetype at = direction > 0 ? -1 : 0;
    for (qsizetype i = 0; i < stops.size(); ++i)
        if (QApplication::focusWidget() &&
            (stops[i] == QApplication::focusWidget() || stops[i]->isAncestorOf(QApplication::focusWidget())))
            at = i;
    const qsizetype next = (at + direction + stops.size()) % stops.size();
    if (QWidget *target = firstFocusable(stops[next]))
        target->setFocus(Qt::TabFocusReason);
}

} // namespace sb
