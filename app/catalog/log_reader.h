// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/framework.h"
#include "core/sample.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace sb {

// The bytes of one line → what they mean. One reader per rank's log; feed the lines in order. Hostile input
// is fine: a line that means nothing is Other.
class LogReader {
public:
    enum class Kind { Other, Start, Ready, Step, End };

    LogReader(const LogFormat &format, int rank);

    // `offset` is the line's place in the raw log, without line end.
    Kind readLine(std::string_view line, std::int64_t offset);

    const Sample &sample() const { return m_sample; } // of the last Step line
    const RunFacts &facts() const { return m_facts; }
    const std::optional<RunEnd> &end() const { return m_end; }

private:
    Kind readJsonLine(std::string_view line, std::int64_t offset);

    LogFormat m_format;
    int m_rank;
    Sample m_sample;
    RunFacts m_facts;
    std::optional<RunEnd> m_end;
};

} // namespace sb
