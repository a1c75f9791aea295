// SPDX-License-Identifier: GPL-3.0-or-later
// One row of nvidia-smi's matrix: which cell stands under which name, and whether that can be trusted.
#pragma once

#include "core/topology.h"
#include "core/topology_lines.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sb {

struct MatrixRow {
    std::vector<LinkCell> cells; // one a name of the header; Read or Unreadable
    std::string damage;          // empty: the row is whole
    std::optional<std::string> cpuAffinity, numaAffinity, gpuNumaId;

    bool whole() const { return damage.empty(); }
};

// `rest` is the line behind the row's name, `self` the row's own column. Cells are never moved: a row with
// too few or too many of them keeps only those before the fault, where the X shows that they are in place.
// Example: " X \tNV1\t0-11" under "GPU0 GPU1 CPU Affinity" → X, NV1 and CPU affinity "0-11".
MatrixRow readMatrixRow(std::string_view rest, const TopologyHeader &header, std::size_t self);

} // namespace sb
