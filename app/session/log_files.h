// SPDX-License-Identifier: GPL-3.0-or-later
// Raw logs on our disk → what they say. Any thread.
#pragma once

#include "catalog/log_series.h"
#include "core/framework.h"
#include "core/result.h"
#include "core/sample.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sb {

struct LogContents {
    std::vector<Sample> samples; // in the order of the log
    RunFacts facts;
    std::optional<RunEnd> end;
};

// What a log of any framework says.
struct ParsedLog {
    LogSeries series;
    std::optional<LogFailure> failure;
    bool finished = false;
    std::optional<std::int64_t> globalBatch;
    std::int64_t devices = 0;          // 0: not said
    std::optional<LogContents> events; // of a program that writes the events of backend/EVENTS.md
    std::int64_t bytes = 0, lines = 0;
    std::size_t printed = 0; // numbers of the series or steps of the events, also those that were not kept
};

// Every line is read. `rules` holds the formats that may be in it. A last line without its end gives no
// number. Of each kind of number the first `mostNumbers` are kept and the others counted.
Result<ParsedLog> parseLog(const std::string &path, const LineRules &rules,
                           std::size_t mostNumbers = LogCollector::kMostPoints);

// The same as one rank's contents, whichever way it was written.
LogContents contentsOf(ParsedLog log, int rank);

// The formats of these frameworks, then those that are known without a plugin; "" for `only`: all.
std::vector<LineFormat> lineFormats(std::span<const Framework> frameworks, const LogWords &words,
                                    const std::string &only);

Result<LogContents> readRankLog(const std::string &path, const LogFormat &format, int rank);

} // namespace sb
