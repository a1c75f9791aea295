// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/topology_parser.h"

#include "core/smi_parser.h"
#include "core/text.h"
#include "core/topology_lines.h"
#include "core/topology_pci.h"
#include "core/topology_reader.h"

#include <algorithm>

namespace sb {

namespace {

Topology failed(TopologyError error)
{
    Topology topology;
    topology.kind = TopologyKind::Error;
    topology.error = std::move(error);
    return topology;
}

void addLostGpus(const Lines &lines, Topology &topology)
{
    for (const std::string_view line : lines) {
        if (line.find("Unable to determine the device handle") == std::string_view::npos &&
            line.find("GPU is lost") == std::string_view::npos)
            continue;
        topology.findings.push_back(
            {FindingKind::LostGpu, "", "The driver lost a GPU: " + validUtf8(trimmed(line).substr(0, 160))});
        return;
    }
}

Topology nvlinkOnly(const std::vector<SmiGpu> &gpus)
{
    Topology topology;
    topology.kind = TopologyKind::NvidiaNvlink;
    std::vector<TopologyDevice> devices;
    for (const SmiGpu &gpu : gpus) {
        TopologyDevice device;
        device.name = "GPU" + std::to_string(gpu.index);
        devices.push_back(std::move(device));
    }
    topology.setDevices(std::move(devices));
    return topology;
}

void addSmiGpus(const std::vector<SmiGpu> &gpus, Topology &topology)
{
    for (const SmiGpu &gpu : gpus) {
        if (const auto device = topology.indexOf("GPU" + std::to_string(gpu.index)))
            topology.devices[*device].product = gpu.product;
        if (gpu.hasNvlinkLines)
            topology.nvlinks.push_back(gpu.nvlink);
    }
}

} // namespace

Topology parseTopology(std::string_view text)
{
    const bool cut = text.size() > kMaxTopologyBytes;
    const std::string clean = withoutEscapes(text.substr(0, kMaxTopologyBytes));
    const Lines lines = linesOf(clean);
    const std::vector<SmiGpu> smi = readSmiGpus(lines);
    const bool nvlink = std::any_of(smi.begin(), smi.end(), [](const SmiGpu &g) { return g.hasNvlinkLines; });

    std::optional<Topology> found = readPciTree(lines);
    if (!found)
        found = readRocmTopology(lines);
    if (!found)
        found = readNvidiaMatrix(lines);
    if (!found && nvlink)
        found = nvlinkOnly(smi);
    if (!found)
        found = readMxnetMatrix(lines);
    if (!found) {
        if (auto error = readTopologyError(lines))
            return failed(std::move(*error));
        return failed({"no-table", "The text has no topology table; paste what nvidia-smi topo -m printed."});
    }
    addSmiGpus(smi, *found);
    addLostGpus(lines, *found);
    addMatrixFindings(*found);
    if (cut)
        found->findings.push_back(
            {FindingKind::Cut, "", "The text is longer than 1 MiB; the rest was not read."});
    return std::move(*found);
}

} // namespace sb
