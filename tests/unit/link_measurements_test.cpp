// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology_values.h"

#include "core/link_measurements.h"
#include "core/topology_compare.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sb {

using test::topologyOf;
using test::topologyText;

namespace {

LinkMeasurements measurementsOf(const char *name)
{
    const auto read = readLinkMeasurements(topologyText(name));
    EXPECT_TRUE(read) << name;
    return read ? *read : LinkMeasurements();
}

} // namespace

TEST(LinkMeasurements, ReadsTheLinesOfSbtrainBench)
{
    const LinkMeasurements measured = measurementsOf("bench-p2p.jsonl");
    EXPECT_EQ(measured.tool, "sbtrain bench p2p");
    EXPECT_EQ(measured.links.size(), 12U); // four GPUs; the lines of other measurements are not links
    EXPECT_DOUBLE_EQ(measured.links.at({0, 1}), 12.61);
    EXPECT_DOUBLE_EQ(measured.links.at({3, 2}), 13.02);
}

TEST(LinkMeasurements, ReadsTheTablesOfNvbandwidth)
{
    const LinkMeasurements measured = measurementsOf("nvbandwidth.txt");
    EXPECT_EQ(measured.tool, "nvbandwidth");
    // "GPU(row) <- GPU(column)": row 0 has what came to GPU 0.
    EXPECT_DOUBLE_EQ(measured.links.at({3, 0}), 48.31);
    EXPECT_DOUBLE_EQ(measured.links.at({0, 3}), 48.34);
    EXPECT_DOUBLE_EQ(measured.links.at({6, 2}), 12.07); // half of what the link should give
    EXPECT_EQ(measured.links.size(), 56U);
    EXPECT_FALSE(measured.links.contains({0, 0}));
    // The same as JSON.
    EXPECT_EQ(measurementsOf("nvbandwidth.json").links.at({1, 0}), 276.07);
}

TEST(LinkMeasurements, ReadsWhatWentOneWayOfThePeerTest)
{
    const LinkMeasurements measured = measurementsOf("p2p-bandwidth.txt");
    EXPECT_EQ(measured.tool, "p2pBandwidthLatencyTest");
    EXPECT_DOUBLE_EQ(measured.links.at({0, 1}), 12.5); // not 9.8 without P2P, not 24.1 both ways
    EXPECT_DOUBLE_EQ(measured.links.at({1, 0}), 12.4);
}

TEST(LinkMeasurements, TakesAPairOfNcclTestsForALinkAndMoreForAGroup)
{
    const LinkMeasurements pair = measurementsOf("nccl-2gpus.txt");
    EXPECT_EQ(pair.tool, "nccl-tests");
    EXPECT_DOUBLE_EQ(pair.links.at({2, 3}), 46.12);
    EXPECT_DOUBLE_EQ(pair.links.at({3, 2}), 46.12);
    EXPECT_FALSE(pair.group);
    const LinkMeasurements group = measurementsOf("nccl-4gpus.txt");
    EXPECT_TRUE(group.links.empty());
    EXPECT_EQ(group.group, (GroupRate{{0, 1, 2, 3}, 131.25}));
}

TEST(LinkMeasurements, RefusesTextsWithout)
{
    for (const char *text :
         {"", "hello", "memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)\n  0 1\n0 12 13\n",
          "memcpy CE GPU(row) <-> GPU(column) Total bandwidth (GB/s)\n   0  1\n0 N/A 90\n1 90 N/A\n",
          "memcpy CE GPU(row) <- GPU(column) bandwidth (GB/s)\n  0 1\n0 N/A N/A\n1 N/A nan\n",
          R"({"event":"bench","kind":"p2p","device":-1,"to":1,"GBps":5})"})
        EXPECT_FALSE(readLinkMeasurements(text)) << text;
    EXPECT_FALSE(readLinkMeasurements(topologyText("dgx1.txt")));
}

TEST(LinkMeasurements, AreFoundByTheNamesOfDevices)
{
    const Topology topology = topologyOf("dgx1.txt");
    const LinkMeasurements measured = measurementsOf("nvbandwidth.txt");
    EXPECT_DOUBLE_EQ(*measuredGBps(measured, topology, 6, 2), 12.07);
    EXPECT_DOUBLE_EQ(*measuredGBps(measured, topology, 2, 6), 24.16);
    EXPECT_DOUBLE_EQ(*measuredPairGBps(measured, topology, 2, 6), 12.07);
    EXPECT_FALSE(measuredGBps(measured, topology, 0, *topology.indexOf(topology.devices.back().name)));
}

TEST(TopologyComparison, FindsTheNodeThatDiffers)
{
    const Topology good = topologyOf("dgx1.txt");
    Topology odd = good;
    odd.cell(2, 6).word = "SYS";
    odd.cell(6, 2).word = "SYS";
    odd.devices[1].numaAffinity = "1";
    const Topology *const nodes[] = {&good, &odd, &good, &good};
    const TopologyComparison comparison = compareTopologies(nodes);
    EXPECT_EQ(comparison.reference, 0U);
    EXPECT_EQ(comparison.alike, 3U);
    EXPECT_TRUE(comparison.clear);
    EXPECT_TRUE(comparison.differences[0].empty());
    using Kind = TopologyDifference::Kind;
    std::vector<TopologyDifference> expected{{Kind::Link, "GPU2", "GPU6", "SYS", "NV1"}};
    if (good.devices[1].numaAffinity)
        expected.insert(expected.begin(), {Kind::Numa, "GPU1", "", "1", *good.devices[1].numaAffinity});
    EXPECT_EQ(comparison.differences[1], expected);
    EXPECT_TRUE(comparison.differences[3].empty());
}

TEST(TopologyComparison, NamesDevicesThatOnlySomeHaveAndSaysWhenNoKindIsInTheMajority)
{
    const Topology big = topologyOf("dgx1.txt");
    const Topology small = topologyOf("pcie4.txt");
    const Topology *const nodes[] = {&small, &big};
    const TopologyComparison comparison = compareTopologies(nodes);
    EXPECT_FALSE(comparison.clear);
    EXPECT_EQ(comparison.alike, 1U);
    const auto extra = std::count_if(comparison.differences[1].begin(), comparison.differences[1].end(),
                                     [](const auto &d) { return d.kind == TopologyDifference::Kind::Extra; });
    EXPECT_GE(extra, 4); // GPU4 to GPU7
}

TEST(TopologyComparison, TakesAnUnreadCellForNoDifference)
{
    const Topology whole = topologyOf("dgx1.txt");
    const Topology damaged = topologyOf("damaged-pair.txt"); // GPU2–GPU6 cannot be read
    for (const TopologyDifference &difference : topologyDifferences(damaged, whole))
        EXPECT_FALSE(difference.device == "GPU2" && difference.other == "GPU6");
}

} // namespace sb
