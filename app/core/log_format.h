// SPDX-License-Identifier: GPL-3.0-or-later
// How the log of a framework is read, as values. Text forms: "log" of a plugin.json, and plugins/logs.json,
// which holds what is common to all. Patterns are RE2's; read by catalog/.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace sb {

// How a log becomes samples; a closed set. The events of backend/EVENTS.md are understood in either.
enum class LogRule {
    JsonLines, // only those events, one JSON object a line
    Lines,     // lines of text, by LineRules
};

// What a line tells; a closed set. Of several kinds in one log the one named first here is its throughput.
enum class LineKind {
    Bandwidth, // of a benchmark of links
    Rate,      // samples per second in an interval
    Steps,     // steps per second
    Time,      // time of a step, or of `count` steps
    Clock,     // a step and a clock, no rate
    Mean,      // rate since the start, so far
    Bar,       // a progress bar
    Fact,      // batch size, number of nodes …
};

// One kind of line. Named groups of the pattern: rate or time (the number), suffix (K, M, G), unit,
// time_unit (s, ms, us), count (steps that the time is of), each (present: the number is per device), key,
// step, last (end of a range), epoch, loss, rank, clock (Unix seconds), clock_ms; of facts: batch,
// global_batch, nodes, per_node, world. "^" is the line's start as written, before a launcher's prefix.
struct LineRule {
    LineKind kind = LineKind::Rate;
    std::string pattern;
    std::string unless; // pattern of lines that only look like it
    std::string unit;   // "images/s", "ms/step"; the group wins
    std::string scope;  // "total" (also when empty), "per_gpu", "per_rank"
    int countsFrom = 1; // number that the program gives its first step: 0 or 1

    bool operator==(const LineRule &) const = default;
};

// The lines of one program that can be told from others.
struct LineFormat {
    std::string name; // "megatron-lm"
    std::vector<LineRule> lines;

    bool operator==(const LineFormat &) const = default;
};

// A way to fail. Rules that come first are nearer to the cause.
struct FailureRule {
    std::string name; // "out-of-memory"
    std::string pattern;
    std::string unless;
    std::string afterFinish; // its name when training had finished before; empty: then it is no failure
    std::string advice;      // one sentence

    bool operator==(const FailureRule &) const = default;
};

// What is common to the logs of all frameworks (plugins/logs.json).
struct LogWords {
    std::vector<std::string> prefixes; // before a line; groups rank, host
    std::vector<std::string> stamps;   // groups year, month, day, hour, minute, second, fraction
    std::vector<std::string> steps;    // where a line without its own `step` names it; groups step, last
    std::vector<std::string> finished; // training is over and went well
    std::string notTraining;           // before a number: it is of an evaluation
    std::vector<std::pair<std::string, std::string>> units; // lower case as printed → name
    std::vector<std::string> paths; // in a log's path: groups nodes, per_node, batch, precision, run, model
    std::vector<std::pair<std::string, std::string>> models; // as in paths → workload
    std::vector<LineRule> facts;
    std::vector<FailureRule> failures;
    std::vector<LineFormat> formats; // the last is for any text

    bool operator==(const LogWords &) const = default;
};

// Which number is the throughput where a log has both; the other is kept beside it.
enum class ThroughputFrom {
    Clock,   // samples over the time between two stamps
    Printed, // the mean of the printed rates
};

struct LogFormat {
    LogRule rule = LogRule::JsonLines;
    std::vector<LineRule> lines = {};
    ThroughputFrom from = ThroughputFrom::Clock;
    std::shared_ptr<const LogWords> words = {}; // of the catalog; null: none

    bool operator==(const LogFormat &) const = default;
};

} // namespace sb
