// SPDX-License-Identifier: GPL-3.0-or-later
// Computed sentences about a topology, kept as key and arguments so that they can be said in any language,
// also in exports whose language is not the window's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sb {

enum class WordLanguage { English, Chinese };

enum class SentenceRole {
    Lead,  // starts a paragraph and is its point
    Text,  // follows
    Quiet, // starts a paragraph of less weight
};

struct Sentence {
    std::string key; // "topo.islands"
    std::vector<std::string> arguments;
    SentenceRole role = SentenceRole::Text;

    bool operator==(const Sentence &) const = default;
};

// Arguments that are keys themselves ("@class.sys") or small numbers to be written as words ("#4") are put
// into words too. An unknown key gives the key.
std::string sentenceText(const Sentence &sentence, WordLanguage language);

// For arguments of sentences: "GPU0–3, GPU6"; names with running numbers are drawn together.
std::string nameRanges(const std::vector<std::string> &names);

} // namespace sb
