// SPDX-License-Identifier: GPL-3.0-or-later
// How the GPUs and network cards of one node are wired, as far as a text told. A value: no text is judged
// here. Names are the text's own ("GPU0", "NIC3", "mlx5_0").
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sb {

// Fastest first, so that classes compare: a < b means "a is the shorter way".
enum class LinkClass { Self, Fabric, Pix, Pxb, Phb, Pcie, Node, Sys, Unknown };

struct LinkKind {
    LinkClass linkClass = LinkClass::Unknown;
    int lanes = 0; // of Fabric: NV2 → 2, XGMI → 1; otherwise 0

    bool operator==(const LinkKind &) const = default;
};

// "NV12" → Fabric with 12 lanes; "SOC" is the old word for SYS; XGMI, HCCS and ICN# are Fabric too.
LinkKind linkKind(std::string_view word);

enum class CellState {
    Absent,     // the table has no such cell
    Read,       // as in the text
    Mirrored,   // the row is damaged; the value is that of the column, which is whole
    Unreadable, // the row is damaged and the column does not help
};

struct LinkCell {
    std::string word; // empty unless Read or Mirrored
    CellState state = CellState::Absent;

    bool operator==(const LinkCell &) const = default;
};

struct TopologyDevice {
    std::string name;
    bool gpu = true;
    bool hasRow = false;
    bool damaged = false;
    std::string damage;                      // what is wrong with the row, in words
    std::string rawLine;                     // the row as it came, escapes removed
    std::optional<std::string> cpuAffinity;  // "0-11,24-35"; "" = the cell is empty; nothing = no such column
    std::optional<std::string> numaAffinity; // "0", "0,5-11", "N/A"
    std::optional<std::string> gpuNumaId;    // "N/A", "4"
    std::optional<std::string> product;      // "NVIDIA H200", when the text names it

    bool operator==(const TopologyDevice &) const = default;
};

enum class TopologyKind { NvidiaMatrix, NvidiaP2p, NvidiaNvlink, RocmTopology, MxnetP2p, PciTree, Error };

// "nvidia-topo-m", "nvidia-topo-p2p", "nvidia-nvlink-s", "rocm-showtopo", "mxnet-p2p", "pci-tree", "error"
std::string topologyKindName(TopologyKind kind);
// What prints such a text: "nvidia-smi topo -m"; empty for errors and the PCI tree.
std::string topologyCommand(TopologyKind kind);

enum class FindingKind {
    DamagedRow,
    NotSymmetric,
    DiagonalNotSelf,
    LoneGpu,
    UnknownWord,
    LostGpu,
    Cut,
    Note
};

// Something a reader of the text should be told. One sentence.
struct TopologyFinding {
    FindingKind kind = FindingKind::Note;
    std::string subject; // device or pair, may be empty
    std::string text;

    bool operator==(const TopologyFinding &) const = default;
};

// nvlink -s: links of one GPU that are up, and the rate of one link in one direction.
struct NvlinkStatus {
    int gpu = 0;
    int linksUp = 0;
    int linksDown = 0;
    std::optional<double> linkGBps;

    bool operator==(const NvlinkStatus &) const = default;
};

struct TopologyError {
    std::string name; // "no-devices"; stable, for programs
    std::string text; // one sentence: what happened, what to do

    bool operator==(const TopologyError &) const = default;
};

class Topology {
public:
    TopologyKind kind = TopologyKind::NvidiaMatrix;
    std::vector<TopologyDevice> devices;         // in the order of the header
    std::map<std::string, std::string> nicNames; // legend: "NIC0" → "mlx5_0"
    std::vector<NvlinkStatus> nvlinks;
    std::vector<TopologyFinding> findings;
    std::optional<TopologyError> error; // set when kind is Error
    bool legendPresent = false;
    std::optional<long long> readAtUtcS; // when the text says it itself (seconds since 1970)
    std::map<std::string, std::vector<std::string>> extraTables; // rocm: "weight", "hops"; row-major words

    // Sets the devices and makes every cell absent.
    void setDevices(std::vector<TopologyDevice> list);
    std::size_t size() const { return devices.size(); }
    LinkCell &cell(std::size_t row, std::size_t column) { return m_cells[row * size() + column]; }
    const LinkCell &cell(std::size_t row, std::size_t column) const { return m_cells[row * size() + column]; }

    // Indices into `devices`.
    std::vector<std::size_t> gpus() const;
    std::vector<std::size_t> nics() const;
    int gpuCount() const;
    std::optional<std::size_t> indexOf(std::string_view name) const;
    // The word between two devices, from the row of the first, else of the second; nothing when no row has
    // it or it cannot be read.
    std::optional<std::string> link(std::size_t a, std::size_t b) const;
    bool damaged() const;
    // "mlx5_3" for NIC3 with a legend, else the device's own name.
    std::string displayName(std::size_t device) const;

    bool operator==(const Topology &) const = default;

private:
    std::vector<LinkCell> m_cells; // row-major
};

} // namespace sb
