// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

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

// Two runs that say otherwise are not of one plan.
bool addSame(std::map<std::string, std::string> &values, const std::string &name, const std::string &value)
{
    return values.emplace(name, value).first->second == value;
}

bool addLauncher(Plan &plan, const std::string &launcher)
{
    if (plan.launcher.empty())
        plan.launcher = launcher;
    return plan.launcher == launcher;
}

// What a case's options came from: how it is launched, where its framework runs and has its scripts, else
// switches.
bool addOptions(Plan &plan, const CaseKey &key)
{
    for (const auto &[name, value] : key.options) {
        const bool added = name == "launcher"        ? addLauncher(plan, value)
                           : name == "environment"   ? addSame(plan.environments, key.framework, value)
                           : name == "source_folder" ? addSame(plan.sourceFolders, key.framework, value)
                                                     : addSame(plan.options, name, value);
        if (!added)
            return false;
    }
    return true;
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
    if (first.threadsPerDevice > 0)
        plan.threadsPerDevice = first.threadsPerDevice;
    plan.measurement = {first.warmupSteps, first.measuredSteps, 1};
    for (const Run &run : runs) {
        const CaseKey &key = run.key;
        // Threads that differ were chosen by the nodes, and will be again.
        if (key.threadsPerDevice != first.threadsPerDevice)
            plan.threadsPerDevice.reset();
        if (key.device != first.device || key.data != first.data || key.warmupSteps != first.warmupSteps ||
            key.measuredSteps != first.measuredSteps || !addOptions(plan, key))
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
