// SPDX-License-Identifier: GPL-3.0-or-later
// The matrix MXNet prints into its log at start: one line a GPU, 'v' where peer access was enabled.
//   [18:39:03] src/kvstore/././comm.h:299: .vvv....
#include "core/topology_reader.h"

#include "core/text.h"
#include "core/topology_lines.h"

#include <algorithm>

namespace sb {

namespace {

std::string_view dottedRow(std::string_view line)
{
    const std::string_view text = trimmed(line);
    const auto blank = text.find_last_of(" \t");
    const std::string_view last = blank == std::string_view::npos ? text : text.substr(blank + 1);
    if (last.size() < 2 || last.size() > kMaxTopologyDevices ||
        last.find_first_not_of(".v") != std::string_view::npos)
        return {};
    return last;
}

} // namespace

std::optional<Topology> readMxnetMatrix(const Lines &lines)
{
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::size_t n = dottedRow(lines[i]).size();
        if (n == 0 || i + n > lines.size())
            continue;
        std::vector<std::string_view> rows;
        bool anyPeer = false;
        for (std::size_t r = 0; r < n; ++r) {
            const std::string_view row = dottedRow(lines[i + r]);
            if (row.size() != n || row[r] != '.')
                break;
            anyPeer |= row.find('v') != std::string_view::npos;
            rows.push_back(row);
        }
        const bool announced = i > 0 && lines[i - 1].find("direct access") != std::string_view::npos;
        if (rows.size() != n || (!anyPeer && !announced))
            continue;
        Topology topology;
        topology.kind = TopologyKind::MxnetP2p;
        std::vector<TopologyDevice> devices(n);
        for (std::size_t r = 0; r < n; ++r) {
            devices[r].name = "GPU" + std::to_string(r);
            devices[r].hasRow = true;
            devices[r].rawLine = validUtf8(lines[i + r]);
        }
        topology.setDevices(std::move(devices));
        for (std::size_t r = 0; r < n; ++r)
            for (std::size_t c = 0; c < n; ++c)
                topology.cell(r, c) = {r == c ? "X" : rows[r][c] == 'v' ? "OK" : "NS", CellState::Read};
        return topology;
    }
    return std::nullopt;
}

} // namespace sb
