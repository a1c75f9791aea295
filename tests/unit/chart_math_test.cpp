// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_math.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace sb {

namespace {

TEST(NiceStep, IsTheNextOneTwoOrFive)
{
    EXPECT_EQ(niceStep(1), 1);
    EXPECT_EQ(niceStep(3), 5);
    EXPECT_EQ(niceStep(5.1), 10);
    EXPECT_EQ(niceStep(1000), 1000);
    EXPECT_DOUBLE_EQ(niceStep(0.013), 0.02);
    EXPECT_EQ(niceStep(0), 1);
    EXPECT_EQ(niceStep(-4), 1);
}

TEST(AxisScale, ShowsTheGreatestValueWithinItsSteps)
{
    EXPECT_EQ(axisScale(10021, 6), (AxisScale{2000, 12000}));
    EXPECT_EQ(axisScale(32, 5), (AxisScale{10, 40}));
    EXPECT_EQ(axisScale(0, 5), (AxisScale{1, 1}));
    for (const double value : {0.3, 1.0, 7.7, 99.0, 123456.0}) {
        const AxisScale scale = axisScale(value, 6);
        EXPECT_GE(scale.top, value * 1.02);
        EXPECT_LE(std::round(scale.top / scale.step), 6);
    }
}

TEST(AxisScale, OnlyGrows)
{
    const AxisScale start = axisScale(10021, 6);
    EXPECT_EQ(grownScale(start, 500, 6), start);
    EXPECT_EQ(grownScale(start, 13000, 6), (AxisScale{5000, 15000}));
}

TEST(SpreadLabels, LeavesRoomyLabelsWhereTheyAre)
{
    const std::array<double, 3> wanted{10, 50, 90};
    EXPECT_EQ(spreadLabels(wanted, 16, 0, 100), (std::vector<double>{10, 50, 90}));
}

TEST(SpreadLabels, PartsCloseLabelsAroundTheirMean)
{
    const std::array<double, 2> wanted{50, 52};
    EXPECT_EQ(spreadLabels(wanted, 16, 0, 100), (std::vector<double>{43, 59}));
}

TEST(SpreadLabels, StaysInside)
{
    const std::array<double, 3> wanted{97, 98, 99};
    EXPECT_EQ(spreadLabels(wanted, 16, 0, 100), (std::vector<double>{68, 84, 100}));
}

TEST(SpreadLabels, SpreadsEvenlyWhatDoesNotFit)
{
    const std::array<double, 3> wanted{1, 2, 3};
    EXPECT_EQ(spreadLabels(wanted, 16, 0, 20), (std::vector<double>{0, 10, 20}));
    EXPECT_TRUE(spreadLabels({}, 16, 0, 20).empty());
}

TEST(Envelope, KeepsLeastAndGreatestOfEachInterval)
{
    Envelope envelope;
    envelope.reset(0, 4, 2);
    for (const ChartPoint &p : {ChartPoint{0, 5}, {0.5, 1}, {1, 9}, {1.5, 4}, {2, 7}, {3, 7}})
        envelope.add(p.x, p.y);
    EXPECT_EQ(envelope.points(), (std::vector<ChartPoint>{{0.5, 1}, {1, 9}, {2, 7}}));
    EXPECT_EQ(envelope.greatest(), 9);
}

TEST(Envelope, ComesInFromTheNearestPointOutside)
{
    Envelope envelope;
    envelope.reset(10, 20, 10);
    envelope.add(3, 100);
    envelope.add(8, 2);
    envelope.add(12, 4);
    envelope.add(25, 6);
    envelope.add(26, 60);
    EXPECT_EQ(envelope.points(), (std::vector<ChartPoint>{{8, 2}, {12, 4}, {25, 6}}));
}

TEST(Envelope, KeepsAGapAsAGap)
{
    Envelope envelope;
    envelope.reset(0, 10, 10);
    envelope.add(1, 1);
    envelope.add(6, 2, true);
    const auto points = envelope.points();
    ASSERT_EQ(points.size(), 3U);
    EXPECT_TRUE(std::isnan(points[1].y));
    EXPECT_EQ(points[2], (ChartPoint{6, 2}));
}

TEST(Envelope, NeverHoldsMoreThanTwoPointsAnInterval)
{
    Envelope envelope;
    envelope.reset(0, 100000, 800);
    for (int i = 0; i < 100000; ++i)
        envelope.add(i, (i * 7919) % 1000);
    EXPECT_LE(envelope.points().size(), 1604U);
}

} // namespace

} // namespace sb
