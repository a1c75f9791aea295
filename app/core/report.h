// SPDX-License-Identifier: GPL-3.0-or-later
// A report as a value: sections of paragraphs, tables, figures and listings, computed from runs. Writers in
// ui/report turn it into files; nothing here draws or formats pages. UTF-8.
#pragma once

#include "core/comparison.h"
#include "core/report_text.h"
#include "core/result.h"
#include "core/run.h"
#include "core/scaling.h"
#include "core/topology.h"

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace sb {

struct ReportCell {
    std::string text;                // as people read it; "—" when absent
    std::optional<double> value;     // the number behind it, for CSV and JSON
    std::vector<std::string> runIds; // where it comes from
    std::vector<double> parts;       // numbers of a cell with several, parallel to ReportColumn::parts
    std::string source = {};         // of published results: where it was printed
    bool operator==(const ReportCell &) const = default;
};

struct ReportColumn {
    std::string title;
    bool numeric = false;            // aligned right, plain number in CSV
    std::vector<std::string> parts;  // names of the numbers in a cell with several: one CSV column each
    std::optional<int> devices = {}; // of a column that stands for a scale
    bool operator==(const ReportColumn &) const = default;
};

struct ReportTable {
    std::string id; // file-name safe, unique in the report: "resnet50-fp32-b128-cuda-throughput"
    int number = 0; // "Table 3"
    std::string title;
    std::vector<ReportColumn> columns;
    std::vector<std::vector<ReportCell>> rows;
    std::vector<std::string> notes;
    bool simulated = false;
    bool operator==(const ReportTable &) const = default;
};

enum class ReportFigureKind { Throughput, Speedup, Efficiency, Topology };

// A figure to be drawn from a group of curves, or of how nodes are wired.
struct ReportFigure {
    std::string id; // as for tables
    int number = 0;
    std::string title;
    ReportFigureKind kind = ReportFigureKind::Throughput;
    std::size_t group = 0; // in Report::groups; of a topology in Report::topologies
    bool operator==(const ReportFigure &) const = default;
};

struct ReportParagraph {
    std::string text;
    bool operator==(const ReportParagraph &) const = default;
};

struct ReportBullets {
    std::vector<std::string> items;
    bool operator==(const ReportBullets &) const = default;
};

// Lines to be set in a fixed font: a command and where its log is.
struct ReportListing {
    std::string title;
    std::vector<std::string> lines;
    bool operator==(const ReportListing &) const = default;
};

using ReportBlock = std::variant<ReportParagraph, ReportBullets, ReportTable, ReportFigure, ReportListing>;

struct ReportSection {
    std::string id; // "summary", "environment", …, "group:resnet50-fp32-b128-cuda"
    std::string title;
    std::vector<ReportBlock> blocks;
    bool operator==(const ReportSection &) const = default;
};

// How the GPUs of these nodes are wired, all alike.
struct ReportTopology {
    std::vector<std::string> nodes;
    Topology topology;
    bool operator==(const ReportTopology &) const = default;
};

struct Report {
    ReportLanguage language = ReportLanguage::English;
    std::string title;
    std::string date;       // ISO day of the newest run; empty without runs
    std::string provenance; // one line that goes under every figure
    std::string footer;     // at the foot of every page; usually empty
    bool simulated = false;
    std::vector<ReportSection> sections;
    std::vector<ScalingGroup> groups;     // curves best first
    std::vector<std::string> groupTitles; // of the groups, where they have others than groupTitle()
    std::vector<ReportTopology> topologies;
    bool operator==(const Report &) const = default;
};

// Two sides at the scales that both have, as a page compared them.
struct ReportComparison {
    std::string titleA;
    std::string titleB;
    std::vector<Comparison> cases;
    std::string citation; // where published values of a side come from; empty without
    bool operator==(const ReportComparison &) const = default;
};

struct ReportOptions {
    ReportLanguage language = ReportLanguage::English;
    std::optional<std::string> title;
    // Ids of the sections wanted, in this order; absent: all, in the usual order. Unknown ids are skipped.
    std::optional<std::vector<std::string>> sections;
    bool neutralNames = false; // replace host names, addresses and home folders
    std::string program = "Scaleboard";
    std::vector<ReportComparison> comparisons = {}; // give a section of their own
};

// The report of these runs, in any order. Depends on nothing else: no clock, no locale.
Report buildReport(std::span<const Run> runs, const ReportOptions &options);

// Ids and titles of all sections that these runs give, in the usual order.
struct ReportSectionName {
    std::string id;
    std::string title;
    bool operator==(const ReportSectionName &) const = default;
};
std::vector<ReportSectionName> reportSections(std::span<const Run> runs, ReportLanguage language,
                                              std::span<const ReportComparison> comparisons = {});

// "resnet50-fp32-b128-cuda": names a group in ids and file names.
std::string groupId(const ScalingGroup &group);
// "ResNet-50, FP32, batch 4 per device".
std::string groupTitle(const ScalingGroup &group, ReportLanguage language);
// Curves by throughput at their largest scale, most devices first, then best first.
std::vector<ScalingCurve> rankedCurves(std::vector<ScalingCurve> curves);
// Numbers of devices that the curves were measured at, ascending.
std::vector<int> groupDevices(std::span<const ScalingCurve> curves);

// What can be said of a group, best first: throughput and efficiency at the largest common scale, and where
// the intervals do not allow a verdict.
std::vector<std::string> groupFindings(const ScalingGroup &group, ReportLanguage language);

// "How the GPUs of node1 are wired".
std::string topologyTitle(const ReportTopology &wiring, ReportLanguage language);

// "12 411.97 images/s", in the report's language.
std::string reportRate(double throughput, const std::string &unit, ReportLanguage language);
// "32 GPUs", "2 devices".
std::string reportDevices(int count, const std::string &device, ReportLanguage language);

} // namespace sb
