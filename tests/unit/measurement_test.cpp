// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measurement.h"
#include "core/statistics.h"

#include <gtest/gtest.h>

#include <array>

namespace sb {
namespace {

// Steps of 100 ms with 8 samples, the first three slower.
std::vector<Sample> steps(int count)
{
    std::vector<Sample> samples;
    double timeS = 2.0;
    for (int step = 1; step <= count; ++step) {
        Sample sample;
        sample.step = step;
        sample.stepTimeMs = step <= 3 ? 400 : 100;
        timeS += *sample.stepTimeMs / 1000.0;
        sample.timeS = timeS;
        sample.samples = 8;
        samples.push_back(sample);
    }
    return samples;
}

TEST(Measurement, SkipsWarmupAndAveragesTheNextSteps)
{
    const auto measured = measure(steps(13), {3, 10, 1}, {});
    ASSERT_TRUE(measured.ok());
    EXPECT_NEAR(measured->throughput, 80.0, 1e-9);
    EXPECT_NEAR(measured->stepTimeMs, 100.0, 1e-9);
    EXPECT_EQ(measured->firstStep, 4);
    EXPECT_EQ(measured->lastStep, 13);
}

TEST(Measurement, CountsPausesBetweenSteps)
{
    std::vector<Sample> samples = steps(13);
    for (std::size_t i = 8; i < samples.size(); ++i)
        *samples[i].timeS += 1.0; // a second in which nothing was reported
    EXPECT_NEAR(measure(samples, {3, 10, 1}, {})->throughput, 40.0, 1e-9);
}

TEST(Measurement, NeedsEveryStepOfTheWindow)
{
    EXPECT_EQ(measure(steps(12), {3, 10, 1}, {}).error().message,
              "The log has 12 steps, the measurement needs 13 (skip 3, then average 10).");
    std::vector<Sample> holed = steps(13);
    holed.erase(holed.begin() + 6);
    EXPECT_EQ(measure(holed, {3, 10, 1}, {}).error().message, "Step 7 is missing in the log.");
    EXPECT_FALSE(measure({}, {0, 1, 1}, {}).ok());
}

TEST(Measurement, IgnoresOrderAndDoubledSteps)
{
    std::vector<Sample> samples = steps(13);
    samples.insert(samples.begin(), samples[12]);
    EXPECT_NEAR(measure(samples, {3, 10, 1}, {})->throughput, 80.0, 1e-9);
}

TEST(Measurement, WorksWithoutWarmup)
{
    EXPECT_NEAR(measure(steps(3), {0, 3, 1}, {})->throughput, 20.0, 1e-9);
}

TEST(Measurement, UsesStepTimesWhenThereAreNoTimeStamps)
{
    std::vector<Sample> samples = steps(13);
    for (Sample &sample : samples)
        sample.timeS.reset();
    EXPECT_NEAR(measure(samples, {3, 10, 1}, {})->throughput, 80.0, 1e-9);
    for (Sample &sample : samples)
        sample.stepTimeMs.reset();
    EXPECT_EQ(measure(samples, {3, 10, 1}, {}).error().message, "The measured steps carry no usable times.");
}

TEST(Measurement, NeedsTheBatchSizeFromSomewhere)
{
    std::vector<Sample> samples = steps(13);
    for (Sample &sample : samples)
        sample.samples.reset();
    EXPECT_FALSE(measure(samples, {3, 10, 1}, {}).ok());
    EXPECT_NEAR(measure(samples, {3, 10, 1}, 16)->throughput, 160.0, 1e-9);
}

// Reference values: R 4.3, quantile(c(3,1,4,1,5,9,2,6), c(.25,.5,.95)) (type 7).
TEST(Statistics, QuantilesAreThoseOfR)
{
    const std::array<double, 8> values{3, 1, 4, 1, 5, 9, 2, 6};
    EXPECT_DOUBLE_EQ(*quantile(values, 0.25), 1.75);
    EXPECT_DOUBLE_EQ(*median(values), 3.5);
    EXPECT_NEAR(*quantile(values, 0.95), 7.95, 1e-12);
    EXPECT_EQ(median({}), std::nullopt);
}

TEST(Statistics, MedianIntervalPrintsItsTrueCoverage)
{
    const std::array<double, 5> five{5, 1, 4, 2, 3};
    const auto ofFive = medianInterval(five);
    EXPECT_EQ(ofFive->low, 1);
    EXPECT_EQ(ofFive->high, 5);
    EXPECT_NEAR(ofFive->coverage, 0.9375, 1e-12);
    const std::array<double, 6> six{6, 5, 1, 4, 2, 3};
    EXPECT_NEAR(medianInterval(six)->coverage, 0.96875, 1e-12);
    EXPECT_EQ(medianInterval(std::array<double, 1>{1}), std::nullopt);
}

// Binomial(20, 1/2): P(X ≤ 5) = 0.020695, so x(6) and x(15) cover 95.86 %, and x(7) would cover 88.47 %.
TEST(Statistics, MedianIntervalTakesTheTightestThatIsWideEnough)
{
    std::vector<double> values;
    for (int i = 1; i <= 20; ++i)
        values.push_back(i);
    const auto interval = medianInterval(values);
    EXPECT_EQ(interval->low, 6);
    EXPECT_EQ(interval->high, 15);
    EXPECT_NEAR(interval->coverage, 0.95861, 1e-5);
}

TEST(Statistics, NoiseGradesByRangeOverMedian)
{
    EXPECT_EQ(noiseGrade(std::array<double, 3>{100, 100.5, 101}), NoiseGrade::A);
    EXPECT_EQ(noiseGrade(std::array<double, 3>{100, 101, 103}), NoiseGrade::B);
    EXPECT_EQ(noiseGrade(std::array<double, 3>{100, 101, 110}), NoiseGrade::C);
    EXPECT_EQ(noiseGrade(std::array<double, 1>{100}), std::nullopt);
}

// A line every 20 steps of 4 s, with a clock and a printed rate that is twice what the clock says.
std::vector<Sample> lines()
{
    std::vector<Sample> samples;
    for (int step = 20; step <= 120; step += 20) {
        Sample sample;
        sample.step = step;
        sample.timeS = 1000.0 + step * 4;
        sample.samplesPerS = 16;
        samples.push_back(sample);
    }
    return samples;
}

TEST(Measurement, MeasuresWholeIntervalsOfALogThatHasALineEveryFewSteps)
{
    const auto measured = measure(lines(), {20, 100, 1}, 32);
    ASSERT_TRUE(measured.ok());
    EXPECT_NEAR(measured->throughput, 8.0, 1e-9);
    EXPECT_NEAR(measured->stepTimeMs, 4000.0, 1e-9);
    EXPECT_EQ(measured->firstStep, 21);
    EXPECT_EQ(measured->lastStep, 120);
    EXPECT_EQ(
        measure(lines(), {10, 100, 1}, 32).error().message,
        "The log has no line at step 10; it has one every 20 steps, so skip and average multiples of that.");
    EXPECT_EQ(measure(lines(), {20, 200, 1}, 32).error().message,
              "The log has 120 steps, the measurement needs 220 (skip 20, then average 200).");
}

TEST(Measurement, KeepsThePrintedRateBesideTheClockAndNamesADisagreement)
{
    const auto measured = measure(lines(), {20, 100, 1}, 32);
    ASSERT_TRUE(measured.ok());
    EXPECT_EQ(measured->printedThroughput, 16.0);
    EXPECT_TRUE(measured->disagreement().has_value());
    EXPECT_NEAR(measure(lines(), {20, 100, 1}, 32, ThroughputFrom::Printed)->throughput, 16.0, 1e-9);
    EXPECT_FALSE(measure(lines(), {20, 100, 1}, 64)->disagreement().has_value());
    // Without a batch size only the printed rate is left.
    const auto printed = measure(lines(), {20, 100, 1}, {});
    EXPECT_NEAR(printed->throughput, 16.0, 1e-9);
    EXPECT_EQ(printed->printedThroughput, std::nullopt);
}

} // namespace
} // namespace sb
