// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measurement.h"

#include "core/statistics.h"

#include <map>
#include <string>
#include <vector>

namespace sb {

namespace {

Error tooFewSteps(std::size_t have, const MeasurementRule &rule)
{
    return {ErrorCode::BadInput, "The log has " + std::to_string(have) + " steps, the measurement needs " +
                                     std::to_string(rule.totalSteps()) + " (skip " +
                                     std::to_string(rule.warmupSteps) + ", then average " +
                                     std::to_string(rule.measuredSteps) + ")."};
}

using Field = std::optional<double> Sample::*;

std::optional<double> meanOf(const std::vector<const Sample *> &window, Field field)
{
    double sum = 0;
    for (const Sample *sample : window) {
        if (!(sample->*field))
            return std::nullopt;
        sum += *(sample->*field);
    }
    return sum / static_cast<double>(window.size());
}

// Seconds from the end of the last warm-up step to the end of the last measured step.
std::optional<double> windowTimeS(const std::map<std::int64_t, const Sample *> &byStep,
                                  const std::vector<const Sample *> &window)
{
    const Sample *last = window.back();
    const Sample *first = window.front();
    if (!last->timeS)
        return std::nullopt;
    if (const auto before = byStep.find(first->step - 1); before != byStep.end() && before->second->timeS)
        return *last->timeS - *before->second->timeS;
    // With no warm-up there is no step before: the first step's own duration closes the gap.
    if (first->timeS && first->stepTimeMs)
        return *last->timeS - *first->timeS + *first->stepTimeMs / 1000.0;
    return std::nullopt;
}

} // namespace

Result<Measurement> measure(std::span<const Sample> samples, const MeasurementRule &rule,
                            std::optional<std::int64_t> globalBatchSize)
{
    std::map<std::int64_t, const Sample *> byStep;
    for (const Sample &sample : samples)
        byStep[sample.step] = &sample;
    std::vector<const Sample *> window;
    std::vector<double> stepTimes;
    double samplesInWindow = 0;
    for (int step = rule.warmupSteps + 1; step <= rule.totalSteps(); ++step) {
        const auto found = byStep.find(step);
        if (found == byStep.end())
            return byStep.empty() || byStep.rbegin()->first < rule.totalSteps()
                       ? tooFewSteps(byStep.size(), rule)
                       : Error{ErrorCode::BadInput,
                               "Step " + std::to_string(step) + " is missing in the log."};
        const auto count = found->second->samples ? found->second->samples : globalBatchSize;
        if (!count)
            return Error{ErrorCode::BadInput, "The log does not say how many samples a step has."};
        samplesInWindow += static_cast<double>(*count);
        if (found->second->stepTimeMs)
            stepTimes.push_back(*found->second->stepTimeMs);
        window.push_back(found->second);
    }
    if (window.empty())
        return Error{ErrorCode::BadInput, "The plan measures no step."};

    std::optional<double> timeS = windowTimeS(byStep, window);
    const auto meanStepTimeMs = meanOf(window, &Sample::stepTimeMs);
    if (!timeS && meanStepTimeMs)
        timeS = *meanStepTimeMs * static_cast<double>(window.size()) / 1000.0;
    if (!timeS || *timeS <= 0)
        return Error{ErrorCode::BadInput, "The measured steps carry no usable times."};

    Measurement measurement;
    measurement.throughput = samplesInWindow / *timeS;
    measurement.stepTimeMs = *timeS * 1000.0 / static_cast<double>(window.size());
    if (stepTimes.size() == window.size()) {
        measurement.stepTimeP50Ms = quantile(stepTimes, 0.5);
        measurement.stepTimeP95Ms = quantile(stepTimes, 0.95);
    }
    measurement.dataTimeMs = meanOf(window, &Sample::dataTimeMs);
    measurement.commTimeMs = meanOf(window, &Sample::commTimeMs);
    measurement.firstStep = window.front()->step;
    measurement.lastStep = window.back()->step;
    return measurement;
}

} // namespace sb
