// SPDX-License-Identifier: GPL-3.0-or-later
// What must hold for any input.
#pragma once

#include "core/topology.h"
#include "core/topology_json.h"
#include "core/topology_lines.h"
#include "core/topology_reader.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace sb::fuzz {

inline void require(bool holds)
{
    if (!holds)
        std::abort();
}

inline std::string_view textOf(const std::uint8_t *data, std::size_t size)
{
    return {reinterpret_cast<const char *>(data), size};
}

inline void checkTopology(const Topology &topology)
{
    require(topology.size() <= kMaxTopologyDevices);
    require((topology.kind == TopologyKind::Error) == topology.error.has_value());
    for (std::size_t a = 0; a < topology.size(); ++a)
        for (std::size_t b = 0; b < topology.size(); ++b) {
            const LinkCell &cell = topology.cell(a, b);
            const bool hasWord = cell.state == CellState::Read || cell.state == CellState::Mirrored;
            require(hasWord == !cell.word.empty());
            // A whole row has no unreadable cell.
            require(cell.state != CellState::Unreadable || topology.devices[a].damaged);
        }
    const std::string json = writeJson(topologyJson(topology));
    require(bool(parseJson(json, "fuzz")));
}

} // namespace sb::fuzz
