// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <gtest/gtest.h>
#include <vector>

namespace sbtrain::test {
namespace {

Result<Options> parse(const std::vector<const char *> &arguments)
{
    return parse_options(arguments);
}

TEST(Options, HaveDefaults)
{
    const Result<Options> options = parse({});
    ASSERT_TRUE(options);
    EXPECT_EQ(options->model, "resnet50");
    EXPECT_EQ(options->device, "cpu");
    EXPECT_FALSE(options->threads);
    EXPECT_FALSE(options->learning_rate);
}

TEST(Options, TakeValuesInBothSpellings)
{
    const Result<Options> options =
        parse({"--batch-size", "12", "--learning-rate=0.5", "--freeze-bn", "--rendezvous=file:/x=y"});
    ASSERT_TRUE(options);
    EXPECT_EQ(options->batch_size, 12);
    EXPECT_DOUBLE_EQ(*options->learning_rate, 0.5);
    EXPECT_TRUE(options->freeze_bn);
    EXPECT_EQ(options->rendezvous, "file:/x=y");
}

TEST(Options, RefuseNonsenseByName)
{
    struct Case {
        std::vector<const char *> arguments;
        const char *word;
    };
    const std::vector<Case> cases{
        {{"--steps", "many"}, "whole number"},
        {{"--steps", "3.5"}, "whole number"},
        {{"--steps", "0"}, "between 1 and"},
        {{"--steps", "1000000001"}, "between 1 and"},
        {{"--steps", "99999999999999999999"}, "between"},
        {{"--batch-size", "-1"}, "--batch-size"},
        {{"--batch-size"}, "needs a value"},
        {{"--learning-rate", "nan"}, "a number"},
        {{"--learning-rate", "inf"}, "a number"},
        {{"--dropout", "1"}, "between 0 and"},
        {{"--freeze-bn=1"}, "takes no value"},
        {{"--optimizer", "adam"}, "adamw"},
        {{"--rendezvous", "file:"}, "file:PATH"},
        {{"--bath-size", "3"}, "did you mean --batch-size?"},
        {{"--quux-frobnicate"}, "--help"},
        {{"train"}, "unknown option"},
        {{""}, "unknown option"},
    };
    for (const Case &entry : cases) {
        const Result<Options> options = parse(entry.arguments);
        ASSERT_FALSE(options) << entry.arguments[0];
        EXPECT_EQ(options.error().code, ExitCode::Usage);
        EXPECT_NE(options.error().message.find(entry.word), std::string::npos) << options.error().message;
    }
}

} // namespace
} // namespace sbtrain::test
