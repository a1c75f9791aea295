// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/topology_meaning.h"

#include "core/text.h"

#include <algorithm>
#include <set>

namespace sb {

namespace {

// More sets than these are not all tried; 16 GPUs have at most 12 870 sets of a size.
constexpr double kMaxSets = 20000;
constexpr int kMaxGpus = 32; // of one node; larger tables get no sets

std::optional<int> nearness(const std::string &word)
{
    const LinkKind kind = linkKind(word);
    if (kind.linkClass == LinkClass::Unknown || kind.linkClass == LinkClass::Self)
        return std::nullopt;
    return static_cast<int>(kind.linkClass);
}

double setsOf(int n, int k)
{
    double sets = 1;
    for (int i = 0; i < k; ++i)
        sets = sets * (n - i) / (i + 1);
    return sets;
}

bool nextCombination(GpuSet &set, int n)
{
    const int k = static_cast<int>(set.size());
    int i = k - 1;
    while (i >= 0 && set[static_cast<std::size_t>(i)] == n - k + i)
        --i;
    if (i < 0)
        return false;
    ++set[static_cast<std::size_t>(i)];
    for (int j = i + 1; j < k; ++j)
        set[static_cast<std::size_t>(j)] = set[static_cast<std::size_t>(j - 1)] + 1;
    return true;
}

struct Scorer {
    const GpuGraph &graph;
    const std::vector<GpuAdvice> &advice;

