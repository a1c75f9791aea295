// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/command.h"

#include "catalog/manifest.h"
#include "session/rebuild.h"

namespace sb::cli {

int rebuildCommand(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "Reads the raw logs of a workspace again and makes its samples and measurements anew."));
    const QCommandLineOption workspaceOption(
        QStringLiteral("workspace"), QStringLiteral("Folder with results."), QStringLiteral("folder"));
    parser.addOption(workspaceOption);
    int status = kOk;
    if (!parseOptions(parser, arguments, status))
        return status;
    if (!parser.isSet(workspaceOption) || !parser.positionalArguments().isEmpty())
        return badUsage("rebuild needs --workspace FOLDER and nothing else.");
    const auto workspace = Workspace::open(parser.value(workspaceOption).toStdString());
    if (!workspace)
        return fail(workspace.error());
    const Catalog catalog = readCatalog(paths().pluginFolder, paths().userPluginFolder);
    const auto report = rebuild(**workspace, catalog.frameworks);
    if (!report)
        return fail(report.error());
    for (const std::string &problem : (*workspace)->problems())
        printNote("warning: " + problem + "\n");
    for (const std::string &problem : report->problems)
        printNote("warning: " + problem + "\n");
    print(std::to_string(report->runs) + " runs read, " + std::to_string(report->samples) + " samples, " +
          std::to_string(report->measured) + " runs measured\n");
    return report->problems.empty() && (*workspace)->problems().empty() ? kOk : kFailed;
}

} // namespace sb::cli
