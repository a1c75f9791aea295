// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sb {

// Whether numbers of a file can be a scale. More devices than any cluster has would overflow what is computed
// of them.
constexpr std::int64_t kMostDevices = 1'000'000;
constexpr bool isScale(std::int64_t nodes, std::int64_t devicesPerNode)
{
    return nodes > 0 && nodes <= kMostDevices && devicesPerNode > 0 && devicesPerNode <= kMostDevices / nodes;
}

// Everything that must match for two results to be comparable. Two runs with the same key are repeats.
struct CaseKey {
    std::string framework; // plugin name, e.g. "native"
    std::string workload;  // e.g. "resnet50"
    std::string precision; // "fp32", "tf32", "fp16", "bf16"
    std::string device;    // "cpu" or "cuda"
    std::string data;      // "synthetic" or a data set's name
    int batchSizePerDevice = 0;
    int nodes = 1;
    int devicesPerNode = 1;
    int threadsPerDevice = 0; // CPU threads a process computes with; 0 on GPUs (not fixed)
    int warmupSteps = 0;
    int measuredSteps = 0;
    std::map<std::string, std::string> options; // switches of the framework, e.g. {"xla","on"}

    int devices() const { return nodes * devicesPerNode; }
    // Samples of a step on all devices.
    std::int64_t globalBatchSize() const { return std::int64_t{batchSizePerDevice} * devices(); }
    // The same configuration on one device: the baseline of a speedup.
    CaseKey baseline() const
    {
        CaseKey key = *this;
        key.nodes = 1;
        key.devicesPerNode = 1;
        return key;
    }
    // "2n8g": the study's short name of a scale.
    std::string scaleName() const
    {
        return std::to_string(nodes) + "n" + std::to_string(devicesPerNode) + "g";
    }

    // The launcher, where it is another than the framework's own.
    std::string launcher() const
    {
        const auto found = options.find("launcher");
        return found == options.end() ? std::string() : found->second;
    }

    auto operator<=>(const CaseKey &) const = default;
};

// A stable, readable id: "native-resnet50-fp32-b4-1n2g-<8 hex digits of the whole key>". File-name safe.
std::string caseId(const CaseKey &key);

} // namespace sb
