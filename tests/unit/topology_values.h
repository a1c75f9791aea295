// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/topology.h"
#include "core/topology_parser.h"

#include <fstream>
#include <iterator>
#include <string>

namespace sb::test {

// Text of tests/data/topology/NAME; empty when it is not there.
inline std::string topologyText(const std::string &name)
{
    std::ifstream file(std::string(SCALEBOARD_TEST_DATA) + "/topology/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline Topology topologyOf(const std::string &name)
{
    return parseTopology(topologyText(name));
}

// Word between two devices by name; "?" when it cannot be read.
inline std::string linkOf(const Topology &topology, const std::string &a, const std::string &b)
{
    const auto first = topology.indexOf(a);
    const auto second = topology.indexOf(b);
    return first && second ? topology.link(*first, *second).value_or("?") : "no such device";
}

} // namespace sb::test
