// SPDX-License-Identifier: GPL-3.0-or-later
// What the path of a log says of its case, by the patterns of LogWords::paths:
// "logs/ngc/tensorflow/resnet50/bz128/2n8g/r50_b128_fp32_3.log".
#pragma once

#include "core/log_format.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sb {

struct PathFacts {
    int nodes = 0, devicesPerNode = 0, batch = 0, run = 0; // 0: not said
    std::string precision, model;                          // empty: not said
};

class PathFactsReader {
public:
    explicit PathFactsReader(const LogWords &words);
    ~PathFactsReader();
    PathFacts read(std::string_view path) const;

private:
    class Private;
    std::unique_ptr<Private> d;
};

// Why a user's pattern cannot be used for numbers; nothing when it can.
std::optional<std::string> patternFault(const std::string &pattern);

} // namespace sb
