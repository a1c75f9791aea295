// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare_sides.h"

#include <algorithm>
#include <cctype>

namespace sb {

namespace {

std::string capitals(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

// Curves that differ in their shape alone share the one-device case.
std::string curveId(const ScalingCurve &curve, const std::string &from)
{
    const CaseKey &last = curve.points.back().key;
    const std::string shape =
        last.devices() > 1 ? "/" + std::to_string(last.devicesPerNode) + "-a-node" : std::string();
    return (from.empty() ? "own:" : "other:" + from + "/") + caseId(curve.points.front().key.baseline()) +
           shape;
}

// "OneFlow 0.1.9 · ResNet-50 v1.5 FP32 · 128": what tells a published series from its neighbours.
std::string publishedTitle(const ReferenceSet &set, const ReferenceSeries &series)
{
    const ReferenceWorkload *workload = set.workload(series.workload);
    std::string title = set.frameworkTitle(series.framework) + " " + series.version + " · " +
                        (workload ? workload->title : series.workload) + " " + capitals(series.precision) +
                        " · " + std::to_string(series.batchSizePerDevice);
    if (!series.variant.empty())
        title += " · " + series.variant;
    return title + " · " + set.label;
}

} // namespace

std::vector<CompareSide> ownSides(std::span<const CaseResult> results, const std::string &from,
                                  ReportLanguage language)
{
    std::vector<CompareSide> sides;
    std::vector<ScalingGroup> groups = scalingGroups(results);
    for (ScalingGroup &group : groups) {
        labelIn(group.curves, language);
        for (const ScalingCurve &curve : group.curves)
            sides.push_back({curveId(curve, from),
                             (from.empty() ? "" : from + ": ") + curve.label + " · " + group.workloadTitle +
                                 " " + capitals(group.precision) + " · " +
                                 std::to_string(group.batchSizePerDevice),
                             curve.points, curve.framework, false});
    }
    return sides;
}

std::vector<CompareSide> publishedSides(const ReferenceSet &set)
{
    std::vector<CompareSide> sides;
    for (const ReferenceSeries &series : set.series)
        if (series.kind == ReferenceKind::Median && series.points.size() >= 2)
            sides.push_back({"published:" + set.id + "/" + series.id, publishedTitle(set, series),
                             referenceResults(set, series), series.framework, true});
    return sides;
}

const CompareSide *findSide(std::span<const CompareSide> sides, const std::string &id)
{
    const auto found =
        std::find_if(sides.begin(), sides.end(), [&id](const CompareSide &side) { return side.id == id; });
    return found == sides.end() ? nullptr : &*found;
}

std::pair<std::size_t, std::size_t> firstComparable(std::span<const CompareSide> sides)
{
    const auto comparable = [](const CompareSide &a, const CompareSide &b) {
        for (const CaseResult &one : a.results)
            for (const CaseResult &other : b.results)
                if (!isBlocked(keyDifferences(one.key, other.key)))
                    return true;
        return false;
    };
    for (std::size_t i = 0; i < sides.size(); ++i)
        for (std::size_t j = i + 1; j < sides.size(); ++j)
            if (comparable(sides[i], sides[j]))
                return {i, j};
    return {0, 1};
}

ComparedSides compareSides(const CompareSide &a, const CompareSide &b, const ComparisonOptions &options)
{
    ComparedSides compared;
    for (const CaseResult &one : a.results) {
        const auto other = std::find_if(b.results.begin(), b.results.end(), [&one](const CaseResult &result) {
            return result.key.scaleName() == one.key.scaleName();
        });
        if (other == b.results.end()) {
            compared.onlyA.push_back(one.key.scaleName());
            continue;
        }
        if (auto comparison = compareCases(one, *other, options))
            compared.cases.push_back(std::move(*comparison));
        else
            compared.refusedFor = keyDifferences(one.key, other->key);
    }
    return compared;
}

} // namespace sb
