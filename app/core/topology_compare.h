// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the nodes of a cluster are wired alike, and which are not. Pure.
#pragma once

#include "core/topology.h"

#include <span>
#include <string>
#include <vector>

namespace sb {

// One thing in which a node is not like the others.
struct TopologyDifference {
    enum class Kind { Link, Missing, Extra, Cores, Numa };
    Kind kind = Kind::Link;
    std::string device;   // "GPU2"
    std::string other;    // of a link: "GPU6"
    std::string here;     // "SYS"; of cores and NUMA the list
    std::string majority; // "NV1"

    bool operator==(const TopologyDifference &) const = default;
};

struct TopologyComparison {
    std::size_t reference = 0; // one of the majority
    std::size_t alike = 0;     // as many nodes are like the reference, itself included
    bool clear = true;         // false: another kind has as many nodes, so that none is "the" majority
    std::vector<std::vector<TopologyDifference>> differences; // by node; empty for those that are alike

    bool operator==(const TopologyComparison &) const = default;
};

// By the names of devices and the words between them. A cell that could not be read differs from nothing, and
// affinities are compared only where both texts have them.
TopologyComparison compareTopologies(std::span<const Topology *const> nodes);
std::vector<TopologyDifference> topologyDifferences(const Topology &node, const Topology &reference);

} // namespace sb
