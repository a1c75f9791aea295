// SPDX-License-Identifier: GPL-3.0-or-later
// rocm-smi --showtopo and its parts: up to four tables between GPUs and lines about NUMA. Any of them may be
// missing. The diagonal is 0.
#include "core/topology_reader.h"

#include "core/text.h"
#include "core/topology_lines.h"

#include <algorithm>
#include <map>
#include <set>

namespace sb {

namespace {

struct RocmTable {
    std::vector<std::string> names;
    std::map<std::string, std::vector<std::string>> rows; // cells in the order of names
    std::map<std::string, std::string> raw;
};

// "===== Link Type between two GPUs =====" → "Link Type between two GPUs"
std::string_view titleOf(std::string_view line)
{
    std::string_view text = trimmed(line);
    if (!text.starts_with("==="))
        return {};
    while (text.starts_with('='))
        text.remove_prefix(1);
    while (text.ends_with('='))
        text.remove_suffix(1);
    return trimmed(text);
}

// "GPU3", written the only way rocm-smi writes it, so that a name and a number are the same thing.
bool isRocmName(const std::string &name)
{
    const auto number = name.starts_with("GPU") ? toInteger(std::string_view(name).substr(3)) : std::nullopt;
    return number && name == "GPU" + std::to_string(*number);
}

struct NumaLine {
    int gpu = 0;
    bool affinity = false;
    std::string value;
};

// "GPU[0]\t\t: (Topology) Numa Affinity: 0", in older versions "GPU 0          : …".
std::optional<NumaLine> numaLine(std::string_view line)
{
    const auto mark = line.find("(Topology) Numa ");
    const auto gpu = line.find("GPU");
    if (mark == std::string_view::npos || gpu > mark)
        return std::nullopt;
    std::string digits;
    for (const char c : line.substr(gpu + 3, mark - gpu - 3)) {
        if (c >= '0' && c <= '9')
            digits += c;
        else if (!digits.empty())
            break;
    }
    const auto number = toInteger(digits);
    const auto colon = line.find(':', mark);
    if (!number || *number < 0 || *number >= static_cast<std::int64_t>(kMaxTopologyDevices) ||
        colon == std::string_view::npos)
        return std::nullopt;
    const bool affinity = line.substr(mark).starts_with("(Topology) Numa Affinity");
    return NumaLine{static_cast<int>(*number), affinity,
                    validUtf8(trimmed(line.substr(colon + 1)).substr(0, 32))};
}

// Reads the table below a title; stops at the next title.
RocmTable readTable(const Lines &lines, std::size_t &at)
{
    RocmTable table;
    for (; at < lines.size() && titleOf(lines[at]).empty(); ++at) {
        const auto tokens = tokensOf(lines[at]);
        if (table.names.empty()) {
            const auto header = readHeader(lines[at]);
            if (header && std::all_of(header->names.begin(), header->names.end(), isRocmName))
                table.names = header->names;
            continue;
        }
        if (tokens.size() < 2 ||
            std::find(table.names.begin(), table.names.end(), tokens[0]) == table.names.end())
            continue;
        std::vector<std::string> cells;
        for (std::size_t i = 1; i < tokens.size() && i <= kMaxTopologyDevices; ++i)
            cells.push_back(validUtf8(tokens[i].substr(0, 32)));
        table.raw.emplace(tokens[0], validUtf8(lines[at]));
        table.rows.emplace(tokens[0], std::move(cells));
    }
    return table;
}

void fillLinks(Topology &topology, const RocmTable &links)
{
    const std::size_t n = links.names.size();
    const auto whole = [&](const std::string &name) {
        const auto row = links.rows.find(name);
        return row != links.rows.end() && row->second.size() == n;
    };
    for (std::size_t a = 0; a < n; ++a) {
        const auto device = topology.indexOf(links.names[a]);
        if (!device)
            continue;
        TopologyDevice &row = topology.devices[*device];
        row.hasRow = links.rows.contains(row.name);
        if (row.hasRow)
            row.rawLine = links.raw.at(row.name);
        if (!whole(row.name)) {
            row.damaged = true;
            row.damage = row.hasRow ? std::to_string(links.rows.at(row.name).size()) +
                                          " cells where the header has " + std::to_string(n)
                                    : "the row is missing";
        }
        for (std::size_t b = 0; b < n; ++b) {
            const auto other = topology.indexOf(links.names[b]);
            if (!other)
                continue;
            LinkCell &cell = topology.cell(*device, *other);
            if (a == b)
                cell = {"X", CellState::Read};
            else if (whole(row.name))
                cell = {links.rows.at(row.name)[b], CellState::Read};
            else if (whole(links.names[b]))
                cell = {links.rows.at(links.names[b])[a], CellState::Mirrored};
            else
                cell = {{}, CellState::Unreadable};
        }
    }
}

std::vector<std::string> rowMajor(const RocmTable &table)
{
    std::vector<std::string> cells;
    for (const std::string &name : table.names) {
        const auto row = table.rows.find(name);
        for (std::size_t i = 0; i < table.names.size(); ++i)
            cells.push_back(row != table.rows.end() && row->second.size() == table.names.size()
                                ? row->second[i]
                                : std::string());
    }
    return cells;
}

} // namespace

std::optional<Topology> readRocmTopology(const Lines &lines)
{
    std::map<std::string, RocmTable> tables;
    std::map<int, NumaLine> numaNodes, numaAffinities;
    bool any = false;
    for (std::size_t i = 0; i < lines.size();) {
        const std::string_view title = titleOf(lines[i]);
        if (const auto numa = numaLine(lines[i])) {
            (numa->affinity ? numaAffinities : numaNodes).emplace(numa->gpu, *numa);
            any = true;
        }
        ++i;
        const auto between = title.find(" between two GPUs");
        if (between == std::string_view::npos)
            continue;
        any = true;
        tables.emplace(std::string(title.substr(0, between)), readTable(lines, i));
    }
    if (!any)
        return std::nullopt;

    Topology topology;
    topology.kind = TopologyKind::RocmTopology;
    // NUMA lines alone also name the GPUs.
    std::set<int> gpus;
    for (const auto &[title, table] : tables)
        for (const std::string &name : table.names)
            if (const auto number = toInteger(std::string_view(name).substr(3)))
                gpus.insert(static_cast<int>(*number));
    for (const auto &numa : {numaNodes, numaAffinities})
        for (const auto &[gpu, line] : numa)
            gpus.insert(gpu);
    std::vector<TopologyDevice> devices;
    for (const int gpu : gpus) {
        if (devices.size() >= kMaxTopologyDevices)
            break;
        TopologyDevice device;
        device.name = "GPU" + std::to_string(gpu);
        const auto affinity = numaAffinities.find(gpu);
        const auto node = numaNodes.find(gpu);
        if (affinity != numaAffinities.end())
            device.numaAffinity = affinity->second.value;
        else if (node != numaNodes.end())
            device.numaAffinity = node->second.value;
        devices.push_back(std::move(device));
    }
    topology.setDevices(std::move(devices));
    for (const auto &[title, table] : tables) {
        if (title == "Link Type")
            fillLinks(topology, table);
        else if (const auto key = title == "Weight" ? "weight" : title == "Hops" ? "hops" : ""; *key != '\0')
            topology.extraTables.emplace(key, rowMajor(table));
    }
    return topology;
}

} // namespace sb
