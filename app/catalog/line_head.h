// SPDX-License-Identifier: GPL-3.0-or-later
// What launchers and loggers put before a line: rank, host, date.
#pragma once

#include "catalog/line_shape.h"
#include "core/log_format.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sb {

struct LineHead {
    std::optional<int> rank;
    std::string_view host;
    std::optional<double> clockS; // Unix seconds where the date is whole, else only good for differences
    std::string_view rest;        // the line without its head
};

// Where the parts of a head stand, for all lines of a shape.
struct HeadSpans {
    std::vector<LineSpan> ranks; // the last that can be a rank is one
    LineSpan host;
    std::optional<std::array<LineSpan, 7>> date; // year, month, day, hour, minute, second, fraction
    std::uint32_t length = 0;                    // of the whole head
    bool varies = false;                         // with other digits it may stand elsewhere
};

// Patterns are compiled once; one reader may be used by one thread at a time.
class LineHeadReader {
public:
    explicit LineHeadReader(const LogWords &words);
    ~LineHeadReader();
    LineHeadReader(LineHeadReader &&) noexcept;
    LineHeadReader &operator=(LineHeadReader &&) noexcept;

    LineHead read(std::string_view line) const;

    // The same in two steps: spans() tries the patterns, and headOf() reads the numbers there. quickSpans()
    // first tries those of the line before, and does not find out whether they vary.
    HeadSpans spans(std::string_view line) const;
    HeadSpans quickSpans(std::string_view line) const;
    static LineHead headOf(std::string_view line, const HeadSpans &spans);
    static std::optional<int> rankOf(std::string_view line, const HeadSpans &spans);

private:
    class Private;
    std::unique_ptr<Private> d;
};

// Without escape sequences of terminals ("ESC[31m", "ESC]0;…BEL").
std::string withoutColours(std::string_view line);

} // namespace sb
