// SPDX-License-Identifier: GPL-3.0-or-later
// The readers behind parseTopology, one a kind of text. Each takes lines without escapes and gives nothing
// when the text is not of its kind.
#pragma once

#include "core/topology.h"

#include <optional>
#include <string_view>
#include <vector>

namespace sb {

using Lines = std::vector<std::string_view>;

std::optional<Topology> readNvidiaMatrix(const Lines &lines); // topo -m and topo -p2p
std::optional<Topology> readRocmTopology(const Lines &lines);
std::optional<Topology> readMxnetMatrix(const Lines &lines);
std::optional<TopologyError> readTopologyError(const Lines &lines);

// Findings that need the whole matrix: pairs that differ, diagonals, a GPU left out of NVLink, odd words.
void addMatrixFindings(Topology &topology);

} // namespace sb
