// SPDX-License-Identifier: GPL-3.0-or-later
// Every sentence of a report, in the languages a report can have. A report's language is its own: it does not
// follow that of the window, so these do not go through the window's translations.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace sb {

enum class ReportLanguage { English, Chinese };

// "en", "zh": the spelling in options and files.
std::string reportLanguageName(ReportLanguage language);
std::optional<ReportLanguage> reportLanguageFromName(std::string_view name);

// The text of a key, with %1, %2 … replaced by `arguments`. An unknown key is a mistake in the program and
// gives the key itself in angle brackets; a test asks for every key in every language.
std::string reportText(ReportLanguage language, std::string_view key,
                       std::initializer_list<std::string> arguments = {});

// "1 run", "7 runs", "7 次运行": `noun` is the key of a countable, e.g. "count.run".
std::string reportCount(ReportLanguage language, std::string_view noun, long long count);

// "A", "A and B", "A, B and C"; "A、B和C".
template <typename Range>
std::string reportList(ReportLanguage language, const Range &names);

// For the test that no key lacks a language.
struct ReportPhrase {
    std::string_view key;
    std::string_view english;
    std::string_view chinese;
};
const ReportPhrase *reportPhrases(std::size_t *count);

template <typename Range>
std::string reportList(ReportLanguage language, const Range &names)
{
    std::string text;
    std::size_t at = 0;
    for (const std::string &name : names) {
        if (at > 0)
            text += reportText(language, at + 1 == names.size() ? "list.last" : "list.comma");
        text += name;
        ++at;
    }
    return text;
}

} // namespace sb
