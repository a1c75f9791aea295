// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scaling.h"

#include <algorithm>
#include <map>
#include <set>

namespace sb {

namespace {

CaseResult resultOf(const CaseKey &key, const std::vector<const Run *> &runs)
{
    std::vector<double> throughputs;
    std::vector<double> stepTimes;
    CaseResult result;
    result.key = key;
    for (const Run *run : runs) {
        throughputs.push_back(run->measurement->throughput);
        stepTimes.push_back(run->measurement->stepTimeMs);
        result.runIds.push_back(run->id);
        result.simulated = result.simulated || run->simulated;
    }
    const Run &newest = *runs.back();
    result.frameworkTitle = newest.frameworkTitle;
    result.workloadTitle = newest.workloadTitle;
    result.unit = newest.unit;
    result.datasetSize = newest.datasetSize;
    result.repeats = static_cast<int>(runs.size());
    result.throughput = *median(throughputs);
    result.meanThroughput = *mean(throughputs);
    result.minThroughput = *std::min_element(throughputs.begin(), throughputs.end());
    result.maxThroughput = *std::max_element(throughputs.begin(), throughputs.end());
    result.runThroughputs = throughputs;
    result.stepTimeMs = *median(stepTimes);
    result.interval = medianInterval(throughputs);
    result.noise = noiseGrade(throughputs);
    if (result.datasetSize)
        result.secondsPerEpoch = static_cast<double>(*result.datasetSize) / result.throughput;
    return result;
}

} // namespace

std::vector<CaseResult> aggregate(std::span<const Run> runs)
{
    std::map<CaseKey, std::vector<const Run *>> byKey;
    for (const Run &run : runs)
        if (run.state == RunState::Done && run.measurement)
            byKey[run.key].push_back(&run);

    std::vector<CaseResult> results;
    std::map<CaseKey, double> throughputs;
    for (auto &[key, ofKey] : byKey) {
        std::sort(ofKey.begin(), ofKey.end(), [](const Run *a, const Run *b) { return a->id < b->id; });
        results.push_back(resultOf(key, ofKey));
        throughputs[key] = results.back().throughput;
    }
    for (CaseResult &result : results) {
        const auto baseline = throughputs.find(result.key.baseline());
        if (baseline == throughputs.end())
            continue;
        result.speedup = result.throughput / baseline->second;
        result.efficiency = *result.speedup / result.key.devices();
    }
    return results;
}

namespace {

std::string optionText(const CaseKey &key)
{
    std::string text;
    for (const auto &[name, value] : key.options)
        text += (text.empty() ? "" : ", ") + name + " " + value;
    return text;
}

// The points of one configuration, split into one curve a shape where a device count occurs twice.
std::vector<ScalingCurve> curvesOf(std::vector<CaseResult> points)
{
    std::sort(points.begin(), points.end(), [](const CaseResult &a, const CaseResult &b) {
        return std::pair(a.key.devices(), a.key.nodes) < std::pair(b.key.devices(), b.key.nodes);
    });
    std::set<int> deviceCounts;
    std::set<int> shapes;
    bool doubled = false;
    for (const CaseResult &point : points) {
        doubled = !deviceCounts.insert(point.key.devices()).second || doubled;
        if (point.key.devices() > 1)
            shapes.insert(point.key.devicesPerNode);
    }
    ScalingCurve whole;
    whole.framework = points.front().key.framework;
    whole.label = points.front().frameworkTitle;
    whole.simulated =
        std::any_of(points.begin(), points.end(), [](const CaseResult &p) { return p.simulated; });
    if (!doubled) {
        whole.points = std::move(points);
        return {whole};
    }
    std::vector<ScalingCurve> curves;
    for (const int shape : shapes) {
        ScalingCurve curve = whole;
        curve.label += " (" + std::to_string(shape) + " a node)";
        for (const CaseResult &point : points)
            if (point.key.devices() == 1 || point.key.devicesPerNode == shape)
                curve.points.push_back(point);
        curves.push_back(std::move(curve));
    }
    return curves;
}

// The key without its scale.
CaseKey configurationOf(const CaseResult &result)
{
    return result.key.baseline();
}

} // namespace

std::vector<ScalingCurve> scalingCurves(std::span<const CaseResult> results)
{
    std::map<CaseKey, std::vector<CaseResult>> byConfiguration;
    for (const CaseResult &result : results)
        byConfiguration[configurationOf(result)].push_back(result);
    std::map<std::string, int> labels;
    std::vector<ScalingCurve> curves;
    for (auto &[configuration, points] : byConfiguration)
        for (ScalingCurve &curve : curvesOf(std::move(points))) {
            labels[curve.label] += 1;
            curves.push_back(std::move(curve));
        }
    // Two curves of one framework (other threads, steps or options) are told apart by what differs.
    for (ScalingCurve &curve : curves) {
        if (labels[curve.label] < 2)
            continue;
        const CaseKey &key = curve.points.front().key;
        std::string detail = optionText(key);
        if (key.threadsPerDevice > 0)
            detail += (detail.empty() ? "" : ", ") + std::to_string(key.threadsPerDevice) + " threads";
        detail += (detail.empty() ? "steps " : ", steps ") + std::to_string(key.warmupSteps) + "+" +
                  std::to_string(key.measuredSteps);
        curve.label += " (" + detail + ")";
    }
    return curves;
}

std::vector<ScalingGroup> scalingGroups(std::span<const CaseResult> results)
{
    using GroupKey = std::tuple<std::string, std::string, int, std::string, std::string>;
    std::map<GroupKey, std::vector<CaseResult>> byGroup;
    for (const CaseResult &result : results)
        byGroup[{result.key.workload, result.key.precision, result.key.batchSizePerDevice, result.key.device,
                 result.key.data}]
            .push_back(result);
    std::vector<ScalingGroup> groups;
    for (const auto &[key, members] : byGroup) {
        ScalingGroup group;
        group.workload = members.front().key.workload;
        group.workloadTitle = members.front().workloadTitle;
        group.precision = members.front().key.precision;
        group.batchSizePerDevice = members.front().key.batchSizePerDevice;
        group.unit = members.front().unit;
        group.device = members.front().key.device;
        group.curves = scalingCurves(members);
        groups.push_back(std::move(group));
    }
    return groups;
}

} // namespace sb
