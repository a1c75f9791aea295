// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/node_names.h"

#include <gtest/gtest.h>

namespace sb {
namespace {

using Names = std::vector<std::string>;

Names expanded(std::string_view text)
{
    const auto names = expandNodeNames(text);
    return names ? *names : Names{"error: " + names.error().message};
}

TEST(NodeNames, ExpandsRanges)
{
    EXPECT_EQ(expanded("node[01-03]"), (Names{"node01", "node02", "node03"}));
    EXPECT_EQ(expanded("node[8-11]"), (Names{"node8", "node9", "node10", "node11"}));
    EXPECT_EQ(expanded("n[1,3-4]"), (Names{"n1", "n3", "n4"}));
    EXPECT_EQ(expanded("r[1-2]n[1-2]"), (Names{"r1n1", "r1n2", "r2n1", "r2n2"}));
    EXPECT_EQ(expanded("me@gpu[1-2]:2222"), (Names{"me@gpu1:2222", "me@gpu2:2222"}));
    EXPECT_EQ(expanded("a, b a;c"), (Names{"a", "b", "c"}));
    EXPECT_EQ(expandNodeNames("n[001-999]")->size(), 999U);
}

TEST(NodeNames, TakesAnIpv6AddressForWhatItIs)
{
    EXPECT_EQ(expanded("[fe80::1]:22"), (Names{"[fe80::1]:22"}));
    EXPECT_EQ(expanded("me@[fe80::1]"), (Names{"me@[fe80::1]"}));
    EXPECT_EQ(parseNodeAddress("fe80::1")->host, "fe80::1");
    EXPECT_FALSE(parseNodeAddress("fe80::1")->port);
}

TEST(NodeNames, SplitsUserHostAndPort)
{
    EXPECT_EQ(*parseNodeAddress("me@corp@host:2222"), (NodeAddress{"me@corp", "host", 2222}));
    EXPECT_EQ(*parseNodeAddress("ssh://me@host:7/"), (NodeAddress{"me", "host", 7}));
    EXPECT_EQ(*parseNodeAddress(" host "), (NodeAddress{{}, "host", {}}));
}

TEST(NodeNames, RefusesWhatIsNoName)
{
    for (const char *text :
         {"", "  ", "-oProxyCommand=x", "me@-x", "host:0", "host:65536", "host:ssh", "@host", "node[3-1]",
          "node[1-", "node[a-b]", "node[1-2000]", "n[1-100][1-100]", "a'b", "$(x)", "[::1",
          "a\x01"
          "b",
          "node[1-99999999999]"})
        EXPECT_FALSE(expandNodeNames(text)) << text;
}

} // namespace
} // namespace sb
