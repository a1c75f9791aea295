// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/topology_reader.h"

#include "core/text.h"

#include <algorithm>
#include <set>

namespace sb {

namespace {

constexpr std::size_t kMaxFindings = 8; // of one kind; the rest is counted

void addDamage(Topology &topology)
{
    for (const TopologyDevice &device : topology.devices)
        if (device.damaged)
            topology.findings.push_back({FindingKind::DamagedRow, device.name,
                                         "Row " + device.name + " is damaged: " + device.damage + "."});
}

void addAsymmetry(Topology &topology)
{
    std::size_t count = 0;
    for (std::size_t a = 0; a < topology.size(); ++a)
        for (std::size_t b = a + 1; b < topology.size(); ++b) {
            const LinkCell &there = topology.cell(a, b);
            const LinkCell &back = topology.cell(b, a);
            if (there.state != CellState::Read || back.state != CellState::Read || there.word == back.word)
                continue;
            if (++count > kMaxFindings)
                continue;
            const std::string pair = topology.devices[a].name + "-" + topology.devices[b].name;
            topology.findings.push_back({FindingKind::NotSymmetric, pair,
                                         topology.devices[a].name + " to " + topology.devices[b].name +
                                             " is " + there.word + ", but the way back is " + back.word +
                                             "."});
        }
    if (count > kMaxFindings)
        topology.findings.push_back(
            {FindingKind::NotSymmetric, "",
             std::to_string(count - kMaxFindings) + " more pairs are not symmetric."});
}

void addDiagonal(Topology &topology)
{
    for (std::size_t i = 0; i < topology.size(); ++i) {
        const LinkCell &cell = topology.cell(i, i);
        if (cell.state == CellState::Read && cell.word != "X")
            topology.findings.push_back(
                {FindingKind::DiagonalNotSelf, topology.devices[i].name,
                 topology.devices[i].name + " to itself is " + cell.word + ", not X."});
    }
}

void addUnknownWords(Topology &topology)
{
    std::set<std::string> words;
    for (std::size_t a = 0; a < topology.size(); ++a)
        for (std::size_t b = 0; b < topology.size(); ++b)
            if (const LinkCell &cell = topology.cell(a, b);
                !cell.word.empty() && linkKind(cell.word).linkClass == LinkClass::Unknown)
                words.insert(cell.word);
    std::size_t count = 0;
    for (const std::string &word : words)
        if (++count <= kMaxFindings)
            topology.findings.push_back({FindingKind::UnknownWord, word,
                                         "The word " + word + " is not known here; it is kept as read."});
}

// A GPU without any fast link while the others are all joined: most likely a broken NVLink. A bridge between
// two cards of many says nothing, so the others must be three at least.
void addLoneGpus(Topology &topology)
{
    const auto gpus = topology.gpus();
    const auto isFabric = [&](std::size_t a, std::size_t b) {
        const auto word = topology.link(a, b);
        return word && linkKind(*word).linkClass == LinkClass::Fabric;
    };
    std::vector<std::size_t> joined;
    std::vector<std::size_t> lone;
    for (const std::size_t a : gpus) {
        bool any = false;
        bool unknown = false;
        for (const std::size_t b : gpus) {
            any |= a != b && isFabric(a, b);
            unknown |= a != b && !topology.link(a, b);
        }
        if (any || unknown)
            joined.push_back(a);
        else
            lone.push_back(a);
    }
    if (lone.empty() || joined.size() < 3 || lone.size() >= joined.size())
        return;
    for (const std::size_t a : joined)
        for (const std::size_t b : joined)
            if (a != b && !isFabric(a, b))
                return;
    for (const std::size_t a : lone)
        topology.findings.push_back(
            {FindingKind::LoneGpu, topology.devices[a].name,
             topology.devices[a].name + " has no NVLink, but the other " + std::to_string(joined.size()) +
                 " GPUs all have. Its links may be broken: see nvidia-smi nvlink -s."});
}

} // namespace

void addMatrixFindings(Topology &topology)
{
    addDamage(topology);
    addAsymmetry(topology);
    if (topology.kind == TopologyKind::NvidiaMatrix)
        addDiagonal(topology);
    if (topology.kind == TopologyKind::NvidiaMatrix || topology.kind == TopologyKind::RocmTopology) {
        addUnknownWords(topology);
        addLoneGpus(topology);
    }
}

} // namespace sb
