// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace sb {

// Lets assistive technology see `chart` as a chart: name and description are the widget's own accessible
// texts. Call once in the constructor of each class of charts.
void announceAsChart(QWidget *chart);

} // namespace sb
