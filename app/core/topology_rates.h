// SPDX-License-Identifier: GPL-3.0-or-later
// Nominal rates of links, from NVIDIA's public product figures.
#pragma once

#include "core/topology.h"

#include <optional>
#include <string>
#include <string_view>

namespace sb {

// One product family. Rates are GB/s (10^9 bytes) in one direction.
struct GpuRates {
    std::string_view product; // found in the product's name, longest match wins
    double nvlinkGBps = 0;    // one link; 0 = the product has no NVLink
    int maxNvlinks = 0;       // of one GPU
    double pcieGBps = 0;      // a ×16 slot of the generation the product has
    std::string_view source;  // where the figure stands, for the user
};

std::optional<GpuRates> gpuRates(std::string_view product);

struct NominalRate {
    double gbps = 0;     // one direction
    bool atMost = false; // PCIe: what lies on the way may be slower
    std::string source;

    bool operator==(const NominalRate &) const = default;
};

// Between two devices of a topology; nothing when the product or the link is not known.
std::optional<NominalRate> nominalRate(const Topology &topology, std::size_t a, std::size_t b);
// The way over PCIe between two GPUs, also when a faster link joins them.
std::optional<NominalRate> pcieRate(const Topology &topology, std::size_t a);

} // namespace sb
