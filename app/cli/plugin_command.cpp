// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/command.h"

#include "session/plugin_check.h"

namespace sb::cli {

int pluginCommand(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Checks plugins: their manifest, their files, and that their recorded logs give the "
                       "numbers written beside them."));
    parser.addPositionalArgument(QStringLiteral("check"), QStringLiteral("What to do: check."));
    parser.addPositionalArgument(QStringLiteral("folder"), QStringLiteral("Folders with a plugin.json."),
                                 QStringLiteral("folder…"));
    int status = kOk;
    if (!parseOptions(parser, arguments, status))
        return status;
    const QStringList words = parser.positionalArguments();
    if (words.size() < 2 || words.front() != QStringLiteral("check"))
        return badUsage("plugin needs \"check\" and at least one folder.");
    const Catalog catalog = readCatalog(paths().pluginFolder, paths().userPluginFolder);
    for (qsizetype i = 1; i < words.size(); ++i) {
        const PluginCheck check = checkPlugin(words[i].toStdString(), catalog);
        for (const std::string &problem : check.problems)
            printNote(problem + "\n");
        if (check.problems.empty())
            print(check.name + ": good, " + std::to_string(check.samples) +
                  (check.samples == 1 ? " log" : " logs") + "\n");
        else
            status = kBadInput;
    }
    return status;
}

} // namespace sb::cli
