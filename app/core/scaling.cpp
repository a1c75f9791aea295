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
    std::set<std::string> paths;
    CaseResult result;
    result.key = key;
    for (const Run *run : runs) {
        throughputs.push_back(run->measurement->throughput);
        stepTimes.push_back(run->measurement->stepTimeMs);
        result.runIds.push_back(run->id);
        result.simulated = result.simulated || run->simulated;
        if (run->facts.path)
            paths.insert(*run->facts.path);
    }
    result.paths.assign(paths.begin(), paths.end());
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

std::string labelOf(const ScalingCurve &curve, ReportLanguage language)
{
    std::string details;
    for (const CurveDetail &detail : curve.details) {
        const char *key = detail.kind == CurveDetail::Kind::PerNode   ? "curve.pernode"
                          : detail.kind == CurveDetail::Kind::Threads ? "curve.threads"
                          : detail.kind == CurveDetail::Kind::Steps   ? "curve.steps"
                                                                      : "curve.options";
        details += (details.empty() ? "" : reportText(language, "list.comma")) +
                   reportText(language, key, {detail.value});
    }
    return curve.points.front().frameworkTitle + " (" + details + ")";
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
        curve.details.push_back({CurveDetail::Kind::PerNode, std::to_string(shape)});
        curve.points.assign(1, points.front()); // for the label
        curve.label = labelOf(curve, ReportLanguage::English);
        curve.points.clear();
        for (const CaseResult &point : points)
            if (point.key.devices() == 1 || point.key.devicesPerNode == shape)
                curve.points.push_back(point);
        curves.push_back(std::move(curve));
    }
    return curves;
}

// The key without its scale.
CaseKey weakConfiguration(const CaseKey &key)
{
    return key.baseline();
}

// The same, and without the batch of a device, which shrinks as devices are added.
CaseKey strongConfiguration(const CaseKey &key)
{
    CaseKey configuration = key.baseline();
    configuration.batchSizePerDevice = 0;
    return configuration;
}

// Curves of the results that are alike in what `configurationOf` leaves of their keys.
std::vector<ScalingCurve> curvesBy(CaseKey (*configurationOf)(const CaseKey &),
                                   std::span<const CaseResult> results)
{
    std::map<CaseKey, std::vector<CaseResult>> byConfiguration;
    for (const CaseResult &result : results)
        byConfiguration[configurationOf(result.key)].push_back(result);
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
        if (const std::string options = optionText(key); !options.empty())
            curve.details.push_back({CurveDetail::Kind::Options, options});
        if (key.threadsPerDevice > 0)
            curve.details.push_back({CurveDetail::Kind::Threads, std::to_string(key.threadsPerDevice)});
        curve.details.push_back({CurveDetail::Kind::Steps,
                                 std::to_string(key.warmupSteps) + "+" + std::to_string(key.measuredSteps)});
    }
    labelIn(curves, ReportLanguage::English);
    return curves;
}

// Against the curve's own one-device case, which has the whole batch.
void setStrongSpeedups(ScalingCurve &curve)
{
    const bool baseline = curve.hasBaseline();
    const double alone = curve.points.front().throughput;
    for (CaseResult &point : curve.points) {
        point.speedup = baseline ? std::optional(point.throughput / alone) : std::nullopt;
        point.efficiency = baseline ? std::optional(*point.speedup / point.key.devices()) : std::nullopt;
    }
}

ScalingGroup groupOf(const CaseResult &member)
{
    ScalingGroup group;
    group.workload = member.key.workload;
    group.workloadTitle = member.workloadTitle;
    group.precision = member.key.precision;
    group.unit = member.unit;
    group.device = member.key.device;
    return group;
}

} // namespace

std::vector<ScalingCurve> scalingCurves(std::span<const CaseResult> results)
{
    return curvesBy(weakConfiguration, results);
}

void labelIn(std::vector<ScalingCurve> &curves, ReportLanguage language)
{
    for (ScalingCurve &curve : curves)
        if (!curve.details.empty())
            curve.label = labelOf(curve, language);
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
        ScalingGroup group = groupOf(members.front());
        group.batchSizePerDevice = members.front().key.batchSizePerDevice;
        group.curves = scalingCurves(members);
        groups.push_back(std::move(group));
    }
    return groups;
}

std::vector<ScalingGroup> strongScalingGroups(std::span<const CaseResult> results)
{
    using GroupKey = std::tuple<std::string, std::string, int, std::string, std::string>;
    std::map<GroupKey, std::vector<CaseResult>> byWork;
    for (const CaseResult &result : results)
        if (const std::int64_t batch = result.key.globalBatchSize(); batch <= INT32_MAX)
            byWork[{result.key.workload, result.key.precision, static_cast<int>(batch), result.key.device,
                    result.key.data}]
                .push_back(result);
    std::vector<ScalingGroup> groups;
    for (const auto &[key, members] : byWork) {
        ScalingGroup group = groupOf(members.front());
        group.globalBatchSize = std::get<2>(key);
        for (ScalingCurve &curve : curvesBy(strongConfiguration, members)) {
            if (curve.points.front().key.devices() == curve.points.back().key.devices())
                continue;
            setStrongSpeedups(curve);
            group.curves.push_back(std::move(curve));
        }
        if (!group.curves.empty())
            groups.push_back(std::move(group));
    }
    return groups;
}

} // namespace sb
