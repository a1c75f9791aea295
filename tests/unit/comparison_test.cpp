// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis_values.h"

#include "core/comparison.h"
#include "core/reference.h"
#include "core/result_file.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sb {
namespace {

using test::caseOf;
using test::numberOf;
using test::numbersOf;

TEST(RatioInterval, IsHodgesAndLehmannsWithSciPysCut)
{
    for (const JsonNode &one : test::scipyValues().find("ratio")->items) {
        const auto interval = ratioInterval(numbersOf(one, "a"), numbersOf(one, "b"));
        ASSERT_TRUE(interval);
        EXPECT_EQ(interval->method, RatioInterval::Method::RankSum);
        EXPECT_NEAR(interval->low, numberOf(one, "low"), 1e-12);
        EXPECT_NEAR(interval->high, numberOf(one, "high"), 1e-12);
    }
}

TEST(RatioInterval, IsWelchsBelowFourRunsASide)
{
    const JsonNode &welch = *test::scipyValues().find("welch");
    const auto interval = ratioInterval(numbersOf(welch, "a"), numbersOf(welch, "b"));
    ASSERT_TRUE(interval);
    EXPECT_EQ(interval->method, RatioInterval::Method::Welch);
    EXPECT_NEAR(interval->low, numberOf(welch, "low"), 1e-9);
    EXPECT_NEAR(interval->high, numberOf(welch, "high"), 1e-9);
    EXPECT_FALSE(ratioInterval(std::vector<double>{1}, std::vector<double>{1, 2}));
}

TEST(KeyDifferences, PutTheComparedFieldFirstAndBlockUnlikeWork)
{
    CaseKey a = caseOf(2, {1}).key;
    CaseKey b = a;
    EXPECT_FALSE(isBlocked(keyDifferences(a, b)));
    b.framework = "pytorch";
    b.data = "imagenet";
    const auto keys = keyDifferences(a, b);
    EXPECT_EQ(keys[0], (KeyDifference{"framework", "native", "pytorch", KeyRole::Compared}));
    const auto data =
        std::find_if(keys.begin(), keys.end(), [](const auto &key) { return key.field == "data"; });
    EXPECT_EQ(data->role, KeyRole::Differs);
    EXPECT_FALSE(isBlocked(keys));
    b.precision = "fp16";
    EXPECT_TRUE(isBlocked(keyDifferences(a, b)));
    b = a;
    b.devicesPerNode = 8;
    EXPECT_TRUE(isBlocked(keyDifferences(a, b)));
    EXPECT_FALSE(isBlocked(keyDifferences(a, b, true)));
}

TEST(Comparison, RefusesUnlikeCasesUnlessAskedAndThenMarksThem)
{
    const CaseResult a = caseOf(2, {100, 101, 102, 103, 104}, 32);
    const CaseResult b = caseOf(2, {100, 101, 102, 103, 104}, 64);
    const auto refused = compareCases(a, b, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "Not compared, because a ratio would mean nothing: the two differ in "
                                       "batch per device (32 against 64).");
    const auto marked = compareCases(a, b, {.unlikeToo = true});
    ASSERT_TRUE(marked);
    EXPECT_TRUE(marked->unlike);
}

TEST(Comparison, GivesAPlainVerdict)
{
    const CaseResult base = caseOf(2, {1000, 1002, 998, 1001, 999, 1003, 997});
    const auto verdict = [&](const std::vector<double> &runs) {
        return compareCases(caseOf(2, runs), base, {})->verdict;
    };
    EXPECT_EQ(verdict({1030, 1032, 1028, 1031, 1029, 1033, 1027}), Verdict::Faster);
    EXPECT_EQ(verdict({960, 962, 958, 961, 959, 963, 957}), Verdict::Slower);
    EXPECT_EQ(verdict({1001, 1003, 999, 1002, 1000, 1004, 998}), Verdict::Same);
    const auto noisy = compareCases(caseOf(2, {900, 1150, 980, 1100, 1010, 950, 1060}), base, {});
    EXPECT_EQ(noisy->verdict, Verdict::CannotTell);
    ASSERT_TRUE(noisy->runsNeeded);
    EXPECT_GT(*noisy->runsNeeded, 50);
    EXPECT_EQ(compareCases(caseOf(2, {1100}), base, {})->verdict, Verdict::CannotTell);
}

TEST(Comparison, AgreesWithTheRepositorysSingleRuns)
{
    const auto set = loadReference(SCALEBOARD_REFERENCE_FOLDER, "dlperf-2020-10");
    ASSERT_TRUE(set);
    const auto oneflow = referenceResults(*set, *set->find("oneflow-resnet50-fp32-b128-0.1.9"));
    const auto mxnet = referenceResults(*set, *set->find("ngc-mxnet-resnet50-fp32-b128-dali"));
    const ComparedSets sets = compareSets(oneflow, mxnet, {});
    ASSERT_EQ(sets.cases.size(), 4u);
    std::vector<std::string> verdicts;
    for (const Comparison &one : sets.cases)
        verdicts.push_back(verdictName(one.verdict));
    EXPECT_EQ(verdicts, (std::vector<std::string>{"slower", "slower", "faster", "faster"}));
    EXPECT_NEAR(sets.cases.back().ratio, 1.033, 0.001);
    EXPECT_GT(sets.cases.back().interval->low, 1.015);
}

TEST(ComparedSets, PairsEqualKeysFirstAndLeavesTheRestOut)
{
    CaseResult other = caseOf(4, {10, 11});
    other.key.framework = "pytorch";
    const std::vector<CaseResult> a{caseOf(1, {10, 11}), caseOf(4, {10, 11}), caseOf(8, {10, 11})};
    const std::vector<CaseResult> b{caseOf(1, {10, 11}), other};
    const ComparedSets sets = compareSets(a, b, {});
    ASSERT_EQ(sets.cases.size(), 2u);
    EXPECT_EQ(sets.cases[1].b.key.framework, "pytorch");
    ASSERT_EQ(sets.onlyA.size(), 1u);
    EXPECT_EQ(sets.onlyA[0].key.devices(), 8);
    EXPECT_TRUE(sets.onlyB.empty());
}

TEST(Gate, FailsOnProofOnly)
{
    const CaseResult base = caseOf(2, {1000, 1002, 998, 1001, 999, 1003, 997});
    const auto gate = [&](const std::vector<double> &runs) {
        return gateOf(*compareCases(caseOf(2, runs), base, {}), 0.97);
    };
    EXPECT_EQ(gate({950, 952, 948, 951, 949, 953, 947}), Gate::Fails);
    EXPECT_EQ(gate({990, 992, 988, 991, 989, 993, 987}), Gate::Passes);
    EXPECT_EQ(gate({900, 1002, 930, 1001, 940, 1003, 947}), Gate::NotProven);
    EXPECT_EQ(gate({900}), Gate::Fails);
}

TEST(ResultFile, ReadsWhatItWrites)
{
    CaseResult one = caseOf(4, {10.5, 11.25, 10.75});
    one.key.options["xla"] = "on";
    one.key.data = "imagenet";
    one.workloadTitle = "ResNet-50";
    one.meanThroughput = *mean(one.runThroughputs);
    one.minThroughput = 10.5;
    one.maxThroughput = 11.25;
    one.stepTimeMs = 12;
    one.runIds = {"a", "b", "c"};
    one.speedup = 3.5;
    one.efficiency = 0.875;
    one.interval = medianInterval(one.runThroughputs);
    one.noise = noiseGrade(one.runThroughputs);
    const auto read = readResults(writeResults("study", std::vector{one}), "results.json");
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->size(), 1u);
    EXPECT_EQ(read->front(), one);
    EXPECT_FALSE(readResults(R"({"schema":9,"results":[]})", "x.json"));
    EXPECT_FALSE(readResults(R"({"schema":1,"results":[{}]})", "x.json"));
    one.key.nodes = one.key.devicesPerNode = 2000;
    EXPECT_FALSE(readResults(writeResults("study", std::vector{one}), "results.json"));
}

TEST(CaseHistory, ComparesEachDayWithTheOneBefore)
{
    std::vector<sb::Run> runs;
    const auto add = [&](const std::string &day, double throughput) {
        for (int repeat = 1; repeat <= 5; ++repeat) {
            sb::Run run;
            run.id = day + "-r" + std::to_string(repeat);
            run.key = caseOf(2, {1}).key;
            run.state = RunState::Done;
            run.createdUtc = day + "T10:00:00Z";
            run.repeat = repeat;
            run.measurement = Measurement{};
            run.measurement->throughput = throughput + repeat;
            run.measurement->stepTimeMs = 1;
            runs.push_back(run);
        }
    };
    add("2026-11-02", 950);
    add("2026-11-01", 1000);
    add("2026-11-03", 950.5);
    const auto history = caseHistory(runs, runs.front().key, {});
    ASSERT_EQ(history.size(), 3u);
    EXPECT_EQ(history[0].dayUtc, "2026-11-01");
    EXPECT_FALSE(history[0].change);
    EXPECT_EQ(history[1].change, Verdict::Slower);
    EXPECT_NEAR(*history[1].ratio, 0.95, 0.001);
    EXPECT_EQ(history[2].change, Verdict::Same);
}

} // namespace
} // namespace sb
