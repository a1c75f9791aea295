// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/command.h"

#include "cli/topo_source.h"
#include "core/link_measurements.h"
#include "core/topology_compare.h"
#include "core/topology_json.h"
#include "core/topology_meaning.h"
#include "core/topology_parser.h"
#include "core/topology_pci.h"
#include "core/topology_rates.h"
#include "core/units.h"

#include <QCommandLineParser>
#include <QDateTime>

#include <algorithm>

namespace sb::cli {

namespace {

std::string padded(std::string text, std::size_t width)
{
    // Names and words are ASCII in practice; others only cost alignment.
    text.resize(std::max(text.size() + 1, width), ' ');
    return text;
}

std::string matrixText(const Topology &topology)
{
    std::size_t width = 6;
    for (const TopologyDevice &device : topology.devices)
        width = std::max(width, device.name.size() + 2);
    std::string text = std::string(width, ' ');
    for (const TopologyDevice &device : topology.devices)
        text += padded(device.name, width);
    text += "CPU cores / NUMA\n";
    for (std::size_t a = 0; a < topology.size(); ++a) {
        const TopologyDevice &device = topology.devices[a];
        if (!device.hasRow && !device.damaged)
            continue;
        text += padded(device.name + (device.damaged ? "!" : ""), width);
        for (std::size_t b = 0; b < topology.size(); ++b) {
            const LinkCell &cell = topology.cell(a, b);
            text += padded(cell.state == CellState::Unreadable ? "!"
                           : cell.state == CellState::Absent   ? "-"
                                                               : cell.word,
                           width);
        }
        text += device.cpuAffinity.value_or("");
        if (device.numaAffinity && !device.numaAffinity->empty())
            text += " / " + *device.numaAffinity;
        text += "\n";
    }
    return text;
}

std::string proseText(const Topology &topology, const TopologyMeaning &meaning)
{
    std::string text;
    if (topology.kind != TopologyKind::NvidiaNvlink && topology.size() > 0)
        text += matrixText(topology) + "\n";
    for (const auto &[nic, name] : topology.nicNames)
        text += nic + " = " + name + "\n";
    for (const NvlinkStatus &status : topology.nvlinks)
        text += "GPU" + std::to_string(status.gpu) + ": " + std::to_string(status.linksUp) + " NVLinks up" +
                (status.linksDown > 0 ? ", " + std::to_string(status.linksDown) + " inactive" : "") + "\n";
    for (const TopologyFinding &finding : topology.findings)
        text += "warning: " + finding.text + "\n";
    for (std::size_t i = 0; i < meaning.sentences.size(); ++i) {
        if (i > 0)
            text += meaning.sentences[i].role == SentenceRole::Text ? " " : "\n";
        text += sentenceText(meaning.sentences[i], WordLanguage::English);
    }
    if (!meaning.sentences.empty())
        text += "\n";
    if (!meaning.bestSets.empty())
        text += "\nBest GPU sets\n";
    for (const BestSet &set : meaning.bestSets)
        text += padded("  " + std::to_string(set.gpus.size()), 6) + visibleDevicesLine(topology, set) + "  " +
                reasonText(set, WordLanguage::English) + "\n";
    return text;
}

std::string measuredText(const Topology &topology, const LinkMeasurements &measured)
{
    std::string text = "\nMeasured by " + measured.tool + ", GB/s there / back\n";
    const auto gpus = topology.gpus();
    for (std::size_t i = 0; i < gpus.size(); ++i)
        for (std::size_t j = i + 1; j < gpus.size(); ++j) {
            const auto there = measuredGBps(measured, topology, gpus[i], gpus[j]);
            const auto back = measuredGBps(measured, topology, gpus[j], gpus[i]);
            if (!there && !back)
                continue;
            const auto figure = [](const auto &gbps) {
                return gbps ? formatNumber(*gbps, 1) : std::string("-");
            };
            const double least = *measuredPairGBps(measured, topology, gpus[i], gpus[j]);
            text += padded("  " + topology.devices[gpus[i]].name + "-" + topology.devices[gpus[j]].name, 14) +
                    padded(topology.link(gpus[i], gpus[j]).value_or("?"), 6) +
                    padded(figure(there) + " / " + figure(back), 16);
            if (const auto nominal = nominalRate(topology, gpus[i], gpus[j])) {
                text += formatNumber(100 * least / nominal->gbps, 0) + " % of " +
                        (nominal->atMost ? "at most " : "") + plainNumber(nominal->gbps);
                if (!nominal->atMost && least < kSlowLinkShare * nominal->gbps)
                    text += "  slow";
            }
            text += "\n";
        }
    if (measured.group)
        text += "  bus bandwidth over " + std::to_string(measured.group->gpus.size()) +
                " GPUs: " + formatNumber(measured.group->busGBps, 1) + "\n";
    return text;
}

JsonNode measuredJson(const Topology &topology, const LinkMeasurements &measured)
{
    JsonNode links = JsonNode::object();
    for (const std::size_t a : topology.gpus())
        for (const std::size_t b : topology.gpus())
            if (const auto gbps = measuredGBps(measured, topology, a, b))
                links.set(topology.devices[a].name + "-" + topology.devices[b].name, *gbps);
    JsonNode node = JsonNode::object().set("tool", measured.tool).set("gbps", links);
    if (measured.group)
        node.set("group_bus_gbps", measured.group->busGBps);
    return node;
}

std::string sourceText(const TopoText &source)
{
    std::string text = source.name + ": " + source.source + ", read " +
                       QDateTime::fromSecsSinceEpoch(source.readAtUtcS)
                           .toUTC()
                           .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss 'UTC'"))
                           .toStdString() +
                       "\n";
    return source.note.empty() ? text : text + source.note + "\n";
}

std::string differenceText(const TopologyDifference &difference)
{
    using Kind = TopologyDifference::Kind;
    switch (difference.kind) {
    case Kind::Link:
        return difference.device + "-" + difference.other + " is " + difference.here + ", elsewhere " +
               difference.majority;
    case Kind::Missing:
        return "there is no " + difference.device;
    case Kind::Extra:
        return "only here there is " + difference.device;
    case Kind::Cores:
        return difference.device + " is near the cores " + difference.here + ", elsewhere " +
               difference.majority;
    case Kind::Numa:
        break;
    }
    return difference.device + " is in NUMA node " + difference.here + ", elsewhere " + difference.majority;
}

struct Shown {
    const TopoText *source;
    Topology topology;
};

// How alike several nodes are; nothing for one.
std::vector<std::vector<std::string>> differencesOf(const std::vector<Shown> &nodes)
{
    std::vector<const Topology *> whole;
    for (const Shown &node : nodes)
        whole.push_back(&node.topology);
    std::vector<std::vector<std::string>> texts;
    for (const auto &differences : compareTopologies(whole).differences) {
        texts.emplace_back();
        for (const TopologyDifference &difference : differences)
            texts.back().push_back(differenceText(difference));
    }
    return texts;
}

JsonNode nodeJson(const Shown &node, const std::optional<LinkMeasurements> &measured)
{
    JsonNode json = topologyJson(node.topology);
    json.set("meaning", meaningJson(node.topology, topologyMeaning(node.topology)));
    if (!node.source->source.empty())
        json.set("node", node.source->name)
            .set("source", node.source->source)
            .set("read_at_utc_s", node.source->readAtUtcS);
    if (measured)
        json.set("measured", measuredJson(node.topology, *measured));
    return json;
}

void printNodes(const std::vector<Shown> &nodes, const std::optional<LinkMeasurements> &measured, bool json)
{
    const auto differences = differencesOf(nodes);
    JsonNode list = JsonNode::array();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (json) {
            JsonNode node = nodeJson(nodes[i], measured);
            if (nodes.size() == 1)
                return print(writeJson(node) + "\n");
            list.push(node.set("differences", JsonNode(differences[i])));
            continue;
        }
        if (nodes[i].topology.error)
            continue;
        if (!nodes[i].source->source.empty())
            print((i > 0 ? "\n" : "") + sourceText(*nodes[i].source));
        print(proseText(nodes[i].topology, topologyMeaning(nodes[i].topology)));
        if (measured)
            print(measuredText(nodes[i].topology, *measured));
        for (const std::string &text : differences[i])
            print("differs: " + text + "\n");
    }
    if (json)
        print(writeJson(JsonNode::object().set("schema", 1).set("nodes", list)) + "\n");
}

Result<LinkMeasurements> readMeasured(const std::string &file)
{
    const auto text = readTextFile(file);
    if (!text)
        return text.error();
    auto read = readLinkMeasurements(*text);
    if (!read)
        return Error{read.error().code, file + ": " + read.error().message};
    return read;
}

// Those that hold a text; of the others each is told, and `failure` is the last thing that went wrong.
std::vector<Shown> parseAll(const std::vector<TopoText> &sources, const std::string &product,
                            std::optional<Error> &failure)
{
    std::vector<Shown> nodes;
    for (const TopoText &source : sources) {
        if (!source.error.empty()) {
            failure = Error{ErrorCode::Failed, source.error};
            printNote("scaleboard-cli: " + source.error + "\n");
            continue;
        }
        Topology topology = parseTopology(source.text);
        for (TopologyDevice &device : topology.devices)
            if (!product.empty() && device.gpu && !device.product)
                device.product = product;
        if (topology.error)
            failure = Error{ErrorCode::Failed, topology.error->text + " (" + topology.error->name + ")"};
        nodes.push_back({&source, std::move(topology)});
    }
    return nodes;
}

} // namespace

