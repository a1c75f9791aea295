// SPDX-License-Identifier: GPL-3.0-or-later
// What runs on a node, as POSIX shell text. A run lives in a folder of its own on the node and belongs to
// the node: the dashboard may go away at any moment and come back.
//
//   launch.sh   starts the ranks (launchScript)          pgid      process group of everything in the run
//   lock        locked while any process of the run lives, since all of them inherit the descriptor
//   rank<r>.log standard output of rank r                 node.err  standard error of this node's ranks
//   exit        exit codes of the ranks, in their order; written last
#pragma once

#include "remote/host.h"

#include <map>
#include <string>
#include <vector>

namespace sb {

struct RankCommand {
    int rank = 0;
    std::map<std::string, std::string> environment;
    std::vector<std::string> argv;
    std::string first = {};   // shell text run before it, its output in front of the rank's
    std::string cleanup = {}; // shell text that ends what does not die with the process group, or fails
};

// Text of launch.sh. When a rank fails, the others get 15 s to notice before they are ended.
// `prepare` is shell text run once before them; its words go to the errors. "launch.sh cleanup" runs the
// cleanup of all ranks.
std::string launchScript(const std::vector<RankCommand> &ranks, const std::string &prepare = {});

// Shell text that does a rank's cleanup, several times if need be, and sets s to 1 when it stays in vain.
std::string cleanupText(const std::string &cleanup);

// Starts launch.sh unless this folder was started before; either way prints the process group. So starting
// and attaching are the same, and doing it twice is harmless.
// Exit codes: 41 folder cannot be made, 42 cannot be written (disk full), 43 did not come up.
ProcessSpec startSpec(const std::string &folder, const std::string &script);

// Prints the bytes of a file from `offset` on and follows it until the input is closed.
ProcessSpec followSpec(const std::string &folder, const std::string &file, qint64 offset);

// Ends when no process of the run is left, and prints the exit codes. 44 folder is gone, 45 no exit codes:
// the run was killed or the node restarted.
ProcessSpec waitSpec(const std::string &folder);

// TERM to the process group, KILL after `graceS`, and says "gone" only when no process is left.
// 46 no process group known, 47 still there.
ProcessSpec stopSpec(const std::string &folder, int graceS);

// For runs whose ranks mpirun starts. Ends when no process of the run is left on the node, and prints first
// the exit code of mpirun (0 where `leads` is false), then of each rank, -1 for one that left none. Where
// `leads` is false it is to be asked when mpirun has ended; ranks that are still there after 10 s are ended.
ProcessSpec waitRanksSpec(const std::string &folder, bool leads, const std::vector<int> &ranks);

// Prints the size of each file in bytes, one a line.
ProcessSpec sizesSpec(const std::string &folder, const std::vector<std::string> &files);

// Removes a run folder (and nothing that is not one).
ProcessSpec removeSpec(const std::string &folder);

// Why a script of this file failed, in words: "the folder … cannot be written; is the disk full?".
std::string nodeScriptError(const ProcessEnd &end, const std::string &folder);

std::string rankLogName(int rank);
inline constexpr const char *kNodeErrorName = "node.err";

} // namespace sb
