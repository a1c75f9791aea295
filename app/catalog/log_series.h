// SPDX-License-Identifier: GPL-3.0-or-later
// A whole log → the one series of numbers that is its throughput, and what else it says.
#pragma once

#include "catalog/line_rules.h"
#include "core/sample.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sb {

struct LogPoint {
    std::optional<double> value; // in the series' unit; empty: printed as nan
    std::optional<std::int64_t> step, last, count;
    std::optional<double> clockS, loss;
    int rank = -1; // -1: not said
    std::int64_t offset = 0;

    bool operator==(const LogPoint &) const = default;
};

struct LogSeries {
    std::string format; // "tensorflow2"; empty: none fits
    LineKind kind = LineKind::Rate;
    std::string unit;  // "images/s", "ms/step"
    std::string scope; // "total", "per_gpu", "per_rank"
    std::vector<LogPoint> points;
    std::size_t printed = 0; // numbers in the log; more than the points where only the first were kept

    bool operator==(const LogSeries &) const = default;
};

struct LogFailure {
    std::string name; // of a FailureRule
    std::string line; // the log's own words
    std::string advice;

    bool operator==(const LogFailure &) const = default;
};

// A point of a series of `kind`, `unit` and `scope`, as a sample. `world`: devices, for rates per device.
// A range's sample has the number of its last step.
Sample sampleOf(const LogPoint &point, const LogSeries &series, std::int64_t world);

// The whole series as samples: steps count from 1 and go on over epochs that count anew; where the log has no
// step numbers, its lines are counted.
std::vector<Sample> samplesOf(const LogSeries &series, std::int64_t world);

// Collects what the lines say and chooses at the end. Feed the lines in order.
class LogCollector {
public:
    static constexpr std::size_t kMostPoints = 1'000'000;

    enum class Keep {
        All,  // for series()
        Last, // for readLive(): a log that grows for days takes no memory
    };
    // Of a kind of number, the first `mostPoints` are kept and the others counted: a log without end cannot
    // fill the memory.
    explicit LogCollector(const LineRules &rules, Keep keep = Keep::All,
                          std::size_t mostPoints = kMostPoints);

    // `complete`: the line has its end. Numbers of a line cut off are not taken.
    void read(std::string_view line, std::int64_t offset, bool complete = true);

    // The sample of this line, if its series is the best so far: a live curve cannot wait for the end.
    std::optional<Sample> readLive(std::string_view line, std::int64_t offset);

    LogSeries series() const;
    std::optional<LogFailure> failure() const;
    bool finished() const { return m_finished; }
    // Samples that one step takes, over all devices, where the log says enough.
    std::optional<std::int64_t> globalBatch() const;
    std::int64_t devices() const; // 0: not said

private:
    struct Candidate {
        int format = 0;
        int rule = 0;
        LineKind kind = LineKind::Rate;
        bool hasStep = false;
        bool each = false;
        std::string key, unit;
        std::vector<LogPoint> points;
        std::size_t count = 0;
        std::string lastRest; // of its last line, to see the same line twice
        int lastRank = -1;
        bool lastHadDate = false;
    };

    void take(const LineMatch &match, std::string_view line, const HeadSpans &head, std::int64_t offset);
    void takeFailure(int failure, std::string_view line);
    Candidate &candidateOf(const LineMatch &match);
    int rankOf(const Candidate &candidate) const;
    LogSeries seriesOf(const Candidate &candidate) const;
    void takeFacts(const LineFacts &facts);

    const LineRules &m_rules;
    Keep m_keep;
    std::size_t m_mostPoints;
    std::vector<Candidate> m_candidates;
    std::optional<std::size_t> m_taken; // the candidate that the last line went to
    int m_bestLive = 100;               // rank of the live curve
    LineFacts m_facts;
    std::optional<int> m_failure;
    std::string m_failureLine;
    bool m_failedAfterFinish = false;
    bool m_finished = false;
};

} // namespace sb
