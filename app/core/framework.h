// SPDX-License-Identifier: GPL-3.0-or-later
// What a plugin says about one framework, as values. The text forms (plugin.json) are read by catalog/.
#pragma once

#include "core/launch_kind.h"
#include "core/log_format.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sb {

// One model that a framework can train.
struct Workload {
    std::string name;                        // "resnet50"
    std::string title;                       // "ResNet-50 v1.5"
    std::string unit;                        // what throughput counts: "images", "sequences"
    std::optional<std::int64_t> datasetSize; // samples of one epoch of the usual data set
    int defaultBatchSize = 1;                // per device
    std::map<std::string, std::vector<std::string>> precisions; // device → precisions it supports
    std::vector<std::string> arguments; // template arguments put where the command says {workload_arguments}
    std::optional<double> memoryBytesFixed;     // estimate per process: fixed part
    std::optional<double> memoryBytesPerSample; // and per sample of the batch
    std::optional<double> flopsPerSample;       // training, for time estimates

    bool operator==(const Workload &) const = default;
};

struct Framework {
    std::string name;           // folder of the plugin: "native"
    std::string title;          // "Native (sbtrain)"
    std::string license;        // SPDX
    std::string program;        // program that must be on the node
    bool programOnNode = false; // an interpreter that the node has; else it is looked for here and copied
    std::vector<std::string>
        files; // relative to the plugin's folder; put on the node, together in one folder
    std::map<std::string, std::vector<std::string>> switches; // name → values; the first is the default
    LaunchKind launch = LaunchKind::PerRank;                  // where a plan names none
    std::vector<LaunchKind> launchers = {};         // that a plan may name; `launch` is always among them
    std::vector<std::string> devices;               // "cpu", "cuda"
    std::vector<std::string> command;               // argument list with {placeholders}
    std::map<std::string, std::string> environment; // values with {placeholders}
    LogFormat log;
    std::vector<Workload> workloads;
    std::optional<std::string> image;  // of a container, best with its digest
    std::optional<std::string> source; // address of the repository
    std::optional<std::string> commit;
    std::vector<std::string> features; // "XLA": what a reader of results should know
    std::string manifestPath;          // for messages

    const Workload *findWorkload(const std::string &workloadName) const;
    bool allows(LaunchKind kind) const;

    bool operator==(const Framework &) const = default;
};

inline const Workload *Framework::findWorkload(const std::string &workloadName) const
{
    for (const Workload &workload : workloads)
        if (workload.name == workloadName)
            return &workload;
    return nullptr;
}

inline bool Framework::allows(LaunchKind kind) const
{
    if (kind == launch)
        return true;
    for (const LaunchKind allowed : launchers)
        if (allowed == kind)
            return true;
    return false;
}

// Null if none has this name.
inline const Framework *findFramework(std::span<const Framework> frameworks, const std::string &name)
{
    for (const Framework &framework : frameworks)
        if (framework.name == name)
            return &framework;
    return nullptr;
}

} // namespace sb
