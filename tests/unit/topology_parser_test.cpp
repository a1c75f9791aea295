// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology_values.h"

#include "core/topology_json.h"
#include "core/topology_lines.h"
#include "core/topology_pci.h"

#include <gtest/gtest.h>

#include <chrono>

namespace sb {

using test::linkOf;
using test::topologyOf;
using test::topologyText;

TEST(TopologyParser, ReadsTheMatrixWithCardsAndAffinities)
{
    const Topology topology = topologyOf("h100x8-10nics.txt");
    EXPECT_EQ(topology.kind, TopologyKind::NvidiaMatrix);
    EXPECT_EQ(topology.gpuCount(), 8);
    EXPECT_EQ(topology.nics().size(), 10U);
    EXPECT_EQ(linkOf(topology, "GPU0", "GPU7"), "NV18");
    EXPECT_EQ(linkOf(topology, "GPU2", "NIC3"), "PIX");
    EXPECT_EQ(linkOf(topology, "NIC0", "NIC9"), "SYS");
    EXPECT_EQ(topology.displayName(*topology.indexOf("NIC3")), "mlx5_3");
    EXPECT_EQ(topology.devices[0].cpuAffinity, "0-47,96-143");
    EXPECT_EQ(topology.devices[7].numaAffinity, "1");
    EXPECT_EQ(topology.devices[7].gpuNumaId, "N/A");
    EXPECT_TRUE(topology.legendPresent);
    EXPECT_FALSE(topology.damaged());
    EXPECT_TRUE(topology.findings.empty());
}

TEST(TopologyParser, SplitsGluedHeaderNames)
{
    const Topology topology = topologyOf("glued-header.txt");
    ASSERT_EQ(topology.size(), 4U);
    EXPECT_EQ(topology.devices[2].name, "NIC0");
    EXPECT_EQ(linkOf(topology, "GPU1", "NIC1"), "PHB");
    EXPECT_EQ(topology.devices[1].cpuAffinity, "8-15");
    EXPECT_EQ(topology.nicNames.at("NIC1"), "rocep2s0");
    const auto header = readHeader("GPU0GPU1GPU10mlx5_0mlx5_bond_1CPU AffinityNUMA AffinityGPU NUMA ID   ");
    ASSERT_TRUE(header);
    EXPECT_EQ(header->names, (std::vector<std::string>{"GPU0", "GPU1", "GPU10", "mlx5_0", "mlx5_bond_1"}));
    EXPECT_EQ(header->affinities.size(), 3U);
}

TEST(TopologyParser, FindsTheTableAmongOtherLinesAndPrefixes)
{
    const Topology topology = topologyOf("prefixed.txt");
    EXPECT_EQ(topology.gpuCount(), 4);
    EXPECT_EQ(linkOf(topology, "GPU2", "GPU3"), "PIX");
    EXPECT_EQ(topology.devices[3].cpuAffinity, "16-31");
    EXPECT_FALSE(topology.damaged());
}

TEST(TopologyParser, TakesPrefixesOfLaunchersAndQuotations)
{
    for (const std::string prefix : {"[1,0]<stdout>:", "> ", "2026-01-02T03:04:05.678Z ", "node1: "}) {
        std::string text;
        for (const char *line : {"\tGPU0\tGPU1\tCPU Affinity", "GPU0\t X \tNV4\t0-7", "GPU1\tNV4\t X \t0-7",
                                 "", "Legend:", "  X    = Self"})
            text += prefix + line + "\n";
        const Topology topology = parseTopology(text);
        EXPECT_EQ(linkOf(topology, "GPU0", "GPU1"), "NV4") << prefix;
        EXPECT_TRUE(topology.legendPresent) << prefix;
        EXPECT_FALSE(topology.damaged()) << prefix;
    }
}

TEST(TopologyParser, NeverShiftsCellsThatRanTogether)
{
    const Topology topology = topologyOf("damaged.txt");
    EXPECT_TRUE(topology.devices[5].damaged);
    EXPECT_EQ(topology.devices[5].cpuAffinity, std::nullopt);
    // The column knows what the row lost; only the crossing of two damaged rows is unknown.
    EXPECT_EQ(linkOf(topology, "GPU5", "GPU7"), "NV18");
    EXPECT_EQ(linkOf(topology, "GPU5", "NIC9"), "NODE");
    EXPECT_EQ(linkOf(topology, "GPU5", "NIC6"), "?");
    EXPECT_EQ(topology.cell(5, 14).state, CellState::Unreadable);
    EXPECT_EQ(topology.cell(5, 7).state, CellState::Mirrored);
    for (const TopologyDevice &device : topology.devices)
        EXPECT_EQ(device.damaged, device.name == "GPU5" || device.name == "NIC6") << device.name;
}

TEST(TopologyParser, KeepsCellsBeforeTheFaultWhenEveryRowIsDamaged)
{
    const Topology topology = parseTopology("\tGPU0\tGPU1\tNIC0\tCPU Affinity\n"
                                            "GPU0\t X \tNV4\tPH0-7\n"
                                            "GPU1\tNV4\t X \tPH0-7\n");
    EXPECT_EQ(linkOf(topology, "GPU0", "GPU1"), "NV4");
    EXPECT_EQ(linkOf(topology, "GPU0", "NIC0"), "?");
    EXPECT_TRUE(topology.devices[0].damaged && topology.devices[1].damaged);
    EXPECT_EQ(topology.devices[0].cpuAffinity, std::nullopt);
}

TEST(TopologyParser, MarksAWordlessLossBehindTheX)
{
    // One cell is gone and nothing shows where: only what stands before the X is sure.
    const Topology topology = parseTopology("\tGPU0\tGPU1\tGPU2\tGPU3\n"
                                            "GPU0\t X \tPIX\tSYS\n"
                                            "GPU1\tPIX\t X \tNODE\tSYS\n"
                                            "GPU2\tSYS\tNODE\t X \tPIX\n");
    EXPECT_TRUE(topology.devices[0].damaged);
    EXPECT_TRUE(topology.devices[3].damaged); // its row is missing
    EXPECT_EQ(linkOf(topology, "GPU0", "GPU2"), "SYS");
    EXPECT_EQ(linkOf(topology, "GPU2", "GPU3"), "PIX");
    EXPECT_EQ(linkOf(topology, "GPU0", "GPU3"), "?");
}

TEST(TopologyParser, JoinsWrappedLinesAndMarksThem)
{
    const Topology topology = topologyOf("wrapped.txt");
    ASSERT_EQ(topology.size(), 12U);
    const Topology whole = topologyOf("dgx1.txt");
    for (std::size_t a = 0; a < 12; ++a)
        for (std::size_t b = 0; b < 12; ++b)
            EXPECT_EQ(topology.link(a, b), whole.link(a, b)) << a << " " << b;
    EXPECT_TRUE(topology.devices[0].damaged);
}

TEST(TopologyParser, TellsEmptyCellsByTheirTabs)
{
    const Topology topology = topologyOf("empty-cells.txt");
    EXPECT_TRUE(topology.devices[0].damaged);
    EXPECT_EQ(linkOf(topology, "GPU0", "GPU1"), "PIX");
    EXPECT_EQ(linkOf(topology, "GPU0", "GPU2"), "SYS");
    EXPECT_EQ(topology.devices[1].cpuAffinity, "");
    EXPECT_EQ(topology.devices[1].gpuNumaId, "N/A");
    EXPECT_EQ(topology.devices[2].numaAffinity, "1");
}

TEST(TopologyParser, KeepsWordsNobodyKnows)
{
    const Topology topology = topologyOf("other-maker.txt");
    EXPECT_EQ(topology.gpuCount(), 4);
    EXPECT_EQ(linkOf(topology, "PPU0", "PPU3"), "QLK");
    EXPECT_FALSE(topology.damaged());
    ASSERT_EQ(topology.findings.size(), 1U);
    EXPECT_EQ(topology.findings[0].kind, FindingKind::UnknownWord);
}

TEST(TopologyParser, RepairsWordsThatAreNoText)
{
    // Two different words of broken bytes became the same key of the JSON, twice.
    const Topology topology =
        parseTopology("\tGPU0\tGPU1\tGPU2\nGPU0\t X \tP\xA8Q\tP\xFDQ\nGPU1\tPIX\t X \tPIX\n"
                      "GPU2\tPIX\tPIX\t X \n");
    ASSERT_EQ(topology.gpuCount(), 3);
    EXPECT_TRUE(parseJson(writeJson(topologyJson(topology)), "test"));
}

TEST(TopologyParser, ReportsAsymmetryAndOddDiagonals)
{
    const Topology topology = topologyOf("asymmetric.txt");
    ASSERT_EQ(topology.findings.size(), 2U);
    EXPECT_EQ(topology.findings[0].text, "GPU0 to GPU1 is PIX, but the way back is PHB.");
    EXPECT_EQ(topology.findings[1].kind, FindingKind::DiagonalNotSelf);
    EXPECT_EQ(linkOf(topology, "GPU1", "GPU0"), "PHB"); // as read
}

TEST(TopologyParser, ReportsTheOneGpuWithoutNvlink)
{
    const Topology topology = topologyOf("lone-gpu.txt");
    ASSERT_EQ(topology.findings.size(), 1U);
    EXPECT_EQ(topology.findings[0].kind, FindingKind::LoneGpu);
    EXPECT_EQ(topology.findings[0].subject, "GPU3");
    // A bridge between two cards of three says nothing about the third.
    const Topology bridge = parseTopology("\tGPU0\tGPU1\tGPU2\nGPU0\t X \tNV4\tNODE\nGPU1\tNV4\t X \tNODE\n"
                                          "GPU2\tNODE\tNODE\t X \n");
    EXPECT_TRUE(bridge.findings.empty());
}

TEST(TopologyParser, TellsP2pStatusFromTheMatrix)
{
    const Topology topology = topologyOf("p2p.txt");
    EXPECT_EQ(topology.kind, TopologyKind::NvidiaP2p);
    EXPECT_EQ(linkOf(topology, "GPU0", "GPU2"), "CNS");
    EXPECT_TRUE(topology.legendPresent);
}

TEST(TopologyParser, ReadsNvlinkStatus)
{
    const Topology topology = topologyOf("nvlink.txt");
    EXPECT_EQ(topology.kind, TopologyKind::NvidiaNvlink);
    ASSERT_EQ(topology.nvlinks.size(), 3U);
    EXPECT_EQ(topology.nvlinks[0].linksUp, 6);
    EXPECT_EQ(topology.nvlinks[0].linkGBps, 25.781);
    EXPECT_EQ(topology.nvlinks[1].linksDown, 1);
    EXPECT_EQ(topology.nvlinks[2].linksUp, 0);
    EXPECT_EQ(topology.nvlinks[2].linkGBps, std::nullopt);
    EXPECT_EQ(topology.devices[0].product, "Tesla V100-SXM2-16GB");
}

TEST(TopologyParser, JoinsSeveralCommandsOfOneText)
{
    const Topology topology = parseTopology(topologyText("dgx1.txt") + topologyText("nvlink.txt"));
    EXPECT_EQ(topology.kind, TopologyKind::NvidiaMatrix);
    EXPECT_EQ(topology.devices[1].product, "Tesla V100-SXM2-16GB");
    EXPECT_EQ(topology.nvlinks.size(), 3U);
}

TEST(TopologyParser, ReadsRocmTables)
{
    const Topology topology = topologyOf("rocm.txt");
    EXPECT_EQ(topology.kind, TopologyKind::RocmTopology);
    EXPECT_EQ(linkOf(topology, "GPU0", "GPU1"), "PCIE");
    EXPECT_EQ(topology.devices[1].numaAffinity, "1");
    EXPECT_EQ(topology.extraTables.at("weight"), (std::vector<std::string>{"0", "72", "72", "0"}));
    // A header with a name that is no GPU of rocm-smi made the reader look for a device that is not there.
    const Topology odd = parseTopology("=== Link Type between two GPUs ===\n GPU0 KPU1\nGPU0 0 XGMI\n");
    EXPECT_EQ(odd.size(), 0U);
    // Tables nobody knows are left out: their titles would become keys of the JSON, valid or not.
    const Topology titled = parseTopology("=== gpus between two GPUs ===\n GPU0 GPU1\nGPU0 0 1\nGPU1 1 0\n");
    EXPECT_TRUE(titled.extraTables.empty());
}

TEST(TopologyParser, ReadsMxnetsMatrixFromALog)
{
    const Topology topology = topologyOf("mxnet.log");
    EXPECT_EQ(topology.kind, TopologyKind::MxnetP2p);
    EXPECT_EQ(linkOf(topology, "GPU0", "GPU1"), "OK");
    EXPECT_EQ(linkOf(topology, "GPU1", "GPU2"), "NS");
}

TEST(TopologyParser, ReadsThePciTree)
{
    const Topology topology = topologyOf("pci-tree.txt");
    EXPECT_EQ(topology.kind, TopologyKind::PciTree);
    EXPECT_EQ(topology.gpuCount(), 5); // the console's chip is none
    EXPECT_EQ(linkOf(topology, "GPU0", "GPU1"), "PIX");
    EXPECT_EQ(linkOf(topology, "GPU1", "NIC0"), "PIX");
    EXPECT_EQ(linkOf(topology, "GPU0", "GPU2"), "PHB");
    EXPECT_EQ(linkOf(topology, "GPU0", "GPU3"), "NODE");
    EXPECT_EQ(linkOf(topology, "GPU0", "GPU4"), "SYS");
    EXPECT_EQ(topology.nicNames.at("NIC0"), "mlx5_0");
    EXPECT_EQ(topology.readAtUtcS, 1767225600);
    EXPECT_EQ(topology.findings.at(0).text, "From the PCI tree; NVLink unknown.");
}

TEST(TopologyParser, NamesErrors)
{
    const auto nameOf = [](const char *text) {
        const Topology topology = parseTopology(text);
        return topology.kind == TopologyKind::Error ? topology.error->name : "no error";
    };
    EXPECT_EQ(nameOf("Failed to initialize NVML: Driver/library version mismatch\n"),
              "nvml-version-mismatch");
    EXPECT_EQ(nameOf("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n"),
              "driver-not-running");
    EXPECT_EQ(nameOf("Unable to determine the device handle for GPU0: 0000:3B:00.0: Unknown Error\n"
                     "No devices were found\n"),
              "no-devices");
    EXPECT_EQ(nameOf("sh: 1: nvidia-smi: not found\n"), "command-not-found");
    EXPECT_EQ(nameOf("Failed to run topology matrix\n"), "topology-matrix-failed");
    EXPECT_EQ(nameOf("ssh: connect to host n1 port 22: Connection refused\n"), "ssh-refused");
    EXPECT_EQ(nameOf("   \n"), "empty");
    EXPECT_EQ(nameOf("hello\n"), "no-table");
}

TEST(TopologyParser, ReportsALostGpuBesideATable)
{
    const Topology topology =
        parseTopology("Unable to determine the device handle for GPU1: 0000:3B:00.0: Unknown Error\n" +
                      topologyText("pcie4.txt"));
    EXPECT_EQ(topology.gpuCount(), 4);
    EXPECT_EQ(topology.findings.at(0).kind, FindingKind::LostGpu);
}

TEST(TopologyParser, PrintsTheKeysProgramsRelyOn)
{
    const JsonNode json = topologyJson(topologyOf("damaged.txt"));
    for (const char *key :
         {"kind", "gpus", "nics", "nic_names", "links", "nic_links", "link_counts", "cpu_affinity",
          "numa_affinity", "gpu_numa_id", "legend_present", "damaged", "error"})
        EXPECT_NE(json.find(key), nullptr) << key;
    EXPECT_EQ(json.find("links")->members.size(), 28U);
    EXPECT_EQ(json.find("link_counts")->find("NV18")->integer, 28);
    EXPECT_TRUE(json.find("nic_links")->find("GPU5-NIC6")->isNull());
    EXPECT_EQ(json.find("damaged")->find("rows")->items.size(), 2U);
    EXPECT_EQ(json.find("cpu_affinity")->find("GPU5"), nullptr);
}

// Hostile texts end soon and give small results.
TEST(TopologyParser, BoundsItsWork)
{
    std::string headers;
    for (int i = 0; i < 20000; ++i)
        headers += "\tGPU0\tGPU1\tGPU" + std::to_string(2 + i % 120) + "\n";
    std::string wide = "\t";
    for (int i = 0; i < 5000; ++i)
        wide += "GPU" + std::to_string(i);
    const std::string zeros(3 << 20U, '\0');
    std::string rows = "\tGPU0\tGPU1\n";
    for (int i = 0; i < 100000; ++i)
        rows += "GPU0\t X\n";
    const auto start = std::chrono::steady_clock::now();
    for (const std::string &text : {headers, wide, zeros, rows}) {
        const Topology topology = parseTopology(text);
        EXPECT_LE(topology.size(), kMaxTopologyDevices);
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start,
              std::chrono::seconds(20)); // about 0.2 s; sanitizers take longer
}

} // namespace sb
