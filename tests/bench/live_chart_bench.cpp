// SPDX-License-Identifier: GPL-3.0-or-later
// Repaint of the live chart while data arrive. Wanted: 32 ranks × 10 000 points in at most 30 ms.
#include "charts/live_chart.h"

#include <benchmark/benchmark.h>

#include <QApplication>
#include <QImage>

#include <cmath>
#include <vector>

namespace {

double noise(std::size_t i)
{
    std::uint64_t x = i * 0x9E3779B97F4A7C15ULL;
    x ^= x >> 31;
    x *= 0xBF58476D1CE4E5B9ULL;
    return static_cast<double>(x >> 40) / 16777216.0 - 0.5;
}

void appendStep(sb::Series &series, std::size_t i)
{
    const double rate = 10000 + 300 * noise(i * 64 + static_cast<std::size_t>(series.rank));
    series.step.push_back(static_cast<double>(i + 1));
    series.timeS.push_back(0.4 * static_cast<double>(i + 1));
    series.throughput.push_back(rate);
    series.stepTimeMs.push_back(4096e3 / rate);
}

// One frame: a step comes in on every rank, the chart reads it and is painted.
void liveChartFrame(benchmark::State &state)
{
    const auto ranks = static_cast<std::size_t>(state.range(0));
    const auto points = static_cast<std::size_t>(state.range(1));
    std::vector<sb::Series> series(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        series[rank].rank = static_cast<int>(rank);
        for (std::size_t i = 0; i < points; ++i)
            appendStep(series[rank], i);
    }
    sb::LiveChart chart;
    chart.resize(1600, 900);
    sb::LiveChartRun run;
    run.framework = "oneflow";
    run.unit = "images";
    run.warmupSteps = 20;
    run.measuredSteps = static_cast<int>(points) * 2;
    chart.setRun(run, {&series, nullptr, std::nullopt});
    QImage image(chart.size(), QImage::Format_ARGB32_Premultiplied);
    chart.render(&image);
    std::size_t next = points;
    for (auto _ : state) {
        for (sb::Series &one : series)
            appendStep(one, next);
        ++next;
        chart.refreshNow();
        chart.render(&image);
    }
}
BENCHMARK(liveChartFrame)
    ->Args({1, 1000})
    ->Args({32, 1000})
    ->Args({32, 10000})
    ->Args({256, 1000})
    ->Unit(benchmark::kMillisecond);

} // namespace

int main(int argc, char **argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
