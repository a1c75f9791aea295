// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent_filter.h"

#include <gtest/gtest.h>

#include <unistd.h>

namespace sb {

namespace {

std::string text(const std::string &value)
{
    return std::string(3, '\0') + static_cast<char>(value.size()) + value;
}

std::string answer(char count, const std::string &rest)
{
    return std::string("\x0c") + std::string(3, '\0') + count + rest;
}

} // namespace

TEST(AgentFilter, KeepsOnlyTheKeysThatAreWanted)
{
    const std::string one = text("key-one") + text("me@here");
    const std::string two = text("key-two") + text("");
    const std::string three = text("key-three") + text("old");
    const std::string all = answer(3, one + two + three);
    EXPECT_EQ(filteredIdentities(all, {"key-two"}), answer(1, two));
    EXPECT_EQ(filteredIdentities(all, {"key-three", "key-one"}), answer(2, one + three));
    EXPECT_EQ(filteredIdentities(all, {"me@here"}), answer(0, "")); // a comment is no key
    EXPECT_EQ(filteredIdentities(all, {}), answer(0, ""));
}

TEST(AgentFilter, TakesDamagedAnswersForNone)
{
    for (const std::string &damaged :
         {std::string(), std::string("\x0c"), std::string("\x05"), answer(9, ""), answer(1, text("key-one")),
          answer(1, std::string("\xff\xff\xff\xff", 4)),
          answer(1, text("key-one") + std::string("\0\0\1", 3))})
        EXPECT_EQ(filteredIdentities(damaged, {"key-one"}), answer(0, ""));
}

TEST(AgentFilter, LeavesNothingBehind)
{
    std::string path;
    {
        const auto filter = AgentFilter::start("/no/such/agent", {"key"});
        ASSERT_TRUE(filter) << filter.error().message;
        path = (*filter)->path();
        EXPECT_EQ(::access(path.c_str(), F_OK), 0);
    }
    EXPECT_NE(::access(path.c_str(), F_OK), 0);
}

} // namespace sb
