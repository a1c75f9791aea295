// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/topology_pci.h"

#include "core/text.h"
#include "core/topology_lines.h"

#include <algorithm>

namespace sb {

namespace {

// Device folders are links; "cd && pwd -P" gives the place in the tree without readlink.
constexpr std::string_view kScript = R"sh(echo "scaleboard-pci 1 $(date +%s)"
for d in /sys/devices/system/node/node[0-9]*; do
  [ -r "$d/cpulist" ] && echo "node ${d##*/node} $(cat "$d/cpulist")"
done
for d in /sys/bus/pci/devices/*; do
  [ -r "$d/class" ] || continue
  c=$(cat "$d/class")
  case $c in 0x0300*|0x0302*|0x0380*|0x1200*|0x0200*|0x0207*) ;; *) continue ;; esac
  ib=; for n in "$d"/infiniband/*; do [ -e "$n" ] && ib=${n##*/}; done
  net=; for n in "$d"/net/*; do [ -e "$n" ] && net=${n##*/}; done
  echo "pci $c $(cat "$d/vendor") $(cat "$d/device") numa=$(cat "$d/numa_node") cpus=$(cat "$d/local_cpulist")" \
    "ib=$ib net=$net path=$(cd "$d" && pwd -P)"
done
echo end)sh";

struct PciDevice {
    bool gpu = false;
    std::string rdma, net, cpus;
    std::optional<int> numa;
    std::vector<std::string> path; // from the root: "pci0000:15", "0000:15:01.0", …
};

std::string_view valueOf(std::string_view line, std::string_view key)
{
    const auto at = line.find(key);
    if (at == std::string_view::npos)
        return {};
    const std::string_view rest = line.substr(at + key.size());
    return rest.substr(0, rest.find(' '));
}

std::optional<PciDevice> deviceOf(std::string_view line)
{
    const auto tokens = tokensOf(line);
    if (tokens.size() < 5 || tokens[0] != "pci")
        return std::nullopt;
    PciDevice device;
    const std::string_view deviceClass = tokens[1];
    const std::string_view vendor = tokens[2];
    const bool display = deviceClass.starts_with("0x03") || deviceClass.starts_with("0x12");
    // Other makers' display chips, such as a server's management console, are no GPUs here.
    device.gpu = display && (vendor == "0x10de" || vendor == "0x1002");
    if (display && !device.gpu)
        return std::nullopt;
    device.rdma = validUtf8(valueOf(line, " ib=").substr(0, 32));
    device.net = validUtf8(valueOf(line, " net=").substr(0, 32));
    device.cpus = validUtf8(valueOf(line, " cpus=").substr(0, 256));
    if (const auto numa = toInteger(valueOf(line, " numa=")); numa && *numa >= 0 && *numa < 4096)
        device.numa = static_cast<int>(*numa);
    bool inside = false;
    for (const std::string_view part : split(valueOf(line, " path="), '/')) {
        inside |= part.starts_with("pci") && part.size() > 3;
        if (inside && device.path.size() < 64)
            device.path.emplace_back(part);
    }
    if (device.path.size() < 2)
        return std::nullopt;
    return device;
}

// What nvidia-smi would call the way between two devices; nothing when the NUMA nodes are not known.
std::optional<std::string> wayBetween(const PciDevice &a, const PciDevice &b, std::size_t numaNodes)
{
    std::size_t common = 0;
    while (common < std::min(a.path.size(), b.path.size()) && a.path[common] == b.path[common])
        ++common;
    if (common >= 2) {
        // Below the common bridge stand the ports of a switch; one on each side means one switch.
        const std::size_t below = std::max(a.path.size() - common, b.path.size() - common) - 1;
        return below <= 1 ? "PIX" : "PXB";
    }
    if (a.numa && b.numa && *a.numa != *b.numa)
        return "SYS";
    if (common == 1)
        return "PHB";
    if (numaNodes <= 1 || (a.numa && b.numa))
        return "NODE";
    return std::nullopt;
}

} // namespace

std::string_view pciTreeScript()
{
    return kScript;
}

std::optional<Topology> readPciTree(const std::vector<std::string_view> &lines)
{
    const auto start = std::find_if(lines.begin(), lines.end(), [](std::string_view line) {
        return line.starts_with("scaleboard-pci 1");
    });
    if (start == lines.end())
        return std::nullopt;
    std::vector<PciDevice> gpus, rdma, ethernet;
    std::size_t numaNodes = 0;
    for (auto line = start + 1; line != lines.end() && *line != "end"; ++line) {
        numaNodes += line->starts_with("node ") ? 1 : 0;
        auto device = deviceOf(*line);
        if (!device || gpus.size() + rdma.size() + ethernet.size() >= kMaxTopologyDevices)
            continue;
        (device->gpu ? gpus : device->rdma.empty() ? ethernet : rdma).push_back(std::move(*device));
    }
    // Like the driver's matrix: network cards that can do RDMA, or the plain ones when there are no others.
    std::vector<PciDevice> all = std::move(gpus);
    const std::size_t gpuCount = all.size();
    for (PciDevice &nic : rdma.empty() ? ethernet : rdma)
        all.push_back(std::move(nic));

    Topology topology;
    topology.kind = TopologyKind::PciTree;
    if (const auto time = toInteger(trimmed(start->substr(16))))
        topology.readAtUtcS = *time;
    std::vector<TopologyDevice> devices;
    for (std::size_t i = 0; i < all.size(); ++i) {
        TopologyDevice device;
        device.gpu = i < gpuCount;
        device.name = device.gpu ? "GPU" + std::to_string(i) : "NIC" + std::to_string(i - gpuCount);
        device.hasRow = true;
        device.rawLine = all[i].path.back();
        if (device.gpu) {
            device.cpuAffinity = all[i].cpus;
            device.numaAffinity = all[i].numa ? std::to_string(*all[i].numa) : "N/A";
        } else if (const std::string &name = all[i].rdma.empty() ? all[i].net : all[i].rdma; !name.empty()) {
            topology.nicNames.emplace(device.name, name);
        }
        devices.push_back(std::move(device));
    }
    topology.setDevices(std::move(devices));
    for (std::size_t a = 0; a < all.size(); ++a)
        for (std::size_t b = 0; b < all.size(); ++b) {
            const auto way = a == b ? std::optional<std::string>("X") : wayBetween(all[a], all[b], numaNodes);
            if (way)
                topology.cell(a, b) = {*way, CellState::Read};
        }
    topology.findings.push_back({FindingKind::Note, "", "From the PCI tree; NVLink unknown."});
    return topology;
}

} // namespace sb
