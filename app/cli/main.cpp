// SPDX-License-Identifier: GPL-3.0-or-later
// scaleboard-cli: everything that needs no window.
#include "cli/command.h"

#include "core/text.h"
#include "session/user_plugins.h"

#include <QCoreApplication>

#include <array>
#include <csignal>
#include <cstdio>
#include <utility>

namespace sb::cli {

namespace {

struct Command {
    const char *name;
    int (*run)(const QStringList &);
    const char *summary;
};

constexpr std::array kCommands{
    Command{"run", runCommand, "run a plan in a workspace, or the rest of it"},
    Command{"results", resultsCommand, "print throughput and speedup of a workspace"},
    Command{"compare", compareCommand, "say whether A is faster than B, with an interval"},
    Command{"fit", fitCommand, "fit how throughput grows with devices"},
    Command{"probe", probeCommand, "connect to nodes over SSH and print what they are"},
    Command{"node-ssh", nodeSshCommand, "check or prepare log-ins from node to node, for mpirun"},
    Command{"parse", parseCommand, "read one training log"},
    Command{"import", importCommand, "bring logs that were made elsewhere into a workspace"},
    Command{"plugin", pluginCommand, "check the folder of a framework's plugin"},
    Command{"rebuild", rebuildCommand, "make the results of a workspace again from its raw logs"},
    Command{"bundle", bundleCommand, "pack a study into one file, open one, or run its plan again"},
    Command{"topo", topoCommand, "read how the GPUs of a node are wired"},
};

std::string help()
{
    std::string text =
        "scaleboard-cli " SCALEBOARD_VERSION " — benchmark training on one machine or a cluster\n\n"
        "Usage: scaleboard-cli COMMAND [OPTIONS]\n\nCommands:\n";
    for (const Command &command : kCommands) {
        std::string name = command.name;
        name.resize(10, ' ');
        text += "  " + name + command.summary + "\n";
    }
    return text + "\n\"scaleboard-cli COMMAND --help\" explains the options of a command.\n"
                  "Exit status: 0 done, 1 failed, 2 wrong options, 3 wrong input, 130 stopped.\n";
}

} // namespace

void print(const std::string &text)
{
    std::fwrite(text.data(), 1, text.size(), stdout);
}

void printNote(const std::string &text)
{
    std::fflush(stdout);
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

int fail(const Error &error)
{
    printNote("scaleboard-cli: " + error.message + "\n");
    switch (error.code) {
    case ErrorCode::BadInput:
    case ErrorCode::NotFound:
    case ErrorCode::Newer:
        return kBadInput;
    case ErrorCode::Cancelled:
        return kCancelled;
    default:
        return kFailed;
    }
}

int badUsage(const std::string &message)
{
    printNote("scaleboard-cli: " + message + "\n");
    return kBadUsage;
}

bool parseOptions(QCommandLineParser &parser, const QStringList &arguments, int &status)
{
    const QCommandLineOption helpOption = parser.addHelpOption();
    if (!parser.parse(arguments)) {
        status = badUsage(parser.errorText().toStdString());
        return false;
    }
    if (parser.isSet(helpOption)) {
        // Qt names the program as it was called, and leaves the command out.
        const QString called = QCoreApplication::arguments().constFirst();
        QString text = parser.helpText();
        text.replace(text.indexOf(called), called.size(), arguments.constFirst());
        print(text.toStdString());
        status = kOk;
        return false;
    }
    return true;
}

InstallPaths paths()
{
    InstallPaths paths = installPaths(QCoreApplication::applicationDirPath().toStdString());
    paths.userPluginFolder = userPluginFolder();
    return paths;
}

namespace {

int dispatch(const QStringList &arguments)
{
    const std::string name = arguments.size() > 1 ? arguments[1].toStdString() : "--help";
    if (name == "--help" || name == "-h" || name == "help") {
        print(help());
        return arguments.size() > 1 ? kOk : kBadUsage;
    }
    if (name == "--version" || name == "-v") {
        print("scaleboard-cli " SCALEBOARD_VERSION "\n");
        return kOk;
    }
    std::vector<std::string> names;
    for (const Command &command : kCommands) {
        if (name == command.name) {
            QStringList rest = arguments.mid(1);
            rest[0] = QStringLiteral("scaleboard-cli ") + arguments[1];
            return command.run(rest);
        }
        names.emplace_back(command.name);
    }
    const auto closest = closestWord(name, names);
    return badUsage("There is no command \"" + name + "\"." +
                    (closest ? " Did you mean \"" + *closest + "\"?" : " See scaleboard-cli --help."));
}

} // namespace

} // namespace sb::cli

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("scaleboard-cli"));
    QCoreApplication::setApplicationVersion(QStringLiteral(SCALEBOARD_VERSION));
    std::signal(SIGPIPE, SIG_IGN); // "| head" must not kill a sweep
    const int status = sb::cli::dispatch(QCoreApplication::arguments());
    if (std::fflush(stdout) != 0 && status == 0) {
        sb::cli::printNote("scaleboard-cli: The output could not be written.\n");
        return sb::cli::kFailed;
    }
    return status;
}
