// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/series.h"

namespace sb {

bool Series::append(const Sample &sample, std::optional<std::int64_t> globalBatchSize)
{
    const auto at = static_cast<double>(sample.step);
    if (!step.empty() && at <= step.back())
        return false;
    const auto count = sample.samples ? sample.samples : globalBatchSize;
    std::optional<double> rate = sample.samplesPerS;
    if (!rate && count && sample.stepTimeMs && *sample.stepTimeMs > 0)
        rate = static_cast<double>(*count) * 1000.0 / *sample.stepTimeMs;
    if (!rate)
        return false;
    std::optional<double> durationMs = sample.stepTimeMs;
    if (!durationMs && count && *rate > 0)
        durationMs = static_cast<double>(*count) * 1000.0 / *rate;
    if (!durationMs)
        return false;
    step.push_back(at);
    timeS.push_back(sample.timeS.value_or(timeS.empty() ? 0.0 : timeS.back() + *durationMs / 1000.0));
    throughput.push_back(*rate);
    stepTimeMs.push_back(*durationMs);
    return true;
}

} // namespace sb
