// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/word_finder.h"

#include <cctype>
#include <deque>

namespace sb {

WordFinder::WordFinder(const std::vector<std::string> &words)
    : m_words(1)
    , m_lastSeen(words.size())
{
    for (const std::string &word : words)
        for (const char c : word) {
            std::uint8_t &number = m_classes[static_cast<unsigned char>(c)];
            if (number == 0)
                number = static_cast<std::uint8_t>(m_classCount++);
        }
    for (int upper = 'A'; upper <= 'Z'; ++upper)
        m_classes[static_cast<std::size_t>(upper)] = m_classes[static_cast<std::size_t>(std::tolower(upper))];
    m_next.resize(m_classCount);
    for (std::size_t i = 0; i < words.size(); ++i)
        addWord(words[i], static_cast<int>(i));
    std::vector<std::uint32_t> fallbacks(m_words.size());
    link(fallbacks);
    for (const auto &ended : m_words)
        m_ends.push_back(ended.empty() ? 0 : 1);
}

void WordFinder::addWord(const std::string &word, int number)
{
    std::size_t state = 0;
    for (const char c : word) {
        const std::size_t edge = state * m_classCount + m_classes[static_cast<unsigned char>(c)];
        if (m_next[edge] == 0) {
            m_next[edge] = static_cast<std::uint32_t>(m_words.size());
            m_words.emplace_back();
            m_next.resize(m_words.size() * m_classCount);
        }
        state = m_next[edge];
    }
    m_words[state].push_back(number);
}

// Breadth first: where a word does not go on, the longest end of what was read that begins another one does.
void WordFinder::link(std::vector<std::uint32_t> &fallbacks)
{
    std::deque<std::uint32_t> open{0};
    while (!open.empty()) {
        const std::uint32_t state = open.front();
        open.pop_front();
        for (std::size_t c = 0; c < m_classCount; ++c) {
            std::uint32_t &next = m_next[state * m_classCount + c];
            const std::uint32_t instead = state == 0 ? 0 : m_next[fallbacks[state] * m_classCount + c];
            if (next == 0) {
                next = instead;
                continue;
            }
            fallbacks[next] = instead;
            m_words[next].insert(m_words[next].end(), m_words[instead].begin(), m_words[instead].end());
            open.push_back(next);
        }
    }
}

void WordFinder::find(std::string_view text, std::vector<int> &found)
{
    found.clear();
    ++m_text;
    std::size_t state = 0;
    for (const char c : text) {
        state = m_next[state * m_classCount + m_classes[static_cast<unsigned char>(c)]];
        if (!m_ends[state])
            continue;
        for (const int word : m_words[state]) {
            std::uint32_t &seen = m_lastSeen[static_cast<std::size_t>(word)];
            if (seen != m_text)
                found.push_back(word);
            seen = m_text;
        }
    }
}

} // namespace sb
