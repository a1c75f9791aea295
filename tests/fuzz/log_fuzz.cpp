// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a log. The rules are those of plugins/logs.json of this tree.
#include "fuzz_check.h"

#include "catalog/log_reader.h"
#include "catalog/log_series.h"
#include "catalog/manifest.h"
#include "catalog/mlperf_log.h"
#include "remote/line_splitter.h"

#include <cmath>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace sb;
    static const Catalog catalog = readCatalog(SCALEBOARD_SOURCE "/plugins");
    fuzz::require(catalog.words != nullptr);
    static const LineRules rules(catalog.words->formats, *catalog.words);
    static LogFormat format{LogRule::Lines, catalog.words->formats.back().lines};
    format.words = catalog.words;
    const std::string text(fuzz::textOf(data, size));
    LogCollector collector(rules);
    static const auto liveRules =
        LogReader::rulesOf(format); // compiled once: that takes most of a short log's time
    LogReader live(liveRules, 0);
    MlperfReader mlperf;
    LineSplitter splitter;
    const auto take = [&](std::string_view line, std::int64_t offset) {
        fuzz::require(offset >= 0 && static_cast<std::size_t>(offset) + line.size() <= text.size());
        collector.read(line, offset);
        mlperf.readLine(line, offset);
        if (live.readLine(line, offset) == LogReader::Kind::Step)
            fuzz::require(live.sample().step >= 0);
    };
    splitter.feed(text, take);
    splitter.finish(take);
    const LogSeries series = collector.series();
    for (const LogSeries &one : {series, mlperf.series()})
        for (const LogPoint &point : one.points)
            fuzz::require(!point.value || std::isfinite(*point.value));
    for (const Sample &sample : samplesOf(series, collector.devices()))
        fuzz::require(sample.logOffset >= 0 && static_cast<std::size_t>(sample.logOffset) <= text.size());
    return 0;
}
