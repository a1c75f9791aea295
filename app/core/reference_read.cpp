// SPDX-License-Identifier: GPL-3.0-or-later
// Reference files: see resources/reference/README.md for the keys.
#include "core/json.h"
#include "core/reference.h"
#include "core/text.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace sb {

namespace {

constexpr int kReferenceSchema = 1;
constexpr std::uintmax_t kLargestReferenceBytes = 64 * 1024 * 1024;

std::optional<ReferenceKind> kindFromName(const std::string &name)
{
    if (name == "report")
        return ReferenceKind::Report;
    if (name == "median")
        return ReferenceKind::Median;
    if (name == "summary")
        return ReferenceKind::FrontPage;
    if (name == "branch")
        return ReferenceKind::Branch;
    if (name == "runs")
        return ReferenceKind::Runs;
    return std::nullopt;
}

// Calls `read` with a reader for each object of a list.
template <typename Read>
void eachObject(ObjectReader &parent, const std::string &key, const Read &read)
{
    const JsonNode *list = parent.array(key);
    if (!list)
        return;
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        ObjectReader reader(list->items[i], parent.source(),
                            parent.what() + "." + key + "[" + std::to_string(i) + "]");
        read(reader, list->items[i]);
        parent.adopt(reader.finish());
    }
}

ReferencePoint readPoint(ObjectReader &reader, const JsonNode &node)
{
    ReferencePoint point;
    point.nodes = reader.integer("nodes");
    point.devicesPerNode = reader.integer("gpus_per_node");
    if (const auto throughput = reader.optionalNumber("throughput"))
        point.throughput = *throughput;
    point.printedSpeedup = reader.optionalNumber("speedup");
    point.line = reader.integer("line");
    point.runsLine = reader.integer("runs_line", 0);
    if (const JsonNode *runs = reader.optionalArray("runs"))
        for (const JsonNode &run : runs->items)
            point.runs.push_back(run.number);
    const bool positive =
        point.throughput > 0 && isScale(point.nodes, point.devicesPerNode) &&
        std::all_of(point.runs.begin(), point.runs.end(), [](double run) { return run > 0; });
    if (!positive)
        reader.fail(node, reader.what() + " needs counts, a throughput and runs above 0");
    return point;
}

ReferenceSeries readSeries(ObjectReader &reader, const JsonNode &node)
{
    ReferenceSeries series;
    series.id = reader.string("id");
    const std::string kind = reader.string("kind");
    if (const auto known = kindFromName(kind))
        series.kind = *known;
    else
        reader.fail(node, reader.what() + ".kind is \"" + kind +
                              "\"; known: report, median, summary, branch, runs");
    series.framework = reader.string("framework");
    series.version = reader.string("version");
    series.variant = reader.string("variant", "");
    series.workload = reader.string("workload");
    series.precision = reader.string("precision");
    series.precisionPrinted = reader.string("precision_printed", series.precision);
    series.batchSizePerDevice = reader.integer("batch_size_per_device");
    series.source = reader.string("source");
    series.session = reader.string("session", "");
    series.printedIn = reader.string("printed_in", "");
    eachObject(reader, "points", [&series](ObjectReader &at, const JsonNode &point) {
        series.points.push_back(readPoint(at, point));
    });
    std::stable_sort(series.points.begin(), series.points.end(),
                     [](const ReferencePoint &a, const ReferencePoint &b) {
                         return std::pair(a.devices(), a.nodes) < std::pair(b.devices(), b.nodes);
                     });
    return series;
}

ReferenceTable readTable(ObjectReader &reader)
{
    ReferenceTable table;
    table.id = reader.string("id");
    table.title = reader.string("title");
    table.workload = reader.string("workload");
    table.precision = reader.string("precision");
    table.batchSizePerDevice = reader.integer("batch_size_per_device");
    table.source = reader.string("source");
    table.firstLine = reader.integer("first_line");
    table.lastLine = reader.integer("last_line");
    eachObject(reader, "columns", [&table](ObjectReader &at, const JsonNode &) {
        ReferenceTable::Column column;
        column.series = at.string("series");
        column.unlike = at.strings("unlike", {});
        table.columns.push_back(std::move(column));
    });
    return table;
}

void readHead(ObjectReader &reader, ReferenceSet &set)
{
    set.id = reader.string("id");
    set.title = reader.string("title");
    set.label = reader.string("label");
    set.publisher = reader.string("publisher");
    set.commit = reader.string("commit");
    set.published = reader.string("published");
    if (const JsonNode *node = reader.object("cluster")) {
        ObjectReader cluster(*node, reader.source(), "cluster");
        set.clusterNodes = cluster.integer("nodes");
        set.devicesPerNode = cluster.integer("gpus_per_node");
        set.deviceName = cluster.string("gpu");
        set.network = cluster.string("network");
        set.driver = cluster.string("driver");
        set.cuda = cluster.string("cuda");
        reader.adopt(cluster.finish());
    }
    if (const JsonNode *node = reader.object("rule")) {
        ObjectReader rule(*node, reader.source(), "rule");
        set.warmupSteps = rule.integer("warmup_steps");
        set.measuredSteps = rule.integer("measured_steps");
        reader.adopt(rule.finish());
    }
}

