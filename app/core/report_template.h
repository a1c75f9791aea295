// SPDX-License-Identifier: GPL-3.0-or-later
// House style of reports: a JSON file that says what a report's sections, titles, logo, colours and figures
// are like. Every key may be left out. Example:
//
//   {
//     "schema": 1,
//     "title": {"en": "Training on cluster X", "zh": "X 集群训练评测"},
//     "sections": ["summary", "groups", "findings", "method", "environment"],
//     "titles": {"summary": {"en": "In short", "zh": "要点"}},
//     "logo": "logo.svg",
//     "colours": {"accent": "#1f5fbf", "ink": "#1b1f24"},
//     "font": "Noto Sans",
//     "palette": "print",
//     "figure_width_mm": 85,
//     "footer": {"en": "Company X, internal", "zh": "X 公司内部"}
//   }
//
// "groups" stands for the sections of all workloads. A text for every language is written as such.
#pragma once

#include "core/report.h"
#include "core/result.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sb {

struct LocalText {
    std::string english;
    std::string chinese;
    const std::string &in(ReportLanguage language) const
    {
        return language == ReportLanguage::Chinese ? chinese : english;
    }
    bool operator==(const LocalText &) const = default;
};

struct ReportTemplate {
    std::optional<LocalText> title;
    std::optional<std::vector<std::string>> sections;
    std::map<std::string, LocalText> titles; // of sections, by id
    std::string logo;                        // path of an SVG or PNG file; empty: none
    std::string accent;                      // "#rrggbb" of headings and rules; empty: black
    std::string ink;                         // of text
    std::string font;                        // family
    std::string palette;                     // of figures: "print", "light", "dark", "grey"
    std::optional<double> figureWidthMm;
    std::optional<LocalText> footer; // at the foot of every page

    bool operator==(const ReportTemplate &) const = default;
};

// Errors name file, line and key. The logo's path is taken relative to the folder of `source`.
Result<ReportTemplate> parseReportTemplate(std::string_view text, const std::string &source);
Result<ReportTemplate> readReportTemplate(const std::string &path);

// Sections of `ids` in the template's order, "groups" spelled out; all of them when it says none.
std::vector<std::string> templateSections(const ReportTemplate &house, const std::vector<std::string> &ids);

// Titles of sections and the report, and the footer, as the template has them.
void applyTemplate(const ReportTemplate &house, Report &report);

} // namespace sb
