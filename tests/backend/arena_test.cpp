// SPDX-License-Identifier: Apache-2.0
#include "arena.h"

#include <gtest/gtest.h>

namespace sbtrain::test {
namespace {

TEST(BufferPlanner, ReusesWhatWasReleased)
{
    BufferPlanner planner;
    const auto a = planner.take(100);
    const auto b = planner.take(50);
    planner.release(a);
    const auto c = planner.take(80); // fits where a was
    const auto d = planner.take(10);
    planner.layout();
    EXPECT_EQ(planner.offset(c), planner.offset(a));
    EXPECT_NE(planner.offset(b), planner.offset(a));
    EXPECT_NE(planner.offset(d), planner.offset(b));
    EXPECT_EQ(planner.total(), 112 + 64 + 16);
}

TEST(BufferPlanner, PrefersTheTightestAndGrowsTheLargest)
{
    BufferPlanner planner;
    const auto small = planner.take(16);
    const auto large = planner.take(160);
    const auto middle = planner.take(64);
    for (const auto id : {small, large, middle})
        planner.release(id);
    const auto fits = planner.take(48);
    const auto grows = planner.take(320);
    planner.layout();
    EXPECT_EQ(planner.offset(fits), planner.offset(middle));
    EXPECT_EQ(planner.offset(grows), planner.offset(large));
    EXPECT_EQ(planner.total(), 16 + 320 + 64);
}

TEST(PageBlock, IsZeroedAndMoves)
{
    PageBlock block(1 << 20);
    ASSERT_NE(block.data(), nullptr);
    EXPECT_EQ(block.data()[12345], std::byte{0});
    const std::byte *address = block.data();
    const PageBlock other = std::move(block);
    EXPECT_EQ(other.data(), address);
    EXPECT_EQ(other.bytes(), std::size_t{1} << 20);
}

TEST(Memory, IsKnownToBeAvailable)
{
    EXPECT_GT(available_memory_bytes(), std::uint64_t{1} << 20);
}

} // namespace
} // namespace sbtrain::test
