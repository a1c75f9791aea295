// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace sb::test {

const JsonNode &scipyValues()
{
    static const JsonNode node = [] {
        std::ifstream file(SCALEBOARD_TEST_DATA "/statistics/scipy.json", std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
        auto parsed = parseJson(text, "scipy.json");
        EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().message);
        return parsed ? *parsed : JsonNode();
    }();
    return node;
}

std::vector<double> numbersOf(const JsonNode &node, std::string_view key)
{
    std::vector<double> numbers;
    if (const JsonNode *list = node.find(key))
        for (const JsonNode &item : list->items)
            numbers.push_back(item.number);
    return numbers;
}

double numberOf(const JsonNode &node, std::string_view key)
{
    const JsonNode *found = node.find(key);
    return found ? found->number : std::nan("");
}

CaseResult caseOf(int devices, const std::vector<double> &runs, int batchSizePerDevice)
{
    CaseResult result;
    result.key.framework = "native";
    result.key.workload = "resnet50";
    result.key.precision = "fp32";
    result.key.device = "cuda";
    result.key.data = "synthetic";
    result.key.batchSizePerDevice = batchSizePerDevice;
    result.key.devicesPerNode = devices;
    result.frameworkTitle = "Native";
    result.unit = "images";
    result.runThroughputs = runs;
    result.repeats = static_cast<int>(runs.size());
    result.throughput = *median(runs);
    return result;
}

ScalingCurve curveOf(const std::vector<std::pair<int, double>> &points, int batchSizePerDevice)
{
    ScalingCurve curve;
    for (const auto &[devices, throughput] : points) {
        curve.points.push_back(caseOf(devices, {throughput}, batchSizePerDevice));
        if (points.front().first == 1)
            curve.points.back().speedup = throughput / points.front().second;
    }
    return curve;
}

} // namespace sb::test
