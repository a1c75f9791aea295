// SPDX-License-Identifier: GPL-3.0-or-later
// What launchers and loggers put before a line: rank, host, date.
#pragma once

#include "core/log_format.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sb {

struct LineHead {
    std::optional<int> rank;
    std::string_view host;
    std::optional<double> clockS; // Unix seconds where the date is whole, else only good for differences
    std::string_view rest;        // the line without its head
};

// Patterns are compiled once; one reader may be used by one thread at a time.
class LineHeadReader {
public:
    explicit LineHeadReader(const LogWords &words);
    ~LineHeadReader();
    LineHeadReader(LineHeadReader &&) noexcept;
    LineHeadReader &operator=(LineHeadReader &&) noexcept;

    LineHead read(std::string_view line) const;

private:
    class Private;
    std::unique_ptr<Private> d;
};

// Without escape sequences of terminals ("ESC[31m", "ESC]0;…BEL").
std::string withoutColours(std::string_view line);

} // namespace sb
