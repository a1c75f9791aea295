// SPDX-License-Identifier: GPL-3.0-or-later
// What the subcommands of scaleboard-cli share: one file a subcommand, each a function from arguments to an
// exit status.
#pragma once

#include "core/result.h"
#include "session/install_paths.h"

#include <QCommandLineParser>
#include <QStringList>

#include <string>
#include <vector>

namespace sb::cli {

// Exit statuses, also in the manual page.
inline constexpr int kOk = 0;
inline constexpr int kFailed = 1;   // work was tried and did not succeed
inline constexpr int kBadUsage = 2; // options
inline constexpr int kBadInput = 3; // a file or value
inline constexpr int kCancelled = 130;

int runCommand(const QStringList &arguments);
int resultsCommand(const QStringList &arguments);
int nodeSshCommand(const QStringList &arguments);
int probeCommand(const QStringList &arguments);
int parseCommand(const QStringList &arguments);
int rebuildCommand(const QStringList &arguments);
int bundleCommand(const QStringList &arguments);
int pluginCommand(const QStringList &arguments);
int importCommand(const QStringList &arguments);
int topoCommand(const QStringList &arguments);
int compareCommand(const QStringList &arguments);
int fitCommand(const QStringList &arguments);

// Prints "scaleboard-cli: <message>" to standard error and gives the status that fits.
int fail(const Error &error);
int badUsage(const std::string &message);

void print(const std::string &text);     // standard output
void printNote(const std::string &text); // standard error

// Parses and handles --help; nothing when the command should end with `status`.
bool parseOptions(QCommandLineParser &parser, const QStringList &arguments, int &status);

InstallPaths paths();

// Rows of cells as text, columns as wide as their widest cell; the first is text, the rest numbers.
std::string table(const std::vector<std::vector<std::string>> &rows);

} // namespace sb::cli
