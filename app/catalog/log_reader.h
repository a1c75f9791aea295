// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/log_series.h"
#include "core/framework.h"
#include "core/sample.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace sb {

// The bytes of one line → what they mean. One reader per rank's log; feed the lines in order. Hostile input
// is fine: a line that means nothing is Other.
class LogReader {
public:
    enum class Kind { Other, Start, Ready, Step, End };

    LogReader(const LogFormat &format, int rank);
    // With `rules` of rulesOf(format): compiling them takes as long as reading thousands of lines, and the
    // readers of all ranks, if they are of one thread, can share them.
    LogReader(std::shared_ptr<const LineRules> rules, int rank);
    // Null: only the events of backend/EVENTS.md are read.
    static std::shared_ptr<const LineRules> rulesOf(const LogFormat &format);
    ~LogReader();
    LogReader(LogReader &&) noexcept;
    LogReader &operator=(LogReader &&) noexcept;

    // `offset` is the line's place in the raw log, without line end.
    Kind readLine(std::string_view line, std::int64_t offset);

    const Sample &sample() const { return m_sample; } // of the last Step line
    const RunFacts &facts() const { return m_facts; }
    const std::optional<RunEnd> &end() const { return m_end; }
    // The way to fail that the lines so far name, nearest to its cause; also from standard error.
    const std::optional<LogFailure> &failure() const { return m_failure; }

private:
    Kind readJsonLine(std::string_view line, std::int64_t offset);
    Kind readTextLine(std::string_view line, std::int64_t offset);

    class Text;
    std::unique_ptr<Text> m_text; // null: nothing is known of text
    int m_rank;
    Sample m_sample;
    RunFacts m_facts;
    std::optional<RunEnd> m_end;
    std::optional<LogFailure> m_failure;
};

} // namespace sb
