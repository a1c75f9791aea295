// SPDX-License-Identifier: GPL-3.0-or-later
// What the steps of one run, or the repeats of one case, tell beyond their median. Values are flagged, never
// dropped: what is computed from them elsewhere includes them all.
#pragma once

#include "core/sample.h"
#include "core/statistics.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sb {

// An interval for the median of values that came one after the other and remember each other, as steps do.
// Order statistics again, but as far apart as for `independent` values: n divided by the correlation time of
// the signs around the median, which is all that moves a sample median. The ranks between which the median
// lies are n/2 ± t·√(n·correlation time)/2, interpolated; t is Student's for `independent` − 1 degrees.
//
// Why not a block bootstrap: with 100 steps it covers the same or less (the blocks are few), it needs a seed,
// and its blocks a length. Simulated coverage (10 000 runs of 100 steps, normal and heavy-tailed noise,
// correlation of neighbours 0 to 0.6): 93.3 to 96.8 %. At 0.8 it is 92 %; `few` says when that is near.
struct StepInterval {
    double low = 0;
    double high = 0;
    double correlationSteps = 1; // steps after which values have forgotten each other; 1 = independent
    double independent = 0;      // how many independent values the n are worth
    bool few = false;            // fewer than 15 of them: the interval is a rough one
    bool operator==(const StepInterval &) const = default;
};
// Nothing below 10 values. 0 < confidence < 1.
std::optional<StepInterval> stepMedianInterval(std::span<const double> values, double confidence = 0.95);

// A steady rise or fall from the first value to the last: Theil and Sen's slope (the median of all pairs'
// slopes), tested with Mann and Kendall's statistic, whose spread is widened by the correlation of the signs.
struct Drift {
    double change = 0;    // fitted last over fitted first value − 1; −0.04: 4 % lower at the end
    double p = 1;         // probability of so strong a trend without any
    bool flagged = false; // p < 1 % and |change| ≥ 1 %
    bool operator==(const Drift &) const = default;
};
// Nothing below 8 values or where the median is not above 0.
std::optional<Drift> driftOf(std::span<const double> values);

// Places of the values that are further from the median than 3.5 of their own spread (median absolute
// deviation × 1.4826; Iglewicz and Hoaglin 1993). Where more than half of the values are equal the spread is
// taken from their mean absolute deviation. Nothing is flagged below 5 values.
std::vector<std::size_t> outliers(std::span<const double> values);

struct StepStatistics {
    std::size_t steps = 0;
    double median = 0;
    double mean = 0;
    double p5 = 0, p25 = 0, p75 = 0, p90 = 0, p95 = 0, p99 = 0;
    double least = 0;
    double greatest = 0;
    std::optional<StepInterval> interval; // of the median
    std::optional<Drift> drift;
    std::vector<std::size_t> outlierSteps; // places in the input
    bool operator==(const StepStatistics &) const = default;
};
// Nothing for an empty input.
std::optional<StepStatistics> stepStatistics(std::span<const double> values);

// A rank against the others.
struct RankStatistics {
    int rank = 0;
    double medianMs = 0;     // own work a step
    double overMedian = 0;   // medianMs over the median rank's − 1
    double slowestShare = 0; // of the steps that all ranks have, in how many it was the slowest
    bool straggler = false;  // at least 2 % over the median rank, and outside the spread of the others
    bool operator==(const RankStatistics &) const = default;
};
// Own work of each rank by step, in the order of ranks; longer ones are cut to the shortest. Sorted slowest
// first. Nothing is a straggler among fewer than 2 ranks, or when there are no steps.
std::vector<RankStatistics> rankStatistics(std::span<const std::vector<double>> workMs);

// The measured steps of one run.
struct RunSteps {
    std::optional<StepStatistics> steps; // of rank 0's step times, ms
    std::vector<std::int64_t> numbers;   // of those steps; parallel to what `steps` was made of
    std::vector<RankStatistics> ranks;   // slowest first; empty with fewer than 2 ranks that logged
    bool ownWork =
        false; // ranks are judged by their own work; else by step times, which a collective evens out
    bool operator==(const RunSteps &) const = default;
};
// `byRank`: samples of each rank in order of steps. Steps outside of first to last do not count.
RunSteps runSteps(std::span<const std::vector<Sample>> byRank, std::int64_t firstStep, std::int64_t lastStep);

} // namespace sb
