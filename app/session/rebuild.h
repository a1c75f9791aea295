// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the raw logs of every finished run again and writes samples and measurements anew. The logs and the
// run records are the truth; everything this writes can be made again at any time.
#pragma once

#include "core/framework.h"
#include "store/workspace.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace sb {

struct RebuildReport {
    int runs = 0;
    int measured = 0; // runs that have a measurement now
    std::int64_t samples = 0;
    std::vector<std::string> problems; // one sentence each
};

// Error: the workspace cannot be written. `step` is called after each run with (done, all).
Result<RebuildReport> rebuild(Workspace &workspace, std::span<const Framework> frameworks,
                              const std::function<void(int, int)> &step = {});

} // namespace sb
