// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology_values.h"

#include "core/topology_meaning.h"
#include "core/topology_rates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>

namespace sb {

using test::topologyOf;

namespace {

std::vector<std::string> sentences(const TopologyMeaning &meaning, WordLanguage language)
{
    std::vector<std::string> texts;
    for (const Sentence &sentence : meaning.sentences)
        texts.push_back(sentenceText(sentence, language));
    return texts;
}

// Every order of the GPUs, by brute force: the first ring in dictionary order of links of at least `lanes`.
std::vector<int> ringByTrying(const GpuGraph &graph, int lanes)
{
    std::vector<int> order(static_cast<std::size_t>(graph.count));
    std::iota(order.begin(), order.end(), 0);
    do {
        bool ring = true;
        for (std::size_t i = 0; ring && i < order.size(); ++i)
            ring = graph.lanes(order[i], order[(i + 1) % order.size()]) >= lanes;
        if (ring)
            return order;
    } while (std::next_permutation(order.begin() + 1, order.end()));
    return {};
}

// Every subset of the size, by bits, with costs from the same rule but none of the search.
GpuSet setByTrying(const GpuGraph &graph, const std::vector<GpuAdvice> &advice, int size)
{
    std::optional<std::pair<SetCost, GpuSet>> best;
    for (unsigned bits = 0; bits < 1U << graph.count; ++bits) {
        GpuSet set;
        for (int i = 0; i < graph.count; ++i)
            if ((bits >> i & 1U) != 0)
                set.push_back(i);
        if (static_cast<int>(set.size()) != size)
            continue;
        if (const auto cost = setCost(graph, advice, set); cost && (!best || std::pair(*cost, set) < *best))
            best = {*cost, set};
    }
    return best ? best->second : GpuSet();
}

} // namespace

TEST(TopologyMeaning, FindsTheTwoIslandsAndBothRingsOfTheDgx1)
{
    const Topology topology = topologyOf("dgx1.txt");
    const TopologyMeaning meaning = topologyMeaning(topology);
    EXPECT_EQ(meaning.islands, (std::vector<GpuSet>{{0, 1, 2, 3}, {4, 5, 6, 7}}));
    ASSERT_EQ(meaning.rings.size(), 2U);
    EXPECT_EQ(meaning.rings[0].order, (std::vector<int>{0, 3, 2, 1, 5, 6, 7, 4}));
    EXPECT_EQ(meaning.rings[0].lanes, 2);
    EXPECT_EQ(meaning.rings[1].order, (std::vector<int>{0, 1, 3, 7, 5, 4, 6, 2}));
    EXPECT_EQ(meaning.rings[1].lanes, 1);
    EXPECT_EQ(ringByTrying(gpuGraph(topology), 2), meaning.rings[0].order);
    const auto english = sentences(meaning, WordLanguage::English);
    EXPECT_EQ(english.at(0), "GPU0–3 and GPU4–7 are two islands.");
    EXPECT_EQ(english.at(2), "only four pairs join them, and 12 of 28 pairs are across the sockets (SYS).");
    EXPECT_EQ(english.at(4),
              "one ring of NV2 links, 0–3–2–1–5–6–7–4, and one of NV1 links, 0–1–3–7–5–4–6–2.");
    const auto chinese = sentences(meaning, WordLanguage::Chinese);
    EXPECT_EQ(chinese.at(0), "GPU0–3 与 GPU4–7 是两个岛。");
    EXPECT_EQ(chinese.at(2), "只有四对把它们连起来；28 对中有 12 对跨 CPU 插槽（SYS）。");
}

TEST(TopologyMeaning, EverySentenceHasBothLanguages)
{
    for (const char *name :
         {"dgx1.txt", "h100x8-10nics.txt", "pcie4.txt", "damaged.txt", "damaged-pair.txt", "v100x16.txt",
          "lone-gpu.txt", "glued-header.txt", "p2p.txt", "rocm.txt", "mxnet.log", "pci-tree.txt"}) {
        const TopologyMeaning meaning = topologyMeaning(topologyOf(name));
        EXPECT_FALSE(meaning.sentences.empty()) << name;
        for (const Sentence &sentence : meaning.sentences)
            for (const WordLanguage language : {WordLanguage::English, WordLanguage::Chinese}) {
                const std::string text = sentenceText(sentence, language);
                EXPECT_EQ(text.find("topo."), std::string::npos) << text;
                EXPECT_EQ(text.find('%'), std::string::npos) << text;
                EXPECT_EQ(text.find('@'), std::string::npos) << text;
            }
    }
}

TEST(TopologyMeaning, OffersTheSetsThatExhaustiveSearchFinds)
{
    for (const char *name :
         {"dgx1.txt", "h100x8-10nics.txt", "pcie4.txt", "lone-gpu.txt", "pci-tree.txt", "damaged-pair.txt"}) {
        const Topology topology = topologyOf(name);
        const GpuGraph graph = gpuGraph(topology);
        const auto advice = gpuAdvice(topology);
        for (int size = 1; size <= graph.count; ++size) {
            const auto set = bestSet(topology, graph, advice, size);
            EXPECT_EQ(set ? set->gpus : GpuSet(), setByTrying(graph, advice, size)) << name << " " << size;
        }
    }
}

TEST(TopologyMeaning, ExplainsTheBestSetsOfTheDgx1)
{
    const Topology topology = topologyOf("dgx1.txt");
    const TopologyMeaning meaning = topologyMeaning(topology);
    ASSERT_EQ(meaning.bestSets.size(), 4U);
    EXPECT_EQ(meaning.bestSets[2].gpus, (GpuSet{0, 1, 2, 3}));
    EXPECT_EQ(visibleDevicesLine(topology, meaning.bestSets[2]), "CUDA_VISIBLE_DEVICES=0,1,2,3");
    EXPECT_EQ(reasonText(meaning.bestSets[2], WordLanguage::English), "one island, 9 links in all");
    EXPECT_EQ(reasonText(meaning.bestSets[3], WordLanguage::English), "all, NV2 ring");
    EXPECT_EQ(reasonText(meaning.bestSets[3], WordLanguage::Chinese), "全部，NV2 环");
    EXPECT_EQ(reasonText(meaning.bestSets[0], WordLanguage::English), "beside mlx5_0");
}

TEST(TopologyMeaning, OffersNothingThatNeedsAnUnreadCell)
{
    const Topology topology = topologyOf("damaged-pair.txt"); // GPU2–GPU6 cannot be read
    ASSERT_FALSE(topology.link(2, 6));
    const TopologyMeaning meaning = topologyMeaning(topology);
    EXPECT_TRUE(meaning.islands.empty());
    EXPECT_TRUE(meaning.rings.empty());
    EXPECT_EQ(sentences(meaning, WordLanguage::English).at(0),
              "Islands and rings cannot be told: the link between GPU2 and GPU6 could not be read.");
    ASSERT_EQ(meaning.bestSets.size(), 3U); // 1, 2, 4 but not 8
    EXPECT_EQ(meaning.bestSets[2].gpus, (GpuSet{0, 1, 2, 3}));
    // A network card that could be the nearest but cannot be read is not called the nearest.
    const TopologyMeaning damaged = topologyMeaning(topologyOf("damaged.txt"));
    EXPECT_TRUE(damaged.advice[5].nearest.empty());
    EXPECT_EQ(damaged.advice[4].nearestWord, "PIX");
}

TEST(TopologyMeaning, SearchesSixteenGpusInTime)
{
    // A mesh in which no answer is easy: NV1 to neighbours in a ring of 16 and across, SYS elsewhere.
    std::string text = "\t";
    for (int i = 0; i < 16; ++i)
        text += "GPU" + std::to_string(i) + "\t";
    text += "\n";
    for (int a = 0; a < 16; ++a) {
        text += "GPU" + std::to_string(a);
        for (int b = 0; b < 16; ++b) {
            const int away = std::abs(a - b) % 14;
            text += a == b                               ? "\t X "
                    : away == 1 || std::abs(a - b) == 15 ? "\tNV2"
                    : (a + b) % 5 == 0                   ? "\tNV1"
                                                         : "\tSYS";
        }
        text += "\n";
    }
    const Topology topology = parseTopology(text);
    ASSERT_EQ(topology.gpuCount(), 16);
    const GpuGraph graph = gpuGraph(topology);
    const auto advice = gpuAdvice(topology);
    const auto start = std::chrono::steady_clock::now();
    const auto set = bestSet(topology, graph, advice, 8);
    const auto took = std::chrono::steady_clock::now() - start;
    ASSERT_TRUE(set);
    EXPECT_EQ(set->gpus, setByTrying(graph, advice, 8));
    RecordProperty("ms",
                   static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(took).count()));
    EXPECT_LT(took, std::chrono::seconds(
                        2)); // see topology_bench for the time; a loaded machine must not fail this
}

