// SPDX-License-Identifier: GPL-3.0-or-later
// What intervals and verdicts promise, tried 10 000 times on data whose truth is known. Seeds are fixed.
#include "analysis_values.h"

#include "core/comparison.h"
#include "core/scaling_fit.h"
#include "core/step_statistics.h"

#include <gtest/gtest.h>

#include <functional>

namespace sb {
namespace {

constexpr int kTrials = 10000;

using Draw = std::function<double(test::Noise &)>;
const Draw kNormal = [](test::Noise &noise) { return noise.normal(); };
const Draw kHeavy = [](test::Noise &noise) { return noise.heavy(); };
// Runs have a best case and a tail of slow ones; median at 0.
const Draw kSkewed = [](test::Noise &noise) { return std::log(noise.uniform()) + std::log(2.0); };

double shareOf(std::uint64_t seed, const std::function<bool(test::Noise &)> &trial)
{
    test::Noise noise(seed);
    int hits = 0;
    for (int i = 0; i < kTrials; ++i)
        hits += trial(noise) ? 1 : 0;
    return static_cast<double>(hits) / kTrials;
}

// 1000 · exp(2 % × noise): throughputs with a known median of 1000.
std::vector<double> runsOf(test::Noise &noise, const Draw &draw, int count, double centre = 1000)
{
    std::vector<double> runs;
    for (int i = 0; i < count; ++i)
        runs.push_back(centre * std::exp(0.02 * draw(noise)));
    return runs;
}

TEST(Simulation, MedianIntervalsCoverAsOftenAsTheySay)
{
    for (const Draw &draw : {kNormal, kHeavy, kSkewed})
        for (const int runs : {5, 6, 7, 9, 20, 100}) {
            double said = 0;
            const double covered = shareOf(11, [&](test::Noise &noise) {
                const auto interval = medianInterval(runsOf(noise, draw, runs));
                said = interval->coverage;
                return interval->low <= 1000 && 1000 <= interval->high;
            });
            EXPECT_NEAR(covered, said, 0.007) << runs;
            if (runs != 7) { // seven give 98.4 %, and say so
                EXPECT_GE(covered, 0.93) << runs;
                EXPECT_LE(covered, 0.97) << runs;
            }
        }
}

TEST(Simulation, StepIntervalsCoverNinetyFivePercentOfCorrelatedSteps)
{
    for (const Draw &draw : {kNormal, kHeavy})
        for (const double memory : {0.0, 0.3, 0.6}) {
            const double covered = shareOf(12, [&](test::Noise &noise) {
                double last = 0;
                std::vector<double> steps;
                for (int i = -20; i < 100; ++i) {
                    last = memory * last + draw(noise);
                    if (i >= 0)
                        steps.push_back(100 + last);
                }
                const auto interval = stepMedianInterval(steps);
                return interval->low <= 100 && 100 <= interval->high;
            });
            EXPECT_GE(covered, 0.93) << memory;
            EXPECT_LE(covered, 0.97) << memory;
        }
}

TEST(Simulation, RatioIntervalsCoverNinetyFivePercent)
{
    for (const Draw &draw : {kNormal, kHeavy, kSkewed})
        for (const auto &[a, b] : {std::pair(5, 5), std::pair(7, 7), std::pair(7, 5), std::pair(20, 20)}) {
            const double covered = shareOf(13, [&, a = a, b = b](test::Noise &noise) {
                const auto interval = ratioInterval(runsOf(noise, draw, a, 1100), runsOf(noise, draw, b));
                return interval->low <= 1.1 && 1.1 <= interval->high;
            });
            EXPECT_GE(covered, 0.93) << a << " " << b;
            EXPECT_LE(covered, 0.975) << a << " " << b; // ranks are discrete: 96.8 % at 5 against 5
        }
}

TEST(Simulation, VerdictsHoldTheirErrorRate)
{
    for (const Draw &draw : {kNormal, kHeavy, kSkewed})
        for (const int runs : {5, 7}) {
            const auto wrong = [&](double truth, Verdict verdict) {
                return shareOf(14, [&](test::Noise &noise) {
                    const auto compared =
                        compareCases(test::caseOf(2, runsOf(noise, draw, runs, 1000 * truth)),
                                     test::caseOf(2, runsOf(noise, draw, runs)), {});
                    return compared->verdict == verdict;
                });
            };
            // No difference: a side is taken at most once in twenty.
            EXPECT_LE(wrong(1.0, Verdict::Faster) + wrong(1.0, Verdict::Slower), 0.05) << runs;
            // A real difference is not called the opposite, and hardly ever none.
            EXPECT_LE(wrong(1.05, Verdict::Slower), 0.001) << runs;
            EXPECT_LE(wrong(1.03, Verdict::Same), 0.025) << runs;
        }
    // And it is seen: 5 % with 1 % noise and seven runs a side.
    const double seen = shareOf(15, [](test::Noise &noise) {
        std::vector<double> a;
        std::vector<double> b;
        for (int i = 0; i < 7; ++i) {
            a.push_back(1050 * std::exp(0.01 * noise.normal()));
            b.push_back(1000 * std::exp(0.01 * noise.normal()));
        }
        return compareCases(test::caseOf(2, a), test::caseOf(2, b), {})->verdict == Verdict::Faster;
    });
    EXPECT_GE(seen, 0.99);
}

TEST(Simulation, TheGateRaisesFewFalseAlarms)
{
    const double alarms = shareOf(16, [](test::Noise &noise) {
        const auto compared = compareCases(test::caseOf(2, runsOf(noise, kNormal, 7, 970)),
                                           test::caseOf(2, runsOf(noise, kNormal, 7)), {});
        return gateOf(*compared, 0.97) == Gate::Fails;
    });
    EXPECT_LE(alarms, 0.025); // at exactly the threshold
}

TEST(Simulation, FitsCoverTheirParametersAndWhatIsMeasuredNext)
{
    int serial = 0;
    int crosstalk = 0;
    int next = 0;
    int fitted = 0;
    test::Noise noise(17);
    const auto truth = [](double n) { return 380.0 * n / (1 + 0.01 * (n - 1) + 0.0004 * n * (n - 1)); };
    for (int i = 0; i < kTrials; ++i) {
        std::vector<FitPoint> points;
        for (const int n : {1, 2, 4, 8, 16, 32, 48, 64})
            points.push_back({n, truth(n) * std::exp(0.005 * noise.normal())});
        const ScalingFit fit = fitScaling(points, ScalingModel::Usl);
        if (!fit.identifiable())
            continue;
        ++fitted;
        serial += fit.serial.low <= 0.01 && 0.01 <= fit.serial.high ? 1 : 0;
        crosstalk += fit.crosstalk.low <= 0.0004 && 0.0004 <= fit.crosstalk.high ? 1 : 0;
        const FitBand band = *fit.at(128);
        const double measured = truth(128) * std::exp(0.005 * noise.normal());
        next += band.low <= measured && measured <= band.high ? 1 : 0;
    }
    EXPECT_GT(fitted, kTrials * 99 / 100);
    for (const int covered : {serial, crosstalk, next}) {
        EXPECT_GE(static_cast<double>(covered) / fitted, 0.93);
        EXPECT_LE(static_cast<double>(covered) / fitted, 0.97);
    }
}

TEST(Simulation, DriftIsFoundAndNotInvented)
{
    const auto flagged = [](double loss, double memory) {
        test::Noise noise(18);
        int count = 0;
        constexpr int kFew = 2000; // pairs of slopes are many
        for (int i = 0; i < kFew; ++i) {
            double last = 0;
            std::vector<double> steps;
            for (int step = 0; step < 60; ++step) {
                last = memory * last + noise.normal();
                steps.push_back((100 + last) * (1 - loss * step / 59));
            }
            count += driftOf(steps)->flagged ? 1 : 0;
        }
        return static_cast<double>(count) / kFew;
    };
    EXPECT_LE(flagged(0, 0), 0.02);
    EXPECT_LE(flagged(0, 0.5), 0.05);
    EXPECT_GE(flagged(0.05, 0), 0.99);
}

} // namespace
} // namespace sb
