// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/command.h"

#include "core/result_file.h"
#include "core/scaling.h"
#include "core/units.h"
#include "store/workspace.h"

#include <algorithm>

namespace sb::cli {

namespace {

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
        print(writeResults((*workspace)->name(), results));
    else if (results.empty())
        print("No finished runs in " + (*workspace)->folder() + ".\n");
    else
        print(tableText(results));
    return kOk;
}

} // namespace sb::cli
