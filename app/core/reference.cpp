// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reference.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace sb {

const ReferencePoint *ReferenceSeries::at(int nodes, int devicesPerNode) const
{
    for (const ReferencePoint &point : points)
        if (point.nodes == nodes && point.devicesPerNode == devicesPerNode)
            return &point;
    return nullptr;
}

const ReferenceSeries *ReferenceSet::find(std::string_view seriesId) const
{
    for (const ReferenceSeries &one : series)
        if (one.id == seriesId)
            return &one;
    return nullptr;
}

const ReferenceTable *ReferenceSet::table(std::string_view tableId) const
{
    for (const ReferenceTable &one : tables)
        if (one.id == tableId)
            return &one;
    return nullptr;
}

const ReferenceWorkload *ReferenceSet::workload(std::string_view name) const
{
    for (const ReferenceWorkload &one : workloads)
        if (one.name == name)
            return &one;
    return nullptr;
}

std::string ReferenceSet::frameworkTitle(std::string_view name) const
{
    for (const auto &[known, itsTitle] : frameworks)
        if (known == name)
            return itsTitle;
    return std::string(name);
}

std::string ReferenceSet::citation() const
{
    return title + " (" + publisher + " at " + commit.substr(0, 7) + ")";
}

namespace {

CaseKey keyOf(const ReferenceSet &set, const ReferenceSeries &series, const ReferencePoint &point)
{
    CaseKey key;
    key.framework = series.framework;
    key.workload = series.workload;
    key.precision = series.precision;
    key.device = "cuda";
    key.data = "real";
    key.batchSizePerDevice = series.batchSizePerDevice;
    key.nodes = point.nodes;
    key.devicesPerNode = point.devicesPerNode;
    key.warmupSteps = set.warmupSteps;
    key.measuredSteps = set.measuredSteps;
    key.options["version"] = series.version;
    if (!series.variant.empty())
        key.options["variant"] = series.variant;
    return key;
}

std::string placeOf(const ReferenceSeries &series, const ReferencePoint &point)
{
    return series.source + ":" + std::to_string(point.line) +
           (series.session.empty() ? "" : " (" + series.session + ")");
}

std::optional<double> printedSpeedupOf(const ReferenceSet &set, const ReferenceSeries &series,
                                       const ReferencePoint &point)
{
    if (point.printedSpeedup)
        return point.printedSpeedup;
    const ReferenceSeries *beside = series.printedIn.empty() ? nullptr : set.find(series.printedIn);
    const ReferencePoint *printed = beside ? beside->at(point.nodes, point.devicesPerNode) : nullptr;
    return printed ? printed->printedSpeedup : std::nullopt;
}

// Single runs: the series' own, or those of the table it was copied from.
const std::vector<double> &runsOf(const ReferenceSet &set, const ReferenceSeries &series,
                                  const ReferencePoint &point)
{
    if (point.runs.empty() && !series.printedIn.empty())
        if (const ReferenceSeries *beside = set.find(series.printedIn))
            if (const ReferencePoint *same = beside->at(point.nodes, point.devicesPerNode))
                return same->runs;
    return point.runs;
}

} // namespace

std::vector<CaseResult> referenceResults(const ReferenceSet &set, const ReferenceSeries &series)
{
    const ReferenceWorkload *workload = set.workload(series.workload);
    const ReferencePoint *baseline = series.baseline();
    std::vector<CaseResult> results;
    for (const ReferencePoint &point : series.points) {
        CaseResult result;
        result.key = keyOf(set, series, point);
        result.frameworkTitle = set.frameworkTitle(series.framework);
        result.workloadTitle = workload ? workload->title : series.workload;
        result.unit = workload ? workload->unit : "samples";
        result.throughput = point.throughput;
        result.meanThroughput = result.minThroughput = result.maxThroughput = point.throughput;
        result.stepTimeMs = 1000.0 * series.batchSizePerDevice * point.devices() / point.throughput;
        if (const std::vector<double> &runs = runsOf(set, series, point); !runs.empty()) {
            result.repeats = static_cast<int>(runs.size());
            result.runThroughputs = runs;
            result.meanThroughput = *mean(runs);
            result.minThroughput = *std::min_element(runs.begin(), runs.end());
            result.maxThroughput = *std::max_element(runs.begin(), runs.end());
            result.interval = medianInterval(runs);
            result.noise = noiseGrade(runs);
        }
        if (baseline) {
            result.speedup = point.throughput / baseline->throughput;
            result.efficiency = *result.speedup / point.devices();
        }
        result.source = placeOf(series, point);
        result.printedSpeedup = printedSpeedupOf(set, series, point);
        results.push_back(std::move(result));
    }
    return results;
}

ScalingCurve referenceCurve(const ReferenceSet &set, const ReferenceSeries &series, bool withVariant)
{
    ScalingCurve curve;
    curve.framework = series.framework;
    curve.label = set.frameworkTitle(series.framework);
    if (withVariant && !series.variant.empty())
        curve.label += " (" + series.variant + ")";
    curve.points = referenceResults(set, series);
    curve.published = set.label;
    curve.source = set.publisher + ", " + series.source;
    return curve;
}

