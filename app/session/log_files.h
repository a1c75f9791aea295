// SPDX-License-Identifier: GPL-3.0-or-later
// Raw logs on our disk → what they say. Any thread.
#pragma once

#include "core/framework.h"
#include "core/result.h"
#include "core/sample.h"

#include <optional>
#include <string>
#include <vector>

namespace sb {

struct LogContents {
    std::vector<Sample> samples; // in the order of the log
    RunFacts facts;
    std::optional<RunEnd> end;
};

Result<LogContents> readRankLog(const std::string &path, const LogFormat &format, int rank);

} // namespace sb
