// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_accessible.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QVariant>
#include <QWidget>

namespace sb {

namespace {

constexpr const char *kChartProperty = "sbIsChart";

QAccessibleInterface *chartInterface(const QString &, QObject *object)
{
    auto *widget = qobject_cast<QWidget *>(object);
    if (!widget || !widget->property(kChartProperty).toBool())
        return nullptr;
    return new QAccessibleWidget(widget, QAccessible::Chart);
}

} // namespace

void announceAsChart(QWidget *chart)
{
    static const bool installed = [] {
        QAccessible::installFactory(chartInterface);
        return true;
    }();
    Q_UNUSED(installed);
    chart->setProperty(kChartProperty, true);
}

} // namespace sb
