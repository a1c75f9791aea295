// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run_environment.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sb {
namespace {

RankCommand wrapped(const std::string &text, bool gpus = false)
{
    const auto environment = readEnvironment(text);
    EXPECT_TRUE(environment.ok()) << text;
    return inEnvironment({0, {{"RANK", "0"}}, {"python3", "train.py", "a b; rm"}}, *environment,
                         {"sb-run-0", "/runs/r", {"/scripts"}, gpus});
}

bool has(const RankCommand &command, const std::string &word)
{
    return std::find(command.argv.begin(), command.argv.end(), word) != command.argv.end();
}

TEST(RunEnvironment, NoneChangesNothing)
{
    EXPECT_EQ(wrapped("").argv, (std::vector<std::string>{"python3", "train.py", "a b; rm"}));
}

TEST(RunEnvironment, UsesTheInterpreterOfAVirtualEnvironment)
{
    EXPECT_EQ(wrapped("venv:/opt/torch").argv.front(), "/opt/torch/bin/python");
    EXPECT_FALSE(readEnvironment("venv:relative").ok());
}

TEST(RunEnvironment, KeepsArgumentsApartInModules)
{
    const RankCommand command = wrapped("module:cuda/12 pytorch/2");
    EXPECT_EQ(command.argv.front(), "bash");
    EXPECT_TRUE(has(command, "cuda/12 pytorch/2"));
    EXPECT_EQ(command.argv.back(), "a b; rm");
}

TEST(RunEnvironment, GivesAContainerItsFoldersVariablesAndGpus)
{
    const RankCommand podman = wrapped("podman:localhost/x:1", true);
    for (const char *word : {"podman", "--rm", "sb-run-0", "/runs/r:/runs/r", "/scripts:/scripts:ro",
                             "RANK=0", "nvidia.com/gpu=all", "localhost/x:1"})
        EXPECT_TRUE(has(podman, word)) << word;
    EXPECT_TRUE(podman.environment.empty());
    EXPECT_FALSE(has(wrapped("podman:localhost/x:1"), "nvidia.com/gpu=all"));
    EXPECT_FALSE(has(podman, "/dev/infiniband"));
    const RankCommand fabric = inEnvironment({0, {}, {"python3"}}, *readEnvironment("docker:x"),
                                             {"sb-run-0", "/runs/r", {}, true, true});
    EXPECT_TRUE(has(fabric, "/dev/infiniband"));
    EXPECT_TRUE(has(fabric, "IPC_LOCK"));
    EXPECT_TRUE(has(wrapped("docker:x", true), "--gpus"));
    EXPECT_TRUE(has(wrapped("apptainer:x.sif", true), "--nv"));
    EXPECT_TRUE(has(wrapped("enroot:x", true), "NVIDIA_VISIBLE_DEVICES=all"));
}

TEST(RunEnvironment, RefusesWhatIsNoEnvironment)
{
    for (const char *text : {"x", "pod:x", "podman:", "podman:--privileged", "conda:"})
        EXPECT_FALSE(readEnvironment(text).ok()) << text;
}

TEST(RunEnvironment, QuotesTheImageForTheShell)
{
    EXPECT_EQ(imageCommand(*readEnvironment("podman:a;b")),
              "podman image inspect 'a;b' >/dev/null 2>&1 || podman pull 'a;b' 2>&1");
    EXPECT_EQ(imageCommand(*readEnvironment("venv:/x")), "");
    EXPECT_EQ(digestCommand(*readEnvironment("docker:a\"}b")).find("a\"}b\""), std::string::npos);
}

} // namespace
} // namespace sb