int topoCommand(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Reads how the GPUs of a node are wired and says what it means. Takes what nvidia-smi "
                       "topo -m, topo -p2p r, nvlink -s or rocm-smi --showtopo printed, alone or among other "
                       "lines, or asks nodes themselves over SSH and compares them."));
    const QCommandLineOption json(QStringLiteral("json"), QStringLiteral("Print JSON."));
    const QCommandLineOption gpu(
        QStringLiteral("gpu"),
        QStringLiteral("Product name, for nominal rates where the text has none, for example "
                       "\"NVIDIA H200\"."),
        QStringLiteral("name"));
    const QCommandLineOption measuredFile(
        QStringLiteral("measured"),
        QStringLiteral("What sbtrain bench p2p, nvbandwidth, p2pBandwidthLatencyTest or nccl-tests printed "
                       "on such a node; shown beside the nominal rates."),
        QStringLiteral("file"));
    const QCommandLineOption config(QStringLiteral("ssh-config"),
                                    QStringLiteral("Read this file in place of the user's ssh_config."),
                                    QStringLiteral("file"));
    const QCommandLineOption script(
        QStringLiteral("pci-script"),
        QStringLiteral("Print the script that lists a node's PCI tree, and nothing else. "
                       "Its output is read like the others."));
    parser.addOptions({json, gpu, measuredFile, config, script});
    parser.addPositionalArgument(
        QStringLiteral("source"),
        QStringLiteral("Text to read (- is standard input), or nodes: \"local\", aliases of ssh_config, "
                       "user@host:port, ranges like node[01-16]."));
    int status = kOk;
    if (!parseOptions(parser, arguments, status))
        return status;
    if (parser.isSet(script)) {
        print(std::string(pciTreeScript()) + "\n");
        return kOk;
    }
    if (parser.positionalArguments().size() != 1)
        return badUsage(
            "topo needs one file or node, for example: nvidia-smi topo -m | scaleboard-cli topo -");
    std::optional<LinkMeasurements> measured;
    if (parser.isSet(measuredFile)) {
        auto read = readMeasured(parser.value(measuredFile).toStdString());
        if (!read)
            return fail(read.error());
        measured = std::move(*read);
    }
    const auto sources = readTopoTexts(parser.positionalArguments().constFirst().toStdString(),
                                       parser.value(config).toStdString());
    if (!sources)
        return fail(sources.error());
    std::optional<Error> failure;
    const std::vector<Shown> nodes = parseAll(*sources, parser.value(gpu).toStdString(), failure);
    if (!nodes.empty())
        printNodes(nodes, measured, parser.isSet(json));
    if (failure && (nodes.empty() || nodes.back().topology.error))
        return sources->front().source.empty() && sources->front().error.empty() ? fail(*failure) : kFailed;
    return failure ? kFailed : kOk;
}

} // namespace sb::cli
