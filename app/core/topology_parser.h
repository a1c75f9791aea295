// SPDX-License-Identifier: GPL-3.0-or-later
// From text to Topology: nvidia-smi topo -m, topo -p2p and nvlink -s, rocm-smi --showtopo, the P2P matrix of
// MXNet's log, and the listing of pciTreeScript(). Told apart by content; other lines may surround them.
#pragma once

#include "core/topology.h"

#include <string_view>

namespace sb {

// Never fails: a text without a table gives kind Error with a name. Time and memory are bounded for any
// input (at most kMaxTopologyBytes are read).
Topology parseTopology(std::string_view text);

} // namespace sb