void readLists(ObjectReader &reader, ReferenceSet &set)
{
    eachObject(reader, "frameworks", [&set](ObjectReader &at, const JsonNode &) {
        const std::string name = at.string("name");
        set.frameworks.emplace_back(name, at.string("title"));
    });
    eachObject(reader, "workloads", [&set](ObjectReader &at, const JsonNode &) {
        ReferenceWorkload workload;
        workload.name = at.string("name");
        workload.title = at.string("title");
        workload.unit = at.string("unit");
        workload.unitPrinted = at.string("unit_printed");
        set.workloads.push_back(std::move(workload));
    });
    eachObject(reader, "tables",
               [&set](ObjectReader &at, const JsonNode &) { set.tables.push_back(readTable(at)); });
    eachObject(reader, "series", [&set](ObjectReader &at, const JsonNode &node) {
        set.series.push_back(readSeries(at, node));
    });
    eachObject(reader, "anomalies", [&set](ObjectReader &at, const JsonNode &) {
        ReferenceAnomaly anomaly;
        anomaly.series = at.string("series");
        anomaly.nodes = at.integer("nodes");
        anomaly.devicesPerNode = at.integer("gpus_per_node");
        anomaly.printed = at.optionalNumber("printed").value_or(0);
        anomaly.reason = at.string("reason");
        set.anomalies.push_back(std::move(anomaly));
    });
}

// Names that lead nowhere; empty when all is well.
std::string danglingName(const ReferenceSet &set)
{
    for (const ReferenceTable &table : set.tables)
        for (const ReferenceTable::Column &column : table.columns)
            if (!set.find(column.series))
                return "the table \"" + table.id + "\" names the series \"" + column.series + "\"";
    for (const ReferenceSeries &series : set.series) {
        if (!set.workload(series.workload))
            return "the series \"" + series.id + "\" names the workload \"" + series.workload + "\"";
        if (!series.printedIn.empty() && !set.find(series.printedIn))
            return "the series \"" + series.id + "\" names the series \"" + series.printedIn + "\"";
    }
    for (const ReferenceAnomaly &anomaly : set.anomalies)
        if (const ReferenceSeries *series = set.find(anomaly.series);
            !series || !series->at(anomaly.nodes, anomaly.devicesPerNode))
            return "an anomaly names a point of \"" + anomaly.series + "\"";
    return {};
}

} // namespace

Result<ReferenceSet> parseReference(std::string_view text, const std::string &source)
{
    const Result<JsonNode> root = parseJson(text, source);
    if (!root)
        return root.error();
    ObjectReader reader(*root, source, "reference");
    if (const int schema = reader.integer("schema"); schema > kReferenceSchema)
        return Error{ErrorCode::Newer, source + " was written for a newer version (schema " +
                                           std::to_string(schema) + "; this one reads up to 1)."};
    ReferenceSet set;
    readHead(reader, set);
    readLists(reader, set);
    if (const auto finished = reader.finish(); !finished)
        return finished.error();
    if (const std::string name = danglingName(set); !name.empty())
        return Error{ErrorCode::BadInput, source + ": " + name + ", which is not in the file."};
    return set;
}

Result<ReferenceSet> readReferenceFile(const std::string &path)
{
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(path, error);
    if (error)
        return Error{ErrorCode::NotFound, "There is no file of published results at " + path + "."};
    if (bytes > kLargestReferenceBytes)
        return Error{ErrorCode::BadInput,
                     path + " is larger than 64 MB; that is no file of published results."};
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file && !file.eof())
        return Error{ErrorCode::Io, path + " could not be read; look at its permissions."};
    return parseReference(text, path);
}

std::vector<std::string> referenceIds(const std::string &folder)
{
    std::vector<std::string> ids;
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator(folder, error))
        if (entry.path().extension() == ".json")
            ids.push_back(entry.path().stem().string());
    std::sort(ids.begin(), ids.end());
    return ids;
}

Result<ReferenceSet> loadReference(const std::string &folder, const std::string &id)
{
    const std::vector<std::string> ids = referenceIds(folder);
    if (std::find(ids.begin(), ids.end(), id) == ids.end())
        return Error{ErrorCode::NotFound, "There are no published results \"" + id + "\"" +
                                              (ids.empty() ? "; none came with this program."
                                                           : "; known: " + join(ids, ", ") + ".")};
    return readReferenceFile(folder + "/" + id + ".json");
}

} // namespace sb
