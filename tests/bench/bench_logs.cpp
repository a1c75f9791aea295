// SPDX-License-Identifier: GPL-3.0-or-later
// How fast the bytes of a log become samples.
#include "catalog/log_reader.h"
#include "core/series.h"
#include "remote/line_splitter.h"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

// A log as sbtrain writes it: a start event and `steps` steps.
std::string stepLog(int steps)
{
    std::string log =
        R"({"schema":1,"event":"start","program":"sbtrain","batch_size":4,"global_batch_size":8})"
        "\n";
    char line[256];
    for (int step = 1; step <= steps; ++step) {
        std::snprintf(line, sizeof line,
                      R"({"event":"step","step":%d,"time_s":%.6f,"step_ms":%.3f,"loss":%.7g,"samples":8,)"
                      R"("data_ms":0.412,"comm_ms":3.125,"compute_ms":508.931})"
                      "\n",
                      step, step * 0.5125, 512.5 + step % 7, 7.0 / step);
        log += line;
    }
    return log;
}

// What the log pipeline does with bytes, in pieces as they come from a node.
void readLog(benchmark::State &state)
{
    constexpr int kSteps = 20000;
    const std::string log = stepLog(kSteps);
    const auto piece = static_cast<std::size_t>(state.range(0));
    for (auto _ : state) {
        sb::LogReader reader(sb::LogFormat{}, 0);
        sb::LineSplitter splitter;
        sb::Series series;
        const auto take = [&](std::string_view line, std::int64_t offset) {
            if (reader.readLine(line, offset) == sb::LogReader::Kind::Step)
                series.append(reader.sample(), 8);
        };
        for (std::size_t at = 0; at < log.size(); at += piece)
            splitter.feed(std::string_view(log).substr(at, piece), take);
        if (series.size() != kSteps)
            std::abort();
        benchmark::DoNotOptimize(series.throughput.data());
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(log.size()) * state.iterations());
    state.SetItemsProcessed(kSteps * state.iterations());
}
BENCHMARK(readLog)->ArgName("piece")->Arg(512)->Arg(65536)->Unit(benchmark::kMillisecond);

// Lines that mean nothing: what a chatty framework writes between its steps.
void readForeignLines(benchmark::State &state)
{
    std::string log;
    for (int i = 0; i < 20000; ++i)
        log += "INFO:root:Epoch[0] Batch [" + std::to_string(i) +
               "] Speed: 1523.21 samples/sec accuracy=0.001250\n";
    for (auto _ : state) {
        sb::LogReader reader(sb::LogFormat{}, 0);
        sb::LineSplitter splitter;
        int steps = 0;
        splitter.feed(log, [&](std::string_view line, std::int64_t offset) {
            steps += reader.readLine(line, offset) == sb::LogReader::Kind::Step ? 1 : 0;
        });
        if (steps != 0)
            std::abort();
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(log.size()) * state.iterations());
    state.SetItemsProcessed(20000 * state.iterations());
}
BENCHMARK(readForeignLines)->Unit(benchmark::kMillisecond);

} // namespace
