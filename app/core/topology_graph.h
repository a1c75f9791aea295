// SPDX-License-Identifier: GPL-3.0-or-later
// The GPUs of a topology as a small dense graph, numbered 0… in the order of the text.
#pragma once

#include "core/topology.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sb {

using GpuSet = std::vector<int>; // sorted positions in GpuGraph

struct GpuGraph {
    std::vector<std::size_t> devices; // position → index into Topology::devices
    int count = 0;
    std::vector<std::optional<LinkKind>> links; // row-major; nothing where it cannot be read

    const std::optional<LinkKind> &link(int a, int b) const
    {
        return links[static_cast<std::size_t>(a) * static_cast<std::size_t>(count) +
                     static_cast<std::size_t>(b)];
    }
    // Lanes of a direct fast link, 0 when there is none.
    int lanes(int a, int b) const
    {
        const auto &kind = link(a, b);
        return kind && kind->linkClass == LinkClass::Fabric ? kind->lanes : 0;
    }
};

GpuGraph gpuGraph(const Topology &topology);

// Joined by a link of at least `lanes` lanes: the neighbours of each position of `set` as bits over `set`.
std::vector<std::uint32_t> fabricNeighbours(const GpuGraph &graph, const GpuSet &set, int lanes);

// The ring through all of `neighbours`' vertices that comes first in dictionary order, starting at 0; empty
// when there is none. Exact; at most 20 vertices, more give no ring. Takes about 2^n steps.
std::vector<int> firstRing(const std::vector<std::uint32_t> &neighbours);

struct Ring {
    std::vector<int> order; // positions in the graph, starting with the lowest
    int lanes = 0;          // of its narrowest link
};

// The ring over `set` whose narrowest fast link is widest, without the edges of `without`.
std::optional<Ring> widestRing(const GpuGraph &graph, const GpuSet &set,
                               const std::vector<int> &without = {});

} // namespace sb
