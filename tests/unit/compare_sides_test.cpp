// SPDX-License-Identifier: GPL-3.0-or-later
#include "report_values.h"

#include "core/compare_sides.h"
#include "core/report.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sb {
namespace {

std::vector<CompareSide> sidesOf(int frameworks)
{
    return ownSides(aggregate(test::publishedRuns(frameworks)));
}

TEST(CompareSides, KeepTheirIdsWhenMoreIsMeasured)
{
    std::vector<sb::Run> runs = test::publishedRuns(2);
    const auto all = ownSides(aggregate(runs));
    ASSERT_EQ(all.size(), 2u);
    EXPECT_NE(all[0].id, all[1].id);
    std::erase_if(runs, [](const sb::Run &run) { return run.key.devices() == 32; });
    const auto fewer = ownSides(aggregate(runs));
    EXPECT_EQ(findSide(fewer, all[0].id)->results.size(), 3u);
    EXPECT_EQ(findSide(all, "own:nothing"), nullptr);
    // Those of another workspace are never taken for one's own.
    EXPECT_NE(ownSides(aggregate(runs), "yesterday").front().id, fewer.front().id);
}

TEST(CompareSides, AreComparedAtEachScaleThatBothHave)
{
    auto sides = sidesOf(2);
    sides[1].results.pop_back();
    const ComparedSides compared = compareSides(sides[0], sides[1], {});
    EXPECT_EQ(compared.cases.size(), 3u);
    EXPECT_EQ(compared.onlyA, std::vector<std::string>{"4n8g"});
    EXPECT_TRUE(compared.refusedFor.empty());
    for (CaseResult &result : sides[1].results)
        result.key.batchSizePerDevice = 96;
    const ComparedSides refused = compareSides(sides[0], sides[1], {});
    EXPECT_TRUE(refused.cases.empty());
    EXPECT_TRUE(isBlocked(refused.refusedFor));
}

TEST(CompareSides, BeginWithTwoThatCanBeCompared)
{
    std::vector<CompareSide> all = sidesOf(2);
    ASSERT_GE(all.size(), 2U);
    CompareSide other = all[0];
    for (CaseResult &result : other.results)
        result.key.precision = "int8";
    const std::vector<CompareSide> mixed{other, all[0], all[1]};
    EXPECT_EQ(firstComparable(mixed), (std::pair<std::size_t, std::size_t>(1, 2)));
    EXPECT_EQ(firstComparable(std::vector{other, all[0]}), (std::pair<std::size_t, std::size_t>(0, 1)));
    EXPECT_EQ(firstComparable({}), (std::pair<std::size_t, std::size_t>(0, 1)));
}

TEST(ReportComparisons, GetASectionWithVerdictsInItsLanguage)
{
    const auto sides = sidesOf(2);
    ReportOptions options;
    const std::vector<sb::Run> runs = test::publishedRuns(2);
    EXPECT_EQ(reportSections(runs, options.language).size() + 1,
              reportSections(runs, options.language, std::vector<ReportComparison>(1)).size());
    options.language = ReportLanguage::Chinese;
    // By name: NGC MXNet, OneFlow.
    options.comparisons.push_back(
        {sides[1].title, sides[0].title, compareSides(sides[1], sides[0], {}).cases, {}});
    const Report report = buildReport(runs, options);
    const auto section = std::find_if(report.sections.begin(), report.sections.end(),
                                      [](const ReportSection &one) { return one.id == "comparisons"; });
    ASSERT_NE(section, report.sections.end());
    ASSERT_EQ(section->blocks.size(), 1u);
    const auto &table = std::get<ReportTable>(section->blocks.front());
    EXPECT_EQ(table.rows.size(), 4u);
    EXPECT_EQ(table.rows.back().back().text, "更快");
    EXPECT_NEAR(*table.rows.back()[3].value, 12411.97 / 11331.93, 1e-6);
    EXPECT_EQ(table.rows.back()[1].runIds.size(), 7u);
}

} // namespace
} // namespace sb
