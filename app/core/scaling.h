// SPDX-License-Identifier: GPL-3.0-or-later
// From runs to curves. Pure functions of their inputs; order of inputs does not matter.
#pragma once

#include "core/case.h"
#include "core/report_text.h"
#include "core/run.h"
#include "core/statistics.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sb {

// What the repeats of one case are worth together.
struct CaseResult {
    CaseKey key;
    std::string frameworkTitle;
    std::string workloadTitle;
    std::string unit; // "images": throughput is images/s
    std::optional<std::int64_t> datasetSize;
    int repeats = 0;       // runs with a measurement
    double throughput = 0; // median over the repeats
    double meanThroughput = 0;
    double minThroughput = 0;
    double maxThroughput = 0;
    double stepTimeMs = 0;                  // median over the repeats
    std::optional<MedianInterval> interval; // of the median throughput
    std::optional<NoiseGrade> noise;
    std::optional<double> secondsPerEpoch; // datasetSize / throughput
    std::optional<double> speedup;         // throughput / that of key.baseline(); absent without baseline
    std::optional<double> efficiency;      // speedup / devices
    std::vector<std::string> runIds;       // in order of creation
    std::vector<double> runThroughputs;    // of the single runs, parallel to runIds where those exist
    std::vector<std::string> paths; // what its runs say computed it ("cuda 13.0, cudnn 9.19.0"), each once
    bool simulated = false;
    // Of published results only: where it was printed ("README.md:125"), and the speedup printed with it.
    std::string source;
    std::optional<double> printedSpeedup;

    bool operator==(const CaseResult &) const = default;
};

// One result per case that has at least one Done run with a measurement, sorted by key.
std::vector<CaseResult> aggregate(std::span<const Run> runs);

// What tells a curve from others of its framework, as it stands in its label's brackets.
struct CurveDetail {
    enum class Kind {
        PerNode, // "8": devices on each node
        Options, // "xla on"
        Threads, // "4": of a device
        Steps,   // "20+100": skipped and averaged
    };
    Kind kind = Kind::Options;
    std::string value;
    bool operator==(const CurveDetail &) const = default;
};

// Results of one framework and configuration over its scales.
struct ScalingCurve {
    std::string framework;          // plugin name
    std::string label;              // framework title, and what tells it from its neighbours
    std::vector<CaseResult> points; // sorted by devices
    bool simulated = false;
    std::string published; // "2020-10": others' results, and the name of their publication; else empty
    std::string source;    // of published results: who printed them, and in which file
    std::vector<std::string> unlike; // how it differs from the others of its group; not comparable if any
    std::vector<CurveDetail> details = {}; // what of its label is not the framework's title

    bool hasBaseline() const { return !points.empty() && points.front().key.devices() == 1; }
    bool operator==(const ScalingCurve &) const = default;
};

// Labels are made in English; this makes those with details anew in another language.
void labelIn(std::vector<ScalingCurve> &curves, ReportLanguage language);

// Groups by everything in the key except nodes and devices per node. If one curve has the same number of
// devices in several shapes (1n4g, 2n2g), each shape of devices per node is a curve with the shared baseline.
std::vector<ScalingCurve> scalingCurves(std::span<const CaseResult> results);

// What a chart page shows at once: curves whose throughput is comparable.
struct ScalingGroup {
    std::string workload;
    std::string workloadTitle;
    std::string precision;
    int batchSizePerDevice = 0;
    std::string unit;
    std::string device; // "cpu" or "cuda"
    std::vector<ScalingCurve> curves;
    // Of strong scaling: what all devices together get a step; batchSizePerDevice is then 0.
    std::optional<int> globalBatchSize = {};

    bool operator==(const ScalingGroup &) const = default;
};
std::vector<ScalingGroup> scalingGroups(std::span<const CaseResult> results);

// Strong scaling: cases whose batch of all devices together is the same, so that more devices share the same
// work. A group for each such batch at which a configuration was measured on two scales or more; curves with
// one scale are left out. Speedup and efficiency are against the one-device case with the whole batch, and
// absent without it.
std::vector<ScalingGroup> strongScalingGroups(std::span<const CaseResult> results);

} // namespace sb
