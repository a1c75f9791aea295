// SPDX-License-Identifier: GPL-3.0-or-later
// Runs for tests of charts and reports. The ResNet-50 figures are the medians of the 2020-10 DLPerf report
// (github.com/Oneflow-Inc/DLPerf, ResNet50 v1.5 FP32, batch 128); their repeats are made up around them.
#pragma once

#include "core/run.h"

#include <vector>

namespace sb::test {

// The first `frameworks` of the report's eight, with `repeats` runs of each of 1, 8, 16 and 32 devices.
std::vector<Run> publishedRuns(int frameworks, int repeats = 7);

} // namespace sb::test
