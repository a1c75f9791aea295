// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measurement.h"

#include "core/statistics.h"
#include "core/units.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace sb {

namespace {

constexpr double kDisagreement = 0.1;

using ByStep = std::map<std::int64_t, const Sample *>;

// The samples that are measured. Sample i is of the steps after `before` of it up to its own.
struct Window {
    std::vector<const Sample *> samples;
    std::int64_t firstStep = 0; // first measured
    std::int64_t interval = 1;  // steps a sample
    std::int64_t stepCount() const { return samples.back()->step - firstStep + 1; }
};

Error tooFewSteps(std::int64_t have, const MeasurementRule &rule)
{
    return {ErrorCode::BadInput, "The log has " + std::to_string(have) + " steps, the measurement needs " +
                                     std::to_string(rule.totalSteps()) + " (skip " +
                                     std::to_string(rule.warmupSteps) + ", then average " +
                                     std::to_string(rule.measuredSteps) + ")."};
}

// 1: a line every step. Else the distance that all lines keep.
std::int64_t intervalOf(const ByStep &byStep)
{
    std::int64_t interval = 0;
    std::int64_t previous = 0;
    for (const auto &[step, sample] : byStep) {
        if (previous > 0 && (interval == 0 || step - previous < interval))
            interval = step - previous;
        previous = step;
    }
    return std::max<std::int64_t>(interval, 1);
}

// A line every few steps: the window must begin and end at one of them.
Result<Window> intervalWindow(const ByStep &byStep, const MeasurementRule &rule, Window window)
{
    const std::int64_t last = rule.totalSteps();
    if (byStep.rbegin()->first < last)
        return tooFewSteps(byStep.rbegin()->first, rule);
    for (const std::int64_t border : {std::int64_t{rule.warmupSteps}, last})
        if (border > 0 && !byStep.contains(border))
            return Error{ErrorCode::BadInput, "The log has no line at step " + std::to_string(border) +
                                                  "; it has one every " + std::to_string(window.interval) +
                                                  " steps, so skip and average multiples of that."};
    for (auto at = byStep.upper_bound(rule.warmupSteps); at != byStep.end() && at->first <= last; ++at)
        window.samples.push_back(at->second);
    return window;
}

Result<Window> windowOf(const ByStep &byStep, const MeasurementRule &rule)
{
    Window window;
    window.interval = intervalOf(byStep);
    window.firstStep = rule.warmupSteps + 1;
    if (rule.measuredSteps < 1)
        return Error{ErrorCode::BadInput, "The plan measures no step."};
    if (window.interval > 1)
        return intervalWindow(byStep, rule, window);
    for (int step = rule.warmupSteps + 1; step <= rule.totalSteps(); ++step) {
        const auto found = byStep.find(step);
        if (found == byStep.end())
            return byStep.empty() || byStep.rbegin()->first < rule.totalSteps()
                       ? tooFewSteps(static_cast<std::int64_t>(byStep.size()), rule)
                       : Error{ErrorCode::BadInput,
                               "Step " + std::to_string(step) + " is missing in the log."};
        window.samples.push_back(found->second);
    }
    return window;
}

using Field = std::optional<double> Sample::*;

std::optional<double> meanOf(const std::vector<const Sample *> &samples, Field field)
{
    double sum = 0;
    for (const Sample *sample : samples) {
        if (!(sample->*field))
            return std::nullopt;
        sum += *(sample->*field);
    }
    return sum / static_cast<double>(samples.size());
}

// Seconds from the end of the last warm-up step to the end of the last measured step.
std::optional<double> windowTimeS(const ByStep &byStep, const Window &window)
{
    const Sample *last = window.samples.back();
    const Sample *first = window.samples.front();
    if (!last->timeS)
        return std::nullopt;
    if (const auto before = byStep.find(window.firstStep - 1);
        before != byStep.end() && before->second->timeS)
        return *last->timeS - *before->second->timeS;
    // With no warm-up there is no step before: the first step's own duration closes the gap.
    if (first->timeS && first->stepTimeMs && window.interval == 1)
        return *last->timeS - *first->timeS + *first->stepTimeMs / 1000.0;
    return std::nullopt;
}

// Samples of all devices in the window; empty where the log does not say.
std::optional<double> samplesIn(const Window &window, std::optional<std::int64_t> globalBatchSize)
{
    double sum = 0;
    std::int64_t previous = window.firstStep - 1;
    for (const Sample *sample : window.samples) {
        const auto count = sample->samples ? sample->samples : globalBatchSize;
        if (!count)
            return std::nullopt;
        sum += static_cast<double>(*count) * static_cast<double>(sample->step - previous);
        previous = sample->step;
    }
    return sum;
}

void takeStepTimes(Measurement &measurement, const Window &window)
{
    std::vector<double> times;
    for (const Sample *sample : window.samples)
        if (sample->stepTimeMs)
            times.push_back(*sample->stepTimeMs);
    if (times.size() == window.samples.size()) {
        measurement.stepTimeP50Ms = quantile(times, 0.5);
        measurement.stepTimeP95Ms = quantile(times, 0.95);
    }
    measurement.dataTimeMs = meanOf(window.samples, &Sample::dataTimeMs);
    measurement.commTimeMs = meanOf(window.samples, &Sample::commTimeMs);
}

} // namespace

