// SPDX-License-Identifier: Apache-2.0
#include "comm/launch_env.h"

#include <gtest/gtest.h>
#include <map>

namespace sbtrain::test {
namespace {

Result<LaunchEnv> read(const std::map<std::string, std::string> &variables)
{
    return read_launch_env([&](const char *name) {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
    });
}

TEST(LaunchEnv, IsOneProcessByDefault)
{
    const Result<LaunchEnv> env = read({});
    ASSERT_TRUE(env);
    EXPECT_EQ(env->rank, 0);
    EXPECT_EQ(env->world_size, 1);
}

TEST(LaunchEnv, ReadsEveryLauncher)
{
    const auto torch = read({{"RANK", "3"},
                             {"WORLD_SIZE", "8"},
                             {"LOCAL_RANK", "1"},
                             {"LOCAL_WORLD_SIZE", "2"},
                             {"MASTER_ADDR", "10.0.0.1"},
                             {"MASTER_PORT", "1234"}});
    ASSERT_TRUE(torch);
    EXPECT_EQ(torch->rank, 3);
    EXPECT_EQ(torch->local_world_size, 2);
    EXPECT_EQ(torch->master_addr, "10.0.0.1");
    EXPECT_EQ(torch->master_port, 1234);

    const auto mpi = read({{"OMPI_COMM_WORLD_RANK", "1"},
                           {"OMPI_COMM_WORLD_SIZE", "2"},
                           {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                           {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}});
    ASSERT_TRUE(mpi);
    EXPECT_EQ(mpi->rank, 1);
    EXPECT_EQ(mpi->master_addr, "127.0.0.1"); // all on this host

    const auto slurm = read({{"SLURM_JOB_ID", "7"},
                             {"SLURM_STEP_ID", "0"},
                             {"SLURM_PROCID", "5"},
                             {"SLURM_NTASKS", "6"},
                             {"SLURM_LOCALID", "1"},
                             {"SLURM_STEP_NODELIST", "gpu[03-05],login"}});
    ASSERT_TRUE(slurm);
    EXPECT_EQ(slurm->rank, 5);
    EXPECT_EQ(slurm->master_addr, "gpu03");

    const auto pmi = read({{"PMI_RANK", "0"}, {"PMI_SIZE", "4"}, {"MASTER_ADDR", "head"}});
    ASSERT_TRUE(pmi);
    EXPECT_EQ(pmi->world_size, 4);
}

TEST(LaunchEnv, IsNotFooledByABatchScript)
{
    const auto env = read({{"SLURM_JOB_ID", "7"}, {"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "6"}});
    ASSERT_TRUE(env);
    EXPECT_EQ(env->world_size, 1);
}

TEST(LaunchEnv, PrefersItsOwnVariables)
{
    const auto env = read({{"RANK", "1"},
                           {"WORLD_SIZE", "2"},
                           {"OMPI_COMM_WORLD_RANK", "0"},
                           {"OMPI_COMM_WORLD_SIZE", "4"},
                           {"MASTER_ADDR", "a"}});
    ASSERT_TRUE(env);
    EXPECT_EQ(env->world_size, 2);
}

TEST(LaunchEnv, RefusesNonsense)
{
    const std::vector<std::map<std::string, std::string>> cases{
        {{"RANK", "x"}, {"WORLD_SIZE", "2"}},
        {{"RANK", "2"}, {"WORLD_SIZE", "2"}},
        {{"RANK", "0"}},
        {{"WORLD_SIZE", "2"}},
        {{"RANK", "-1"}, {"WORLD_SIZE", "2"}},
        {{"MASTER_PORT", "70000"}},
        {{"MASTER_PORT", "65536"}},
    };
    for (const auto &variables : cases) {
        const auto env = read(variables);
        ASSERT_FALSE(env) << variables.begin()->first;
        EXPECT_EQ(env.error().code, ExitCode::Usage);
    }
}

} // namespace
} // namespace sbtrain::test
