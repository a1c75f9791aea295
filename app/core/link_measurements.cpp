// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/link_measurements.h"

#include "core/json.h"
#include "core/text.h"
#include "core/topology_lines.h"

#include <algorithm>
#include <cmath>

namespace sb {

namespace {

constexpr int kMostGpus = static_cast<int>(kMaxTopologyDevices);
constexpr double kMostGBps = 1e6; // anything beyond is no rate

using Lines = std::vector<std::string_view>;

std::optional<int> gpuNumber(std::string_view token)
{
    const auto number = toInteger(token);
    return number && *number >= 0 && *number < kMostGpus ? std::optional(static_cast<int>(*number))
                                                         : std::nullopt;
}

std::optional<double> rate(std::string_view token)
{
    const auto value = toDouble(token);
    return value && std::isfinite(*value) && *value > 0 && *value < kMostGBps ? value : std::nullopt;
}

void keepBest(LinkMeasurements &measured, int from, int to, double gbps)
{
    if (from == to)
        return;
    double &best = measured.links[{from, to}];
    best = std::max(best, gbps);
}

// {"event":"bench","kind":"p2p","device":0,"to":1,"GBps":45.1,…}
void takeBenchLine(std::string_view line, LinkMeasurements &measured)
{
    bool p2p = false;
    std::optional<double> from, to, gbps;
    visitFlatObject(line, [&](const FlatMember &member) {
        if (member.key == "kind")
            p2p = member.text == "p2p";
        else if (member.key == "device")
            from = member.number;
        else if (member.key == "to")
            to = member.number;
        else if (member.key == "GBps")
            gbps = member.number;
    });
    const auto number = [](const std::optional<double> &value) {
        return value && *value >= 0 && *value < kMostGpus ? std::optional(static_cast<int>(*value))
                                                          : std::nullopt;
    };
    const auto a = number(from);
    const auto b = number(to);
    if (!p2p || !a || !b || !gbps || !(*gbps > 0) || !(*gbps < kMostGBps))
        return;
    measured.tool = "sbtrain bench p2p";
    keepBest(measured, *a, *b, *gbps);
}

// Which way the bytes of a table went; nothing for tables that are of no use here.
enum class Flow { RowToColumn, ColumnToRow };
std::optional<Flow> flowOf(std::string_view title)
{
    const auto has = [title](std::string_view part) { return title.find(part) != std::string_view::npos; };
    if (has("P2P=Enabled") && has("Unidirectional") && has("GB/s"))
        return Flow::RowToColumn;
    if (!has("GPU(row)") || !has("GPU(column)") || has("CPU") || has("<->") || has("Total") || has("Read1") ||
        has("Read2") || has("Write1") || has("Write2") || has("latency"))
        return std::nullopt;
    return has("<-") ? Flow::ColumnToRow : Flow::RowToColumn;
}

// A header of GPU numbers, then rows that begin with one:
//   D\D     0      1
//     0 734.95  48.34
void takeTable(const Lines &lines, std::size_t title, Flow flow, LinkMeasurements &measured)
{
    std::vector<int> columns;
    for (std::size_t i = title + 1; i < lines.size(); ++i) {
        auto tokens = tokensOf(lines[i]);
        if (tokens.empty() && columns.empty())
            continue;
        if (!tokens.empty() && columns.empty() && tokens[0] == "D\\D")
            tokens.erase(tokens.begin());
        if (columns.empty()) {
            for (const std::string_view token : tokens) {
                const auto number = gpuNumber(token);
                if (!number)
                    return;
                columns.push_back(*number);
            }
            continue;
        }
        const auto row = tokens.empty() ? std::nullopt : gpuNumber(tokens[0]);
        if (!row || tokens.size() != columns.size() + 1)
            return;
        for (std::size_t c = 0; c < columns.size(); ++c)
            if (const auto gbps = rate(tokens[c + 1]))
                keepBest(measured, flow == Flow::RowToColumn ? *row : columns[c],
                         flow == Flow::RowToColumn ? columns[c] : *row, *gbps);
    }
}

// nvbandwidth -j: bandwidth_description is the title of the table, bandwidth_matrix its cells as texts.
void takeJson(const JsonNode &node, LinkMeasurements &measured)
{
    const JsonNode *description = node.find("bandwidth_description");
    const JsonNode *matrix = node.find("bandwidth_matrix");
    if (description && matrix && matrix->kind == JsonNode::Kind::Array) {
        const auto flow = flowOf(description->text);
        for (std::size_t r = 0; flow && r < matrix->items.size() && r < kMaxTopologyDevices; ++r) {
            const auto &cells = matrix->items[r].items;
            for (std::size_t c = 0; c < cells.size() && c < kMaxTopologyDevices; ++c) {
                const auto gbps = cells[c].kind == JsonNode::Kind::String ? rate(trimmed(cells[c].text))
                                  : cells[c].number > 0 && cells[c].number < kMostGBps
                                      ? std::optional(cells[c].number)
                                      : std::nullopt;
                const auto row = static_cast<int>(r);
                const auto column = static_cast<int>(c);
                if (gbps)
                    keepBest(measured, *flow == Flow::RowToColumn ? row : column,
                             *flow == Flow::RowToColumn ? column : row, *gbps);
            }
        }
    }
    for (const JsonNode &item : node.items)
        takeJson(item, measured);
    for (const auto &[key, member] : node.members)
        takeJson(member, measured);
}

// nccl-tests: "#  Rank  0 Group  0 Pid 71 on node1 device  0 [0x07] NVIDIA H100", a header that names the
// columns, rows of figures. Two GPUs measure their pair, more measure all of them together.
void takeNccl(const Lines &lines, LinkMeasurements &measured)
{
    std::vector<int> gpus;
    std::vector<std::string_view> hosts;
    std::vector<std::size_t> busColumns;
    std::size_t columnCount = 0;
    double best = 0;
    for (const std::string_view line : lines) {
        const auto tokens = tokensOf(line);
        if (tokens.size() > 4 && tokens[0] == "#" && tokens[1] == "Rank") {
            for (std::size_t i = 2; i + 1 < tokens.size(); ++i) {
                if (tokens[i] == "on" && std::find(hosts.begin(), hosts.end(), tokens[i + 1]) == hosts.end())
                    hosts.push_back(tokens[i + 1]);
                if (const auto number = gpuNumber(tokens[i + 1]); tokens[i] == "device" && number)
                    gpus.push_back(*number);
            }
        } else if (tokens.size() > 6 && tokens[0] == "#" && tokens[1] == "size") {
            busColumns.clear();
            columnCount = tokens.size() - 1;
            for (std::size_t i = 1; i < tokens.size(); ++i)
                if (tokens[i] == "busbw")
                    busColumns.push_back(i - 1);
        } else if (columnCount > 0 && tokens.size() == columnCount && toInteger(tokens[0])) {
            for (const std::size_t column : busColumns)
                best = std::max(best, rate(tokens[column]).value_or(0));
        }
    }
    std::sort(gpus.begin(), gpus.end());
    const bool oneEach = std::adjacent_find(gpus.begin(), gpus.end()) == gpus.end();
    // Over several nodes it is the network that was measured.
    if (best <= 0 || hosts.size() != 1 || gpus.size() < 2 || !oneEach)
        return;
    measured.tool = "nccl-tests";
    if (gpus.size() == 2) {
        keepBest(measured, gpus[0], gpus[1], best);
        keepBest(measured, gpus[1], gpus[0], best);
    } else {
        measured.group = GroupRate{gpus, best};
    }
}

std::optional<int> numberOf(const TopologyDevice &device)
{
    constexpr std::string_view kName = "GPU";
    if (!device.gpu || !device.name.starts_with(kName))
        return std::nullopt;
    return gpuNumber(std::string_view(device.name).substr(kName.size()));
}

} // namespace

Result<LinkMeasurements> readLinkMeasurements(std::string_view text)
{
    const std::string clean = withoutEscapes(text.substr(0, kMaxTopologyBytes));
    const Lines lines = linesOf(clean);
    LinkMeasurements measured;
    if (const std::size_t brace = clean.find('{');
        brace != std::string::npos && clean.find("bandwidth_matrix") != std::string::npos) {
        if (const auto json = parseJson(std::string_view(clean).substr(brace), "measurements")) {
            takeJson(*json, measured);
            if (!measured.links.empty())
                measured.tool = "nvbandwidth";
        }
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (const std::string_view line = trimmed(lines[i]); line.starts_with('{'))
            takeBenchLine(line, measured);
        const auto flow = flowOf(lines[i]);
        if (!flow)
            continue;
        const std::size_t before = measured.links.size();
        takeTable(lines, i, *flow, measured);
        if (measured.links.size() > before)
            measured.tool = lines[i].find("P2P=Enabled") != std::string_view::npos ? "p2pBandwidthLatencyTest"
                                                                                   : "nvbandwidth";
    }
    if (measured.links.empty())
        takeNccl(lines, measured);
    if (measured.links.empty() && !measured.group)
        return Error{
            ErrorCode::BadInput,
            "The text has no measurement between two GPUs; paste what sbtrain bench p2p, nvbandwidth, "
            "p2pBandwidthLatencyTest or nccl-tests on one node printed."};
    return measured;
}

std::optional<double> measuredGBps(const LinkMeasurements &measured, const Topology &topology, std::size_t a,
                                   std::size_t b)
{
    const auto from = numberOf(topology.devices[a]);
    const auto to = numberOf(topology.devices[b]);
    if (!from || !to)
        return std::nullopt;
    const auto found = measured.links.find({*from, *to});
    return found == measured.links.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> measuredPairGBps(const LinkMeasurements &measured, const Topology &topology,
                                       std::size_t a, std::size_t b)
{
    const auto there = measuredGBps(measured, topology, a, b);
    const auto back = measuredGBps(measured, topology, b, a);
    return there && back ? std::min(*there, *back) : there ? there : back;
}

} // namespace sb
