// SPDX-License-Identifier: GPL-3.0-or-later
// From samples to results, and into the index of a workspace.
#include "core/measurement.h"
#include "core/scaling.h"
#include "store/workspace.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <unistd.h>

namespace {

std::vector<sb::Sample> samplesOf(int rank, int steps)
{
    std::vector<sb::Sample> samples(static_cast<std::size_t>(steps));
    for (int step = 1; step <= steps; ++step) {
        sb::Sample &sample = samples[static_cast<std::size_t>(step - 1)];
        sample.rank = rank;
        sample.step = step;
        sample.timeS = step * 0.1 + (step % 5) * 0.001;
        sample.stepTimeMs = 100 + step % 5;
        sample.samples = 256;
        sample.logOffset = step * 160;
    }
    return samples;
}

void measureRun(benchmark::State &state)
{
    const std::vector<sb::Sample> samples = samplesOf(0, 120);
    const sb::MeasurementRule rule;
    for (auto _ : state) {
        const sb::Result<sb::Measurement> measurement = sb::measure(samples, rule, 256);
        if (!measurement)
            std::abort();
        benchmark::DoNotOptimize(measurement->throughput);
    }
}
BENCHMARK(measureRun)->Unit(benchmark::kMicrosecond);

// A workspace of `runs` runs: 7 repeats of each case, four scales a framework and batch size.
std::vector<sb::Run> sweepOf(int runs)
{
    std::vector<sb::Run> sweep;
    for (int i = 0; i < runs; ++i) {
        sb::Run run;
        run.id = "run-" + std::to_string(100000 + i);
        run.state = sb::RunState::Done;
        run.repeat = i % 7 + 1;
        run.key.framework = "native";
        run.key.workload = "resnet50";
        run.key.precision = "fp32";
        run.key.device = "cpu";
        run.key.nodes = 1;
        run.key.devicesPerNode = 1 << (i / 7 % 4);
        run.key.batchSizePerDevice = 1 + i / 28;
        run.measurement = sb::Measurement{};
        run.measurement->throughput = 100.0 * run.key.devices() + run.repeat;
        run.measurement->stepTimeMs = 10;
        sweep.push_back(run);
    }
    return sweep;
}

void aggregateSweep(benchmark::State &state)
{
    const std::vector<sb::Run> sweep = sweepOf(static_cast<int>(state.range(0)));
    for (auto _ : state) {
        const std::vector<sb::CaseResult> results = sb::aggregate(sweep);
        const std::vector<sb::ScalingGroup> groups = sb::scalingGroups(results);
        if (groups.empty() || !results.front().speedup)
            std::abort();
        benchmark::DoNotOptimize(groups.data());
    }
    state.SetItemsProcessed(state.range(0) * state.iterations());
}
BENCHMARK(aggregateSweep)->ArgName("runs")->Arg(420)->Arg(4200)->Unit(benchmark::kMillisecond);

// Batches as they come while a run goes on, into a real workspace on disk.
void storeSamples(benchmark::State &state)
{
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / ("scaleboard-bench-" + std::to_string(getpid()));
    fs::remove_all(folder);
    {
        auto workspace = sb::Workspace::create(folder.string());
        sb::Run run;
        run.id = "run-1";
        if (!workspace || !(*workspace)->saveRun(run))
            std::abort();
        const std::vector<sb::Sample> samples = samplesOf(0, static_cast<int>(state.range(0)));
        for (auto _ : state)
            if (!(*workspace)->appendSamples(run.id, samples))
                std::abort();
        state.SetItemsProcessed(state.range(0) * state.iterations());
    }
    fs::remove_all(folder);
}
BENCHMARK(storeSamples)->ArgName("samples")->Arg(64)->Arg(8192)->Unit(benchmark::kMillisecond);

} // namespace
