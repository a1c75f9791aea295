// SPDX-License-Identifier: GPL-3.0-or-later
// The report of published results against the tables that were published.
#include "core/report_reference.h"
#include "core/report_template.h"

#include "core/text.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace sb {

namespace {

struct PrintedCell {
    std::string framework;
    int devices = 0;
    std::string throughput;
};

// By table, in the order of the publication: all frameworks at one scale, then at the next.
std::map<std::string, std::vector<PrintedCell>> printedTables()
{
    std::map<std::string, std::vector<PrintedCell>> tables;
    std::ifstream file(SCALEBOARD_TEST_DATA "/report/dlperf-2020-10-tables.csv");
    std::string line;
    while (std::getline(file, line)) {
        const auto fields = split(line, ',');
        if (line.starts_with("#") || fields.size() != 5 || fields[0] == "table")
            continue;
        tables[std::string(fields[0])].push_back(
            {std::string(fields[2]), static_cast<int>(*toInteger(fields[3])), std::string(fields[4])});
    }
    return tables;
}

const ReferenceSet &published()
{
    static const ReferenceSet set = *loadReference(SCALEBOARD_REFERENCE_FOLDER, "dlperf-2020-10");
    return set;
}

Report built(ReportLanguage language)
{
    ReportOptions options;
    options.language = language;
    return buildReferenceReport(published(), options);
}

const ReportTable *tableOf(const Report &report, const std::string &id)
{
    for (const ReportSection &section : report.sections)
        for (const ReportBlock &block : section.blocks)
            if (const auto *table = std::get_if<ReportTable>(&block); table && table->id == id)
                return table;
    return nullptr;
}

// "12 411.97" with its narrow spaces as it would be printed plainly.
std::string plain(std::string text)
{
    for (std::size_t at = text.find("\u202F"); at != std::string::npos; at = text.find("\u202F"))
        text.erase(at, std::string_view("\u202F").size());
    return text;
}

TEST(ReferenceReport, HasThePublishedTablesCellByCell)
{
    const auto tables = printedTables();
    ASSERT_EQ(tables.size(), 6U);
    for (const ReportLanguage language : {ReportLanguage::English, ReportLanguage::Chinese}) {
        const Report report = built(language);
        int cells = 0;
        for (const auto &[id, printed] : tables) {
            const ReportTable *table = tableOf(report, id + "-throughput");
            ASSERT_TRUE(table) << id;
            // Rows are frameworks here and columns there.
            const std::size_t frameworks = table->rows.size();
            ASSERT_EQ(printed.size(), frameworks * 4) << id;
            ASSERT_GE(table->columns.size(), 5U) << id; // and the repeats, where they were printed
            for (std::size_t i = 0; i < printed.size(); ++i) {
                const auto &row = table->rows[i % frameworks];
                const std::size_t column = 1 + i / frameworks;
                EXPECT_TRUE(row[0].text.starts_with(printed[i].framework)) << id << " " << row[0].text;
                EXPECT_EQ(table->columns[column].devices, printed[i].devices) << id;
                EXPECT_EQ(plain(row[column].text), printed[i].throughput) << id << " " << row[0].text;
                EXPECT_NE(row[column].source.find("dlperf_benchmark_test_report_v1.md:"), std::string::npos);
                ++cells;
            }
        }
        EXPECT_EQ(cells, 168);
    }
}

TEST(ReferenceReport, ComputesSpeedupsFromWhatWasPrinted)
{
    const Report report = built(ReportLanguage::English);
    const ReportTable *table = tableOf(report, "resnet50-fp32-speedup");
    ASSERT_TRUE(table);
    EXPECT_EQ(table->rows[0][3].text, "31.21"); // OneFlow, 12411.97 / 397.64
    EXPECT_EQ(table->rows[4][0].text, "MXNet †");
    EXPECT_EQ(table->rows[4][3].text, "24.93"); // 9579.74 / 384.19
}

TEST(ReferenceReport, HasTwelveFiguresInBothLanguages)
{
    for (const ReportLanguage language : {ReportLanguage::English, ReportLanguage::Chinese}) {
        const Report report = built(language);
        int figures = 0;
        for (const ReportSection &section : report.sections)
            for (const ReportBlock &block : section.blocks)
                figures += std::holds_alternative<ReportFigure>(block) ? 1 : 0;
        EXPECT_EQ(figures, 12);
        EXPECT_EQ(report.sections.size(), 13U);
    }
}

TEST(ReferenceReport, NeverShowsAMissingPhraseAndMarksUnlikeColumns)
{
    for (const ReportLanguage language : {ReportLanguage::English, ReportLanguage::Chinese}) {
        const Report report = built(language);
        bool marked = false;
        for (const ReportSection &section : report.sections) {
            EXPECT_EQ(section.title.find('<'), std::string::npos);
            for (const ReportBlock &block : section.blocks) {
                const auto *bullets = std::get_if<ReportBullets>(&block);
                for (const std::string &item : bullets ? bullets->items : std::vector<std::string>())
                    EXPECT_EQ(item.find('<'), std::string::npos) << item;
                const auto *table = std::get_if<ReportTable>(&block);
                for (const std::string &note : table ? table->notes : std::vector<std::string>()) {
                    EXPECT_EQ(note.find('<'), std::string::npos) << note;
                    marked = marked || note.find("v1b") != std::string::npos;
                }
            }
        }
        EXPECT_TRUE(marked);
    }
}

TEST(ReferenceReport, ListsPrintedSpeedupsThatDoNotFollow)
{
    const ReportTable *odd = nullptr;
    const Report report = built(ReportLanguage::English);
    odd = tableOf(report, "printed-speedups");
    ASSERT_TRUE(odd);
    bool known = false;
    for (const auto &row : odd->rows)
        known = known || (row[1].text == "10.20" && row[2].text == "10.2772");
    EXPECT_TRUE(known);
}

TEST(ReportTemplate, ReadsHouseStyleAndOrdersSections)
{
    const auto house = parseReportTemplate(R"({"schema": 1, "title": {"en": "Mine", "zh": "我的"},
        "sections": ["findings", "groups", "no such", "summary"], "titles": {"summary": "In short"},
        "logo": "logo.svg", "colours": {"accent": "#1f5fbf"}, "palette": "grey", "figure_width_mm": 120,
        "footer": "Internal"})",
                                           "/styles/house.json");
    ASSERT_TRUE(house) << house.error().message;
    EXPECT_EQ(house->logo, "/styles/logo.svg");
    EXPECT_EQ(house->figureWidthMm, 120);
    EXPECT_EQ(templateSections(*house, {"summary", "method", "group:a", "group:b", "findings"}),
              (std::vector<std::string>{"findings", "group:a", "group:b", "summary"}));
    Report report = built(ReportLanguage::Chinese);
    applyTemplate(*house, report);
    EXPECT_EQ(report.title, "我的");
    EXPECT_EQ(report.footer, "Internal");
    EXPECT_EQ(report.sections.front().title, "In short");
}

TEST(ReportTemplate, NamesFileLineAndKeyOfAMistake)
{
    const auto wrong = [](const char *text) {
        const auto house = parseReportTemplate(text, "house.json");
        return house ? std::string() : house.error().message;
    };
    EXPECT_NE(wrong("{\"colors\": {}}").find("colors"), std::string::npos);
    EXPECT_NE(wrong("{\"colours\": {\"accent\": \"blue\"}}").find("#1f5fbf"), std::string::npos);
    EXPECT_NE(wrong("{\"palette\": \"neon\"}").find("print, light, dark or grey"), std::string::npos);
    EXPECT_NE(wrong("{\"figure_width_mm\": 20}").find("40 to 400"), std::string::npos);
    EXPECT_NE(wrong("{\"title\": 5}").find("title"), std::string::npos);
    EXPECT_NE(wrong("{\"schema\": 2}").find("newer"), std::string::npos);
    EXPECT_NE(wrong("{").find("house.json"), std::string::npos);
    EXPECT_EQ(readReportTemplate("/nowhere/house.json").error().code, ErrorCode::NotFound);
}

} // namespace

} // namespace sb
