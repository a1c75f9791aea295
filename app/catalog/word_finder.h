// SPDX-License-Identifier: GPL-3.0-or-later
// Looks for many plain words at once, in one pass over the text (Aho and Corasick's automaton).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sb {

class WordFinder {
public:
    // `words` are in lower case; letters of the text are taken as lower case too (ASCII).
    explicit WordFinder(const std::vector<std::string> &words);

    // Numbers of the words that are in the text, each once, in no order. Not for two threads at once.
    void find(std::string_view text, std::vector<int> &found);

private:
    void addWord(const std::string &word, int number);
    void link(std::vector<std::uint32_t> &fallbacks);

    std::array<std::uint8_t, 256> m_classes{}; // of bytes; 0: in no word
    std::size_t m_classCount = 1;
    std::vector<std::uint32_t> m_next;     // state × class → state; 0 is the start
    std::vector<std::vector<int>> m_words; // that end in a state
    std::vector<std::uint8_t> m_ends;      // a state ends words: looked at for each byte
    std::vector<std::uint32_t> m_lastSeen; // of words: number of the text
    std::uint32_t m_text = 0;
};

} // namespace sb
