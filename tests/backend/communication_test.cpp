// SPDX-License-Identifier: Apache-2.0
#include "comm/gloo_communicator.h"

#include "process.h"

#include <gtest/gtest.h>
#include <thread>

namespace sbtrain::test {
namespace {

// Runs body(communicator) on `world_size` threads, each a rank.
template <typename Body>
void on_ranks(int world_size, Body body)
{
    const auto port = static_cast<std::uint16_t>(free_port());
    std::vector<std::thread> threads;
    for (int rank = 0; rank < world_size; ++rank) {
        threads.emplace_back([=] {
            LaunchEnv env;
            env.rank = rank;
            env.world_size = world_size;
            env.master_addr = "127.0.0.1";
            env.master_port = port;
            auto communicator = connect_gloo(env, {"env", 20.0});
            ASSERT_TRUE(communicator) << communicator.error().message;
            body(**communicator);
            EXPECT_TRUE((*communicator)->barrier());
        });
    }
    for (std::thread &thread : threads)
        thread.join();
}

TEST(Communicator, AveragesOverRanks)
{
    // Sizes around one element a rank, and one that is several ring segments long.
    for (const std::size_t count : {1U, 2U, 5U, 1000003U}) {
        on_ranks(3, [count](Communicator &communicator) {
            std::vector<float> values(count);
            for (std::size_t i = 0; i < count; ++i)
                values[i] = static_cast<float>(communicator.rank() * 3 + static_cast<int>(i % 7));
            ASSERT_TRUE(communicator.all_reduce_mean(values));
            for (std::size_t i = 0; i < count; ++i)
                ASSERT_FLOAT_EQ(values[i], static_cast<float>(3 + i % 7)) << i;
        });
    }
}

TEST(Communicator, BroadcastsFromRankZero)
{
    on_ranks(3, [](Communicator &communicator) {
        std::vector<float> values(100000, static_cast<float>(communicator.rank() + 5));
        ASSERT_TRUE(communicator.broadcast(values));
        EXPECT_EQ(values, std::vector<float>(100000, 5.0F));
    });
}

TEST(Communicator, SaysThatMasterIsUnknown)
{
    LaunchEnv env;
    env.world_size = 2;
    const auto communicator = connect_gloo(env, {"env", 1.0});
    ASSERT_FALSE(communicator);
    EXPECT_EQ(communicator.error().code, ExitCode::Rendezvous);
    EXPECT_NE(communicator.error().message.find("MASTER_ADDR"), std::string::npos);
}

} // namespace
} // namespace sbtrain::test
