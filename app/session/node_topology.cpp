// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/node_topology.h"

#include "core/text.h"
#include "core/topology_parser.h"
#include "core/topology_pci.h"

#include <array>
#include <optional>
#include <utility>

namespace sb {

namespace {

// A driver in trouble may never answer. -L names the products, which the matrix does not.
constexpr const char *kTools = R"sh(LC_ALL=C
export LC_ALL
PATH=$PATH:/usr/local/bin:/usr/bin:/opt/rocm/bin
w=
command -v timeout >/dev/null 2>&1 && w='timeout 20'
if command -v nvidia-smi >/dev/null 2>&1; then
  echo '@sb-topology nvidia'
  $w nvidia-smi -L 2>&1
  $w nvidia-smi topo -m 2>&1
fi
if command -v rocm-smi >/dev/null 2>&1; then
  echo '@sb-topology rocm'
  $w rocm-smi --showtopo 2>&1
fi
echo '@sb-topology pci'
)sh";

constexpr std::array kSources{std::pair("nvidia", "nvidia-smi topo -m"),
                              std::pair("rocm", "rocm-smi --showtopo"),
                              std::pair("pci", "the PCI tree in sysfs")};

// What stands between a section's mark and the next one; nothing when the section is not there.
std::optional<std::string_view> section(std::string_view output, const std::string &name)
{
    constexpr std::string_view kMark = "@sb-topology ";
    const std::string mark = std::string(kMark) + name + "\n";
    const auto at = output.find(mark);
    if (at == std::string_view::npos)
        return std::nullopt;
    const std::string_view rest = output.substr(at + mark.size());
    return rest.substr(0, rest.find(kMark));
}

} // namespace

ProcessSpec topologySpec()
{
    return scriptSpec(kTools + std::string(pciTreeScript()));
}

NodeTopology chooseTopology(std::string_view output, const std::string &node)
{
    NodeTopology chosen;
    chosen.node = node;
    for (const auto &[name, source] : kSources) {
        const auto text = section(output, name);
        if (!text)
            continue;
        const Topology topology = parseTopology(*text);
        if (!topology.error && topology.gpuCount() > 0) {
            chosen.text = std::string(*text);
            chosen.source = source;
            return chosen;
        }
        if (topology.error && chosen.note.empty() && name != std::string_view("pci"))
            chosen.note = std::string(source) + ": " + topology.error->text;
    }
    chosen.error = chosen.note.empty()
                       ? node + " has no GPU: there is none in its PCI tree, and nvidia-smi and rocm-smi are "
                                "not installed."
                       : node + " shows no topology, and there is no GPU in its PCI tree. " + chosen.note;
    return chosen;
}

} // namespace sb
