// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan.h"

#include <algorithm>
#include <set>

namespace sb {

namespace {

template <typename T>
void addOnce(std::vector<T> &list, const T &value)
{
    if (std::find(list.begin(), list.end(), value) == list.end())
        list.push_back(value);
}

void addWorkload(Plan &plan, const CaseKey &key)
{
    auto known = std::find_if(plan.workloads.begin(), plan.workloads.end(),
                              [&key](const PlanWorkload &workload) { return workload.name == key.workload; });
    if (known == plan.workloads.end())
        known = plan.workloads.insert(plan.workloads.end(), PlanWorkload{key.workload, {}, {}});
    addOnce(known->precisions, key.precision);
    addOnce(known->batchSizesPerDevice, key.batchSizePerDevice);
}

} // namespace

std::optional<Plan> planOfRuns(std::span<const Run> runs)
{
    if (runs.empty())
        return std::nullopt;
    const CaseKey &first = runs.front().key;
    Plan plan;
    plan.name = runs.front().planName;
    plan.device = first.device;
    plan.data = first.data;
    plan.options = first.options;
    plan.options.erase("environment"); // of each framework, below
    plan.launcher = first.launcher();
    plan.options.erase("launcher");
    if (first.threadsPerDevice > 0)
        plan.threadsPerDevice = first.threadsPerDevice;
    plan.measurement = {first.warmupSteps, first.measuredSteps, 1};
    for (const Run &run : runs) {
        const CaseKey &key = run.key;
        // Threads that differ were chosen by the nodes, and will be again.
        if (key.threadsPerDevice != first.threadsPerDevice)
            plan.threadsPerDevice.reset();
        if (key.device != first.device || key.data != first.data || key.options != first.options ||
            key.warmupSteps != first.warmupSteps || key.measuredSteps != first.measuredSteps)
            return std::nullopt;
        addOnce(plan.frameworks, key.framework);
        if (const auto environment = key.options.find("environment"); environment != key.options.end())
            plan.environments[key.framework] = environment->second;
        addWorkload(plan, key);
        addOnce(plan.scales, Scale{key.nodes, key.devicesPerNode});
        plan.measurement.repeats = std::max(plan.measurement.repeats, run.repeat);
    }
    std::sort(plan.scales.begin(), plan.scales.end(), [](const Scale &a, const Scale &b) {
        return std::pair(a.devices(), a.nodes) < std::pair(b.devices(), b.nodes);
    });
    return plan;
}

} // namespace sb
