// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/topology_json.h"

#include "core/text.h"

#include <cstdint>
#include <map>

namespace sb {

namespace {

std::string pairName(const Topology &topology, std::size_t a, std::size_t b)
{
    return topology.devices[a].name + "-" + topology.devices[b].name;
}

void addLinks(const Topology &topology, JsonNode &json)
{
    JsonNode links = JsonNode::object();
    JsonNode nicLinks = JsonNode::object();
    std::map<std::string, int> counts;
    const auto gpus = topology.gpus();
    for (std::size_t i = 0; i < gpus.size(); ++i)
        for (std::size_t k = i + 1; k < gpus.size(); ++k) {
            const auto word = topology.link(gpus[i], gpus[k]);
            if (word)
                ++counts[*word];
            if (topology.kind != TopologyKind::NvidiaNvlink &&
                (word || topology.cell(gpus[i], gpus[k]).state == CellState::Unreadable))
                links.set(pairName(topology, gpus[i], gpus[k]), word ? JsonNode(*word) : JsonNode());
        }
    std::vector<std::size_t> order = gpus;
    for (const std::size_t nic : topology.nics())
        order.push_back(nic);
    for (std::size_t i = 0; i < order.size(); ++i)
        for (std::size_t k = i + 1; k < order.size(); ++k) {
            if (topology.devices[order[k]].gpu)
                continue;
            const auto word = topology.link(order[i], order[k]);
            if (word || topology.cell(order[i], order[k]).state == CellState::Unreadable)
                nicLinks.set(pairName(topology, order[i], order[k]), word ? JsonNode(*word) : JsonNode());
        }
    JsonNode countNode = JsonNode::object();
    for (const auto &[word, count] : counts)
        countNode.set(word, count);
    json.set("links", std::move(links))
        .set("nic_links", std::move(nicLinks))
        .set("link_counts", std::move(countNode));
}

JsonNode affinities(const Topology &topology, std::optional<std::string> TopologyDevice::*member)
{
    JsonNode node = JsonNode::object();
    for (const TopologyDevice &device : topology.devices)
        if (device.gpu && device.*member)
            node.set(device.name, *(device.*member));
    return node;
}

JsonNode damagedNode(const Topology &topology)
{
    if (!topology.damaged())
        return {};
    JsonNode rows = JsonNode::array();
    std::string what;
    for (const TopologyDevice &device : topology.devices) {
        if (!device.damaged)
            continue;
        rows.push(device.name);
        what += (what.empty() ? "" : "; ") + device.name + ": " + device.damage;
    }
    return JsonNode::object().set("rows", std::move(rows)).set("what", what);
}

const char *findingName(FindingKind kind)
{
    switch (kind) {
    case FindingKind::DamagedRow:
        return "damaged-row";
    case FindingKind::NotSymmetric:
        return "not-symmetric";
    case FindingKind::DiagonalNotSelf:
        return "diagonal-not-self";
    case FindingKind::LoneGpu:
        return "lone-gpu";
    case FindingKind::UnknownWord:
        return "unknown-word";
    case FindingKind::LostGpu:
        return "lost-gpu";
    case FindingKind::Cut:
        return "cut";
    case FindingKind::Note:
        break;
    }
    return "note";
}

void addExtras(const Topology &topology, JsonNode &json)
{
    JsonNode products = JsonNode::object();
    for (const TopologyDevice &device : topology.devices)
        if (device.product)
            products.set(device.name, *device.product);
    if (!products.members.empty())
        json.set("products", std::move(products));
    if (!topology.nvlinks.empty()) {
        JsonNode links = JsonNode::object();
        JsonNode rates = JsonNode::object();
        for (const NvlinkStatus &status : topology.nvlinks) {
            links.set(std::to_string(status.gpu), status.linksUp);
            if (status.linkGBps)
                rates.set(std::to_string(status.gpu), *status.linkGBps);
        }
        json.set("nvlink_links", std::move(links)).set("nvlink_gbs", std::move(rates));
    }
    for (const auto &[name, cells] : topology.extraTables)
        json.set(name, JsonNode(cells));
    if (topology.readAtUtcS)
        json.set("read_at_utc_s", std::int64_t{*topology.readAtUtcS});
}

} // namespace

JsonNode topologyJson(const Topology &topology)
{
    JsonNode nics = JsonNode::array();
    for (const std::size_t nic : topology.nics())
        nics.push(topology.devices[nic].name);
    JsonNode names = JsonNode::object();
    for (const auto &[nic, name] : topology.nicNames)
        names.set(nic, name);
    JsonNode findings = JsonNode::array();
    for (const TopologyFinding &finding : topology.findings)
        findings.push(JsonNode::object()
                          .set("kind", findingName(finding.kind))
                          .set("subject", finding.subject)
                          .set("text", finding.text));
    JsonNode json = JsonNode::object();
    json.set("schema", 1).set("kind", topologyKindName(topology.kind)).set("gpus", topology.gpuCount());
    json.set("nics", std::move(nics)).set("nic_names", std::move(names));
    addLinks(topology, json);
    json.set("cpu_affinity", affinities(topology, &TopologyDevice::cpuAffinity))
        .set("numa_affinity", affinities(topology, &TopologyDevice::numaAffinity))
        .set("gpu_numa_id", affinities(topology, &TopologyDevice::gpuNumaId))
        .set("legend_present", topology.legendPresent)
        .set("damaged", damagedNode(topology))
        .set("error", topology.error ? JsonNode(topology.error->name) : JsonNode())
        .set("findings", std::move(findings));
    addExtras(topology, json);
    return json;
}

} // namespace sb
