// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sample.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sb {

// Live throughput of one rank: x = step, y = samples of all ranks per second by this rank's own step time.
// Appended in order of steps; a step that comes again (a resumed log) is ignored.
struct Series {
    int rank = 0;
    std::vector<double> step;
    std::vector<double> timeS;
    std::vector<double> throughput;
    std::vector<double> stepTimeMs;

    // False if the sample has no usable step time or was already there.
    bool append(const Sample &sample, std::optional<std::int64_t> globalBatchSize);
    bool empty() const { return step.empty(); }
    std::size_t size() const { return step.size(); }
};

} // namespace sb
