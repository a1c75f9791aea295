// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/network_choice.h"

#include <gtest/gtest.h>

namespace sb {
namespace {

NetworkInterface interface(const char *name, const char *address, double speedGbps = 0)
{
    const std::string text(address);
    NetworkInterface one;
    one.name = name;
    one.addresses = {text.substr(0, text.find('/'))};
    one.networks = {networkOf(text)};
    if (speedGbps > 0)
        one.speedGbps = speedGbps;
    return one;
}

NodeFacts node(std::vector<NetworkInterface> interfaces)
{
    NodeFacts facts;
    facts.interfaces = std::move(interfaces);
    return facts;
}

TEST(NetworkChoice, NamesTheNetworkOfAnAddress)
{
    EXPECT_EQ(networkOf("10.77.3.4/16"), "10.77.0.0/16");
    EXPECT_EQ(networkOf("10.77.3.4/32"), "10.77.3.4/32");
    EXPECT_EQ(networkOf("10.0.0.1/0"), "0.0.0.0/0");
    EXPECT_EQ(networkOf("fd00::5:1/64"), "fd00::/64");
    for (const char *text : {"", "10.0.0.1", "10.0.0.1/33", "x/8", "fd00::1/129", "10.0.0.1/-1"})
        EXPECT_EQ(networkOf(text), "") << text;
}

TEST(NetworkChoice, TakesTheFastestThatAllShare)
{
    const std::vector<NodeFacts> nodes{
        node({interface("docker0", "172.17.0.1/16"), interface("eth0", "10.0.0.1/24", 1),
              interface("ib0", "10.1.0.1/24", 100)}),
        node({interface("ib1", "10.1.0.2/24", 100), interface("docker0", "172.17.0.1/16"),
              interface("enp1", "10.0.0.2/24", 1)})};
    const auto choice = chooseNetwork(nodes);
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->network, "10.1.0.0/24");
    EXPECT_EQ(choice->places, (std::vector<NetworkPlace>{{"10.1.0.1", "ib0"}, {"10.1.0.2", "ib1"}}));
}

TEST(NetworkChoice, FindsNoneWhereOnlyBridgesAreAlike)
{
    const std::vector<NodeFacts> nodes{
        node({interface("docker0", "172.17.0.1/16"), interface("eth0", "10.0.1.1/24")}),
        node({interface("docker0", "172.17.0.1/16"), interface("eth0", "10.0.2.1/24")})};
    EXPECT_FALSE(chooseNetwork(nodes));
    EXPECT_FALSE(chooseNetwork({}));
}

} // namespace
} // namespace sb
