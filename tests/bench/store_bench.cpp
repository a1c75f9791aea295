// SPDX-License-Identifier: GPL-3.0-or-later
// Samples into the workspace's index, in the batches that a session writes.
#include "store/workspace.h"

#include <QCoreApplication>
#include <QTemporaryDir>

#include <benchmark/benchmark.h>

#include <memory>

namespace {

std::vector<sb::Sample> batch(std::int64_t firstStep, int count)
{
    std::vector<sb::Sample> samples;
    for (int i = 0; i < count; ++i) {
        sb::Sample sample;
        sample.step = firstStep + i;
        sample.timeS = 0.8 * static_cast<double>(sample.step);
        sample.stepTimeMs = 812.3;
        sample.samples = 8;
        sample.loss = 6.9;
        sample.dataTimeMs = 0.01;
        sample.commTimeMs = 12.3;
        sample.computeTimeMs = 799.9;
        sample.logOffset = sample.step * 150;
        samples.push_back(sample);
    }
    return samples;
}

void appendSamples(benchmark::State &state)
{
    const QTemporaryDir folder;
    auto workspace = sb::Workspace::create(folder.filePath(QStringLiteral("w")).toStdString());
    if (!workspace) {
        state.SkipWithError(workspace.error().message.c_str());
        return;
    }
    const int count = static_cast<int>(state.range(0));
    std::int64_t step = 1;
    for (auto _ : state) {
        state.PauseTiming();
        const std::vector<sb::Sample> samples = batch(step, count);
        state.ResumeTiming();
        if (!(*workspace)->appendSamples("run", samples).ok()) {
            state.SkipWithError("the samples were not taken");
            return;
        }
        step += count;
    }
    state.counters["samples/s"] =
        benchmark::Counter(static_cast<double>(state.iterations()) * count, benchmark::Counter::kIsRate);
}
BENCHMARK(appendSamples)->Arg(2000)->Arg(20000)->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
