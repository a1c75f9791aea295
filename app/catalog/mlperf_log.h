// SPDX-License-Identifier: GPL-3.0-or-later
// MLPerf logs (":::MLLOG {…}" lines) that print no throughput: it comes from their samples and time stamps.
#pragma once

#include "catalog/log_series.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sb {

// Feed the lines in order; those of anything else are passed over.
class MlperfReader {
public:
    // True if the line is an MLLOG line.
    bool readLine(std::string_view line, std::int64_t offset);

    // One point for each epoch, or block of epochs, that has both its ends: samples over the time between
    // them, by `samples_count` of its end, else `train_samples` of the run for each epoch. Steps count the
    // intervals. Without points: no interval was whole, or the number of samples is not said.
    LogSeries series() const;
    std::optional<std::int64_t> globalBatch() const { return m_globalBatch; }

private:
    struct Interval {
        double startMs = 0;
        std::int64_t epochs = 1;
    };
    struct Ended {
        double seconds = 0, clockS = 0;
        std::int64_t epochs = 1;
        std::optional<std::int64_t> samples; // of the interval, as the log counts them
        std::int64_t offset = 0;
    };
    struct Entry;

    void take(const Entry &entry, std::int64_t offset);
    static std::optional<Entry> entryOf(std::string_view line);

    std::optional<std::int64_t> m_trainSamples, m_globalBatch;
    std::map<std::string, Interval> m_open; // "epoch", "block"
    std::map<std::string, std::vector<Ended>> m_ended;
};

} // namespace sb
