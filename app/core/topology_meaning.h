// SPDX-License-Identifier: GPL-3.0-or-later
// What a topology means for training: islands, rings, best GPU sets, nearest cards, cores. Pure. Nothing that
// depends on a cell that could not be read is said or offered.
#pragma once

#include "core/json.h"
#include "core/topology.h"
#include "core/topology_graph.h"
#include "core/topology_words.h"

#include <optional>
#include <string>
#include <vector>

namespace sb {

struct BestSet {
    GpuSet gpus;                  // positions in the graph, ascending
    std::vector<Sentence> reason; // phrases, most important first
    bool exact = true;            // false: too many sets to try them all

    bool operator==(const BestSet &) const = default;
};

struct GpuAdvice {
    std::size_t device = 0;           // index into Topology::devices
    std::vector<std::size_t> nearest; // network cards that are as near as any; empty when unknown
    std::string nearestWord;          // "PIX"
    std::optional<std::string> cores; // CPU list to pin to
    std::optional<std::string> numa;  // NUMA node, as the text says
};

struct TopologyMeaning {
    std::vector<GpuSet> islands; // every GPU is in one; empty when they cannot be told
    std::vector<Ring> rings;     // over all GPUs, widest first, at most two, without common links
    std::vector<Sentence> sentences;
    std::vector<BestSet> bestSets; // 1, 2, 4, 8 … and all GPUs
    std::vector<GpuAdvice> advice; // by GPU
};

TopologyMeaning topologyMeaning(const Topology &topology);

// Parts of the above, for tests.
void addCardSentences(const Topology &topology, TopologyMeaning &meaning); // needs meaning.advice
std::vector<GpuSet> findIslands(const GpuGraph &graph);
std::vector<GpuAdvice> gpuAdvice(const Topology &topology);
// The best set of `size` GPUs; nothing when every such set has a pair that cannot be read.
std::optional<BestSet> bestSet(const Topology &topology, const GpuGraph &graph,
                               const std::vector<GpuAdvice> &advice, int size);

// Orders sets: smaller is better. First the worst link inside, then whether a ring of fast links goes round,
// then lanes, then the sum of the ways, then how near network cards are, then NUMA nodes.
struct SetCost {
    int worstClass = 0;
    int noRing = 0;
    int minusLanes = 0;
    int classSum = 0;
    int nicCost = 0;
    int numaNodes = 0;
    auto operator<=>(const SetCost &) const = default;
};
// Nothing when a pair of the set cannot be read.
std::optional<SetCost> setCost(const GpuGraph &graph, const std::vector<GpuAdvice> &advice,
                               const GpuSet &set);

std::string reasonText(const BestSet &set, WordLanguage language);
// "0,1,2,3": the numbers of the GPUs, which is what CUDA calls them with CUDA_DEVICE_ORDER=PCI_BUS_ID.
std::string deviceNumbers(const Topology &topology, const BestSet &set);
// "CUDA_VISIBLE_DEVICES=0,1,2,3", or HIP_VISIBLE_DEVICES for AMD.
std::string visibleDevicesLine(const Topology &topology, const BestSet &set);

JsonNode meaningJson(const Topology &topology, const TopologyMeaning &meaning);

} // namespace sb
