// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sb {

struct GpuFacts {
    int index = 0;
    std::string name; // "NVIDIA H200"
    std::optional<std::string> uuid;
    std::optional<std::string> pciBusId;
    std::optional<double> memoryBytes;

    bool operator==(const GpuFacts &) const = default;
};

struct NetworkInterface {
    std::string name = {};                   // "eth0"
    std::vector<std::string> addresses = {}; // without prefix length
    std::optional<double> speedGbps = {};
    std::vector<std::string> networks = {}; // of the addresses, in their order: "10.77.0.0/16"

    bool operator==(const NetworkInterface &) const = default;
};

// What a read-only probe found on one node. Absent = not found or not asked; never a made-up value.
struct NodeFacts {
    std::string name; // what the user calls it: "local", "node1"
    std::optional<std::string> hostname;
    std::optional<std::string> os; // "Debian GNU/Linux 12 (bookworm)"
    std::optional<std::string> kernel;
    std::optional<std::string> architecture; // "x86_64"
    std::optional<std::string> cpuModel;
    std::optional<int> cores;        // that a process may use (affinity and cgroup respected)
    std::optional<std::string> simd; // "AVX-512", "AVX2", "NEON"
    std::optional<double> memoryBytes;
    std::optional<double> memoryFreeBytes;
    std::optional<std::string> driverVersion;
    std::optional<std::string> cudaVersion;
    std::vector<GpuFacts> gpus;
    std::vector<NetworkInterface> interfaces;
    std::vector<std::string> containerEngines; // "podman 4.3.1"
    std::vector<std::string> environments;     // that a plan may name: "venv:/opt/torch", "module:cuda/12.4"
    bool infiniband = false;                   // there is a /dev/infiniband
    std::optional<std::string> slurmVersion;
    std::optional<double> clockOffsetS;      // node's clock minus ours
    std::optional<std::string> topologyText; // as `nvidia-smi topo -m` printed it

    bool operator==(const NodeFacts &) const = default;
};

} // namespace sb
