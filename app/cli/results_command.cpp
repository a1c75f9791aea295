// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/command.h"

#include "core/json.h"
#include "core/scaling.h"
#include "core/units.h"
#include "store/workspace.h"

#include <algorithm>

namespace sb::cli {

namespace {

JsonNode resultNode(const CaseResult &result)
{
    JsonNode options = JsonNode::object();
    for (const auto &[name, value] : result.key.options)
        options.set(name, value);
    JsonNode node = JsonNode::object();
    node.set("framework", result.key.framework)
        .set("workload", result.key.workload)
        .set("precision", result.key.precision)
        .set("batch_size_per_device", result.key.batchSizePerDevice)
        .set("nodes", result.key.nodes)
        .set("gpus_per_node", result.key.devicesPerNode)
        .set("devices", result.key.devices())
        .set("device", result.key.device)
        .set("threads_per_device", result.key.threadsPerDevice)
        .set("warmup_steps", result.key.warmupSteps)
        .set("measured_steps", result.key.measuredSteps)
        .set("options", options)
        .set("repeats", result.repeats)
        .set("throughput", result.throughput)
        .set("mean", result.meanThroughput)
        .set("min", result.minThroughput)
        .set("max", result.maxThroughput)
        .set("unit", result.unit + "/s")
        .set("step_time_ms", result.stepTimeMs)
        .set("seconds_per_epoch", result.secondsPerEpoch)
        .set("speedup", result.speedup)
        .set("efficiency", result.efficiency);
    JsonNode interval;
    if (result.interval)
        interval = JsonNode::object()
                       .set("low", result.interval->low)
                       .set("high", result.interval->high)
                       .set("coverage", result.interval->coverage);
    return node.set("interval", interval)
        .set("noise_grade",
             result.noise ? JsonNode(std::string(1, noiseGradeLetter(*result.noise))) : JsonNode())
        .set("simulated", result.simulated)
        .set("run_ids", result.runIds);
}

std::string jsonText(const std::string &name, std::span<const CaseResult> results)
{
    JsonNode cases = JsonNode::array();
    for (const CaseResult &result : results)
        cases.push(resultNode(result));
    return writeJson(JsonNode::object().set("schema", 1).set("workspace", name).set("results", cases)) + "\n";
}

std::size_t shownWidth(const std::string &text)
{
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// Columns as wide as their widest cell; the first is text, the rest numbers.
std::string table(const std::vector<std::vector<std::string>> &rows)
{
    std::vector<std::size_t> widths;
    for (const auto &row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths.resize(std::max(widths.size(), i + 1));
            widths[i] = std::max(widths[i], shownWidth(row[i]));
        }
    std::string text;
    for (const auto &row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string padding(widths[i] - shownWidth(row[i]), ' ');
            text += (i == 0 ? "" : "  ") + (i == 0 ? row[i] + padding : padding + row[i]);
        }
        text += "\n";
    }
    return text;
}

std::string tableText(std::span<const CaseResult> results)
{
    std::string text;
    for (const ScalingGroup &group : scalingGroups(results)) {
        text += group.workloadTitle + ", " + group.precision + ", batch size " +
                std::to_string(group.batchSizePerDevice) + " per device, on " + group.device + "\n";
        std::vector<std::vector<std::string>> rows{{"framework", "nodes", "devices", group.unit + "/s",
                                                    "interval", "speedup", "efficiency", "runs", "noise"}};
        for (const ScalingCurve &curve : group.curves)
            for (const CaseResult &point : curve.points)
                rows.push_back({curve.label, std::to_string(point.key.nodes),
                                std::to_string(point.key.devices()), formatThroughput(point.throughput),
                                point.interval ? formatThroughput(point.interval->low) + " – " +
                                                     formatThroughput(point.interval->high) + " (" +
                                                     formatPercent(point.interval->coverage) + ")"
                                               : "—",
                                point.speedup ? formatNumber(*point.speedup, 2) : "—",
                                point.efficiency ? formatPercent(*point.efficiency) : "—",
                                std::to_string(point.repeats),
                                point.noise ? std::string(1, noiseGradeLetter(*point.noise)) : "—"});
        text += table(rows) + "\n";
    }
    return text;
}

} // namespace

int resultsCommand(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Prints the median throughput and the speedup of each case."));
    const QCommandLineOption workspaceOption(
        QStringLiteral("workspace"), QStringLiteral("Folder with results."), QStringLiteral("folder"));
    const QCommandLineOption json(QStringLiteral("json"), QStringLiteral("Print JSON (schema 1)."));
    parser.addOptions({workspaceOption, json});
    int status = kOk;
    if (!parseOptions(parser, arguments, status))
        return status;
    if (!parser.isSet(workspaceOption) || !parser.positionalArguments().isEmpty())
        return badUsage("results needs --workspace FOLDER and nothing else.");
    const auto workspace = Workspace::open(parser.value(workspaceOption).toStdString());
    if (!workspace)
        return fail(workspace.error());
    for (const std::string &problem : (*workspace)->problems())
        printNote("warning: " + problem + "\n");
    const std::vector<CaseResult> results = aggregate((*workspace)->runs());
    if (parser.isSet(json))
        print(jsonText((*workspace)->name(), results));
    else if (results.empty())
        print("No finished runs in " + (*workspace)->folder() + ".\n");
    else
        print(tableText(results));
    return kOk;
}

} // namespace sb::cli
