// SPDX-License-Identifier: GPL-3.0-or-later
// The patterns of LineRules: which of them match a line, and where their groups stand.
#pragma once

#include "catalog/line_head.h"
#include "catalog/line_shape.h"
#include "core/log_format.h"

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace sb {

// Groups by meaning; a name may end in "2" for a second place in the same pattern.
enum RuleGroup {
    Rate,
    Time,
    Suffix,
    Unit,
    TimeUnit,
    Count,
    Each,
    Key,
    Step,
    Last,
    Epoch,
    Loss,
    Rank,
    ClockS,
    ClockMs,
    Batch,
    GlobalBatch,
    Nodes,
    PerNode,
    World,
    GroupCount
};
// A rule that matches, and where its groups stand; or a failure or an end, which have no groups.
struct RuleHit {
    std::size_t number = 0;
    std::array<LineSpan, GroupCount> groups{};
    bool ofEvaluation = false;

    bool isRate() const { return groups[Rate].length > 0; }
    const LineSpan &value() const { return groups[isRate() ? Rate : Time]; }
};

struct StepSpans {
    LineSpan step, last;
};

// What there is to know of all lines of a shape.
struct LineShape {
    std::vector<RuleHit> hits;
    StepSpans step; // of a line whose rule does not name it
    HeadSpans head;
    bool varies = false; // patterns have to be tried on each line
};

// Patterns have numbers: the rules of all formats in their order, then facts, failures and ends.
class RulePatterns {
public:
    RulePatterns(const std::vector<LineFormat> &formats, const LogWords &words);
    ~RulePatterns();

    enum class Kind { Format, Fact, Failure, End };
    struct Owner {
        Kind kind = Kind::Format;
        int format = -1; // of Kind::Format: whose, and which of its rules
        int rule = 0;    // or the index of the fact or failure
        LineKind line = LineKind::Rate;
    };
    const Owner &owner(std::size_t number) const;

    // Numbers of the patterns whose words are in the line; the others cannot match. The same for all lines of
    // a shape. Good until the next call.
    const std::vector<int> &candidates(std::string_view line) const;

    std::optional<RuleHit> hitOf(std::size_t number, std::string_view line) const;
    StepSpans stepOf(std::string_view line) const; // by LogWords::steps
    HeadSpans headOf(std::string_view line) const;

    // All that the patterns say of the line's shape, from its candidates.
    LineShape shapeOf(const std::vector<int> &candidates, std::string_view line) const;
    bool shapesCount() const; // false: some pattern does not tell shapes from lines

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace sb
