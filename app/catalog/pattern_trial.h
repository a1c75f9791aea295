// SPDX-License-Identifier: GPL-3.0-or-later
// A pattern of the user's tried on some lines of a log, to be shown with what it takes.
#pragma once

#include "catalog/line_shape.h"

#include <string>
#include <string_view>
#include <vector>

namespace sb {

struct TrialLine {
    int number = 0;   // from 1
    std::string text; // in UTF-8, cut at 4096 bytes; spans are of it
    LineSpan match;   // the whole of it; a length of 0: the line does not match
    LineSpan rate, step;

    bool operator==(const TrialLine &) const = default;
};

struct PatternTrial {
    std::vector<TrialLine> lines;     // from a little before the first match on
    std::vector<std::string> numbers; // the first that the group `rate` took, as written
    int read = 0;                     // lines that were tried
    int matched = 0;

    bool operator==(const PatternTrial &) const = default;
};

// `pattern` must be usable (patternFault); empty: the first lines, none of which matches. RE2: linear in the
// text.
PatternTrial tryPattern(const std::string &pattern, std::string_view text);

} // namespace sb
