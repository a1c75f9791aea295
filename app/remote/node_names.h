// SPDX-License-Identifier: GPL-3.0-or-later
// What a user types to name nodes. Pure.
#pragma once

#include "core/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sb {

// "user@host:port", "[fe80::1]:22", "ssh://user@host:22" or an alias of ssh_config.
struct NodeAddress {
    std::optional<std::string> user;
    std::string host;
    std::optional<int> port;

    bool operator==(const NodeAddress &) const = default;
};

// Errors: empty, a blank or control character, a leading "-", a port out of range.
Result<NodeAddress> parseNodeAddress(std::string_view text);

// "node[01-03,7] gpu@head:2222" gives node01 node02 node03 node7 gpu@head:2222: several names are separated
// by blanks or commas, doubled ones count once, at most 1000. Each is checked with parseNodeAddress.
// "[::1]:22" is an address, not a range.
Result<std::vector<std::string>> expandNodeNames(std::string_view text);

inline constexpr int kMostNodes = 1000;

} // namespace sb
