// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/step_parts.h"

#include "core/statistics.h"
#include "store/workspace.h"

#include <algorithm>
#include <cmath>

namespace sb {

namespace {

const Run *medianRun(const Workspace &workspace, const CaseResult &result)
{
    const Run *nearest = nullptr;
    for (const Run &run : workspace.runs()) {
        const bool ofCase = run.measurement && std::find(result.runIds.begin(), result.runIds.end(),
                                                         run.id) != result.runIds.end();
        if (ofCase && (!nearest || std::abs(run.measurement->throughput - result.throughput) <
                                       std::abs(nearest->measurement->throughput - result.throughput)))
            nearest = &run;
    }
    return nearest;
}

// Appends the median of a part of the measured steps, if any step has it.
void addMedian(std::vector<double> &medians, const std::vector<Sample> &samples, const Measurement &measured,
               std::optional<double> Sample::*part)
{
    std::vector<double> values;
    for (const Sample &sample : samples)
        if (sample.step >= measured.firstStep && sample.step <= measured.lastStep && sample.*part)
            values.push_back(*(sample.*part));
    if (const auto middle = median(values))
        medians.push_back(*middle);
}

} // namespace

std::optional<StepParts> stepPartsOf(const Workspace &workspace, const CaseResult &result)
{
    const Run *run = medianRun(workspace, result);
    if (!run)
        return std::nullopt;
    StepParts parts;
    parts.stepMs = run->measurement->stepTimeMs;
    if (result.interval)
        parts.noise = (result.interval->high - result.interval->low) / 2 / result.throughput;
    for (int rank = 0; rank < run->ranks(); ++rank) {
        const auto samples = workspace.samples(run->id, rank);
        if (!samples || samples->empty())
            return std::nullopt;
        addMedian(parts.computeMs, *samples, *run->measurement, &Sample::computeTimeMs);
        addMedian(parts.commMs, *samples, *run->measurement, &Sample::commTimeMs);
        addMedian(parts.dataMs, *samples, *run->measurement, &Sample::dataTimeMs);
    }
    // Parts that only some ranks log say nothing of the slowest one.
    const auto ranks = static_cast<std::size_t>(run->ranks());
    for (std::vector<double> *values : {&parts.computeMs, &parts.commMs, &parts.dataMs})
        if (values->size() != ranks)
            values->clear();
    return parts;
}

} // namespace sb
