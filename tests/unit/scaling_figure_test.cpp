// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/scaling_figure.h"

#include <gtest/gtest.h>

namespace sb {

namespace {

TEST(ValueAxis, HasRoundTicksForThroughput)
{
    const ValueAxis axis = linearAxis(FigureKind::Throughput, 12412, 7);
    EXPECT_EQ(axis.ticks, (std::vector<double>{0, 2000, 4000, 6000, 8000, 10000, 12000}));
    EXPECT_EQ(axis.low, 0);
    EXPECT_GT(axis.high, 12412);
}

TEST(ValueAxis, HasPowersOfTwoForSpeedup)
{
    EXPECT_EQ(linearAxis(FigureKind::Speedup, 32, 5).ticks, (std::vector<double>{0, 8, 16, 24, 32}));
    EXPECT_EQ(linearAxis(FigureKind::Speedup, 1, 5).ticks, (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
}

TEST(ValueAxis, DoublesFromARoundNumberOnLogScale)
{
    EXPECT_EQ(doublingAxis(1, 32, 8).ticks, (std::vector<double>{1, 2, 4, 8, 16, 32}));
    EXPECT_EQ(doublingAxis(321.8, 12412, 8).ticks,
              (std::vector<double>{200, 400, 800, 1600, 3200, 6400, 12800}));
    EXPECT_EQ(doublingAxis(1, 32, 3).ticks, (std::vector<double>{1, 4, 16}));
}

TEST(RoomyLabels, KeepsLastThenFirstThenFromTheRight)
{
    // 1, 2, 4, 8, 16, 32 on a linear axis 320 units long.
    const std::vector<double> centres{10, 20, 40, 80, 160, 320};
    const std::vector<double> widths(6, 14);
    EXPECT_EQ(roomyLabels(centres, widths, 5), (std::vector<bool>{true, false, true, true, true, true}));
    EXPECT_EQ(roomyLabels({5, 6}, {10, 10}, 2), (std::vector<bool>{false, true}));
    EXPECT_TRUE(roomyLabels({}, {}, 2).empty());
}

TEST(FigureValue, IsAbsentWithoutBaseline)
{
    CaseResult result;
    result.throughput = 100;
    EXPECT_EQ(figureValue(FigureKind::Throughput, result), 100);
    EXPECT_EQ(figureValue(FigureKind::Speedup, result), std::nullopt);
    result.efficiency = 0.975;
    EXPECT_EQ(figureValue(FigureKind::Efficiency, result), 97.5);
    EXPECT_EQ(figureValueText(FigureKind::Throughput, 12411.97), QStringLiteral("12\u2009412"));
}

} // namespace

} // namespace sb
