// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_texts.h"

#include "core/json.h"

#include <cmath>

namespace sb {

namespace {

double rounded(double value)
{
    return std::round(value * 100) / 100;
}

} // namespace

std::string curveSummary(const ScalingCurve &curve)
{
    JsonNode cases = JsonNode::object();
    for (const CaseResult &point : curve.points) {
        JsonNode node = JsonNode::object();
        node.set("average_speed", rounded(point.repeats > 0 ? point.meanThroughput : point.throughput))
            .set("batch_size_per_device", point.key.batchSizePerDevice)
            .set("median_speed", rounded(point.throughput));
        if (point.speedup)
            node.set("speedup", rounded(*point.speedup));
        cases.set(point.key.scaleName(), std::move(node));
    }
    JsonNode root = JsonNode::object();
    root.set(curve.points.empty() ? curve.framework : curve.points.front().key.workload, std::move(cases));
    return writeJson(root) + "\n";
}

} // namespace sb