ScalingGroup referenceGroup(const ReferenceSet &set, const ReferenceTable &table)
{
    const ReferenceWorkload *workload = set.workload(table.workload);
    ScalingGroup group;
    group.workload = table.workload;
    group.workloadTitle = workload ? workload->title : table.workload;
    group.precision = table.precision;
    group.batchSizePerDevice = table.batchSizePerDevice;
    group.unit = workload ? workload->unit : "samples";
    group.device = "cuda";
    std::map<std::string, int> columnsOf;
    for (const ReferenceTable::Column &column : table.columns)
        if (const ReferenceSeries *series = set.find(column.series))
            columnsOf[series->framework] += 1;
    for (const ReferenceTable::Column &column : table.columns)
        if (const ReferenceSeries *series = set.find(column.series)) {
            group.curves.push_back(referenceCurve(set, *series, columnsOf[series->framework] > 1));
            group.curves.back().unlike = column.unlike;
        }
    return group;
}

std::vector<ScalingCurve> referenceOverlay(const ReferenceSet &set, const std::string &workload,
                                           const std::string &precision, int batchSizePerDevice)
{
    for (const ReferenceKind kind : {ReferenceKind::Report, ReferenceKind::Median}) {
        std::vector<const ReferenceSeries *> found;
        std::map<std::string, int> countOf;
        for (const ReferenceSeries &series : set.series)
            if (series.kind == kind && series.workload == workload && series.precision == precision &&
                series.batchSizePerDevice == batchSizePerDevice && series.points.size() >= 2) {
                found.push_back(&series);
                countOf[series.framework] += 1;
            }
        std::vector<ScalingCurve> curves;
        for (const ReferenceSeries *series : found)
            curves.push_back(referenceCurve(set, *series, countOf[series->framework] > 1));
        if (!curves.empty())
            return curves;
    }
    return {};
}

namespace {

bool sameConfiguration(const ReferenceSeries &a, const ReferenceSeries &b)
{
    return a.framework == b.framework && a.version == b.version && a.variant == b.variant &&
           a.workload == b.workload && a.precision == b.precision &&
           a.batchSizePerDevice == b.batchSizePerDevice;
}

const ReferenceSeries *baselineSeriesOf(const ReferenceSet &set, const ReferenceSeries &series)
{
    if (series.baseline())
        return &series;
    for (const ReferenceSeries &other : set.series)
        if (other.kind == ReferenceKind::Median && other.baseline() && sameConfiguration(series, other))
            return &other;
    return nullptr;
}

// In hundredths, as tables print them. The tiny term keeps 2.675, which is stored a little below itself, from
// being rounded down.
long long hundredths(double value)
{
    return std::llround(value * 100.0 + 1e-7);
}

} // namespace

std::vector<SpeedupCheck> checkSpeedups(const ReferenceSet &set)
{
    std::vector<SpeedupCheck> checks;
    for (const ReferenceSeries &series : set.series)
        for (const ReferencePoint &point : series.points) {
            const std::optional<double> printed = printedSpeedupOf(set, series, point);
            if (!printed)
                continue;
            SpeedupCheck check;
            check.series = series.id;
            check.nodes = point.nodes;
            check.devicesPerNode = point.devicesPerNode;
            check.printed = *printed;
            for (const ReferenceAnomaly &anomaly : set.anomalies)
                if (anomaly.nodes == point.nodes && anomaly.devicesPerNode == point.devicesPerNode &&
                    (anomaly.series == series.id || anomaly.series == series.printedIn))
                    check.anomaly = &anomaly;
            if (const ReferenceSeries *base = baselineSeriesOf(set, series)) {
                check.baselineSeries = base->id;
                check.recomputed = point.throughput / base->baseline()->throughput;
                check.verdict = hundredths(*check.recomputed) == hundredths(*printed)
                                    ? SpeedupCheck::Verdict::AsPrinted
                                    : SpeedupCheck::Verdict::Differs;
            }
            checks.push_back(std::move(check));
        }
    return checks;
}

std::vector<ReferenceConflict> referenceConflicts(const ReferenceSet &set)
{
    std::map<CaseKey, ReferenceConflict> byKey;
    for (const ReferenceSeries &series : set.series)
        for (const ReferencePoint &point : series.points) {
            const CaseKey key = keyOf(set, series, point);
            ReferenceConflict &conflict = byKey[key];
            conflict.key = key;
            const bool known = std::any_of(
                conflict.values.begin(), conflict.values.end(),
                [&](const ReferenceConflict::Value &value) { return value.throughput == point.throughput; });
            if (!known)
                conflict.values.push_back({series.id, point.throughput, placeOf(series, point)});
        }
    std::vector<ReferenceConflict> conflicts;
    for (auto &[key, conflict] : byKey)
        if (conflict.values.size() > 1)
            conflicts.push_back(std::move(conflict));
    return conflicts;
}

} // namespace sb
