// SPDX-License-Identifier: GPL-3.0-or-later
// Which network the nodes of a run meet in. Pure.
#pragma once

#include "core/node.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sb {

// "10.77.3.4/16" → "10.77.0.0/16", "fd00::1/64" → "fd00::/64". Empty when it is no such thing.
std::string networkOf(std::string_view addressAndPrefix);

struct NetworkPlace {
    std::string address;
    std::string interface;

    bool operator==(const NetworkPlace &) const = default;
};

// A network that every node has an address in: the fastest, IPv4 before IPv6, else the first of the first
// node. Bridges of container engines, virtual pairs and link-local addresses do not count: the same numbers
// there are not the same network. Nothing when the nodes share none.
struct NetworkChoice {
    std::string network;
    std::vector<NetworkPlace> places; // one per node

    bool operator==(const NetworkChoice &) const = default;
};
std::optional<NetworkChoice> chooseNetwork(std::span<const NodeFacts> nodes);

} // namespace sb
