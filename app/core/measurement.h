// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/log_format.h"
#include "core/result.h"
#include "core/sample.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace sb {

// Skip the first `warmupSteps`, average the next `measuredSteps`, take the median of `repeats` runs.
// Defaults are those of the 2020-10 DLPerf report (skip 20, average 100, 5–7 repeats).
struct MeasurementRule {
    static constexpr int kMostSteps = 10'000'000; // of either kind

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
    // Where a log has both: the mean of the rates it prints, and samples over the time between its stamps.
    std::optional<double> printedThroughput = {};
    std::optional<double> clockThroughput = {};

    // A sentence where the two differ by more than a tenth: one of them is of another run or batch size.
    std::optional<std::string> disagreement() const;

    bool operator==(const Measurement &) const = default;
};

// Measures the run whose rank 0 gave `samples` (any order; a doubled step counts once, the later one wins).
// With time stamps, throughput = samples of the measured steps / (end of the last measured step − end of the
// last warm-up step): pauses between steps count, as they do for a user. Without them the mean step time
// serves, and without that the mean of the printed rates; `from` may prefer those. A log with a line every N
// steps is measured over whole intervals. A run with too few steps, or a hole in the window, is an error: it
// has no throughput. The step time is 0 where the log tells no time at all.
Result<Measurement> measure(std::span<const Sample> samples, const MeasurementRule &rule,
                            std::optional<std::int64_t> globalBatchSize,
                            ThroughputFrom from = ThroughputFrom::Clock);

} // namespace sb
