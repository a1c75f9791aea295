// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/topology_meaning.h"

#include "core/text.h"

#include <algorithm>
#include <map>
#include <set>

namespace sb {

namespace {

struct Census {
    int pairs = 0;
    std::map<LinkClass, int> classes;
    std::map<LinkClass, std::string> words; // the text's own word for a class
    std::set<int> lanes;                    // of fast links
    LinkClass worst = LinkClass::Self;
    std::optional<std::pair<int, int>> unread;
};

Census census(const Topology &topology, const GpuGraph &graph)
{
    Census found;
    for (int a = 0; a < graph.count; ++a)
        for (int b = a + 1; b < graph.count; ++b) {
            ++found.pairs;
            const auto &kind = graph.link(a, b);
            if (!kind) {
                if (!found.unread)
                    found.unread = {a, b};
                continue;
            }
            ++found.classes[kind->linkClass];
            found.words.emplace(kind->linkClass, *topology.link(graph.devices[static_cast<std::size_t>(a)],
                                                                graph.devices[static_cast<std::size_t>(b)]));
            found.worst = std::max(found.worst, kind->linkClass);
            if (kind->linkClass == LinkClass::Fabric)
                found.lanes.insert(kind->lanes);
        }
    return found;
}

std::string classKey(LinkClass linkClass)
{
    switch (linkClass) {
    case LinkClass::Pix:
        return "@class.pix";
    case LinkClass::Pxb:
        return "@class.pxb";
    case LinkClass::Phb:
        return "@class.phb";
    case LinkClass::Pcie:
        return "@class.pcie";
    case LinkClass::Node:
        return "@class.node";
    case LinkClass::Sys:
        return "@class.sys";
    default:
        return "@class.unknown";
    }
}

std::string nameOf(const Topology &topology, const GpuGraph &graph, int gpu)
{
    return topology.devices[graph.devices[static_cast<std::size_t>(gpu)]].name;
}

std::vector<std::string> namesOf(const Topology &topology, const GpuGraph &graph, const GpuSet &set)
{
    std::vector<std::string> names;
    for (const int gpu : set)
        names.push_back(nameOf(topology, graph, gpu));
    return names;
}

// "0–3–2–1": the numbers of the GPUs in the order of the ring.
std::string ringText(const Topology &topology, const GpuGraph &graph, const Ring &ring)
{
    std::string text;
    for (const int gpu : ring.order)
        text += (text.empty() ? "" : "–") + nameOf(topology, graph, gpu).substr(3);
    return text;
}

std::string fabricName(const Census &found)
{
    const auto word = found.words.find(LinkClass::Fabric);
    if (word == found.words.end())
        return "@fabric.other";
    return word->second.starts_with("NV") ? "@fabric.nvlink" : word->second;
}

std::string fabricWord(const Census &found, int lanes)
{
    const std::string word = found.words.at(LinkClass::Fabric);
    return word.starts_with("NV") ? "NV" + std::to_string(lanes) : word;
}

struct Teller {
    const Topology &topology;
    const GpuGraph &graph;
    const Census &found;
    TopologyMeaning &meaning;

    void say(SentenceRole role, std::string key, std::vector<std::string> arguments = {}) const
    {
        meaning.sentences.push_back({std::move(key), std::move(arguments), role});
    }

    void oneIsland() const
    {
        const std::string count = std::to_string(graph.count);
        if (found.classes.contains(LinkClass::Fabric)) {
            say(SentenceRole::Lead, graph.count == 2 ? "topo.one_island_two" : "topo.one_island", {count});
            if (found.lanes.size() == 1)
                say(SentenceRole::Text, "topo.every_pair",
                    {std::to_string(*found.lanes.begin()), fabricWord(found, *found.lanes.begin())});
            else
                say(SentenceRole::Text, "topo.every_pair_fast");
        } else {
            say(SentenceRole::Lead, graph.count == 2 ? "topo.alike_two" : "topo.alike",
                {count, found.words.at(found.worst)});
        }
    }

