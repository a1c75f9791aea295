// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis_values.h"

#include "core/reference.h"
#include "core/report.h"
#include "core/scaling_fit.h"
#include "core/scaling_loss.h"

#include <gtest/gtest.h>

#include <set>

namespace sb {
namespace {

using test::curveOf;
using test::numbersOf;
using test::scipyValues;

std::vector<FitPoint> pointsOf(const JsonNode &node)
{
    const std::vector<double> devices = numbersOf(node, "devices");
    const std::vector<double> throughput = numbersOf(node, "throughput");
    std::vector<FitPoint> points;
    for (std::size_t i = 0; i < devices.size(); ++i)
        points.push_back({static_cast<int>(devices[i]), throughput[i]});
    return points;
}

void expectFit(const ScalingFit &fit, const JsonNode &node)
{
    const std::vector<double> parameters = numbersOf(node, "parameters");
    const std::vector<double> reach = numbersOf(node, "reach");
    ASSERT_EQ(fit.fault, FitFault::None);
    EXPECT_NEAR(std::log(fit.rate.value), parameters[0], 1e-6);
    EXPECT_NEAR(std::log(fit.rate.high / fit.rate.value), reach[0], 1e-5);
    EXPECT_NEAR(fit.serial.value, parameters[1], 1e-6);
    EXPECT_NEAR(fit.serial.high - fit.serial.value, reach[1], 1e-5);
    EXPECT_NEAR(fit.spread, test::numberOf(node, "spread"), 1e-6);
    if (parameters.size() > 2) {
        EXPECT_NEAR(fit.crosstalk.value, parameters[2], 1e-7);
        EXPECT_NEAR(fit.crosstalk.high - fit.crosstalk.value, reach[2], 1e-6);
    }
}

TEST(ScalingFit, AgreesWithSciPyOnParametersAndErrors)
{
    const JsonNode &amdahl = *scipyValues().find("amdahl");
    expectFit(fitScaling(pointsOf(amdahl), ScalingModel::Amdahl), amdahl);
    const JsonNode &usl = *scipyValues().find("usl");
    expectFit(fitScaling(pointsOf(usl), ScalingModel::Usl), usl);
}

TEST(ScalingFit, RecoversWhatACurveWasMadeFrom)
{
    std::vector<FitPoint> points;
    for (const int n : {1, 2, 4, 8, 16, 32, 64})
        points.push_back({n, 400.0 * n / (1 + 0.02 * (n - 1) + 0.0005 * n * (n - 1))});
    const ScalingFit fit = fitScaling(points, ScalingModel::Usl);
    ASSERT_TRUE(fit.identifiable());
    EXPECT_NEAR(fit.rate.value, 400, 1e-4);
    EXPECT_NEAR(fit.serial.value, 0.02, 1e-7);
    EXPECT_NEAR(fit.crosstalk.value, 0.0005, 1e-8);
    EXPECT_NEAR(*fit.peakDevices(), std::sqrt(0.98 / 0.0005), 0.01);
    EXPECT_NEAR(fit.at(128)->value, 400.0 * 128 / (1 + 0.02 * 127 + 0.0005 * 128 * 127), 0.01);
}

TEST(ScalingFit, SaysWhenScalesDoNotDetermineIt)
{
    EXPECT_EQ(fitScaling(curveOf({{1, 100}, {2, 195}}), ScalingModel::Amdahl).fault, FitFault::TooFewScales);
    EXPECT_EQ(fitScaling(curveOf({{1, 100}, {2, 195}, {4, 380}}), ScalingModel::Usl).fault,
              FitFault::TooFewScales);
    EXPECT_EQ(fitScaling(curveOf({{4, 100}, {4, 101}, {4, 99}}), ScalingModel::Amdahl).fault,
              FitFault::TooFewScales);
    EXPECT_EQ(
        fitScaling(curveOf({{1, 397.64}, {8, 3130.34}, {16, 6260.30}, {32, 12411.97}}), ScalingModel::Usl)
            .fault,
        FitFault::TooFewScales);
    // MXNet in the 2020-10 report: loses much up to 8 devices and little beyond, which is no Amdahl curve.
    const ScalingFit loose =
        fitScaling(curveOf({{1, 384.19}, {8, 2556.03}, {16, 4855.34}, {32, 9579.74}}), ScalingModel::Amdahl);
    EXPECT_EQ(loose.fault, FitFault::Loose);
    EXPECT_FALSE(loose.at(64));
    const ScalingFit helped =
        fitScaling(curveOf({{1, 100}, {2, 205}, {4, 420}, {8, 861}, {16, 1765}}), ScalingModel::Amdahl);
    EXPECT_EQ(helped.fault, FitFault::Superlinear);
}

TEST(ScalingFit, WidensItsBandBeyondTheMeasuredScales)
{
    const JsonNode &amdahl = *scipyValues().find("amdahl");
    const ScalingFit fit = fitScaling(pointsOf(amdahl), ScalingModel::Amdahl);
    const auto width = [&](double devices) {
        const FitBand band = *fit.at(devices);
        EXPECT_LT(band.low, band.value);
        EXPECT_GT(band.high, band.value);
        return (band.high - band.low) / band.value;
    };
    EXPECT_LT(width(16), width(64));
    EXPECT_LT(width(64), width(512));
}

TEST(ScalingFit, FitsEveryColumnOfTheReportOrSaysWhyNot)
{
    const auto set = loadReference(SCALEBOARD_REFERENCE_FOLDER, "dlperf-2020-10");
    ASSERT_TRUE(set);
    int fitted = 0;
    for (const ReferenceTable &table : set->tables)
        for (const ScalingCurve &curve : referenceGroup(*set, table).curves) {
            const ScalingFit fit = fitScaling(curve, ScalingModel::Amdahl);
            EXPECT_NE(fit.fault, FitFault::NotConverged) << table.id << " " << curve.label;
            EXPECT_NE(fit.fault, FitFault::TooFewScales) << table.id << " " << curve.label;
            fitted += fit.identifiable() ? 1 : 0;
            if (fit.identifiable()) {
                EXPECT_LT(fit.spread, 0.1) << table.id << " " << curve.label;
            }
        }
    EXPECT_GE(fitted, 10); // four scales determine few of them
}

TEST(ShapeFlags, FindWhatTheReportsReadersFound)
{
    const auto set = loadReference(SCALEBOARD_REFERENCE_FOLDER, "dlperf-2020-10");
    ASSERT_TRUE(set);
    std::set<std::string> found;
    for (const ReferenceSeries &series : set->series)
        for (const ShapeFlag &flag : shapeFlags(referenceCurve(*set, series)))
            found.insert(series.id + " " + std::to_string(static_cast<int>(flag.kind)) + " " +
                         std::to_string(flag.devices));
    const auto has = [&](const std::string &series, ShapeKind kind, int devices) {
        return found.contains(series + " " + std::to_string(static_cast<int>(kind)) + " " +
                              std::to_string(devices));
    };
    EXPECT_TRUE(has("deepspeed-bert-base-fp32-b32-branch", ShapeKind::Superlinear, 32));
    EXPECT_TRUE(has("tensorflow2-resnet50-fp32-b128", ShapeKind::FasterThanDevices, 8));
    EXPECT_TRUE(has("paddlepaddle-resnet50-fp16-b196-dali", ShapeKind::Backward, 16));
    EXPECT_TRUE(has("pytorch-resnet50-fp32-b128-dataloader-worker-8", ShapeKind::Backward, 8));
    EXPECT_FALSE(has("oneflow-resnet50-fp32-b128", ShapeKind::Backward, 32));
    bool noBaseline = false;
    for (const std::string &flag : found)
        noBaseline =
            noBaseline || (flag.starts_with("oneflow-gpt2") && flag.find(" 3 ") != std::string::npos);
    EXPECT_TRUE(noBaseline);
}

TEST(StrongScaling, ComparesTheSameWorkOnMoreDevices)
{
    const std::vector<CaseResult> results{test::caseOf(1, {100}, 64), test::caseOf(2, {180}, 32),
                                          test::caseOf(4, {300}, 16), test::caseOf(2, {190}, 64)};
    const auto groups = strongScalingGroups(results);
    ASSERT_EQ(groups.size(), 1u);
    EXPECT_EQ(groups[0].globalBatchSize, 64);
    EXPECT_EQ(groupId(groups[0]), "resnet50-fp32-global64-cuda");
    ASSERT_EQ(groups[0].curves.size(), 1u);
    const ScalingCurve &curve = groups[0].curves[0];
    ASSERT_EQ(curve.points.size(), 3u);
    EXPECT_EQ(curve.label, "Native");
    EXPECT_DOUBLE_EQ(*curve.points[2].speedup, 3.0);
    EXPECT_DOUBLE_EQ(*curve.points[2].efficiency, 0.75);
}

TEST(StrongScaling, HasNoSpeedupWithoutTheWholeBatchOnOneDevice)
{
    // One device was measured with another batch: dividing by it would compare unlike work.
    const std::vector<CaseResult> results{test::caseOf(1, {100}, 16), test::caseOf(2, {180}, 32),
                                          test::caseOf(4, {300}, 16)};
    const auto groups = strongScalingGroups(results);
    ASSERT_EQ(groups.size(), 1u);
    EXPECT_EQ(groups[0].globalBatchSize, 64);
    for (const CaseResult &point : groups[0].curves[0].points)
        EXPECT_FALSE(point.speedup);
}

TEST(StrongScaling, IsJudgedAgainstAnEvenShareOfTheStep)
{
    StepParts alone{
        .stepMs = 80, .computeMs = {76}, .commMs = {0}, .dataMs = {4}, .clockMHz = {}, .noise = 0};
    const StepParts shared = sharedOut(alone, 4);
    EXPECT_DOUBLE_EQ(shared.stepMs, 20);
    EXPECT_DOUBLE_EQ(shared.computeMs[0], 19);
    StepParts four{.stepMs = 26,
                   .computeMs = {19, 19, 19, 19},
                   .commMs = {5, 6, 5, 6},
                   .dataMs = {1, 1, 1, 1},
                   .clockMHz = {},
                   .noise = 0};
    const auto account = accountForLoss(shared, four);
    ASSERT_TRUE(account);
    EXPECT_NEAR(account->efficiency, 20.0 / 26, 1e-12);
    ASSERT_FALSE(account->parts.empty());
    EXPECT_EQ(account->parts[0].cause, LossCause::Communication);
    EXPECT_NEAR(account->parts[0].ms, 5, 1e-9);
}

TEST(LossAccount, NamesEachPartWithItsEvidence)
{
    StepParts alone{
        .stepMs = 100, .computeMs = {98}, .commMs = {0}, .dataMs = {2}, .clockMHz = 1500, .noise = 0};
    StepParts scaled{.stepMs = 130,
                     .computeMs = {100, 100, 100, 110},
                     .commMs = {20, 20, 20, 10},
                     .dataMs = {10, 10, 10, 10},
                     .clockMHz = 1485,
                     .noise = 0.01};
    const auto account = accountForLoss(alone, scaled);
    ASSERT_TRUE(account);
    EXPECT_NEAR(account->efficiency, 100.0 / 130, 1e-12);
    EXPECT_FALSE(account->withinNoise);
    double sum = 0;
    std::map<LossCause, LossPart> parts;
    for (const LossPart &part : account->parts) {
        sum += part.ms;
        parts[part.cause] = part;
    }
    EXPECT_NEAR(sum, 30, 0.5);
    EXPECT_NEAR(parts[LossCause::Communication].ms, 10, 1e-9);
    EXPECT_NEAR(parts[LossCause::Data].ms, 8, 1e-9);
    EXPECT_NEAR(parts[LossCause::Straggler].ms, 10, 1e-9);
    EXPECT_EQ(parts[LossCause::Straggler].rank, 3);
    EXPECT_NEAR(parts[LossCause::Clock].ms, 98 * (1500.0 / 1485 - 1), 1e-9);
    StepParts before;
    before.stepMs = 100;
    before.noise = 0.02;
    StepParts after = before;
    after.stepMs = 101;
    const auto noisy = accountForLoss(before, after);
    ASSERT_TRUE(noisy);
    EXPECT_TRUE(noisy->withinNoise);
    EXPECT_FALSE(accountForLoss({}, scaled));
}

} // namespace
} // namespace sb
