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
    // Put behind them by where data come from, "synthetic" or "folder"; one that is missing is not supported,
    // but without any, "synthetic" is.
    std::map<std::string, std::vector<std::string>> dataArguments = {};
    std::map<std::string, std::vector<std::string>> precisionArguments = {}; // put behind them, by precision
    // Put behind them by how many nodes there are, "one_node" or "several_nodes".
    std::map<std::string, std::vector<std::string>> scaleArguments = {};
    std::optional<int> mostNodes = {};          // that it can run on, where its script knows no more
    std::optional<double> memoryBytesFixed;     // estimate per process: fixed part
    std::optional<double> memoryBytesPerSample; // and per sample of the batch
    std::optional<double> flopsPerSample;       // training, for time estimates

    // `data` as a plan has it: "synthetic" or an absolute folder.
    bool readsData(const std::string &data) const;

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
    // What a switch's value puts into the command in place of "--name value": name → value → arguments.
    std::map<std::string, std::map<std::string, std::vector<std::string>>> switchArguments;
    std::vector<std::string> folderSwitches; // those that mean something only with data from a folder
    std::vector<std::string> packages;       // of Python: their versions must be alike on all nodes of a run
    // One process a node, which uses all devices of the case there; else one a device.
    bool processPerNode = false;
    LaunchKind launch = LaunchKind::PerRank;        // where a plan names none
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
    // Whether it runs scripts of a checkout that the user has: command or workload say {source_folder}.
    bool needsSourceFolder() const;
    bool allows(LaunchKind kind) const;
    int processesPerNode(int devicesPerNode) const { return processPerNode ? 1 : devicesPerNode; }

    bool operator==(const Framework &) const = default;
};

inline const Workload *Framework::findWorkload(const std::string &workloadName) const
{
    for (const Workload &workload : workloads)
        if (workload.name == workloadName)
            return &workload;
    return nullptr;
}

// "synthetic" or "folder".
inline std::string dataKind(const std::string &data)
{
    return data == "synthetic" ? data : "folder";
}

inline bool Workload::readsData(const std::string &data) const
{
    return dataArguments.empty() ? data == "synthetic" : dataArguments.contains(dataKind(data));
}

inline bool Framework::needsSourceFolder() const
{
    const auto says = [](const std::vector<std::string> &arguments) {
        for (const std::string &argument : arguments)
            if (argument.find("{source_folder}") != std::string::npos)
                return true;
        return false;
    };
    for (const Workload &workload : workloads)
        if (says(workload.arguments))
            return true;
    return says(command);
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
