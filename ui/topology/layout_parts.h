// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of layoutTopology() that do not place anything: who belongs together.
#pragma once

#include "core/topology.h"

#include <map>
#include <string>
#include <vector>

namespace sb {

// GPUs of one socket or NUMA node, in the order of the text.
struct SocketGroup {
    std::vector<std::size_t> gpus;
    std::string numa, cores;
    bool inferred = false; // from the links, because the text has no affinities
};
std::vector<SocketGroup> socketGroups(const Topology &topology);

// Cards by the GPUs they are beside (over PCIe switches only). The key is the list of GPUs; cards beside no
// GPU have an empty key.
using CardsByGpus = std::map<std::vector<std::size_t>, std::vector<std::size_t>>;
CardsByGpus cardsByGpus(const Topology &topology);

LinkKind kindOf(const Topology &topology, std::size_t a, std::size_t b);
int lanesOf(const Topology &topology, std::size_t a, std::size_t b);

// The GPUs of which every pair has a fast link of the same width, when they are at least four and more than
// half and the others have no fast link at all; else empty.
std::vector<std::size_t> allToAll(const Topology &topology);

// For two groups of four: the partner of each of the first four over a fast link, so that the four links
// between the groups can be drawn level; empty when the machine is no such mesh.
std::vector<std::size_t> meshPartners(const Topology &topology, const SocketGroup &left,
                                      const SocketGroup &right);

} // namespace sb
