// SPDX-License-Identifier: GPL-3.0-or-later
// LineRules and LogWords, compiled: what one line says. RE2 throughout, so that no line, however hostile,
// takes more than linear time.
#pragma once

#include "catalog/line_head.h"
#include "core/log_format.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sb {

struct RuleHit;
struct StepSpans;

// One number that one line gave, by its kind. Views are into the line.
struct LineMatch {
    int format = 0; // whose rule: index into the formats of the LineRules
    int rule = 0;   // index in that format
    LineKind kind = LineKind::Rate;
    std::string_view key;
    std::string_view unit; // as printed; empty: the rule's
    bool each = false;     // the line says that the number is per device
    bool hasStep = false;

    // Where the numbers stand; good as long as the LineSays.
    const RuleHit *hit = nullptr;
    const StepSpans *steps = nullptr;
};

// The numbers themselves.
struct LineNumbers {
    std::optional<double> value; // empty: printed as nan
    std::optional<std::int64_t> step, last, count;
    std::optional<double> loss, clockS;
    std::optional<int> rank;
};

// What a line says of the run, from fact rules; zero: not said.
struct LineFacts {
    std::int64_t batch = 0, globalBatch = 0, nodes = 0, perNode = 0, world = 0;
};

// What one line says. Views are into the line.
struct LineSays {
    std::vector<LineMatch> matches; // at most one of each format
    std::vector<LineFacts> facts;
    std::vector<int> failures; // indices into words.failures
    bool finished = false;
    const HeadSpans *head = nullptr; // where there are matches

    bool nothing() const { return matches.empty() && facts.empty() && failures.empty() && !finished; }
};

class LineRules {
public:
    // `formats`: who competes for a line, most special first. The words of the catalog add facts and
    // failures.
    // Shapes::Ignore: patterns are tried on every line, with the same outcome (tests).
    enum class Shapes { Learn, Ignore };
    LineRules(std::vector<LineFormat> formats, const LogWords &words, Shapes shapes = Shapes::Learn);
    ~LineRules();

    // Good until the next line. Patterns are tried on the first lines of a shape (line_shape.h); of later
    // ones only the numbers are read. One thread at a time.
    const LineSays &read(std::string_view line) const;

    // Apart from read(), since of a long log most numbers are counted and not kept.
    static LineNumbers numbersOf(const LineMatch &match, std::string_view line);

    const std::vector<LineFormat> &formats() const;
    const LogWords &words() const;
    // "imgs" → "images/s" by the words; `printed` may be a whole unit ("Gbps"), which is kept.
    std::string unitName(std::string_view printed, const LineRule &rule) const;

private:
    class Private;
    std::unique_ptr<Private> d;
};

// "1,234.5" → 1234.5 and "nan" → nothing; `isNumber` tells the two kinds of nothing apart.
std::optional<double> printedNumber(std::string_view text, bool &isNumber);

} // namespace sb
