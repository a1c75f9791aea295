// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/step_statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sb {
namespace {

// 20 warm-up and 100 measured steps; `workMs` of own work, the rest of 30 ms is waiting.
std::vector<Sample> rankOf(int rank, double workMs, bool logsWork = true)
{
    std::vector<Sample> samples;
    for (int step = 1; step <= 120; ++step) {
        Sample sample;
        sample.rank = rank;
        sample.step = step;
        sample.stepTimeMs = step <= 20 ? 90 : 30 + 0.1 * std::sin(step);
        if (logsWork)
            sample.computeTimeMs = workMs + 0.1 * std::cos(step * (rank + 1));
        samples.push_back(sample);
    }
    return samples;
}

TEST(RunSteps, NameTheStragglerByItsOwnWork)
{
    // Step times are alike on all ranks, since the collective makes them wait for the slowest.
    std::vector<std::vector<Sample>> ranks{rankOf(0, 25), rankOf(1, 25.1), rankOf(2, 29), rankOf(3, 25.05)};
    const RunSteps found = runSteps(ranks, 21, 120);
    EXPECT_TRUE(found.ownWork);
    ASSERT_EQ(found.ranks.size(), 4u);
    EXPECT_EQ(found.ranks.front().rank, 2);
    EXPECT_TRUE(found.ranks.front().straggler);
    EXPECT_NEAR(found.ranks.front().slowestShare, 1.0, 1e-9);
    EXPECT_FALSE(found.ranks[1].straggler);
}

TEST(RunSteps, CountTheMeasuredStepsOnly)
{
    std::vector<std::vector<Sample>> ranks{rankOf(0, 25)};
    ranks[0][69].stepTimeMs = 60; // step 70
    const RunSteps found = runSteps(ranks, 21, 120);
    ASSERT_TRUE(found.steps);
    EXPECT_EQ(found.steps->steps, 100u);
    EXPECT_NEAR(found.steps->median, 30, 0.05);
    EXPECT_LT(found.steps->p90, 30.2);
    EXPECT_GT(found.steps->p99, 30.1);
    ASSERT_EQ(found.steps->outlierSteps.size(), 1u);
    EXPECT_EQ(found.numbers[found.steps->outlierSteps[0]], 70);
    EXPECT_TRUE(found.ranks.empty()); // nobody to be slower than
}

TEST(RunSteps, SayWhenOnlyStepTimesAreKnown)
{
    const std::vector<std::vector<Sample>> ranks{rankOf(0, 25), rankOf(1, 29, false)};
    const RunSteps found = runSteps(ranks, 21, 120);
    EXPECT_FALSE(found.ownWork);
    EXPECT_EQ(found.ranks.size(), 2u);
    EXPECT_FALSE(found.ranks.front().straggler);
    EXPECT_FALSE(runSteps({}, 21, 120).steps);
}

} // namespace
} // namespace sb
