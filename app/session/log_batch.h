// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sample.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sb {

// One line of a log for the window. `text` is valid UTF-8.
struct LogLine {
    int rank = 0;
    std::string text;
    bool warning = false; // from standard error, or an error event
};

// What the I/O thread learned from the logs of a run since the last batch. A value: it crosses threads.
struct LogBatch {
    std::vector<Sample> samples;
    std::vector<LogLine> lines;               // the newest kMostLines
    std::int64_t lineCount = 0;               // all of them, also those left out of `lines`
    std::optional<RunFacts> facts;            // of rank 0
    std::vector<std::pair<int, RunEnd>> ends; // rank, how it says that it ended
    bool ready = false;                       // rank 0 is set up, the first step comes next

    static constexpr std::size_t kMostLines = 2000;

    bool empty() const { return samples.empty() && lineCount == 0 && !facts && ends.empty() && !ready; }
};

} // namespace sb
