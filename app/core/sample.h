// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sb {

// One training step as one rank reported it.
struct Sample {
    int rank = 0;
    std::int64_t step = 0;               // counts from 1
    std::optional<double> timeS;         // end of the step; monotonic seconds since that process started
    std::optional<double> stepTimeMs;    // duration of this step
    std::optional<double> samplesPerS;   // global throughput where the log states it
    std::optional<std::int64_t> samples; // samples of all ranks in this step
    std::optional<double> loss;
    std::optional<double> dataTimeMs;    // waited for input
    std::optional<double> commTimeMs;    // waited for collectives
    std::optional<double> computeTimeMs; // own work
    std::int64_t logOffset = 0;          // byte offset of the line in this rank's raw log

    bool operator==(const Sample &) const = default;
};

// What a program says of itself at the start of its log.
struct RunFacts {
    std::optional<std::string> deviceName;
    std::optional<std::string> programName; // "sbtrain", or the plugin of a script
    std::optional<std::string> programVersion;
    std::optional<std::string> path; // code path, e.g. "onednn 2.6.3"
    std::optional<std::int64_t> parameters;
    std::optional<std::int64_t> gradientBytes;
    std::optional<double> flopsPerSample; // training: forward and backward
    std::optional<std::int64_t> globalBatchSize;
    std::optional<int> worldSize;
    std::optional<std::string> unit; // "images" or "sequences"

    bool operator==(const RunFacts &) const = default;
};

// How a program says that it ended.
struct RunEnd {
    bool ok = false;
    std::string message; // empty when ok
    std::optional<std::int64_t> peakMemoryBytes;

    bool operator==(const RunEnd &) const = default;
};

// One sample of a node's load, from the node itself.
struct TelemetrySample {
    double timeS = 0;                     // monotonic seconds since the telemetry of this node began
    std::optional<double> cpuLoadPercent; // of all cores
    std::optional<double> memoryUsedBytes;
    struct Gpu {
        int index = 0;
        std::optional<double> loadPercent;
        std::optional<double> smClockMHz;
        std::optional<double> powerW;
        std::optional<double> memoryUsedBytes;
        std::optional<double> temperatureC;
        bool operator==(const Gpu &) const = default;
    };
    std::vector<Gpu> gpus;

    bool operator==(const TelemetrySample &) const = default;
};

} // namespace sb
