// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace sb {
namespace {

using Verdict = SpeedupCheck::Verdict;

const ReferenceSet &dlperf()
{
    static const ReferenceSet set = [] {
        auto read = loadReference(SCALEBOARD_REFERENCE_FOLDER, "dlperf-2020-10");
        EXPECT_TRUE(read) << (read ? "" : read.error().message);
        return read ? *read : ReferenceSet();
    }();
    return set;
}

TEST(Reference, HasTheSixTablesOfTheReportWithAllTheirCells)
{
    std::size_t cells = 0;
    std::vector<std::size_t> columns;
    for (const ReferenceTable &table : dlperf().tables) {
        columns.push_back(table.columns.size());
        for (const ReferenceTable::Column &column : table.columns)
            cells += dlperf().find(column.series)->points.size();
    }
    EXPECT_EQ(columns, (std::vector<std::size_t>{8, 8, 6, 6, 7, 7}));
    EXPECT_EQ(cells, 168u);
}

TEST(Reference, GivesEverySpeedupAsPrintedButTheKnownAnomalies)
{
    std::size_t asPrinted = 0;
    std::set<std::string> flagged;
    for (const SpeedupCheck &check : checkSpeedups(dlperf())) {
        const std::string place = check.series + " " + std::to_string(check.nodes) + "n" +
                                  std::to_string(check.devicesPerNode) + "g";
        ASSERT_NE(check.verdict, Verdict::NoBaseline) << place;
        asPrinted += check.verdict == Verdict::AsPrinted ? 1 : 0;
        if (check.verdict == Verdict::Differs) {
            EXPECT_NE(check.anomaly, nullptr)
                << place << " printed " << check.printed << ", recomputed " << *check.recomputed;
        }
        if (check.anomaly)
            flagged.insert(check.anomaly->series + std::to_string(check.nodes));
    }
    EXPECT_EQ(flagged.size(), 9u);
    // 628 of 637 printed in tables, and the 168 cells of the report with the speedups printed for them.
    EXPECT_GE(asPrinted, 780u);
}

TEST(Reference, GivesEverySpeedupOfTheReportAsPrinted)
{
    std::size_t checked = 0;
    for (const SpeedupCheck &check : checkSpeedups(dlperf()))
        if (dlperf().find(check.series)->kind == ReferenceKind::Report) {
            ++checked;
            EXPECT_TRUE(check.verdict == Verdict::AsPrinted || check.anomaly) << check.series;
        }
    EXPECT_EQ(checked, 168u - 4u); // two tables share a column: NGC TensorFlow, AMP, batch 64
}

TEST(Reference, FlagsTheSpeedupsThatAreOffByMoreThanAHundredth)
{
    std::vector<double> offBy;
    for (const SpeedupCheck &check : checkSpeedups(dlperf()))
        if (check.verdict == Verdict::Differs && std::abs(*check.recomputed - check.printed) > 0.01 &&
            dlperf().find(check.series)->kind != ReferenceKind::Report)
            offBy.push_back(std::round(*check.recomputed * 10000) / 10000);
    std::sort(offBy.begin(), offBy.end());
    EXPECT_EQ(offBy, (std::vector<double>{10.2772, 10.2772, 27.2314, 28.6404, 29.7382}));
}

TEST(Reference, ShowsBothValuesWhereSourcesDisagree)
{
    bool found = false;
    for (const ReferenceConflict &conflict : referenceConflicts(dlperf())) {
        std::set<double> values;
        for (const ReferenceConflict::Value &value : conflict.values) {
            values.insert(value.throughput);
            EXPECT_FALSE(value.source.empty());
        }
        EXPECT_EQ(values.size(), conflict.values.size());
        found = found || values == std::set<double>{11233.92, 11331.93};
    }
    EXPECT_TRUE(found);
}

TEST(Reference, KeepsTheSingleRunsBehindAMedian)
{
    const ScalingGroup group = referenceGroup(dlperf(), *dlperf().table("resnet50-fp32"));
    ASSERT_EQ(group.curves.size(), 8u);
    const ScalingCurve &mxnet = group.curves[1];
    EXPECT_EQ(mxnet.framework, "ngc_mxnet");
    EXPECT_EQ(mxnet.published, "2020-10");
    const CaseResult &largest = mxnet.points.back();
    EXPECT_EQ(largest.repeats, 7);
    ASSERT_TRUE(largest.interval);
    EXPECT_NEAR(largest.interval->low, 11283, 1);
    EXPECT_NEAR(largest.interval->high, 11462, 1);
    EXPECT_EQ(largest.noise, NoiseGrade::B);
    EXPECT_NEAR(*largest.speedup, 28.89, 0.005);
    EXPECT_EQ(largest.source, "reports/dlperf_benchmark_test_report_v1.md:92");
}

TEST(Reference, MarksColumnsThatAreNotWhatTheTableSays)
{
    const ScalingGroup group = referenceGroup(dlperf(), *dlperf().table("resnet50-amp"));
    std::set<std::string> unlike;
    for (const ScalingCurve &curve : group.curves)
        if (!curve.unlike.empty())
            unlike.insert(curve.label);
    EXPECT_EQ(unlike, (std::set<std::string>{"MXNet", "NGC MXNet", "NGC TensorFlow 1.x (DALI)",
                                             "NGC TensorFlow 1.x (DALI, w/XLA)", "PaddlePaddle"}));
}

TEST(Reference, HasNoSpeedupWhereTheOneDeviceResultIsMissing)
{
    std::size_t without = 0;
    for (const ReferenceSeries &series : dlperf().series)
        for (const CaseResult &result : referenceResults(dlperf(), series)) {
            EXPECT_EQ(result.speedup.has_value(), series.baseline() != nullptr) << series.id;
            without += result.speedup ? 0 : 1;
        }
    EXPECT_GE(without, 14u); // GPT-2 rows and the front page
}

TEST(Reference, IsFoundForAnOverlay)
{
    EXPECT_EQ(referenceOverlay(dlperf(), "resnet50", "fp32", 128).size(), 7u); // MXNet ran v1b
    EXPECT_EQ(referenceOverlay(dlperf(), "bert-base", "fp32", 32).size(), 6u);
    EXPECT_TRUE(referenceOverlay(dlperf(), "resnet50", "fp32", 4).empty());
}

TEST(Reference, RefusesAFileWithOneSentence)
{
    const auto newer = parseReference(R"({"schema": 2})", "x.json");
    ASSERT_FALSE(newer);
    EXPECT_EQ(newer.error().code, ErrorCode::Newer);
    const auto unknown = loadReference(SCALEBOARD_REFERENCE_FOLDER, "dlperf");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().message, "There are no published results \"dlperf\"; known: dlperf-2020-10.");
    const auto damaged = parseReference("{\"schema\": 1, \"id\": 3}", "x.json");
    ASSERT_FALSE(damaged);
    EXPECT_NE(damaged.error().message.find("x.json, line 1"), std::string::npos) << damaged.error().message;
}

} // namespace
} // namespace sb
