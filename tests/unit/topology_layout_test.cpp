// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology/topology_layout.h"
#include "topology_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace sb {

using test::topologyOf;

namespace {

const LayoutNode &nodeOf(const GraphLayout &layout, std::size_t device)
{
    return *std::find_if(layout.nodes.begin(), layout.nodes.end(), [&](const LayoutNode &node) {
        return std::find(node.devices.begin(), node.devices.end(), device) != node.devices.end();
    });
}

// Everything inside, nothing on top of anything, and no link under a GPU it does not belong to.
void expectReadable(const GraphLayout &layout, const std::string &name)
{
    for (std::size_t i = 0; i < layout.nodes.size(); ++i) {
        const LayoutRect &rect = layout.nodes[i].rect;
        EXPECT_GE(rect.x, 0) << name;
        EXPECT_GE(rect.y, 0) << name;
        EXPECT_LE(rect.x + rect.w, layout.width) << name;
        EXPECT_LE(rect.y + rect.h, layout.height) << name;
        for (std::size_t k = i + 1; k < layout.nodes.size(); ++k)
            EXPECT_FALSE(rect.overlaps(layout.nodes[k].rect)) << name << ": nodes " << i << " and " << k;
        for (const LayoutBar &bar : layout.bars)
            EXPECT_FALSE(rect.overlaps(bar.rect)) << name;
    }
    for (const LayoutEdge &edge : layout.edges) {
        if (edge.bow > 0)
            continue;
        for (const LayoutNode &node : layout.nodes) {
            const bool own = std::any_of(node.devices.begin(), node.devices.end(),
                                         [&](std::size_t d) { return d == edge.a || d == edge.b; });
            if (own)
                continue;
            for (int i = 1; i < 40; ++i) {
                const double t = i / 40.0;
                EXPECT_FALSE(node.rect.contains({edge.from.x + (edge.to.x - edge.from.x) * t,
                                                 edge.from.y + (edge.to.y - edge.from.y) * t}))
                    << name << ": link " << edge.a << "-" << edge.b << " under node " << node.devices[0];
            }
        }
    }
}

} // namespace

TEST(TopologyLayout, DrawsTheCubeMeshWithLevelLinksBetweenTheSockets)
{
    const Topology topology = topologyOf("dgx1.txt");
    const GraphLayout layout = layoutTopology(topology, 472, 356);
    ASSERT_EQ(layout.boxes.size(), 2U);
    EXPECT_EQ(layout.boxes[0].rect, (LayoutRect{0, 0, 226, 356}));
    EXPECT_EQ(layout.boxes[1].rect, (LayoutRect{246, 0, 226, 356}));
    EXPECT_EQ(layout.boxes[0].cpu, 0);
    EXPECT_EQ(layout.boxes[1].cores, "20-39,60-79");
    // Zig-zag: 0 and 3 inside, 1 and 2 outside; 4–7 mirrored on the same heights.
    const auto centre = [&](std::size_t gpu) { return nodeOf(layout, gpu).rect.centre(); };
    EXPECT_DOUBLE_EQ(centre(0).x, 226 * 0.805);
    EXPECT_DOUBLE_EQ(centre(0).y, 356 * 0.18);
    EXPECT_DOUBLE_EQ(centre(1).x, 226 * 0.23);
    EXPECT_DOUBLE_EQ(centre(3).x, centre(0).x);
    for (std::size_t gpu = 0; gpu < 4; ++gpu) {
        EXPECT_DOUBLE_EQ(centre(gpu).y, centre(gpu + 4).y);
        EXPECT_DOUBLE_EQ(centre(gpu).x, 472 - centre(gpu + 4).x);
    }
    const auto fabric = std::count_if(layout.edges.begin(), layout.edges.end(), [](const LayoutEdge &e) {
        return e.link.linkClass == LinkClass::Fabric;
    });
    EXPECT_EQ(fabric, 16);
    EXPECT_EQ(
        std::count_if(layout.edges.begin(), layout.edges.end(), [](const LayoutEdge &e) { return e.pill; }),
        4);
    EXPECT_EQ(layout.socketWord, "SYS");
    EXPECT_EQ(layout.socketLink, (LayoutPoint{236, 328}));
    expectReadable(layout, "dgx1");
}

TEST(TopologyLayout, KeepsTheCubeMeshWhereALinkBetweenTheSocketsIsBroken)
{
    Topology topology = topologyOf("dgx1.txt");
    topology.cell(2, 6).word = "SYS";
    topology.cell(6, 2).word = "SYS";
    const GraphLayout whole = layoutTopology(topologyOf("dgx1.txt"), 472, 356);
    const GraphLayout layout = layoutTopology(topology, 472, 356);
    for (std::size_t gpu = 0; gpu < 8; ++gpu)
        EXPECT_EQ(nodeOf(layout, gpu).rect, nodeOf(whole, gpu).rect) << gpu;
    EXPECT_EQ(layout.edges.size() + 1, whole.edges.size());
    expectReadable(layout, "dgx1 with a broken link");
}

