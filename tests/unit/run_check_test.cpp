// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run_check.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sb {
namespace {

RunWants torchWants()
{
    RunWants wants;
    wants.framework = "PyTorch";
    wants.environment = "venv:/opt/torch";
    wants.packages = {"torch"};
    return wants;
}

RunCheckAnswer answer(const std::string &host, const std::string &output, int exitCode = 0,
                      const std::string &errorOutput = {})
{
    return {host, output, errorOutput, exitCode, {}};
}

std::string problem(const RunWants &wants, std::vector<RunCheckAnswer> answers)
{
    return runCheckProblem(wants, answers).value_or("");
}

TEST(RunCheck, StartsWhereAllNodesHaveTheSame)
{
    EXPECT_EQ(problem(torchWants(), {answer("a", "@sb package torch 2.4.0\n"),
                                     answer("b", "hello\n@sb package torch 2.4.0\n")}),
              "");
}

TEST(RunCheck, NamesTheNodesThatDiffer)
{
    EXPECT_EQ(
        problem(torchWants(),
                {answer("a", "@sb package torch 2.4.0\n"), answer("b", "@sb package torch 2.5.1\n")}),
        "a and b differ in the versions of PyTorch: torch 2.4.0 on the first and torch 2.5.1 on the second. "
        "Install the same on both, or the curve compares two things.");
}

TEST(RunCheck, NamesAFrameworkThatIsMissing)
{
    EXPECT_EQ(problem(torchWants(), {answer("a", "@sb package torch|torch-gpu\n")}),
              "PyTorch is not in venv:/opt/torch on a: the package torch is missing. Install it there.");
    EXPECT_EQ(
        problem(torchWants(), {answer("a", "", 0, "sh: 1: /opt/torch/bin/python: not found\n")}),
        "PyTorch cannot be looked for in venv:/opt/torch on a: sh: 1: /opt/torch/bin/python: not found.");
    RunCheckAnswer gone{"a", "", "", std::nullopt, "The link broke."};
    EXPECT_EQ(problem(torchWants(), {gone}), "The check before the run broke off on a: The link broke.");
}

TEST(RunCheck, NamesAnImageThatIsNotThere)
{
    RunWants wants;
    wants.image = "x:1";
    const std::string said =
        problem(wants, {answer("a", "Trying to pull x:1...\nError: manifest unknown\n", 1)});
    EXPECT_EQ(said,
              "The image x:1 could not be got on a: Error: manifest unknown. Check the image's name and tag, "
              "and whether the node may pull from that registry.");
    EXPECT_EQ(problem(wants, {answer("a", "@sb image there\n@sb digest sha256:1\n")}), "");
    EXPECT_NE(problem(wants, {answer("a", "@sb image there\n@sb digest sha256:1\n"),
                              answer("b", "@sb image there\n@sb digest sha256:2\n")})
                  .find("differ in the image x:1: sha256:1"),
              std::string::npos);
}

TEST(RunCheck, SeesThatAContainerHasNoGpus)
{
    RunWants wants;
    wants.image = "x:1";
    wants.gpusInContainer = 8;
    EXPECT_EQ(problem(wants, {answer("a", "@sb image there\n@sb gpus 8\n")}), "");
    EXPECT_NE(
        problem(wants, {answer("a", "@sb image there\n@sb gpus 0\n")}).find("sees 0 GPUs on a, 8 are needed"),
        std::string::npos);
    EXPECT_NE(problem(wants, {answer("a", "@sb image there\n", 0, "unresolvable CDI devices\n")})
                  .find("unresolvable CDI devices."),
              std::string::npos);
}

TEST(RunCheck, ComparesTheCommitOfOfficialScripts)
{
    RunWants wants;
    wants.framework = "NGC PyTorch";
    wants.sourceFolder = "/opt/d";
    wants.commit = "5cc03caa153faab7a2c3b1b5b5d63663f06ce1b4";
    EXPECT_EQ(problem(wants, {answer("a", "@sb commit " + wants.commit + "\n")}), "");
    EXPECT_EQ(problem(wants, {answer("a", "@sb commit unknown\n")}), "") << "a copy without its history";
    EXPECT_NE(
        problem(wants, {answer("a", "@sb commit 0123456789abcdef\n")}).find("is at 0123456789ab, the recipe"),
        std::string::npos);
    EXPECT_NE(problem(wants, {answer("a", "")}).find("no folder /opt/d on a"), std::string::npos);
}

TEST(RunCheck, NamesANodeWithoutTheData)
{
    RunWants wants;
    wants.dataFolder = "/data";
    EXPECT_EQ(problem(wants, {answer("a", "@sb data there\n")}), "");
    EXPECT_EQ(problem(wants, {answer("a", "@sb data there\n"), answer("b", "")}),
              "There is no data folder /data on b: put the same data at the same place on every node.");
}

TEST(RunCheck, ScriptAsksOnlyForWhatIsWanted)
{
    EXPECT_EQ(checkScript(RunWants(), RunEnvironment(), {}), "");
    const auto venv = readEnvironment("venv:/opt/torch");
    const std::string script = checkScript(torchWants(), *venv, {});
    EXPECT_EQ(script.find("/opt/torch/bin/python -c "), 0U) << script;
    EXPECT_NE(script.find("' torch\nexit 0\n"), std::string::npos) << script;
}

TEST(RunCheck, ShowsWhatAnEngineSaysWhileItPulls)
{
    EXPECT_EQ(pullProgress("  Copying blob sha256:0a1b done\r"), "Copying blob sha256:0a1b done");
    EXPECT_EQ(pullProgress("@sb image there"), "");
    EXPECT_EQ(pullProgress(""), "");
}

} // namespace
} // namespace sb
