// SPDX-License-Identifier: GPL-3.0-or-later
// Series, themes and pictures for tests of charts and reports.
#pragma once

#include "report_values.h"

#include "charts/tokens.h"
#include "core/sample.h"
#include "core/series.h"

#include <QString>
#include <QWidget>

#include <vector>

namespace sb::test {

// `ranks` series of `steps` steps: a warm-up of 20, then about `rate` a second.
std::vector<Series> madeSeries(int ranks, int steps, double rate = 10021);
// One sample a second, for as long as the series go on; with GPUs or of a CPU.
std::vector<TelemetrySample> madeTelemetry(double seconds, int gpus);

// Gives the application the theme's palette.
void useTheme(const Tokens &tokens);
// Saves a picture of the widget as <name>.png if SCALEBOARD_PICTURES names a folder.
void keepPicture(QWidget &widget, const QString &name);

} // namespace sb::test