    void manyIslands() const
    {
        std::string names = "&";
        std::vector<std::string> lone;
        int shown = 0;
        for (const GpuSet &island : meaning.islands) {
            if (island.size() == 1 && found.classes.contains(LinkClass::Fabric)) {
                lone.push_back(nameOf(topology, graph, island[0]));
                continue;
            }
            // "GPU0–3", but "GPU0–2+GPU4": commas would read as more islands.
            std::string text = nameRanges(namesOf(topology, graph, island));
            for (auto at = text.find(", "); at != std::string::npos; at = text.find(", "))
                text.replace(at, 2, "+");
            names += (shown++ > 0 ? "|" : "") + text;
        }
        if (shown > 1)
            say(SentenceRole::Lead, "topo.islands", {names, "#" + std::to_string(shown)});
        else if (shown == 1)
            say(SentenceRole::Lead, "topo.island", {names});
        if (shown > 0)
            joins();
        if (!lone.empty())
            say(SentenceRole::Quiet, lone.size() == 1 ? "topo.alone" : "topo.alone_many", {nameRanges(lone)});
    }

    void joins() const
    {
        const std::string pairs = std::to_string(found.pairs);
        const std::string worst = std::to_string(found.classes.at(found.worst));
        const std::string word = found.words.at(found.worst);
        if (!found.classes.contains(LinkClass::Fabric)) {
            LinkClass inside = LinkClass::Self;
            for (const GpuSet &island : meaning.islands)
                for (const int a : island)
                    for (const int b : island)
                        if (a != b)
                            inside = std::max(inside, graph.link(a, b)->linkClass);
            if (inside != LinkClass::Self)
                say(SentenceRole::Text, "topo.inside_class", {found.words.at(inside)});
            say(SentenceRole::Text, "topo.join_pcie", {worst, pairs, classKey(found.worst), word});
            return;
        }
        int crossing = 0;
        for (std::size_t i = 0; i < meaning.islands.size(); ++i)
            for (std::size_t k = i + 1; k < meaning.islands.size(); ++k)
                for (const int a : meaning.islands[i])
                    for (const int b : meaning.islands[k])
                        crossing += graph.lanes(a, b) > 0 ? 1 : 0;
        say(SentenceRole::Text, "topo.inside_fast", {fabricName(found)});
        if (crossing == 0)
            say(SentenceRole::Text, "topo.join_none", {worst, pairs, classKey(found.worst), word});
        else if (crossing == 1)
            say(SentenceRole::Text, "topo.join_one", {worst, pairs, classKey(found.worst), word});
        else
            say(SentenceRole::Text, "topo.join",
                {"#" + std::to_string(crossing), worst, pairs, classKey(found.worst), word});
    }

    void rings() const
    {
        const std::string count = std::to_string(graph.count);
        const std::string worst = found.words.at(found.worst);
        if (meaning.rings.empty()) {
            if (graph.count > 2)
                say(SentenceRole::Lead, "topo.crosses", {count, worst});
            return;
        }
        say(SentenceRole::Lead, "topo.ring", {count, worst});
        const Ring &first = meaning.rings[0];
        if (meaning.rings.size() == 1)
            say(SentenceRole::Text, "topo.ring_is",
                {fabricWord(found, first.lanes), ringText(topology, graph, first)});
        else
            say(SentenceRole::Text, "topo.ring_two",
                {fabricWord(found, first.lanes), ringText(topology, graph, first),
                 fabricWord(found, meaning.rings[1].lanes), ringText(topology, graph, meaning.rings[1])});
    }

