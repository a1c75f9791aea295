// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/command.h"

#include "catalog/plan_file.h"
#include "core/json.h"
#include "core/units.h"
#include "session/bundle.h"

#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>

namespace sb::cli {

namespace {

double totalBytes(const BundleInfo &info)
{
    double sum = 0;
    for (const ArchiveFile &file : info.files)
        sum += static_cast<double>(file.bytes);
    return sum;
}

int create(const QCommandLineParser &parser)
{
    if (!parser.isSet(QStringLiteral("workspace")) || !parser.isSet(QStringLiteral("out")) ||
        parser.positionalArguments().size() != 1)
        return badUsage("bundle create needs --workspace FOLDER and --out FILE.");
    const auto workspace = Workspace::open(parser.value(QStringLiteral("workspace")).toStdString());
    if (!workspace)
        return fail(workspace.error());
    BundleOptions options;
    options.pluginFolder = paths().pluginFolder;
    options.userPluginFolder = paths().userPluginFolder;
    options.neutralNames = parser.isSet(QStringLiteral("neutral-names"));
    options.reportFolder = parser.value(QStringLiteral("report")).toStdString();
    options.program = "Scaleboard " SCALEBOARD_VERSION;
    if (!options.reportFolder.empty() && !QFileInfo(parser.value(QStringLiteral("report"))).isDir())
        return fail({ErrorCode::NotFound, "There is no folder " + options.reportFolder +
                                              "; give one that \"scaleboard report\" has written."});
    const std::string out = parser.value(QStringLiteral("out")).toStdString();
    if (auto written = writeBundle(bundleSource(**workspace), out, options); !written)
        return fail(written.error());
    print(out + ": " +
          formatBytes(static_cast<double>(QFileInfo(parser.value(QStringLiteral("out"))).size())) + "\n");
    return kOk;
}

int show(const std::string &path, bool json)
{
    const auto info = readBundleInfo(path);
    if (!info)
        return fail(info.error());
    if (json) {
        JsonNode files = JsonNode::array();
        for (const ArchiveFile &file : info->files)
            files.push(JsonNode::object().set("path", file.path).set("bytes", file.bytes));
        print(writeJson(JsonNode::object()
                            .set("schema", 1)
                            .set("name", info->name)
                            .set("date", info->date)
                            .set("program", info->program)
                            .set("runs", info->runs)
                            .set("neutral_names", info->neutralNames)
                            .set("simulated", info->simulated)
                            .set("bytes", totalBytes(*info))
                            .set("files", files)) +
              "\n");
        return kOk;
    }
    print(info->name + ", " + info->date + ", made by " + info->program + "\n" + std::to_string(info->runs) +
          " runs, " + std::to_string(info->files.size()) + " files, " + formatBytes(totalBytes(*info)) +
          " unpacked\n" + (info->neutralNames ? "names and addresses are neutral\n" : "") +
          (info->simulated ? "SIMULATED data\n" : ""));
    return kOk;
}

int open(const QCommandLineParser &parser, const std::string &path)
{
    if (!parser.isSet(QStringLiteral("into")))
        return badUsage("bundle open needs --into FOLDER, a new one.");
    const std::string folder = parser.value(QStringLiteral("into")).toStdString();
    if (auto unpacked = unpackBundle(path, folder); !unpacked)
        return fail(unpacked.error());
    print(folder + " is a workspace now, read-only: scaleboard " + folder + "\n");
    return kOk;
}

// The plan of the bundle, in a workspace of its own.
int runAgain(const QCommandLineParser &parser, const std::string &path)
{
    if (!parser.isSet(QStringLiteral("workspace")))
        return badUsage("bundle run-again needs --workspace FOLDER, a new one.");
    const QTemporaryDir temporary;
    const std::string folder = temporary.filePath(QStringLiteral("bundle")).toStdString();
    if (auto unpacked = unpackBundle(path, folder); !unpacked)
        return fail(unpacked.error());
    const auto plans = bundlePlans(folder);
    if (!plans)
        return fail(plans.error());
    if (plans->empty())
        return fail({ErrorCode::NotFound, path + " has no plan to run again."});
    bool good = false;
    const int number = parser.isSet(QStringLiteral("plan"))
                           ? parser.value(QStringLiteral("plan")).toInt(&good)
                           : static_cast<int>(plans->size() == 1);
    if (number < 1 || number > static_cast<int>(plans->size()))
        return badUsage(path + " has " + std::to_string(plans->size()) +
                        " plans; choose one with --plan 1 to " + std::to_string(plans->size()) + ".");
    QStringList arguments{QStringLiteral("scaleboard-cli run"),
                          QString::fromStdString(folder + "/plans/" + std::to_string(number) + ".json"),
                          QStringLiteral("--workspace"), parser.value(QStringLiteral("workspace"))};
    for (const char *name : {"hosts", "ssh-config"})
        if (const QString option = QString::fromLatin1(name); parser.isSet(option))
            arguments << QStringLiteral("--") + option << parser.value(option);
    return runCommand(arguments);
}

} // namespace

int bundleCommand(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "A study as one file, with its logs.\n"
        "bundle create --workspace DIR --out FILE     pack a workspace\n"
        "bundle show FILE                             say what is in a bundle\n"
        "bundle open FILE --into DIR                  unpack it as a workspace that is read-only\n"
        "bundle run-again FILE --workspace DIR        run its plan in a new workspace"));
    const auto add = [&parser](const char *name, const char *text, const char *value) {
        parser.addOption({QString::fromLatin1(name), QString::fromLatin1(text), QString::fromLatin1(value)});
    };
    add("workspace", "Folder of results to pack, or a new one to run in.", "folder");
    add("out", "File to write, such as study.tar.zst.", "file");
    add("report", "create: a folder written by \"scaleboard report\", to be put in.", "folder");
    add("into", "open: a new folder.", "folder");
    add("plan", "run-again: which plan of the bundle, from 1.", "number");
    add("hosts", "run-again: nodes to run on, as for \"scaleboard-cli run\".", "nodes");
    add("ssh-config", "run-again: read this file in place of the user's ssh_config.", "file");
    parser.addOption(
        {QStringLiteral("neutral-names"),
         QStringLiteral("create: replace names of nodes and users, and addresses, also in logs.")});
    parser.addOption({QStringLiteral("json"), QStringLiteral("show: print JSON.")});
    parser.addPositionalArgument(QStringLiteral("verb"), QStringLiteral("create, show, open or run-again."));
    parser.addPositionalArgument(QStringLiteral("file"), QStringLiteral("The bundle."),
                                 QStringLiteral("[file]"));
    int status = kOk;
    if (!parseOptions(parser, arguments, status))
        return status;
    const QStringList words = parser.positionalArguments();
    const QString verb = words.value(0);
    if (verb == u"create")
        return create(parser);
    if (words.size() != 2 || (verb != u"show" && verb != u"open" && verb != u"run-again"))
        return badUsage("bundle needs create, show FILE, open FILE or run-again FILE; see bundle --help.");
    const std::string path = words[1].toStdString();
    if (!QFileInfo(words[1]).isFile())
        return fail({ErrorCode::NotFound, "There is no bundle " + path + "."});
    if (verb == u"show")
        return show(path, parser.isSet(QStringLiteral("json")));
    return verb == u"open" ? open(parser, path) : runAgain(parser, path);
}

} // namespace sb::cli
