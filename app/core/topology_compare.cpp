// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/topology_compare.h"

#include <algorithm>

namespace sb {

namespace {

using Kind = TopologyDifference::Kind;

void compareAffinity(const TopologyDevice &here, const TopologyDevice &there, Kind kind,
                     std::vector<TopologyDifference> &differences)
{
    const auto &mine = kind == Kind::Cores ? here.cpuAffinity : here.numaAffinity;
    const auto &theirs = kind == Kind::Cores ? there.cpuAffinity : there.numaAffinity;
    if (mine && theirs && !mine->empty() && !theirs->empty() && *mine != *theirs)
        differences.push_back({kind, here.name, "", *mine, *theirs});
}

} // namespace

std::vector<TopologyDifference> topologyDifferences(const Topology &node, const Topology &reference)
{
    std::vector<TopologyDifference> differences;
    for (const TopologyDevice &device : reference.devices)
        if (!node.indexOf(device.name))
            differences.push_back({Kind::Missing, device.name, "", "", ""});
    std::vector<std::pair<std::size_t, std::size_t>> shared; // index here, index there
    for (std::size_t i = 0; i < node.size(); ++i) {
        if (const auto there = reference.indexOf(node.devices[i].name))
            shared.emplace_back(i, *there);
        else
            differences.push_back({Kind::Extra, node.devices[i].name, "", "", ""});
    }
    for (std::size_t i = 0; i < shared.size(); ++i) {
        const auto [here, there] = shared[i];
        for (std::size_t j = i + 1; j < shared.size(); ++j) {
            const auto mine = node.link(here, shared[j].first);
            const auto theirs = reference.link(there, shared[j].second);
            if (mine && theirs && *mine != *theirs)
                differences.push_back({Kind::Link, node.devices[here].name,
                                       node.devices[shared[j].first].name, *mine, *theirs});
        }
        compareAffinity(node.devices[here], reference.devices[there], Kind::Cores, differences);
        compareAffinity(node.devices[here], reference.devices[there], Kind::Numa, differences);
    }
    return differences;
}

TopologyComparison compareTopologies(std::span<const Topology *const> nodes)
{
    TopologyComparison comparison;
    comparison.differences.resize(nodes.size());
    std::vector<std::size_t> firsts; // of each kind
    std::vector<std::size_t> counts;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto same = std::find_if(firsts.begin(), firsts.end(), [&](std::size_t first) {
            return topologyDifferences(*nodes[i], *nodes[first]).empty();
        });
        if (same == firsts.end()) {
            firsts.push_back(i);
            counts.push_back(1);
        } else {
            ++counts[static_cast<std::size_t>(same - firsts.begin())];
        }
    }
    if (firsts.empty())
        return comparison;
    const auto most = std::max_element(counts.begin(), counts.end());
    comparison.reference = firsts[static_cast<std::size_t>(most - counts.begin())];
    comparison.clear = std::count(counts.begin(), counts.end(), *most) == 1;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        comparison.differences[i] = topologyDifferences(*nodes[i], *nodes[comparison.reference]);
        comparison.alike += comparison.differences[i].empty() ? 1 : 0;
    }
    return comparison;
}

} // namespace sb
