// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/presets.h"

#include <algorithm>

namespace sb {

namespace {

constexpr int kMostFirstStudyDevices = 8;
constexpr int kCpuBatch = 4;

const Workload *firstStudyWorkload(const Framework &framework, const std::string &device)
{
    const auto runs = [&](const Workload &w) { return w.precisions.count(device) > 0; };
    if (const Workload *resnet = framework.findWorkload("resnet50"); resnet && runs(*resnet))
        return resnet;
    const auto any = std::find_if(framework.workloads.begin(), framework.workloads.end(), runs);
    return any == framework.workloads.end() ? nullptr : &*any;
}

int devicesOf(const NodeFacts &node, bool gpus)
{
    return gpus ? static_cast<int>(node.gpus.size()) : node.cores.value_or(1);
}

} // namespace

std::optional<Plan> firstStudyPlan(std::span<const Framework> frameworks, std::span<const NodeFacts> nodes)
{
    if (nodes.empty())
        return std::nullopt;
    const bool gpus = !nodes.front().gpus.empty();
    const std::string device = gpus ? "cuda" : "cpu";
    for (const Framework &framework : frameworks) {
        const Workload *workload = firstStudyWorkload(framework, device);
        // Whether an interpreter on the node has the framework is not known: the user's first study must not
        // depend on it.
        if (!workload || framework.programOnNode ||
            std::find(framework.devices.begin(), framework.devices.end(), device) == framework.devices.end())
            continue;
        const std::vector<std::string> &precisions = workload->precisions.at(device);
        Plan plan;
        plan.name = "First study";
        plan.frameworks = {framework.name};
        const bool fp32 = std::find(precisions.begin(), precisions.end(), "fp32") != precisions.end();
        plan.workloads = {
            {workload->name,
             {fp32 || precisions.empty() ? "fp32" : precisions.front()},
             {gpus ? workload->defaultBatchSize : std::min(kCpuBatch, workload->defaultBatchSize)}}};
        plan.scales = {{1, 1}};
        const int devices = std::min(devicesOf(nodes.front(), gpus), kMostFirstStudyDevices);
        for (int count = 2; count <= devices; count *= 2)
            plan.scales.push_back({1, count});
        plan.measurement = {.warmupSteps = 2, .measuredSteps = 8, .repeats = 3};
        return plan;
    }
    return std::nullopt;
}

Plan reportPlan(std::span<const Framework> frameworks)
{
    Plan plan = dlperfPlan();
    plan.frameworks.clear();
    for (const Framework &framework : frameworks)
        if (framework.findWorkload(plan.workloads.front().name) && !framework.programOnNode)
            plan.frameworks.push_back(framework.name);
    return plan;
}

} // namespace sb
