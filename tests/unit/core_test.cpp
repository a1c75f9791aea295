// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/case.h"
#include "core/series.h"
#include "core/text.h"
#include "core/units.h"

#include <gtest/gtest.h>

namespace sb {
namespace {

TEST(Text, SplitsKeepingEmptyParts)
{
    EXPECT_EQ(split("a,,b", ','), (std::vector<std::string_view>{"a", "", "b"}));
    EXPECT_EQ(split("", ','), (std::vector<std::string_view>{""}));
}

TEST(Text, ReadsWholeNumbersOnly)
{
    EXPECT_EQ(toInteger("42"), 42);
    EXPECT_EQ(toInteger("42x"), std::nullopt);
    EXPECT_EQ(toInteger(""), std::nullopt);
    EXPECT_EQ(toInteger("99999999999999999999"), std::nullopt);
    EXPECT_EQ(toDouble("1e3"), 1000.0);
    EXPECT_EQ(toDouble("nan"), std::nullopt);
    EXPECT_EQ(toDouble("inf"), std::nullopt);
    EXPECT_EQ(toDouble("1.5 "), std::nullopt);
}

TEST(Text, SuggestsOnlyNearWords)
{
    const std::vector<std::string> words{"resnet50", "bert-base"};
    EXPECT_EQ(closestWord("resnet05", words), "resnet50");
    EXPECT_EQ(closestWord("bert-b", words), "bert-base");
    EXPECT_EQ(closestWord("vgg16", words), std::nullopt);
    EXPECT_EQ(closestWord(std::string(100000, 'x'), words), std::nullopt);
}

TEST(Text, RepairsInvalidUtf8)
{
    EXPECT_EQ(validUtf8("caf\xC3\xA9"), "caf\xC3\xA9");
    EXPECT_EQ(validUtf8("a\xFFz"), "a\xEF\xBF\xBDz");
    EXPECT_EQ(validUtf8("\xE4\xBD"), "\xEF\xBF\xBD\xEF\xBF\xBD");         // cut in the middle of a character
    EXPECT_EQ(validUtf8("\xED\xA0\x80").find("\xED"), std::string::npos); // a lone surrogate
    EXPECT_EQ(validUtf8("\xC0\x80").find("\xC0"), std::string::npos);     // overlong
}

TEST(Units, WritesNumbersAlikeInEveryLanguage)
{
    EXPECT_EQ(formatNumber(12411.968, 2), "12\u202F411.97");
    EXPECT_EQ(formatNumber(999, 0), "999");
    EXPECT_EQ(formatNumber(1234567, 0), "1\u202F234\u202F567");
    EXPECT_EQ(formatNumber(-1234.5, 1), "\u22121\u202F234.5");
    EXPECT_EQ(formatNumber(-0.0001, 1), "0.0");
    EXPECT_EQ(formatThroughput(12411.97), "12\u202F412");
    EXPECT_EQ(formatThroughput(397.64), "397.64");
    EXPECT_EQ(formatThroughput(0.1234), "0.123");
}

TEST(Units, WritesDurations)
{
    EXPECT_EQ(formatDuration(42.3), "42\u00A0s");
    EXPECT_EQ(formatDuration(83), "1\u00A0min 23\u00A0s");
    EXPECT_EQ(formatDuration(1799), "30\u00A0min");
    EXPECT_EQ(formatDuration(37140), "10\u00A0h 19\u00A0min");
    EXPECT_EQ(formatDuration(-1), "—");
}

TEST(Units, PlainNumbersReadBackAsTheSameValue)
{
    for (const double value : {0.1, 1.0 / 3.0, 1e300, 12411.97, -5e-324})
        EXPECT_EQ(toDouble(plainNumber(value)), value);
}

CaseKey key()
{
    return {.framework = "native",
            .workload = "resnet50",
            .precision = "fp32",
            .device = "cpu",
            .data = "synthetic",
            .batchSizePerDevice = 4,
            .nodes = 1,
            .devicesPerNode = 2,
            .threadsPerDevice = 1,
            .warmupSteps = 2,
            .measuredSteps = 8,
            .options = {}};
}

// The id is in file names and databases of users: it must not change between versions.
TEST(CaseId, IsStableAndReadable)
{
    EXPECT_EQ(caseId(key()), "native-resnet50-fp32-b4-1n2g-50b3440b");
}

TEST(CaseId, DiffersWithEveryPartOfTheKey)
{
    const std::string id = caseId(key());
    CaseKey other = key();
    other.threadsPerDevice = 2;
    EXPECT_NE(caseId(other), id);
    other = key();
    other.measuredSteps = 9;
    EXPECT_NE(caseId(other), id);
    other = key();
    other.options["xla"] = "on";
    EXPECT_NE(caseId(other), id);
}

TEST(CaseId, IsSafeAsAFileName)
{
    CaseKey odd = key();
    odd.workload = "../../etc/x y";
    EXPECT_EQ(caseId(odd).find('/'), std::string::npos);
    EXPECT_EQ(caseId(odd).find(' '), std::string::npos);
}

TEST(Series, IgnoresStepsThatCameAlready)
{
    Series series;
    Sample sample;
    sample.step = 1;
    sample.stepTimeMs = 500;
    EXPECT_TRUE(series.append(sample, 8));
    EXPECT_FALSE(series.append(sample, 8));
    sample.step = 2;
    EXPECT_TRUE(series.append(sample, 8));
    EXPECT_EQ(series.throughput, (std::vector<double>{16, 16}));
}

TEST(Series, TakesNothingWithoutATime)
{
    Series series;
    Sample sample;
    sample.step = 1;
    EXPECT_FALSE(series.append(sample, 8));
    sample.stepTimeMs = 0;
    EXPECT_FALSE(series.append(sample, 8));
    EXPECT_TRUE(series.empty());
}

} // namespace
} // namespace sb
