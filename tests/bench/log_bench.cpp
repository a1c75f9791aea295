// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of a native backend's log, and of a log of text, through the splitter and the readers.
#include "catalog/log_reader.h"
#include "catalog/log_series.h"
#include "catalog/manifest.h"
#include "remote/line_splitter.h"

#include <benchmark/benchmark.h>

#include <string>

namespace {

std::string logText(int steps)
{
    std::string text;
    for (int step = 1; step <= steps; ++step)
        text += "{\"event\":\"step\",\"step\":" + std::to_string(step) +
                ",\"time_s\":" + std::to_string(0.8123 * step) +
                ",\"step_ms\":812.345,\"loss\":6.907755,\"samples\":8,\"data_ms\":0.011,\"comm_ms\":12.345,"
                "\"compute_ms\":799.989}\n";
    return text;
}

// In pieces of 32 KiB, as a channel delivers them.
void splitAndRead(benchmark::State &state)
{
    constexpr std::size_t kPiece = 32 * 1024;
    const std::string text = logText(20000);
    std::int64_t lines = 0;
    for (auto _ : state) {
        sb::LineSplitter splitter;
        sb::LogReader reader({sb::LogRule::JsonLines}, 0);
        double sum = 0;
        for (std::size_t at = 0; at < text.size(); at += kPiece)
            splitter.feed(std::string_view(text).substr(at, kPiece),
                          [&](std::string_view line, std::int64_t offset) {
                              if (reader.readLine(line, offset) == sb::LogReader::Kind::Step)
                                  sum += reader.sample().stepTimeMs.value_or(0);
                              ++lines;
                          });
        benchmark::DoNotOptimize(sum);
    }
    state.counters["lines/s"] = benchmark::Counter(static_cast<double>(lines), benchmark::Counter::kIsRate);
    state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) *
                            static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(splitAndRead)->Unit(benchmark::kMillisecond);

// Half of the lines are steps, half are noise.
std::string textLog(int steps)
{
    std::string text;
    for (int step = 1; step <= steps; ++step)
        text += "[1,0]<stdout>:DLL 2020-09-15 14:29:13.473765 - Epoch: 0 Iteration: " + std::to_string(step) +
                "  train.loss : 7.09304  train.total_ips : 10267.44 img/s\n"
                "libibverbs: Warning: no userspace device-specific driver found for "
                "/sys/class/infiniband_verbs/uverbs0\n";
    return text;
}

// Without a plugin's name: the rules of every known program compete for each line.
void readAnyText(benchmark::State &state)
{
    const std::string text = textLog(5000);
    const sb::Catalog catalog = sb::readCatalog(SCALEBOARD_SOURCE "/plugins");
    const sb::LineRules rules(catalog.words->formats, *catalog.words);
    std::int64_t lines = 0;
    for (auto _ : state) {
        sb::LineSplitter splitter;
        sb::LogCollector collector(rules);
        splitter.feed(text, [&](std::string_view line, std::int64_t offset) {
            collector.read(line, offset);
            ++lines;
        });
        benchmark::DoNotOptimize(collector.series());
    }
    state.counters["lines/s"] = benchmark::Counter(static_cast<double>(lines), benchmark::Counter::kIsRate);
    state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) *
                            static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(readAnyText)->Unit(benchmark::kMillisecond);

void splitOnly(benchmark::State &state)
{
    const std::string text = logText(20000);
    std::int64_t lines = 0;
    for (auto _ : state) {
        sb::LineSplitter splitter;
        splitter.feed(text, [&](std::string_view line, std::int64_t) { lines += line.empty() ? 0 : 1; });
    }
    state.counters["lines/s"] = benchmark::Counter(static_cast<double>(lines), benchmark::Counter::kIsRate);
}
BENCHMARK(splitOnly)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
