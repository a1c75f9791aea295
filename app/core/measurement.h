// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/result.h"
#include "core/sample.h"

#include <cstdint>
#include <optional>
#include <span>

namespace sb {

// Skip the first `warmupSteps`, average the next `measuredSteps`, take the median of `repeats` runs.
// Defaults are those of the 2020-10 DLPerf report (skip 20, average 100, 5–7 repeats).
struct MeasurementRule {
    int warmupSteps = 20;
    int measuredSteps = 100;
    int repeats = 7;

    int totalSteps() const { return warmupSteps + measuredSteps; }
    bool operator==(const MeasurementRule &) const = default;
};

// What one run is worth.
struct Measurement {
    double throughput = 0; // samples of all devices per second, averaged over the measured steps
    double stepTimeMs = 0; // mean of the measured steps
    std::optional<double> stepTimeP50Ms;
    std::optional<double> stepTimeP95Ms;
    std::optional<double> dataTimeMs; // mean wait for input a step
    std::optional<double> commTimeMs; // mean wait for collectives a step
    std::int64_t firstStep = 0;       // first and last measured step
    std::int64_t lastStep = 0;

    bool operator==(const Measurement &) const = default;
};

// Measures the run whose rank 0 gave `samples` (any order; a doubled step counts once, the later one wins).
// With time stamps, throughput = samples of the measured steps / (end of the last measured step − end of the
// last warm-up step): pauses between steps count, as they do for a user. Without them the mean step time
// serves. A run with too few steps, or a missing step in the window, is an error: it has no throughput.
Result<Measurement> measure(std::span<const Sample> samples, const MeasurementRule &rule,
                            std::optional<std::int64_t> globalBatchSize);

} // namespace sb
