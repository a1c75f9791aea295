// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/command.h"

#include "core/text.h"
#include "core/topology_json.h"
#include "core/topology_lines.h"
#include "core/topology_meaning.h"
#include "core/topology_parser.h"
#include "core/topology_pci.h"

#include <QCommandLineParser>
#include <QFile>

#include <algorithm>
#include <cstdio>

namespace sb::cli {

namespace {

// Where the text comes from. Every source ends in the same parser; a node is one more source.
Result<std::string> readSource(const std::string &name)
{
    QFile file;
    const bool opened =
        name == "-" ? file.open(stdin, QIODevice::ReadOnly)
                    : (file.setFileName(QString::fromStdString(name)), file.open(QIODevice::ReadOnly));
    const std::string shown = name == "-" ? "Standard input" : "The file " + name;
    if (!opened)
        return Error{ErrorCode::NotFound,
                     shown + " cannot be read: " + file.errorString().toStdString() + "."};
    std::string text;
    // One byte beyond the limit tells the parser that there is more.
    while (text.size() <= kMaxTopologyBytes) {
        const QByteArray block = file.read(65536);
        if (block.isEmpty())
            break;
        text.append(block.constData(), static_cast<std::size_t>(block.size()));
    }
    if (file.error() != QFileDevice::NoError)
        return Error{ErrorCode::Io, shown + " cannot be read: " + file.errorString().toStdString() + "."};
    return text;
}

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

} // namespace

int topoCommand(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Reads how the GPUs of a node are wired and says what it means. Takes what nvidia-smi "
                       "topo -m, topo -p2p r, "
                       "nvlink -s or rocm-smi --showtopo printed, alone or among other lines."));
    const QCommandLineOption json(QStringLiteral("json"), QStringLiteral("Print JSON."));
    const QCommandLineOption gpu(
        QStringLiteral("gpu"),
        QStringLiteral("Product name, for nominal rates where the text has none, for example "
                       "\"NVIDIA H200\"."),
        QStringLiteral("name"));
    const QCommandLineOption script(
        QStringLiteral("pci-script"),
        QStringLiteral("Print the script that lists a node's PCI tree, and nothing else. "
                       "Its output is read like the others."));
    parser.addOptions({json, gpu, script});
    parser.addPositionalArgument(QStringLiteral("file"),
                                 QStringLiteral("Text to read; - is standard input."));
    int status = kOk;
    if (!parseOptions(parser, arguments, status))
        return status;
    if (parser.isSet(script)) {
        print(std::string(pciTreeScript()) + "\n");
        return kOk;
    }
    if (parser.positionalArguments().size() != 1)
        return badUsage("topo needs one file, for example: nvidia-smi topo -m | scaleboard-cli topo -");
    const auto text = readSource(parser.positionalArguments().constFirst().toStdString());
    if (!text)
        return fail(text.error());
    Topology topology = parseTopology(*text);
    if (parser.isSet(gpu))
        for (TopologyDevice &device : topology.devices)
            if (device.gpu && !device.product)
                device.product = parser.value(gpu).toStdString();
    const TopologyMeaning meaning = topologyMeaning(topology);
    if (parser.isSet(json)) {
        JsonNode node = topologyJson(topology);
        node.set("meaning", meaningJson(topology, meaning));
        print(writeJson(node) + "\n");
    } else if (!topology.error) {
        print(proseText(topology, meaning));
    }
    if (topology.error)
        return fail({ErrorCode::Failed, topology.error->text + " (" + topology.error->name + ")"});
    return kOk;
}

} // namespace sb::cli
