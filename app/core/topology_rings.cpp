// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/topology_graph.h"

#include <algorithm>
#include <bit>
#include <set>

namespace sb {

GpuGraph gpuGraph(const Topology &topology)
{
    GpuGraph graph;
    graph.devices = topology.gpus();
    graph.count = static_cast<int>(graph.devices.size());
    for (const std::size_t a : graph.devices)
        for (const std::size_t b : graph.devices) {
            // One word a pair, also where the way back has another: the first row's.
            const auto word =
                a == b ? std::optional<std::string>("X") : topology.link(std::min(a, b), std::max(a, b));
            graph.links.push_back(word ? std::optional(linkKind(*word)) : std::nullopt);
        }
    return graph;
}

std::vector<std::uint32_t> fabricNeighbours(const GpuGraph &graph, const GpuSet &set, int lanes)
{
    std::vector<std::uint32_t> neighbours(set.size(), 0);
    for (std::size_t i = 0; i < set.size() && set.size() <= 32; ++i)
        for (std::size_t k = 0; k < set.size(); ++k)
            if (i != k && graph.lanes(set[i], set[k]) >= lanes)
                neighbours[i] |= std::uint32_t{1} << k;
    return neighbours;
}

// Held and Karp's tables, with reachability in place of lengths: ends[mask] has a bit for each vertex at
// which a path from 0 through exactly `mask` can end. A ring is then read off in dictionary order, because
// the rest of a ring is such a path walked backwards.
std::vector<int> firstRing(const std::vector<std::uint32_t> &neighbours)
{
    const std::size_t n = neighbours.size();
    if (n < 2 || n > 20)
        return {};
    for (const std::uint32_t mine : neighbours)
        if (std::popcount(mine) < (n > 2 ? 2 : 1))
            return {};
    const std::uint32_t all = (std::uint32_t{1} << n) - 1;
    std::vector<std::uint32_t> ends(std::size_t{all} + 1, 0);
    ends[1] = 1;
    for (std::uint32_t mask = 1; mask <= all; mask += 2) { // every path has vertex 0
        std::uint32_t next = 0;
        for (std::uint32_t rest = ends[mask]; rest != 0; rest &= rest - 1)
            next |= neighbours[static_cast<std::size_t>(std::countr_zero(rest))];
        for (next &= ~mask; next != 0; next &= next - 1)
            ends[mask | (next & (~next + 1))] |= next & (~next + 1);
    }
    if ((ends[all] & neighbours[0]) == 0)
        return {};
    std::vector<int> ring{0};
    std::uint32_t left = all & ~std::uint32_t{1};
    while (left != 0) {
        const std::uint32_t fits = neighbours[static_cast<std::size_t>(ring.back())] & left & ends[left | 1];
        const int next = std::countr_zero(fits);
        ring.push_back(next);
        left &= ~(std::uint32_t{1} << static_cast<unsigned>(next));
    }
    return ring;
}

namespace {

void removeEdges(const GpuSet &set, const std::vector<int> &ring, std::vector<std::uint32_t> &neighbours)
{
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const auto a = static_cast<std::size_t>(std::find(set.begin(), set.end(), ring[i]) - set.begin());
        const auto b = static_cast<std::size_t>(
            std::find(set.begin(), set.end(), ring[(i + 1) % ring.size()]) - set.begin());
        if (a >= set.size() || b >= set.size())
            continue;
        neighbours[a] &= ~(std::uint32_t{1} << b);
        neighbours[b] &= ~(std::uint32_t{1} << a);
    }
}

} // namespace

std::optional<Ring> widestRing(const GpuGraph &graph, const GpuSet &set, const std::vector<int> &without)
{
    if (set.size() < 3 || set.size() > 20)
        return std::nullopt;
    std::set<int> found;
    for (const int a : set)
        for (const int b : set)
            if (a < b && graph.lanes(a, b) > 0)
                found.insert(graph.lanes(a, b));
    // A ring of links of some width is also one of lesser width, so the widest is found by halving.
    const std::vector<int> widths(found.begin(), found.end());
    std::optional<Ring> best;
    for (std::size_t low = 0, high = widths.size(); low < high;) {
        const std::size_t middle = low + (high - low) / 2;
        auto neighbours = fabricNeighbours(graph, set, widths[middle]);
        removeEdges(set, without, neighbours);
        const std::vector<int> order = firstRing(neighbours);
        if (order.empty()) {
            high = middle;
            continue;
        }
        best = Ring{{}, widths[middle]};
        for (const int index : order)
            best->order.push_back(set[static_cast<std::size_t>(index)]);
        low = middle + 1;
    }
    return best;
}

} // namespace sb
