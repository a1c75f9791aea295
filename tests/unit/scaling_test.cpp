// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scaling.h"

#include <gtest/gtest.h>

namespace sb {
namespace {

Run run(int nodes, int devices, double throughput, int repeat = 1)
{
    Run r;
    r.key = {.framework = "native",
             .workload = "resnet50",
             .precision = "fp32",
             .device = "cuda",
             .data = "synthetic",
             .batchSizePerDevice = 128,
             .nodes = nodes,
             .devicesPerNode = devices,
             .threadsPerDevice = 0,
             .warmupSteps = 20,
             .measuredSteps = 100,
             .options = {}};
    r.id = r.key.scaleName() + "-" + std::to_string(repeat);
    r.frameworkTitle = "OneFlow";
    r.workloadTitle = "ResNet-50 v1.5";
    r.unit = "images";
    r.datasetSize = 1281167;
    r.repeat = repeat;
    r.state = RunState::Done;
    r.measurement = Measurement();
    r.measurement->throughput = throughput;
    r.measurement->stepTimeMs = 1000;
    return r;
}

// Values of the 2020-10 report, table 4-2, OneFlow.
TEST(Aggregate, GivesSpeedupAgainstOneDevice)
{
    const auto results =
        aggregate(std::vector<sb::Run>{run(1, 1, 397.64), run(1, 8, 3130.34), run(4, 8, 12411.97)});
    ASSERT_EQ(results.size(), 3U);
    EXPECT_NEAR(*results[0].speedup, 1.0, 1e-12);
    EXPECT_NEAR(*results[1].speedup, 7.87, 0.005);
    EXPECT_NEAR(*results[2].speedup, 31.21, 0.005);
    EXPECT_NEAR(*results[2].efficiency, 0.975, 0.0005);
    EXPECT_NEAR(*results[0].secondsPerEpoch, 1281167 / 397.64, 1e-6);
}

TEST(Aggregate, HasNoSpeedupWithoutBaseline)
{
    const auto results = aggregate(std::vector<sb::Run>{run(1, 8, 3130.34)});
    ASSERT_EQ(results.size(), 1U);
    EXPECT_EQ(results[0].speedup, std::nullopt);
    EXPECT_EQ(results[0].efficiency, std::nullopt);
}

TEST(Aggregate, DoesNotTakeTheBaselineOfAnotherConfiguration)
{
    sb::Run other = run(1, 1, 397.64);
    other.key.batchSizePerDevice = 64;
    const auto results = aggregate(std::vector{other, run(1, 8, 3130.34)});
    for (const CaseResult &result : results)
        if (result.key.devices() == 8) {
            EXPECT_EQ(result.speedup, std::nullopt);
        }
}

TEST(Aggregate, TakesTheMedianAndCountsMeasuredRunsOnly)
{
    sb::Run failed = run(1, 1, 9999, 4);
    failed.state = RunState::Failed;
    sb::Run unmeasured = run(1, 1, 0, 5);
    unmeasured.measurement.reset();
    const auto results = aggregate(
        std::vector<sb::Run>{run(1, 1, 30, 1), run(1, 1, 10, 2), run(1, 1, 20, 3), failed, unmeasured});
    ASSERT_EQ(results.size(), 1U);
    EXPECT_EQ(results[0].throughput, 20);
    EXPECT_EQ(results[0].meanThroughput, 20);
    EXPECT_EQ(results[0].minThroughput, 10);
    EXPECT_EQ(results[0].maxThroughput, 30);
    EXPECT_EQ(results[0].repeats, 3);
    EXPECT_EQ(results[0].runIds.size(), 3U);
}

TEST(Aggregate, CarriesThatAResultIsSimulated)
{
    sb::Run simulated = run(1, 1, 10);
    simulated.simulated = true;
    EXPECT_TRUE(aggregate(std::vector{simulated, run(1, 1, 20, 2)})[0].simulated);
}

TEST(Aggregate, NamesEachPathOfItsRunsOnce)
{
    std::vector<sb::Run> runs{run(1, 1, 10), run(1, 1, 20, 2), run(1, 1, 30, 3), run(1, 1, 40, 4)};
    runs[0].facts.path = runs[2].facts.path = "cuda 13.0, sm_90";
    runs[1].facts.path = "cuda 12.4, sm_80";
    EXPECT_EQ(aggregate(runs)[0].paths, (std::vector<std::string>{"cuda 12.4, sm_80", "cuda 13.0, sm_90"}));
}

TEST(ScalingCurve, SortsByDevices)
{
    const auto results =
        aggregate(std::vector<sb::Run>{run(4, 8, 12411.97), run(1, 1, 397.64), run(2, 8, 6260.30)});
    const auto curves = scalingCurves(results);
    ASSERT_EQ(curves.size(), 1U);
    EXPECT_TRUE(curves[0].hasBaseline());
    EXPECT_EQ(curves[0].points[1].key.devices(), 16);
    EXPECT_EQ(curves[0].label, "OneFlow");
}

TEST(ScalingCurve, SplitsShapesWithTheSameNumberOfDevices)
{
    const auto results =
        aggregate(std::vector<sb::Run>{run(1, 1, 1), run(1, 4, 4), run(2, 2, 3.5), run(1, 2, 2)});
    const auto curves = scalingCurves(results);
    ASSERT_EQ(curves.size(), 2U);
    EXPECT_EQ(curves[0].label, "OneFlow (2 a node)");
    EXPECT_EQ(curves[0].points.size(), 3U); // 1n1g, 1n2g, 2n2g
    EXPECT_EQ(curves[1].points.size(), 2U); // 1n1g, 1n4g
}

TEST(ScalingCurve, TellsConfigurationsOfOneFrameworkApart)
{
    sb::Run xla = run(1, 1, 2);
    xla.key.options["xla"] = "on";
    const auto curves = scalingCurves(aggregate(std::vector<sb::Run>{run(1, 1, 1), xla}));
    ASSERT_EQ(curves.size(), 2U);
    EXPECT_NE(curves[0].label, curves[1].label);
}

TEST(ScalingGroup, KeepsUnlikeWorkAway)
{
    sb::Run amp = run(1, 1, 2);
    amp.key.precision = "fp16";
    EXPECT_EQ(scalingGroups(aggregate(std::vector<sb::Run>{run(1, 1, 1), amp})).size(), 2U);
}

} // namespace
} // namespace sb
