// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/line_shape.h"

#include <re2/re2.h>

#include <algorithm>

namespace sb {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

// Goes over a pattern and writes it again with loose digits.
class Loosener {
public:
    explicit Loosener(std::string_view pattern)
        : m_rest(pattern)
    {
    }

    std::optional<std::string> loosened()
    {
        while (!m_rest.empty() && m_sure) {
            if (m_rest.front() == '\\')
                takeEscape();
            else if (m_rest.front() == '[')
                takeClass();
            else if (m_rest.starts_with("(?P<"))
                copy(m_rest.find('>') + 1);
            else if (const std::size_t length = countLength(); length > 0)
                copy(length);
            else
                takeCharacter();
        }
        return m_sure ? std::optional(m_made) : std::nullopt;
    }

private:
    void copy(std::size_t length)
    {
        m_made += m_rest.substr(0, length);
        m_rest.remove_prefix(std::min(std::max<std::size_t>(length, 1), m_rest.size()));
    }

    void takeCharacter()
    {
        if (!isDigit(m_rest.front()))
            return copy(1);
        m_made += "\\d";
        m_rest.remove_prefix(1);
    }

    // "\d", "\pL", "\p{Lu}"; characters by number ("\x31", "\061") and quotations are left to the careful
    // way.
    void takeEscape()
    {
        const char next = m_rest.size() > 1 ? m_rest[1] : '\0';
        m_sure = m_sure && next != 'x' && next != 'Q' && next != '\0' && !isDigit(next);
        const bool named = (next == 'p' || next == 'P') && m_rest.size() > 2 && m_rest[2] == '{';
        copy(named ? m_rest.find('}') + 1 : 2);
    }

    // "{2}", "{2,}", "{2,3}"; 0: the brace stands for itself.
    std::size_t countLength() const
    {
        if (m_rest.front() != '{' || m_rest.size() < 3 || !isDigit(m_rest[1]))
            return 0;
        const std::size_t end = m_rest.find_first_not_of("0123456789,", 1);
        return end != std::string_view::npos && m_rest[end] == '}' ? end + 1 : 0;
    }

    // "[^1]" with loose digits would take fewer lines, not more.
    void takeClass()
    {
        const bool negated = m_rest.starts_with("[^");
        copy(negated ? 2 : 1);
        if (m_rest.starts_with("]"))
            copy(1);
        while (!m_rest.empty() && m_rest.front() != ']' && m_sure) {
            if (m_rest.front() == '\\')
                takeEscape();
            else if (m_rest.starts_with("[:"))
                copy(m_rest.find(":]") + 2);
            else if (m_rest.size() > 2 && m_rest[1] == '-' && m_rest[2] != ']')
                takeRange(negated);
            else if (negated && isDigit(m_rest.front()))
                m_sure = false;
            else
                takeCharacter();
        }
        copy(1);
    }

    // A range between other characters takes all digits or none.
    void takeRange(bool negated)
    {
        const bool from = isDigit(m_rest[0]), to = isDigit(m_rest[2]);
        const bool all = m_rest.starts_with("0-9");
        m_sure = m_sure && from == to && m_rest[2] != '\\' && (all || !from || !negated);
        if (!from || all)
            return copy(3);
        m_made += "\\d";
        m_rest.remove_prefix(3);
    }

    std::string_view m_rest;
    std::string m_made;
    bool m_sure = true;
};

re2::StringPiece pieceOf(std::string_view text)
{
    return {text.data(), text.size()};
}

} // namespace

std::optional<std::string> withLooseDigits(const std::string &pattern)
{
    return Loosener(pattern).loosened();
}

ShapePattern::ShapePattern(const std::string &pattern)
{
    if (pattern.empty())
        return;
    m_pattern = std::make_unique<re2::RE2>(pattern, re2::RE2::Quiet);
    if (!m_pattern->ok()) {
        m_pattern.reset();
        return;
    }
    const auto loose = withLooseDigits(pattern);
    if (loose && *loose != pattern)
        m_loose = std::make_unique<re2::RE2>(*loose, re2::RE2::Quiet);
    m_unknown = !loose || (m_loose && !m_loose->ok());
}

ShapePattern::~ShapePattern() = default;
ShapePattern::ShapePattern(ShapePattern &&) noexcept = default;
ShapePattern &ShapePattern::operator=(ShapePattern &&) noexcept = default;

bool ShapePattern::holds(std::string_view text) const
{
    return m_pattern && re2::RE2::PartialMatch(pieceOf(text), *m_pattern);
}

bool ShapePattern::varies(std::string_view text, bool atStart) const
{
    if (m_unknown || !m_loose)
        return m_unknown;
    return m_loose->Match(pieceOf(text), 0, text.size(),
                          atStart ? re2::RE2::ANCHOR_START : re2::RE2::UNANCHORED, nullptr, 0);
}

} // namespace sb
