// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics against values of SciPy, and what they promise beyond numbers.
#include "analysis_values.h"

#include "core/distributions.h"
#include "core/step_statistics.h"

#include <gtest/gtest.h>

namespace sb {
namespace {

using test::numberOf;
using test::numbersOf;
using test::scipyValues;

TEST(Distributions, AreThoseOfSciPy)
{
    for (const JsonNode &one : scipyValues().find("student")->items)
        EXPECT_NEAR(studentQuantile(numberOf(one, "p"), numberOf(one, "freedom")), numberOf(one, "value"),
                    1e-9);
    for (const JsonNode &one : scipyValues().find("binomial")->items)
        EXPECT_NEAR(fairBinomialCdf(static_cast<std::size_t>(numberOf(one, "k")),
                                    static_cast<std::size_t>(numberOf(one, "n"))),
                    numberOf(one, "value"), 1e-12);
    EXPECT_NEAR(normalQuantile(0.975), 1.959963984540054, 1e-12);
    EXPECT_NEAR(studentCdf(studentQuantile(0.9, 4), 4), 0.9, 1e-12);
}

TEST(Distributions, CutTheRankSumWhereItsExactProbabilityIs)
{
    for (const JsonNode &one : scipyValues().find("rank_sum")->items) {
        const auto n = static_cast<std::size_t>(numberOf(one, "n"));
        const auto m = static_cast<std::size_t>(numberOf(one, "m"));
        const std::vector<double> below = numbersOf(one, "cdf");
        for (std::size_t u = 0; u < below.size(); ++u) {
            EXPECT_GE(rankSumCritical(n, m, below[u] * 1.000001), static_cast<long long>(u)) << n << " " << m;
            EXPECT_LT(rankSumCritical(n, m, below[u] * 0.999999), static_cast<long long>(u)) << n << " " << m;
        }
    }
    EXPECT_EQ(rankSumCritical(3, 3, 0.025), -1);
    EXPECT_NEAR(static_cast<double>(rankSumCritical(51, 51, 0.025)), 1008, 2); // normal from there on
}

TEST(Statistics, GivesQuantilesAndMedianIntervalsOfSciPy)
{
    for (const JsonNode &one : scipyValues().find("quantiles")->items)
        EXPECT_NEAR(*quantile(numbersOf(one, "values"), numberOf(one, "p")), numberOf(one, "value"), 1e-9);
    for (const JsonNode &one : scipyValues().find("median_interval")->items) {
        const auto interval = medianInterval(numbersOf(one, "values"));
        ASSERT_TRUE(interval);
        EXPECT_DOUBLE_EQ(interval->low, numberOf(one, "low"));
        EXPECT_DOUBLE_EQ(interval->high, numberOf(one, "high"));
    }
}

TEST(StepStatistics, FindsTheTrendThatSciPyFinds)
{
    const auto &trends = scipyValues().find("trend")->items;
    const std::vector<double> steady = numbersOf(trends[0], "values");
    const std::vector<double> drifting = numbersOf(trends[1], "values");
    const auto none = driftOf(steady);
    ASSERT_TRUE(none);
    EXPECT_FALSE(none->flagged);
    EXPECT_NEAR(none->p, numberOf(trends[0], "p"), 0.05); // ours widens by what the signs remember
    const auto fall = driftOf(drifting);
    ASSERT_TRUE(fall);
    EXPECT_TRUE(fall->flagged);
    const double lost = 99 * numberOf(trends[1], "slope");
    EXPECT_NEAR(fall->change, lost / (*median(drifting) - lost / 2), 1e-9);
}

TEST(StepStatistics, FlagsOutliersAndDropsNothing)
{
    const JsonNode &odd = *scipyValues().find("outliers");
    const std::vector<double> values = numbersOf(odd, "values");
    std::vector<double> places;
    for (const std::size_t place : outliers(values))
        places.push_back(static_cast<double>(place));
    EXPECT_EQ(places, numbersOf(odd, "places"));
    const auto all = stepStatistics(values);
    ASSERT_TRUE(all);
    EXPECT_EQ(all->steps, values.size());
    EXPECT_EQ(all->outlierSteps.size(), 2u);
    EXPECT_DOUBLE_EQ(all->least, 900);
    EXPECT_DOUBLE_EQ(all->greatest, 1100);
    EXPECT_DOUBLE_EQ(all->median, *median(values));
    EXPECT_TRUE(outliers(std::vector<double>{5, 5, 5, 5, 5, 5}).empty());
    EXPECT_EQ(outliers(std::vector<double>{5, 5, 5, 5, 5, 9}), (std::vector<std::size_t>{5}));
}

TEST(StepStatistics, WidensTheIntervalOfStepsThatRememberEachOther)
{
    test::Noise noise(4);
    std::vector<double> independent;
    std::vector<double> linked;
    double last = 0;
    for (int i = 0; i < 200; ++i) {
        independent.push_back(100 + noise.normal());
        last = 0.8 * last + 0.6 * noise.normal(); // the same spread
        linked.push_back(100 + last);
    }
    const auto narrow = stepMedianInterval(independent);
    const auto wide = stepMedianInterval(linked);
    ASSERT_TRUE(narrow && wide);
    EXPECT_LT(narrow->correlationSteps, 2);
    EXPECT_GT(wide->correlationSteps, 3);
    EXPECT_GT(wide->high - wide->low, 1.4 * (narrow->high - narrow->low));
    EXPECT_FALSE(stepMedianInterval(std::vector<double>(9, 1.0)));
    const auto constant = stepMedianInterval(std::vector<double>(20, 7.0));
    ASSERT_TRUE(constant);
    EXPECT_EQ(constant->low, 7.0);
    EXPECT_EQ(constant->high, 7.0);
}

// A run that slows down in the middle remembers that for as long as it is. Half a million steps took minutes
// while every lag was looked at; of 600, every one still is.
TEST(StepStatistics, TakesALongRunThatDriftsAsItTakesAShortOne)
{
    const auto shareRemembered = [](int steps) {
        test::Noise noise(6);
        std::vector<double> values;
        for (int i = 0; i < steps; ++i)
            values.push_back((i < steps / 2 ? 100 : 103) + 0.5 * noise.normal());
        return stepMedianInterval(values)->correlationSteps / steps;
    };
    EXPECT_NEAR(shareRemembered(500'000), shareRemembered(600), 0.02);
}

TEST(RankStatistics, NamesTheStraggler)
{
    test::Noise noise(5);
    std::vector<std::vector<double>> work(8);
    for (std::size_t rank = 0; rank < work.size(); ++rank)
        for (int step = 0; step < 50; ++step)
            work[rank].push_back((rank == 5 ? 104 : 100) + 0.5 * noise.normal());
    work[2].push_back(1); // one rank is a step ahead
    const auto ranks = rankStatistics(work);
    ASSERT_EQ(ranks.size(), 8u);
    EXPECT_EQ(ranks.front().rank, 5);
    EXPECT_TRUE(ranks.front().straggler);
    EXPECT_NEAR(ranks.front().overMedian, 0.04, 0.005);
    EXPECT_GT(ranks.front().slowestShare, 0.95);
    for (std::size_t i = 1; i < ranks.size(); ++i)
        EXPECT_FALSE(ranks[i].straggler);
    const auto two = rankStatistics(std::vector<std::vector<double>>{{10, 10, 10}, {11, 11, 11}});
    EXPECT_TRUE(two.front().straggler);
    EXPECT_FALSE(two.back().straggler);
    EXPECT_TRUE(rankStatistics({}).empty());
}

} // namespace
} // namespace sb
