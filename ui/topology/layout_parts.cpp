// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology/layout_parts.h"

#include "core/topology_meaning.h"

#include <algorithm>

namespace sb {

LinkKind kindOf(const Topology &topology, std::size_t a, std::size_t b)
{
    const auto word = topology.link(a, b);
    return word ? linkKind(*word) : LinkKind{};
}

int lanesOf(const Topology &topology, std::size_t a, std::size_t b)
{
    const LinkKind kind = kindOf(topology, a, b);
    return a != b && kind.linkClass == LinkClass::Fabric ? kind.lanes : 0;
}

namespace {

std::vector<SocketGroup> groupsByLinks(const Topology &topology)
{
    // Without affinities, GPUs that only SYS joins sit on different sockets, as far as one can tell.
    std::vector<SocketGroup> groups;
    for (const std::size_t gpu : topology.gpus()) {
        const auto same = std::find_if(groups.begin(), groups.end(), [&](const SocketGroup &g) {
            return std::any_of(g.gpus.begin(), g.gpus.end(), [&](std::size_t other) {
                const LinkClass way = kindOf(topology, gpu, other).linkClass;
                return way >= LinkClass::Pix && way <= LinkClass::Node;
            });
        });
        if (same == groups.end())
            groups.push_back({{gpu}, "", "", true});
        else
            same->gpus.push_back(gpu);
    }
    const auto islands = findIslands(gpuGraph(topology));
    if (groups.size() == static_cast<std::size_t>(topology.gpuCount()) && islands.size() < groups.size()) {
        groups.clear();
        const auto gpus = topology.gpus();
        if (islands.empty())
            groups.push_back({gpus, "", "", true});
        for (const GpuSet &island : islands) {
            SocketGroup group;
            group.inferred = true;
            for (const int gpu : island)
                group.gpus.push_back(gpus[static_cast<std::size_t>(gpu)]);
            groups.push_back(std::move(group));
        }
    }
    return groups;
}

} // namespace

std::vector<SocketGroup> socketGroups(const Topology &topology)
{
    std::vector<SocketGroup> groups;
    std::vector<std::size_t> lost; // damaged rows have no affinity
    bool any = false;
    for (const std::size_t gpu : topology.gpus()) {
        const TopologyDevice &device = topology.devices[gpu];
        const std::string numa =
            device.numaAffinity.value_or("") == "N/A" ? "" : device.numaAffinity.value_or("");
        const std::string cores = device.cpuAffinity.value_or("");
        if (device.damaged) {
            lost.push_back(gpu);
            continue;
        }
        any |= !numa.empty() || !cores.empty();
        const auto same = std::find_if(groups.begin(), groups.end(), [&](const SocketGroup &g) {
            return numa.empty() || g.numa.empty() ? g.cores == cores && g.numa == numa : g.numa == numa;
        });
        if (same == groups.end())
            groups.push_back({{gpu}, numa, cores, false});
        else
            same->gpus.push_back(gpu);
    }
    if (!any)
        return groupsByLinks(topology);
    for (const std::size_t gpu : lost) {
        // Beside the neighbour with the nearest number: rows of one socket follow each other.
        SocketGroup *best = nullptr;
        std::size_t distance = topology.size();
        for (SocketGroup &group : groups)
            for (const std::size_t other : group.gpus) {
                const std::size_t away = other > gpu ? other - gpu : gpu - other;
                if (away < distance) {
                    distance = away;
                    best = &group;
                }
            }
        best->gpus.insert(std::upper_bound(best->gpus.begin(), best->gpus.end(), gpu), gpu);
    }
    return groups;
}

CardsByGpus cardsByGpus(const Topology &topology)
{
    CardsByGpus cards;
    for (const std::size_t card : topology.nics()) {
        LinkClass best = LinkClass::Phb; // from here on nothing is "beside"
        std::vector<std::size_t> gpus;
        for (const std::size_t gpu : topology.gpus()) {
            const LinkClass way = kindOf(topology, gpu, card).linkClass;
            if (way < best && way != LinkClass::Self) {
                gpus.clear();
                best = way;
            }
            if (way == best && best < LinkClass::Phb)
                gpus.push_back(gpu);
        }
        cards[gpus].push_back(card);
    }
    return cards;
}

std::vector<std::size_t> allToAll(const Topology &topology)
{
    const auto gpus = topology.gpus();
    std::vector<std::size_t> members;
    for (const std::size_t a : gpus)
        if (std::any_of(gpus.begin(), gpus.end(), [&](std::size_t b) { return lanesOf(topology, a, b) > 0; }))
            members.push_back(a);
    if (members.size() < 4 || 2 * members.size() <= gpus.size())
        return {};
    const int lanes = lanesOf(topology, members[0], members[1]);
    for (const std::size_t a : members)
        for (const std::size_t b : members)
            if (a != b && (lanes == 0 || lanesOf(topology, a, b) != lanes))
                return {};
    return members;
}

std::vector<std::size_t> meshPartners(const Topology &topology, const SocketGroup &left,
                                      const SocketGroup &right)
{
    if (left.gpus.size() != 4 || right.gpus.size() != 4)
        return {};
    constexpr std::size_t kNone = ~std::size_t{0};
    std::vector<std::size_t> partners(4, kNone);
    for (std::size_t i = 0; i < 4; ++i) {
        for (const std::size_t other : right.gpus) {
            if (lanesOf(topology, left.gpus[i], other) == 0)
                continue;
            if (partners[i] != kNone || std::find(partners.begin(), partners.end(), other) != partners.end())
                return {};
            partners[i] = other;
        }
    }
    // One link that could not be read does not make it another machine.
    for (std::size_t i = 0; i < 4; ++i) {
        if (partners[i] != kNone)
            continue;
        for (const std::size_t other : right.gpus)
            if (!topology.link(left.gpus[i], other) &&
                std::find(partners.begin(), partners.end(), other) == partners.end())
                partners[i] = other;
    }
    // Neither does one that is broken: it is missing where the other three show that it belongs.
    if (std::count(partners.begin(), partners.end(), kNone) > 1)
        return {};
    for (std::size_t &partner : partners)
        if (partner == kNone)
            for (const std::size_t other : right.gpus)
                if (std::find(partners.begin(), partners.end(), other) == partners.end())
                    partner = other;
    return partners;
}

} // namespace sb
