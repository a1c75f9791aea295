// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/step_parts.h"

#include "core/statistics.h"
#include "session/telemetry_file.h"
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

// The clock of the slowest GPU while the measured steps ran.
std::optional<double> clockOf(const Workspace &workspace, const Run &run, const std::vector<Sample> &rank0)
{
    std::optional<double> fromS;
    std::optional<double> untilS;
    for (const Sample &sample : rank0) {
        if (sample.step + 1 == run.measurement->firstStep)
            fromS = sample.timeS;
        if (sample.step == run.measurement->lastStep)
            untilS = sample.timeS;
    }
    if (!fromS || !untilS)
        return std::nullopt;
    const auto telemetry = readTelemetry(workspace.runFolder(run.id) + '/' + kTelemetryFile);
    return slowestClockMHz(telemetry, *fromS, *untilS);
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
        if (!samples || (rank == 0 && samples->empty()))
            return std::nullopt;
        if (rank == 0)
            parts.clockMHz = clockOf(workspace, *run, *samples);
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
