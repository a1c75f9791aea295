// SPDX-License-Identifier: GPL-3.0-or-later
// nvidia-smi topo -m and topo -p2p: finding the table, its rows and its legends.
#include "core/topology_reader.h"

#include "core/text.h"
#include "core/topology_lines.h"
#include "core/topology_row.h"

#include <algorithm>
#include <array>
#include <map>

namespace sb {

namespace {

// Other programs' lines may stand between rows, but not more than these: bounds the search.
constexpr std::size_t kMaxGapLines = 64;

struct FoundRow {
    std::string raw;
    MatrixRow cells;
};

struct Table {
    TopologyHeader header;
    std::size_t endLine = 0;              // behind the last row
    std::map<std::size_t, FoundRow> rows; // by column of the same name
};

struct RowStart {
    std::size_t column = 0;
    std::size_t restAt = 0; // offset behind the name
};

// The name a row starts with. When something stands before the header's first name ("node1: "), it may stand
// before the rows' too.
std::optional<RowStart> rowStart(std::string_view line,
                                 const std::map<std::string_view, std::size_t> &columns, bool prefixed)
{
    std::size_t tries = prefixed ? 6 : 1;
    for (const std::string_view token : tokensOf(line.substr(0, std::min<std::size_t>(line.size(), 400)))) {
        if (tries-- == 0)
            break;
        auto found = columns.find(token);
        // "[1,0]<stdout>:GPU0": what launchers put in front needs no blank behind it.
        if (const auto mark = token.find_last_of(":>]|");
            found == columns.end() && prefixed && mark < token.size())
            found = columns.find(token.substr(mark + 1));
        if (found == columns.end())
            continue;
        const std::size_t restAt = static_cast<std::size_t>(token.data() + token.size() - line.data());
        const std::string_view rest = line.substr(restAt);
        const auto words = tokensOf(rest.substr(0, std::min<std::size_t>(rest.size(), 200)));
        for (std::size_t i = 0; i < std::min<std::size_t>(words.size(), 3); ++i)
            if (looksLikeLinkWord(words[i]))
                return RowStart{found->second, restAt};
        return std::nullopt;
    }
    return std::nullopt;
}

bool startsLegend(std::string_view line)
{
    const std::string_view text = trimmed(line);
    return text.starts_with("Legend:") || text.starts_with("NIC Legend:") || text.ends_with(" Legend:");
}

// A line that a narrow terminal may have broken off the one before: it starts nothing of its own.
bool mayContinue(std::string_view line, const std::map<std::string_view, std::size_t> &columns, bool prefixed)
{
    return !trimmed(line).empty() && !startsLegend(line) && !rowStart(line, columns, prefixed) &&
           line.find('=') == std::string_view::npos && line.find(':') == std::string_view::npos;
}

// Joins lines that were wrapped; gives the row when that makes it whole.
std::optional<MatrixRow> joinWrapped(const Lines &lines, std::size_t &at, std::size_t restAt,
                                     const std::map<std::string_view, std::size_t> &columns,
                                     const Table &table, std::size_t self)
{
    std::string glued(lines[at].substr(restAt));
    std::string spaced = glued;
    for (std::size_t next = at + 1; next < std::min(at + 5, lines.size()); ++next) {
        if (!mayContinue(lines[next], columns, table.header.prefixed))
            break;
        glued += lines[next];
        spaced += "\t" + std::string(lines[next]);
        for (const std::string &text : {glued, spaced}) {
            MatrixRow row = readMatrixRow(text, table.header, self);
            if (!row.whole())
                continue;
            row.damage = "the line was wrapped";
            at = next;
            return row;
        }
    }
    return std::nullopt;
}

// The header may be wrapped too: its continuation has names and headings only.
std::size_t joinHeader(const Lines &lines, std::size_t at, TopologyHeader &header)
{
    std::string text(lines[at]);
    std::size_t end = at + 1;
    for (std::size_t next = at + 1; next < std::min(at + 5, lines.size()); ++next) {
        if (trimmed(lines[next]).empty())
            break;
        text += lines[next];
        const auto joined = readHeader(text);
        if (!joined || joined->names.size() + joined->affinities.size() <=
                           header.names.size() + header.affinities.size())
            continue; // half a name or heading: the next line may complete it
        header = *joined;
        end = next + 1;
    }
    return end;
}

// A header whose first line ends in half a name or heading is none by itself.
std::optional<TopologyHeader> headerAt(const Lines &lines, std::size_t at)
{
    if (auto header = readHeader(lines[at]))
        return header;
    const auto words = tokensOf(lines[at].substr(0, std::min<std::size_t>(lines[at].size(), 200)));
    if (words.size() < 2 || gpuNameLength(words[0]) == 0 || gpuNameLength(words[1]) == 0)
        return std::nullopt;
    std::string text(lines[at]);
    for (std::size_t next = at + 1; next < std::min(at + 5, lines.size()); ++next) {
        text += lines[next];
        if (auto header = readHeader(text))
            return header;
    }
    return std::nullopt;
}

Table readTable(const Lines &lines, std::size_t at, const TopologyHeader &first)
{
    Table table;
    table.header = first;
    std::size_t i = joinHeader(lines, at, table.header);
    std::map<std::string_view, std::size_t> columns;
    for (std::size_t c = 0; c < table.header.names.size(); ++c)
        columns.emplace(table.header.names[c], c);
    std::size_t lastUse = i;
    table.endLine = i;
    for (; i < lines.size() && table.rows.size() < columns.size() && i - lastUse < kMaxGapLines; ++i) {
        const std::string_view line = lines[i];
        if (startsLegend(line))
            break;
        const auto start = rowStart(line, columns, table.header.prefixed);
        if (!start) {
            const auto other = readHeader(line);
            if (other &&
                (other->names.size() >= columns.size() ||
                 (!table.rows.empty() && !other->prefixed && other->names[0] == table.header.names[0])))
                break;
            continue;
        }
        lastUse = i;
        if (table.rows.contains(start->column))
            continue;
        FoundRow row{std::string(line),
                     readMatrixRow(line.substr(start->restAt), table.header, start->column)};
        if (!row.cells.whole()) {
            if (auto joined = joinWrapped(lines, i, start->restAt, columns, table, start->column))
                row.cells = std::move(*joined);
        }
        table.rows.emplace(start->column, std::move(row));
        table.endLine = i + 1;
    }
    return table;
}

// "NIC0: mlx5_0", several on one line, with or without remarks behind the name.
void readNicLegend(std::string_view line, Topology &topology)
{
    for (std::size_t at = line.find("NIC"); at != std::string_view::npos; at = line.find("NIC", at + 3)) {
        std::size_t end = at + 3;
        while (end < line.size() && line[end] >= '0' && line[end] <= '9')
            ++end;
        if (end == at + 3 || (at > 0 && line[at - 1] != ' ' && line[at - 1] != '\t' && line[at - 1] != ','))
            continue;
        const std::string name(line.substr(at, end - at));
        while (end < line.size() && line[end] == ' ')
            ++end;
        if (end >= line.size() || line[end] != ':')
            continue;
        const std::string_view rest = trimmed(line.substr(end + 1));
        const std::string_view value = rest.substr(0, rest.find_first_of(" \t,;"));
        if (!value.empty() && topology.indexOf(name))
            topology.nicNames.emplace(name, validUtf8(value.substr(0, 64)));
    }
}

bool isSelfLegend(std::string_view line)
{
    // Something may stand before it: "> X = Self" in a quotation.
    const auto tokens = tokensOf(line);
    for (std::size_t i = 0; i + 2 < std::min<std::size_t>(tokens.size(), 8); ++i)
        if (tokens[i] == "X" && tokens[i + 1] == "=" && tokens[i + 2].starts_with("Self"))
            return true;
    return false;
}

void readLegends(const Lines &lines, const Table &table, Topology &topology, bool &p2pLegend)
{
    for (std::size_t i = table.endLine; i < lines.size(); ++i) {
        if (i > table.endLine) { // what follows the last row at once is never a header of its own
            const auto other = readHeader(lines[i]);
            if (other && !other->prefixed && other->names.size() > 0 &&
                other->names[0] == table.header.names[0])
                return; // the next table's legend is not ours
        }
        topology.legendPresent |= trimmed(lines[i]).starts_with("Legend:") || isSelfLegend(lines[i]);
        p2pLegend |= lines[i].find("Status Ok") != std::string_view::npos;
        readNicLegend(lines[i], topology);
    }
}

// For a damaged row the column of the same name is the witness, where that row is whole; the row's own cells
// before the fault are the second best.
LinkCell settle(const Table &table, std::size_t row, std::size_t column)
{
    const auto own = table.rows.find(row);
    const auto other = table.rows.find(column);
    const bool ownWhole = own != table.rows.end() && own->second.cells.whole();
    const LinkCell mine =
        own == table.rows.end() ? LinkCell{{}, CellState::Unreadable} : own->second.cells.cells[column];
    if (ownWhole || row == column)
        return mine;
    const LinkCell theirs =
        other == table.rows.end() ? LinkCell{{}, CellState::Unreadable} : other->second.cells.cells[row];
    if (theirs.state == CellState::Read && (other->second.cells.whole() || mine.state != CellState::Read))
        return {theirs.word, CellState::Mirrored};
    return mine;
}

Topology toTopology(const Table &table)
{
    Topology topology;
    std::vector<TopologyDevice> devices;
    bool anyNicRow = false;
    for (const auto &[column, row] : table.rows)
        anyNicRow |= gpuNameLength(table.header.names[column]) == 0;
    for (std::size_t i = 0; i < table.header.names.size(); ++i) {
        TopologyDevice device;
        device.name = table.header.names[i];
        device.gpu = gpuNameLength(device.name) > 0;
        const auto row = table.rows.find(i);
        device.hasRow = row != table.rows.end();
        if (device.hasRow) {
            const MatrixRow &cells = row->second.cells;
            device.rawLine = validUtf8(row->second.raw);
            device.damage = cells.damage;
            device.cpuAffinity = cells.cpuAffinity;
            device.numaAffinity = cells.numaAffinity;
            device.gpuNumaId = cells.gpuNumaId;
        } else if (device.gpu || anyNicRow) {
            device.damage = "the row is missing";
        }
        device.damaged = !device.damage.empty();
        // Only GPUs have affinities, and a damaged row's cannot be told from its other cells.
        if (device.damaged || !device.gpu) {
            device.cpuAffinity.reset();
            device.numaAffinity.reset();
            device.gpuNumaId.reset();
        }
        devices.push_back(std::move(device));
    }
    topology.setDevices(std::move(devices));
    for (std::size_t row = 0; row < topology.size(); ++row)
        for (std::size_t column = 0; column < topology.size(); ++column)
            if (topology.devices[row].hasRow || topology.devices[row].damaged)
                topology.cell(row, column) = settle(table, row, column);
    for (std::size_t i = 0; i < topology.size(); ++i)
        if (topology.devices[i].damaged)
            topology.cell(i, i) = {"X", CellState::Mirrored}; // what a device is to itself is no question
    return topology;
}

bool onlyP2pWords(const Topology &topology)
{
    static constexpr std::array<std::string_view, 8> kStatus{"OK", "NS", "CNS", "GNS", "TNS", "DR", "U", "X"};
    bool any = false;
    for (std::size_t a = 0; a < topology.size(); ++a)
        for (std::size_t b = 0; b < topology.size(); ++b) {
            const LinkCell &cell = topology.cell(a, b);
            if (a == b || cell.state != CellState::Read)
                continue;
            if (std::find(kStatus.begin(), kStatus.end(), cell.word) == kStatus.end())
                return false;
            any = true;
        }
    return any;
}

} // namespace

std::optional<Topology> readNvidiaMatrix(const Lines &lines)
{
    std::optional<Table> table;
    for (std::size_t i = 0; i < lines.size() && !table; ++i) {
        const auto header = headerAt(lines, i);
        if (!header)
            continue;
        Table candidate = readTable(lines, i, *header);
        if (!candidate.rows.empty())
            table = std::move(candidate);
    }
    if (!table)
        return std::nullopt;
    Topology topology = toTopology(*table);
    bool p2pLegend = false;
    readLegends(lines, *table, topology, p2pLegend);
    if (p2pLegend || onlyP2pWords(topology))
        topology.kind = TopologyKind::NvidiaP2p;
    return topology;
}

} // namespace sb