TEST(TopologyLayout, CollapsesAllToAllIntoOneBar)
{
    const Topology topology = topologyOf("h100x8-10nics.txt");
    const GraphLayout layout = layoutTopology(topology, 472, 356);
    ASSERT_EQ(layout.bars.size(), 1U);
    EXPECT_EQ(layout.bars[0].word, "NV18");
    EXPECT_EQ(layout.bars[0].gpus, 8);
    EXPECT_TRUE(layout.bars[0].isSwitch);
    EXPECT_EQ(layout.bars[0].members.size(), 8U);
    // Each card stands level with the GPU it is beside.
    const auto row = [&](const char *name) {
        return nodeOf(layout, *topology.indexOf(name)).rect.centre().y;
    };
    EXPECT_DOUBLE_EQ(row("NIC3"), row("GPU2"));
    EXPECT_DOUBLE_EQ(row("NIC9"), row("GPU7"));
    EXPECT_EQ(layout.idleCards.size(), 2U); // NIC2 in one socket, NIC7 in the other
    EXPECT_LT(nodeOf(layout, *topology.indexOf("NIC2")).rect.x, 236);
    EXPECT_GT(nodeOf(layout, *topology.indexOf("NIC7")).rect.x, 236);
    expectReadable(layout, "h100");
}

TEST(TopologyLayout, CallsNothingASwitchThatLinksCouldDo)
{
    // Four GPUs with four links to each other are joined directly: 12 links a GPU.
    std::string text = "\tGPU0\tGPU1\tGPU2\tGPU3\n";
    for (int a = 0; a < 4; ++a) {
        text += "GPU" + std::to_string(a);
        for (int b = 0; b < 4; ++b)
            text += a == b ? "\t X " : "\tNV4";
        text += "\n";
    }
    const GraphLayout layout = layoutTopology(parseTopology(text), 472, 356);
    ASSERT_EQ(layout.bars.size(), 1U);
    EXPECT_FALSE(layout.bars[0].isSwitch);
}

TEST(TopologyLayout, IsReadableForEveryMachineAndSize)
{
    for (const char *name :
         {"dgx1.txt", "h100x8-10nics.txt", "pcie4.txt", "damaged.txt", "damaged-pair.txt", "v100x16.txt",
          "glued-header.txt", "other-maker.txt", "pci-tree.txt", "lone-gpu.txt"}) {
        const Topology topology = topologyOf(name);
        for (const auto &[width, height] :
             {std::pair(472.0, 356.0), std::pair(330.0, 300.0), std::pair(776.0, 560.0)}) {
            const GraphLayout layout = layoutTopology(topology, width, height);
            std::size_t gpus = 0;
            for (const LayoutNode &node : layout.nodes)
                gpus += node.kind == LayoutNode::Kind::Gpu ? 1 : 0;
            EXPECT_EQ(gpus, static_cast<std::size_t>(topology.gpuCount())) << name;
            expectReadable(layout, std::string(name) + " at " + std::to_string(int(width)));
        }
    }
}

TEST(TopologyLayout, CollapsesManyCardsAndOneGpuStandsAlone)
{
    std::string text = "\tGPU0";
    for (int i = 0; i < 17; ++i)
        text += "\tNIC" + std::to_string(i);
    text += "\nGPU0\t X ";
    for (int i = 0; i < 17; ++i)
        text += i < 4 ? "\tPIX" : "\tNODE";
    const GraphLayout layout = layoutTopology(parseTopology(text + "\n"), 472, 356);
    ASSERT_EQ(layout.nodes.size(), 3U);
    EXPECT_EQ(nodeOf(layout, 1).devices.size(), 4U);
    EXPECT_EQ(nodeOf(layout, 9).devices.size(), 13U);
    expectReadable(layout, "one GPU, 17 cards");
}

TEST(TopologyLayout, FindsWhatIsUnderThePointer)
{
    const GraphLayout layout = layoutTopology(topologyOf("dgx1.txt"), 472, 356);
    const LayoutPoint gpu0 = nodeOf(layout, 0).rect.centre();
    EXPECT_EQ(hitAt(layout, gpu0), (GraphHit{0, std::nullopt}));
    const LayoutPoint gpu2 = nodeOf(layout, 2).rect.centre();
    EXPECT_EQ(hitAt(layout, {236, gpu2.y}), (GraphHit{2, 6}));
    EXPECT_EQ(hitAt(layout, {5, 350}), std::nullopt);
}

} // namespace sb