TEST(TopologyMeaning, NamesNearestCardsAndCores)
{
    const TopologyMeaning meaning = topologyMeaning(topologyOf("h100x8-10nics.txt"));
    const Topology topology = topologyOf("h100x8-10nics.txt");
    EXPECT_EQ(topology.displayName(meaning.advice[6].nearest.at(0)), "mlx5_8");
    EXPECT_EQ(meaning.advice[6].cores, "48-95,144-191");
    EXPECT_EQ(sentences(meaning, WordLanguage::English).at(0), "All 8 GPUs are one island.");
    EXPECT_EQ(sentences(meaning, WordLanguage::English).back(),
              "Each GPU has a network card of its own behind one PCIe switch.");
}

TEST(TopologyRates, KnowsProductsByWholeWords)
{
    EXPECT_EQ(gpuRates("Tesla V100-SXM2-16GB")->nvlinkGBps, 25.0);
    EXPECT_EQ(gpuRates("NVIDIA H200")->maxNvlinks, 18);
    EXPECT_EQ(gpuRates("NVIDIA GH200 480GB")->product, "GH200");
    EXPECT_FALSE(gpuRates("NVIDIA A400"));
    EXPECT_FALSE(gpuRates("Some GPU"));
    EXPECT_EQ(gpuRates("NVIDIA L40S")->nvlinkGBps, 0.0);
}

TEST(TopologyRates, MultipliesLanesAndSaysAtMostForPcie)
{
    Topology topology = topologyOf("dgx1.txt");
    EXPECT_FALSE(nominalRate(topology, 0, 3)); // nothing names the product
    for (TopologyDevice &device : topology.devices)
        device.product = "Tesla V100-SXM2-16GB";
    EXPECT_EQ(nominalRate(topology, 0, 3)->gbps, 50.0);
    EXPECT_FALSE(nominalRate(topology, 0, 3)->atMost);
    EXPECT_EQ(nominalRate(topology, 0, 7)->gbps, 15.75);
    EXPECT_TRUE(nominalRate(topology, 0, 7)->atMost);
    EXPECT_NE(nominalRate(topology, 0, 3)->source.find("NVIDIA"), std::string::npos);
}

} // namespace sb
