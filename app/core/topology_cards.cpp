// SPDX-License-Identifier: GPL-3.0-or-later
// Which network card is nearest to which GPU, and the sentences about it.
#include "core/topology_meaning.h"

#include <algorithm>
#include <map>
#include <set>

namespace sb {

namespace {

void say(TopologyMeaning &meaning, SentenceRole role, std::string key,
         std::vector<std::string> arguments = {})
{
    meaning.sentences.push_back({std::move(key), std::move(arguments), role});
}

// "mlx5_0 sits beside GPU2 and GPU3; GPU4–7 reach it over SYS."
void oneCard(const Topology &topology, TopologyMeaning &meaning, std::size_t card)
{
    std::map<LinkClass, std::vector<std::string>> gpus;
    std::map<LinkClass, std::string> words;
    for (const std::size_t gpu : topology.gpus()) {
        const auto word = topology.link(gpu, card);
        if (!word)
            return;
        const LinkClass way = linkKind(*word).linkClass;
        gpus[way].push_back(topology.devices[gpu].name);
        words[way] = *word;
    }
    if (gpus.size() < 2) {
        say(meaning, SentenceRole::Quiet, "topo.nic_alike");
        return;
    }
    if (gpus.begin()->first <= LinkClass::Pxb)
        say(meaning, SentenceRole::Quiet, "topo.nic_beside",
            {topology.displayName(card), nameRanges(gpus.begin()->second)});
    const auto &[far, names] = *gpus.rbegin();
    if (gpus.begin()->first <= LinkClass::Pxb)
        say(meaning, SentenceRole::Text, names.size() == 1 ? "topo.nic_far_one" : "topo.nic_far",
            {nameRanges(names), words[far]});
    else
        say(meaning, SentenceRole::Quiet, names.size() == 1 ? "topo.nic_far_named_one" : "topo.nic_far_named",
            {nameRanges(names), words[far], topology.displayName(card)});
}

} // namespace

std::vector<GpuAdvice> gpuAdvice(const Topology &topology)
{
    std::vector<GpuAdvice> list;
    const auto cards = topology.nics();
    for (const std::size_t gpu : topology.gpus()) {
        GpuAdvice advice;
        advice.device = gpu;
        const TopologyDevice &device = topology.devices[gpu];
        if (device.cpuAffinity && !device.cpuAffinity->empty() && *device.cpuAffinity != "N/A")
            advice.cores = device.cpuAffinity;
        if (device.numaAffinity && !device.numaAffinity->empty() && *device.numaAffinity != "N/A")
            advice.numa = device.numaAffinity;
        LinkClass best = LinkClass::Unknown;
        bool unread = false;
        for (const std::size_t card : cards) {
            const auto word = topology.link(gpu, card);
            // An unread cell could be the nearest, unless one is as near as can be.
            unread |= !word && topology.cell(gpu, card).state == CellState::Unreadable;
            const LinkClass way = word ? linkKind(*word).linkClass : LinkClass::Unknown;
            if (way == LinkClass::Unknown || way > best)
                continue;
            if (way < best) {
                advice.nearest.clear();
                advice.nearestWord = *word;
                best = way;
            }
            advice.nearest.push_back(card);
        }
        if (unread && best != LinkClass::Pix) {
            advice.nearest.clear();
            advice.nearestWord.clear();
        }
        list.push_back(std::move(advice));
    }
    return list;
}

void addCardSentences(const Topology &topology, TopologyMeaning &meaning)
{
    const auto cards = topology.nics();
    if (cards.empty() || topology.gpuCount() == 0)
        return;
    if (cards.size() == 1 && topology.gpuCount() > 1)
        return oneCard(topology, meaning, cards[0]);
    std::vector<std::string> unknown;
    std::set<std::size_t> used;
    bool own = true; // every GPU we know of has a card of its own behind one switch
    std::map<std::vector<std::size_t>, std::vector<std::string>> groups;
    std::vector<std::vector<std::size_t>> order;
    for (const GpuAdvice &advice : meaning.advice) {
        const std::string &name = topology.devices[advice.device].name;
        if (advice.nearest.empty()) {
            unknown.push_back(name);
            continue;
        }
        own &= advice.nearestWord == "PIX";
        for (const std::size_t card : advice.nearest)
            own &= used.insert(card).second;
        if (!groups.contains(advice.nearest))
            order.push_back(advice.nearest);
        groups[advice.nearest].push_back(name);
    }
    if (groups.empty())
        return;
    if (own && topology.gpuCount() > 1) {
        say(meaning, SentenceRole::Lead, unknown.empty() ? "topo.nic_each" : "topo.nic_each_known");
        if (!unknown.empty())
            say(meaning, SentenceRole::Text, "topo.nic_unread", {nameRanges(unknown)});
        return;
    }
    if (groups.size() == 1 && unknown.empty() && order[0].size() == cards.size() && cards.size() > 1)
        return say(meaning, SentenceRole::Quiet, "topo.nic_alike");
    std::string list;
    for (const auto &nearest : order) {
        std::vector<std::string> names;
        for (const std::size_t card : nearest)
            names.push_back(topology.displayName(card));
        list += (list.empty() ? "" : "; ") + nameRanges(groups[nearest]) + " → " + nameRanges(names);
    }
    say(meaning, SentenceRole::Quiet, "topo.nic_nearest", {list});
}

} // namespace sb
