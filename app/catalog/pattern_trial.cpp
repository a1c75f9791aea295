// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/pattern_trial.h"

#include "core/text.h"

#include <re2/re2.h>

#include <algorithm>

namespace sb {

namespace {

constexpr std::size_t kShownLines = 200;
constexpr std::size_t kLongestLine = 4096; // what is beyond is not tried
constexpr std::size_t kShownNumbers = 20;
constexpr std::size_t kBefore = 3; // lines shown before the first match

using Piece = re2::StringPiece;

class Trier {
public:
    explicit Trier(const std::string &pattern)
        : m_pattern(pattern, re2::RE2::Quiet)
        , m_on(!pattern.empty() && m_pattern.ok())
    {
        if (!m_on)
            return;
        m_groups.resize(static_cast<std::size_t>(m_pattern.NumberOfCapturingGroups() + 1));
        for (const auto &[name, number] : m_pattern.NamedCapturingGroups()) {
            if (name == "rate")
                m_rate = number;
            if (name == "step")
                m_step = number;
        }
    }

    TrialLine tried(std::string_view raw, int number)
    {
        TrialLine line;
        line.number = number;
        line.text = validUtf8(raw.substr(0, kLongestLine));
        const std::string_view text = line.text;
        const Piece piece(text.data(), text.size());
        if (m_on && m_pattern.Match(piece, 0, text.size(), re2::RE2::UNANCHORED, m_groups.data(),
                                    static_cast<int>(m_groups.size()))) {
            line.match = spanOf(0, text);
            line.rate = m_rate > 0 ? spanOf(m_rate, text) : LineSpan();
            line.step = m_step > 0 ? spanOf(m_step, text) : LineSpan();
        }
        return line;
    }

private:
    LineSpan spanOf(int group, std::string_view text) const
    {
        const Piece &piece = m_groups[static_cast<std::size_t>(group)];
        if (piece.empty())
            return {};
        return {static_cast<std::uint32_t>(piece.data() - text.data()),
                static_cast<std::uint32_t>(piece.size())};
    }

    re2::RE2 m_pattern;
    bool m_on;
    int m_rate = 0, m_step = 0;
    std::vector<Piece> m_groups;
};

} // namespace

PatternTrial tryPattern(const std::string &pattern, std::string_view text)
{
    PatternTrial trial;
    Trier trier(pattern);
    for (const std::string_view raw : split(text, '\n')) {
        const std::string_view line = raw.ends_with('\r') ? raw.substr(0, raw.size() - 1) : raw;
        TrialLine tried = trier.tried(line, ++trial.read);
        if (tried.rate.length > 0) {
            if (trial.matched == 0 && trial.lines.size() > kBefore)
                trial.lines.erase(trial.lines.begin(),
                                  trial.lines.end() - static_cast<std::ptrdiff_t>(kBefore));
            ++trial.matched;
            if (trial.numbers.size() < kShownNumbers)
                trial.numbers.emplace_back(tried.rate.of(tried.text));
        }
        if (trial.lines.size() < kShownLines) {
            trial.lines.push_back(std::move(tried));
        } else if (trial.matched == 0 && !pattern.empty()) { // the last ones, for a match that may come
            trial.lines.erase(trial.lines.begin());
            trial.lines.push_back(std::move(tried));
        }
    }
    return trial;
}

} // namespace sb