    std::optional<SetCost> operator()(const GpuSet &set) const { return setCost(graph, advice, set); }
};

std::optional<GpuSet> tryAll(const Scorer &score, int n, int size)
{
    GpuSet set;
    for (int i = 0; i < size; ++i)
        set.push_back(i);
    std::optional<GpuSet> best;
    std::optional<SetCost> bestCost;
    do {
        const auto cost = score(set);
        if (cost && (!bestCost || *cost < *bestCost)) { // ties: the first in dictionary order stays
            best = set;
            bestCost = cost;
        }
    } while (nextCombination(set, n));
    return best;
}

// From each GPU, add the one that costs least until the set is full; keep the best of these.
std::optional<GpuSet> grow(const Scorer &score, int n, int size)
{
    std::optional<GpuSet> best;
    std::optional<SetCost> bestCost;
    for (int seed = 0; seed < n; ++seed) {
        GpuSet set{seed};
        std::optional<SetCost> cost = score(set);
        while (cost && static_cast<int>(set.size()) < size) {
            std::optional<SetCost> stepCost;
            GpuSet step;
            for (int next = 0; next < n; ++next) {
                if (std::binary_search(set.begin(), set.end(), next))
                    continue;
                GpuSet wider = set;
                wider.insert(std::upper_bound(wider.begin(), wider.end(), next), next);
                const auto found = score(wider);
                if (found && (!stepCost || *found < *stepCost)) {
                    stepCost = found;
                    step = std::move(wider);
                }
            }
            cost = stepCost;
            set = std::move(step);
        }
        if (cost && (!bestCost || *cost < *bestCost)) {
            best = set;
            bestCost = cost;
        }
    }
    return best;
}

// The word all pairs of a set share, if they do.
std::optional<std::string> commonWord(const Topology &topology, const GpuGraph &graph, const GpuSet &set)
{
    std::optional<std::string> common;
    for (const int a : set)
        for (const int b : set) {
            if (a >= b)
                continue;
            const auto word = topology.link(graph.devices[static_cast<std::size_t>(a)],
                                            graph.devices[static_cast<std::size_t>(b)]);
            if (!word || (common && *common != *word))
                return std::nullopt;
            common = word;
        }
    return common;
}

std::string worstWord(const Topology &topology, const GpuGraph &graph, const GpuSet &set)
{
    std::string worst;
    LinkClass worstClass = LinkClass::Self;
    for (const int a : set)
        for (const int b : set) {
            const auto &kind = graph.link(a, b);
            if (a < b && kind && kind->linkClass > worstClass) {
                worstClass = kind->linkClass;
                worst = *topology.link(graph.devices[static_cast<std::size_t>(a)],
                                       graph.devices[static_cast<std::size_t>(b)]);
            }
        }
    return worst;
}

// The network cards that are nearest to every GPU of the set.
std::vector<std::size_t> sharedCards(const std::vector<GpuAdvice> &advice, const GpuSet &set)
{
    std::vector<std::size_t> shared = advice[static_cast<std::size_t>(set[0])].nearest;
    for (const int gpu : set) {
        const auto &mine = advice[static_cast<std::size_t>(gpu)];
        const bool near = mine.nearestWord == "PIX" || mine.nearestWord == "PXB";
        std::erase_if(shared, [&](std::size_t card) {
            return !near || std::find(mine.nearest.begin(), mine.nearest.end(), card) == mine.nearest.end();
        });
    }
    return shared;
}

void addCardReason(const Topology &topology, const std::vector<GpuAdvice> &advice, BestSet &set)
{
    std::vector<std::string> names;
    for (const std::size_t card : sharedCards(advice, set.gpus))
        names.push_back(topology.displayName(card));
    if (names.empty())
        return;
    const char *key = set.gpus.size() == 1   ? "reason.beside"
                      : set.gpus.size() == 2 ? "reason.both_beside"
                                             : "reason.all_beside";
    set.reason.push_back({key, {nameRanges(names)}, SentenceRole::Text});
}

// The word of the ring's narrowest link.
std::string ringWord(const Topology &topology, const GpuGraph &graph, const Ring &ring)
{
    for (std::size_t i = 0; i < ring.order.size(); ++i) {
        const int a = ring.order[i];
        const int b = ring.order[(i + 1) % ring.order.size()];
        if (graph.lanes(a, b) == ring.lanes)
            return *topology.link(graph.devices[static_cast<std::size_t>(std::min(a, b))],
                                  graph.devices[static_cast<std::size_t>(std::max(a, b))]);
    }
    return {};
}

void addReason(const Topology &topology, const GpuGraph &graph, const std::vector<GpuAdvice> &advice,
               BestSet &set)
{
    const std::size_t size = set.gpus.size();
    const auto phrase = [&](const char *key, std::vector<std::string> arguments = {}) {
        set.reason.push_back({key, std::move(arguments), SentenceRole::Text});
    };
    if (size > 1) {
        int lanes = 0;
        bool fabric = true;
        for (const int a : set.gpus)
            for (const int b : set.gpus)
                if (a < b) {
                    lanes += graph.lanes(a, b);
                    fabric &= graph.lanes(a, b) > 0;
                }
        const auto common = commonWord(topology, graph, set.gpus);
        if (static_cast<int>(size) == graph.count)
            phrase("reason.all");
        if (common)
            phrase(size == 2 ? "reason.word" : "reason.every", {*common});
        else if (fabric && static_cast<int>(size) != graph.count) {
            phrase("reason.island");
            phrase("reason.links", {std::to_string(lanes)});
        } else if (const auto ring = widestRing(graph, set.gpus))
            phrase("reason.ring", {ringWord(topology, graph, *ring)});
        else
            phrase("reason.worst", {worstWord(topology, graph, set.gpus)});
    }
    if (static_cast<int>(size) != graph.count || size == 1)
        addCardReason(topology, advice, set);
    if (set.reason.empty())
        phrase("reason.any");
}

} // namespace

std::optional<SetCost> setCost(const GpuGraph &graph, const std::vector<GpuAdvice> &advice, const GpuSet &set)
{
    SetCost cost;
    bool anyFabric = false;
    for (std::size_t i = 0; i < set.size(); ++i)
        for (std::size_t k = i + 1; k < set.size(); ++k) {
            const auto &kind = graph.link(set[i], set[k]);
            if (!kind)
                return std::nullopt;
            const int linkClass = static_cast<int>(kind->linkClass);
            cost.worstClass = std::max(cost.worstClass, linkClass);
            cost.classSum += linkClass;
            cost.minusLanes -= graph.lanes(set[i], set[k]);
            anyFabric |= kind->linkClass == LinkClass::Fabric;
        }
    // Complete sets always have a ring; asking costs 2^n steps, so only where the answer is open.
    const bool complete = cost.worstClass <= static_cast<int>(LinkClass::Fabric);
    if (set.size() > 2 && !complete && (set.size() <= 12 || graph.count <= 16))
        cost.noRing = anyFabric && !firstRing(fabricNeighbours(graph, set, 1)).empty() ? 0 : 1;
    std::set<std::string> numa;
    for (const int gpu : set) {
        const GpuAdvice &mine = advice[static_cast<std::size_t>(gpu)];
        cost.nicCost += mine.nearestWord.empty()
                            ? static_cast<int>(LinkClass::Unknown)
                            : nearness(mine.nearestWord).value_or(static_cast<int>(LinkClass::Unknown));
        numa.insert(mine.numa ? *mine.numa : mine.cores.value_or(""));
    }
    cost.numaNodes = static_cast<int>(numa.size());
    return cost;
}

std::optional<BestSet> bestSet(const Topology &topology, const GpuGraph &graph,
                               const std::vector<GpuAdvice> &advice, int size)
{
    if (size < 1 || size > graph.count || graph.count > kMaxGpus)
        return std::nullopt;
    const Scorer score{graph, advice};
    BestSet best;
    best.exact = setsOf(graph.count, size) <= kMaxSets;
    const auto found = best.exact ? tryAll(score, graph.count, size) : grow(score, graph.count, size);
    if (!found)
        return std::nullopt;
    best.gpus = *found;
    addReason(topology, graph, advice, best);
    return best;
}

std::string reasonText(const BestSet &set, WordLanguage language)
{
    std::string text;
    for (const Sentence &phrase : set.reason)
        text += (text.empty()                        ? ""
                 : language == WordLanguage::English ? ", "
                                                     : "，") +
                sentenceText(phrase, language);
    return text;
}

std::string deviceNumbers(const Topology &topology, const BestSet &set)
{
    const auto gpus = topology.gpus();
    std::vector<std::string> numbers;
    for (const int gpu : set.gpus)
        numbers.push_back(topology.devices[gpus[static_cast<std::size_t>(gpu)]].name.substr(3));
    return join(numbers, ",");
}

std::string visibleDevicesLine(const Topology &topology, const BestSet &set)
{
    const char *variable =
        topology.kind == TopologyKind::RocmTopology ? "HIP_VISIBLE_DEVICES=" : "CUDA_VISIBLE_DEVICES=";
    return variable + deviceNumbers(topology, set);
}

} // namespace sb
