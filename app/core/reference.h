// SPDX-License-Identifier: GPL-3.0-or-later
// Results that others published, as they come with the program (resources/reference/*.json). Facts with their
// source; nothing is measured here. UTF-8.
//
//   const auto set = readReferenceFile(paths.referenceFolder + "/dlperf-2020-10.json");
//   for (const ReferenceTable &table : set->tables)
//       const ScalingGroup group = referenceGroup(*set, table); // as a chart or a report draws it
#pragma once

#include "core/result.h"
#include "core/scaling.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sb {

struct ReferencePoint {
    int nodes = 1;
    int devicesPerNode = 1;
    double throughput = 0;                // samples of all devices per second, as printed
    std::optional<double> printedSpeedup; // as printed, two decimals
    int line = 0;                         // in ReferenceSeries::source
    std::vector<double> runs;             // single runs behind it, where they were printed
    int runsLine = 0;

    int devices() const { return nodes * devicesPerNode; }
    bool operator==(const ReferencePoint &) const = default;
};

enum class ReferenceKind {
    Report,    // column of a table of the report
    Median,    // table beside the scripts that measured it: medians over repeats
    FrontPage, // copied to the front page of the repository
    Branch,    // table that never reached the main branch
    Runs,      // single runs of another session than the table; throughput is their median
};

// Results of one framework and configuration over its scales, from one source.
struct ReferenceSeries {
    std::string id; // "ngc-mxnet-resnet50-fp32-b128-dali-report"
    ReferenceKind kind = ReferenceKind::Median;
    std::string framework; // as plugins are named: "ngc_mxnet"
    std::string version;
    std::string variant;   // "DALI, w/XLA"; empty where there is only one
    std::string workload;  // "resnet50"
    std::string precision; // "fp32", or "fp16" for every kind of mixed precision
    std::string precisionPrinted;
    int batchSizePerDevice = 0;
    std::string source;                 // file in the publisher's repository
    std::string session;                // which session, where the source has several
    std::string printedIn;              // id of the series whose printed speedups belong to these points
    std::vector<ReferencePoint> points; // by devices

    const ReferencePoint *at(int nodes, int devicesPerNode) const;
    const ReferencePoint *baseline() const { return at(1, 1); }
    bool operator==(const ReferenceSeries &) const = default;
};

// A table of the report: series side by side.
struct ReferenceTable {
    struct Column {
        std::string series;
        std::vector<std::string>
            unlike; // how it differs from the table's title: "batch 224 per device, not 256"
        bool operator==(const Column &) const = default;
    };
    std::string id; // "resnet50-fp32"
    std::string title;
    std::string workload;
    std::string precision;
    int batchSizePerDevice = 0;
    std::string source;
    int firstLine = 0;
    int lastLine = 0;
    std::vector<Column> columns;

    bool operator==(const ReferenceTable &) const = default;
};

struct ReferenceWorkload {
    std::string name;
    std::string title;
    std::string unit; // "images"
    std::string unitPrinted;
    bool operator==(const ReferenceWorkload &) const = default;
};

// A printed speedup that does not follow from the throughputs printed with it; found by a person.
struct ReferenceAnomaly {
    std::string series;
    int nodes = 1;
    int devicesPerNode = 1;
    double printed = 0;
    std::string reason;
    bool operator==(const ReferenceAnomaly &) const = default;
};

struct ReferenceSet {
    std::string id; // "dlperf-2020-10"
    std::string title;
    std::string label;     // suffix of names in charts: "2020-10"
    std::string publisher; // "Oneflow-Inc/DLPerf"
    std::string commit;    // of the publisher's repository, where source files and lines are
    std::string published; // "2020-10"
    int clusterNodes = 0;
    int devicesPerNode = 0;
    std::string deviceName;
    std::string network;
    std::string driver;
    std::string cuda;
    int warmupSteps = 0;
    int measuredSteps = 0;
    std::vector<std::pair<std::string, std::string>> frameworks; // name and title
    std::vector<ReferenceWorkload> workloads;
    std::vector<ReferenceTable> tables;
    std::vector<ReferenceSeries> series;
    std::vector<ReferenceAnomaly> anomalies;

    const ReferenceSeries *find(std::string_view seriesId) const;
    const ReferenceTable *table(std::string_view tableId) const;
    const ReferenceWorkload *workload(std::string_view name) const;
    std::string frameworkTitle(std::string_view name) const; // the name itself if it has none
    std::string
    citation() const; // one line: "DLPerf benchmark report, October 2020 (Oneflow-Inc/DLPerf at c89430b)"
    bool operator==(const ReferenceSet &) const = default;
};

// Errors name file, line and key. A series or framework that is named but not there is an error.
Result<ReferenceSet> parseReference(std::string_view text, const std::string &source);
Result<ReferenceSet> readReferenceFile(const std::string &path);
// Ids of the sets in a folder ("dlperf-2020-10" for dlperf-2020-10.json), sorted. Empty without the folder.
std::vector<std::string> referenceIds(const std::string &folder);
// A set by its id; the error lists the ids that there are.
Result<ReferenceSet> loadReference(const std::string &folder, const std::string &id);

// As results of ours: `source` says where each was printed, `printedSpeedup` what was printed; speedup and
// efficiency are computed from the series' own result on one device and absent without it. Interval and noise
// grade only where single runs were printed; `repeats` counts those and is 0 without.
std::vector<CaseResult> referenceResults(const ReferenceSet &set, const ReferenceSeries &series);
// `published` is set; the label is the framework's title, with the variant if `withVariant`.
ScalingCurve referenceCurve(const ReferenceSet &set, const ReferenceSeries &series, bool withVariant = false);
// The curves of a table in its order; a framework that has several columns gets its variants into the labels,
// and `unlike` of a curve says what keeps it from being compared with the others.
ScalingGroup referenceGroup(const ReferenceSet &set, const ReferenceTable &table);
// Curves that can be laid over results of `workload` at this precision and batch: of the report where it has
// them, otherwise the folders' tables. Empty when nothing was published.
std::vector<ScalingCurve> referenceOverlay(const ReferenceSet &set, const std::string &workload,
                                           const std::string &precision, int batchSizePerDevice);

// A printed speedup against the one computed from printed throughputs.
struct SpeedupCheck {
    enum class Verdict {
        AsPrinted,  // rounds to what was printed
        Differs,    // does not
        NoBaseline, // nothing to divide by: no speedup
    };
    std::string series;
    int nodes = 1;
    int devicesPerNode = 1;
    double printed = 0;
    std::optional<double> recomputed;
    Verdict verdict = Verdict::NoBaseline;
    const ReferenceAnomaly *anomaly = nullptr; // in the set, if the row is known to be odd
    std::string baselineSeries;                // whose one-device result was divided by
};
// All printed speedups. The baseline is the series' own; a source that prints only large scales gets that of
// the table with the same configuration.
std::vector<SpeedupCheck> checkSpeedups(const ReferenceSet &set);

// The same case with different throughputs in different sources, e.g. 11 331.93 and 11 233.92.
struct ReferenceConflict {
    struct Value {
        std::string series;
        double throughput = 0;
        std::string source; // "README.md:125"
        bool operator==(const Value &) const = default;
    };
    CaseKey key;
    std::vector<Value> values; // at least two, different
    bool operator==(const ReferenceConflict &) const = default;
};
std::vector<ReferenceConflict> referenceConflicts(const ReferenceSet &set);

} // namespace sb
