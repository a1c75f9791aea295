// SPDX-License-Identifier: GPL-3.0-or-later
// Values for tests of charts and reports. The ResNet-50 figures are the medians of the 2020-10 DLPerf report
// (github.com/Oneflow-Inc/DLPerf, ResNet50 v1.5 FP32, batch 128); their repeats are made up around them.
#pragma once

#include "charts/tokens.h"
#include "core/run.h"
#include "core/sample.h"
#include "core/series.h"

#include <QString>
#include <QWidget>

#include <vector>

namespace sb::test {

// The first `frameworks` of the report's eight, with `repeats` runs of each of 1, 8, 16 and 32 devices.
std::vector<Run> publishedRuns(int frameworks, int repeats = 7);

// `ranks` series of `steps` steps: a warm-up of 20, then about `rate` a second.
std::vector<Series> madeSeries(int ranks, int steps, double rate = 10021);
// One sample a second, for as long as the series go on; with GPUs or of a CPU.
std::vector<TelemetrySample> madeTelemetry(double seconds, int gpus);

// Gives the application the theme's palette.
void useTheme(const Tokens &tokens);
// Saves a picture of the widget as <name>.png if SCALEBOARD_PICTURES names a folder.
void keepPicture(QWidget &widget, const QString &name);

} // namespace sb::test
