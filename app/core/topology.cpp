// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/topology.h"

#include "core/text.h"

#include <algorithm>

namespace sb {

namespace {

std::optional<int> numberAfter(std::string_view word, std::string_view prefix)
{
    if (!word.starts_with(prefix))
        return std::nullopt;
    const auto number = toInteger(word.substr(prefix.size()));
    if (!number || *number < 0 || *number > 999)
        return std::nullopt;
    return static_cast<int>(*number);
}

} // namespace

LinkKind linkKind(std::string_view word)
{
    if (const auto lanes = numberAfter(word, "NV"))
        return {LinkClass::Fabric, *lanes};
    if (const auto lanes = numberAfter(word, "ICN"))
        return {LinkClass::Fabric, *lanes};
    if (word == "XGMI" || word == "HCCS")
        return {LinkClass::Fabric, 1};
    if (word == "X")
        return {LinkClass::Self, 0};
    if (word == "PIX")
        return {LinkClass::Pix, 0};
    if (word == "PXB")
        return {LinkClass::Pxb, 0};
    if (word == "PHB")
        return {LinkClass::Phb, 0};
    if (word == "PCIE" || word == "PCIe")
        return {LinkClass::Pcie, 0};
    if (word == "NODE")
        return {LinkClass::Node, 0};
    if (word == "SYS" || word == "SOC")
        return {LinkClass::Sys, 0};
    return {};
}

std::string topologyKindName(TopologyKind kind)
{
    switch (kind) {
    case TopologyKind::NvidiaMatrix:
        return "nvidia-topo-m";
    case TopologyKind::NvidiaP2p:
        return "nvidia-topo-p2p";
    case TopologyKind::NvidiaNvlink:
        return "nvidia-nvlink-s";
    case TopologyKind::RocmTopology:
        return "rocm-showtopo";
    case TopologyKind::MxnetP2p:
        return "mxnet-p2p";
    case TopologyKind::PciTree:
        return "pci-tree";
    case TopologyKind::Error:
        break;
    }
    return "error";
}

std::string topologyCommand(TopologyKind kind)
{
    switch (kind) {
    case TopologyKind::NvidiaMatrix:
        return "nvidia-smi topo -m";
    case TopologyKind::NvidiaP2p:
        return "nvidia-smi topo -p2p";
    case TopologyKind::NvidiaNvlink:
        return "nvidia-smi nvlink -s";
    case TopologyKind::RocmTopology:
        return "rocm-smi --showtopo";
    case TopologyKind::MxnetP2p:
        return "MXNet";
    case TopologyKind::PciTree:
    case TopologyKind::Error:
        break;
    }
    return {};
}

void Topology::setDevices(std::vector<TopologyDevice> list)
{
    devices = std::move(list);
    m_cells.assign(devices.size() * devices.size(), {});
}

std::vector<std::size_t> Topology::gpus() const
{
    std::vector<std::size_t> list;
    for (std::size_t i = 0; i < devices.size(); ++i)
        if (devices[i].gpu)
            list.push_back(i);
    return list;
}

std::vector<std::size_t> Topology::nics() const
{
    std::vector<std::size_t> list;
    for (std::size_t i = 0; i < devices.size(); ++i)
        if (!devices[i].gpu)
            list.push_back(i);
    return list;
}

int Topology::gpuCount() const
{
    return static_cast<int>(
        std::count_if(devices.begin(), devices.end(), [](const auto &d) { return d.gpu; }));
}

std::optional<std::size_t> Topology::indexOf(std::string_view name) const
{
    for (std::size_t i = 0; i < devices.size(); ++i)
        if (devices[i].name == name)
            return i;
    return std::nullopt;
}

std::optional<std::string> Topology::link(std::size_t a, std::size_t b) const
{
    for (const LinkCell *found : {&cell(a, b), &cell(b, a)})
        if (found->state == CellState::Read || found->state == CellState::Mirrored)
            return found->word;
    return std::nullopt;
}

bool Topology::damaged() const
{
    return std::any_of(devices.begin(), devices.end(), [](const TopologyDevice &d) { return d.damaged; });
}

std::string Topology::displayName(std::size_t device) const
{
    const auto found = nicNames.find(devices[device].name);
    return found == nicNames.end() ? devices[device].name : found->second;
}

} // namespace sb
