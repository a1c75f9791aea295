// SPDX-License-Identifier: GPL-3.0-or-later
// launch.sh of nodes whose ranks are started by something else than ourselves. It has several uses:
//
//   launch.sh          the node where a run begins: starts mpirun or horovodrun, or submits nothing and does
//   the job's work launch.sh rank     one rank; which one, the launcher's variables say. Same command, same
//   variables and
//                      the same rank<r>.log as without a launcher; leaves its exit code in exit.<r>
//   launch.sh cleanup  as in node_scripts
//
// Pure: text out.
#pragma once

#include "core/launch_kind.h"
#include "session/node_scripts.h"

#include <string>
#include <vector>

namespace sb {

// What only a job knows, put into commands as if it were a value; the script replaces it.
inline constexpr const char *kJobMasterAddress = "%{SB_MASTER_ADDR}%"; // of the node with rank 0
inline constexpr const char *kJobRankHosts = "%{SB_RANK_HOSTS}%";      // one a rank, with commas
inline constexpr const char *kJobInterface = "%{SB_INTERFACE}%";       // that leads to rank 0; may be empty

// Shell text of a command in which such marks have become variables of the script.
std::string commandText(const RankCommand &rank);

// One node as mpirun sees it.
struct MpirunHost {
    std::string name;    // for messages
    std::string address; // in the network of the run
    int sshPort = 22;
    std::string user; // empty: the same as on the first node
};

// Of horovodrun, too, which has the same shape: one program that signs in to the other nodes.
struct MpirunJob {
    LaunchKind kind = LaunchKind::Mpirun; // or Horovodrun
    std::vector<MpirunHost> hosts;        // in rank order; the first is where mpirun runs
    int ranksPerNode = 1;
    std::string folder;         // run folder on the first node; the others' is this with "-n1", "-n2", …
    std::string network;        // "10.77.0.0/16"; empty: OpenMPI's choice
    std::string sshFolder;      // of keys that were made for this purpose, if any (session/node_ssh)
    std::string interface = {}; // that leads to the other nodes, for horovodrun; empty: its choice
    std::string programFolder = {}; // where horovodrun is, before PATH; empty: in PATH
};

// What ssh reads on the first node: port and user of each other one, then the key that was made for this
// purpose, if there is one, then the user's own files.
std::string nodeSshConfig(const std::vector<MpirunHost> &hosts, const std::string &sshFolder);

// The command that the first node runs.
std::vector<std::string> mpirunCommand(const MpirunJob &job);
// `prepare`: shell text run once a node before its first rank.
std::string mpirunScript(const MpirunJob &job, const std::vector<RankCommand> &ranks,
                         const std::string &prepare);
// For the nodes after the first: makes the logs; ranks come by SSH.
std::string ledScript(LaunchKind kind, const std::vector<RankCommand> &ranks, const std::string &prepare);

struct SlurmJob {
    std::string name; // of the job
    int nodes = 1;
    int ranksPerNode = 1;
    int threadsPerRank = 0; // 0: Slurm's default
    bool gpus = false;      // one a rank
    std::string folder;     // run folder; login node and compute nodes share it
    SlurmSettings settings;
};

// The same as the head of the script says, as a command.
std::vector<std::string> sbatchCommand(const SlurmJob &job);
// A batch script; `ranks` are all of the run.
std::string slurmScript(const SlurmJob &job, const std::vector<RankCommand> &ranks,
                        const std::string &prepare);

// Before the lines of mpirun and horovodrun in node.err.
inline constexpr const char *kStarterMarks[] = {"mpirun: ", "horovodrun: "};

// Exit codes of launch.sh that are no rank's.
inline constexpr int kNoNodeSsh = 49; // mpirun was not tried; the last line of node.err says why
inline constexpr int kNoRankHere = 50;

} // namespace sb