    void peers() const
    {
        int reachable = 0;
        for (int a = 0; a < graph.count; ++a)
            for (int b = a + 1; b < graph.count; ++b)
                reachable += topology.link(graph.devices[static_cast<std::size_t>(a)],
                                           graph.devices[static_cast<std::size_t>(b)]) == "OK"
                                 ? 1
                                 : 0;
        if (reachable == found.pairs)
            say(SentenceRole::Lead, "topo.p2p_all");
        else if (reachable == 0)
            say(SentenceRole::Lead, "topo.p2p_no");
        else
            say(SentenceRole::Lead, "topo.p2p_some",
                {std::to_string(reachable), std::to_string(found.pairs)});
    }
};

void findRings(const GpuGraph &graph, TopologyMeaning &meaning)
{
    GpuSet all;
    for (int i = 0; i < graph.count; ++i)
        all.push_back(i);
    if (auto first = widestRing(graph, all)) {
        meaning.rings.push_back(*first);
        if (auto second = widestRing(graph, all, first->order))
            meaning.rings.push_back(*second);
    }
}

bool hasMatrix(const Topology &topology)
{
    return topology.kind == TopologyKind::NvidiaMatrix || topology.kind == TopologyKind::PciTree ||
           (topology.kind == TopologyKind::RocmTopology && topology.size() > 1 &&
            topology.cell(0, 1).state != CellState::Absent);
}

void addBestSets(const Topology &topology, const GpuGraph &graph, TopologyMeaning &meaning)
{
    for (int size = 1; size <= graph.count; size *= 2)
        if (auto set = bestSet(topology, graph, meaning.advice, size))
            meaning.bestSets.push_back(std::move(*set));
    const bool power = (graph.count & (graph.count - 1)) == 0;
    if (!power)
        if (auto set = bestSet(topology, graph, meaning.advice, graph.count))
            meaning.bestSets.push_back(std::move(*set));
}

} // namespace

TopologyMeaning topologyMeaning(const Topology &topology)
{
    TopologyMeaning meaning;
    if (topology.kind == TopologyKind::Error)
        return meaning;
    const GpuGraph graph = gpuGraph(topology);
    const Census found = census(topology, graph);
    const Teller teller{topology, graph, found, meaning};
    if (graph.count == 0) {
        teller.say(SentenceRole::Lead, "topo.none");
        return meaning;
    }
    meaning.advice = gpuAdvice(topology);
    if (topology.kind == TopologyKind::NvidiaP2p || topology.kind == TopologyKind::MxnetP2p) {
        if (graph.count > 1 && !found.unread)
            teller.peers();
        return meaning;
    }
    if (graph.count == 1) {
        teller.say(SentenceRole::Lead, "topo.one");
    } else if (!hasMatrix(topology)) {
        return meaning;
    } else if (found.unread) {
        teller.say(
            SentenceRole::Lead, "topo.unknown_pair",
            {nameOf(topology, graph, found.unread->first), nameOf(topology, graph, found.unread->second)});
    } else {
        meaning.islands = findIslands(graph);
        if (meaning.islands.size() == 1) {
            teller.oneIsland();
        } else {
            findRings(graph, meaning);
            teller.manyIslands();
            teller.rings();
        }
    }
    if (topology.kind == TopologyKind::PciTree)
        teller.say(SentenceRole::Quiet, "topo.nvlink_unknown");
    addCardSentences(topology, meaning);
    addBestSets(topology, graph, meaning);
    return meaning;
}

JsonNode meaningJson(const Topology &topology, const TopologyMeaning &meaning)
{
    const auto numbers = [&](const GpuSet &set) {
        JsonNode node = JsonNode::array();
        const auto gpus = topology.gpus();
        for (const int gpu : set)
            node.push(topology.devices[gpus[static_cast<std::size_t>(gpu)]].name);
        return node;
    };
    JsonNode islands = JsonNode::array();
    for (const GpuSet &island : meaning.islands)
        islands.push(numbers(island));
    JsonNode rings = JsonNode::array();
    for (const Ring &ring : meaning.rings)
        rings.push(JsonNode::object().set("order", numbers(ring.order)).set("lanes", ring.lanes));
    JsonNode sentences = JsonNode::array();
    for (const Sentence &sentence : meaning.sentences)
        sentences.push(sentenceText(sentence, WordLanguage::English));
    JsonNode sets = JsonNode::array();
    for (const BestSet &set : meaning.bestSets)
        sets.push(JsonNode::object()
                      .set("gpus", numbers(set.gpus))
                      .set("line", visibleDevicesLine(topology, set))
                      .set("reason", reasonText(set, WordLanguage::English))
                      .set("exact", set.exact));
    JsonNode advice = JsonNode::array();
    for (const GpuAdvice &mine : meaning.advice) {
        JsonNode cards = JsonNode::array();
        for (const std::size_t card : mine.nearest)
            cards.push(topology.displayName(card));
        advice.push(JsonNode::object()
                        .set("gpu", topology.devices[mine.device].name)
                        .set("nearest_nics", std::move(cards))
                        .set("way", mine.nearestWord.empty() ? JsonNode() : JsonNode(mine.nearestWord))
                        .set("cores", mine.cores));
    }
    return JsonNode::object()
        .set("islands", std::move(islands))
        .set("rings", std::move(rings))
        .set("sentences", std::move(sentences))
        .set("best_sets", std::move(sets))
        .set("by_gpu", std::move(advice));
}

} // namespace sb