std::optional<std::string> Measurement::disagreement() const
{
    if (!printedThroughput || !clockThroughput || *clockThroughput <= 0 ||
        std::abs(*printedThroughput / *clockThroughput - 1) <= kDisagreement)
        return std::nullopt;
    return "The rates that the log prints average " + formatThroughput(*printedThroughput) +
           " a second, but its clock gives " + formatThroughput(*clockThroughput) +
           "; is the batch size or the number of devices another?";
}

Result<Measurement> measure(std::span<const Sample> samples, const MeasurementRule &rule,
                            std::optional<std::int64_t> globalBatchSize, ThroughputFrom from)
{
    ByStep byStep;
    for (const Sample &sample : samples)
        byStep[sample.step] = &sample;
    const auto window = windowOf(byStep, rule);
    if (!window)
        return window.error();

    const auto stepCount = static_cast<double>(window->stepCount());
    const std::optional<double> count = samplesIn(*window, globalBatchSize);
    double timeS = windowTimeS(byStep, *window).value_or(0); // of the window; 0 where the log has no clock
    if (const auto mean = meanOf(window->samples, &Sample::stepTimeMs); timeS <= 0)
        timeS = mean.value_or(0) * stepCount / 1000.0;

    Measurement measurement;
    measurement.printedThroughput = meanOf(window->samples, &Sample::samplesPerS);
    if (timeS > 0 && count)
        measurement.clockThroughput = *count / timeS;
    const auto &printed = measurement.printedThroughput;
    const auto &clock = measurement.clockThroughput;
    const auto &first = from == ThroughputFrom::Printed ? printed : clock;
    const auto &second = from == ThroughputFrom::Printed ? clock : printed;
    if (!first && !second) {
        if (timeS > 0)
            return Error{ErrorCode::BadInput, "The log does not say how many samples a step has."};
        return Error{ErrorCode::BadInput, "The measured steps carry no usable times."};
    }
    measurement.throughput = first ? *first : *second;
    if (timeS > 0)
        measurement.stepTimeMs = timeS * 1000.0 / stepCount;
    else if (count)
        measurement.stepTimeMs = *count / measurement.throughput * 1000.0 / stepCount;
    takeStepTimes(measurement, *window);
    measurement.firstStep = window->firstStep;
    measurement.lastStep = window->samples.back()->step;
    if (!printed || !clock) { // one alone is the throughput and nothing beside it
        measurement.printedThroughput.reset();
        measurement.clockThroughput.reset();
    }
    return measurement;
}

} // namespace sb
