// SPDX-License-Identifier: GPL-3.0-or-later
// From a case to what is started on each node. Pure.
#pragma once

#include "core/framework.h"
#include "core/result.h"
#include "core/run.h"
#include "session/kube_manifest.h"
#include "session/run_check.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sb {

// Where one node of a run is.
struct LaunchPlace {
    std::string host;           // name
    std::string address;        // how the other nodes reach it
    std::string workFolder;     // absolute; run folders are made in it
    std::string program;        // absolute path of the framework's program there
    std::string programFolder;  // where programs are put on the node; empty: this machine, nothing is put
    std::string interface = {}; // that `address` is on, for Gloo and NCCL; empty: theirs to choose
    std::map<int, std::string> gpuSets = {}; // GPUs to take when a case needs so many: 4 → "0,1,2,3"
    std::string filesFolder = {};            // where the plugin's files lie there, for {files}
    bool infiniband = false;                 // containers are given its adapters
    std::string network = {};                // of `address`: "10.77.0.0/16"; empty: not known
    int sshPort = 22;                        // and user, by which it is signed in to
    std::string user = {};
    std::optional<SlurmSettings> slurm = {};           // of the plan, for a node that jobs are submitted on
    std::optional<KubernetesSettings> kubernetes = {}; // the same, for a node with kubectl
    std::vector<PodFile> podFiles = {};                // the plugin's files, for pods
};

// What launch.sh of a node does.
enum class NodeRole {
    Own,   // starts its ranks and waits for them
    Leads, // starts mpirun, which starts all ranks
    Led,   // gets its ranks from the one that leads
    Job,   // is a batch job, with the ranks of all nodes
    Pods,  // follows a job of Kubernetes, with the ranks of all its pods
};

struct NodeLaunch {
    std::string host;
    std::string folder; // run folder on that node
    std::string script; // launch.sh
    std::vector<int> ranks;
    NodeRole role = NodeRole::Own;
    std::string check = {}; // what is looked at before anything is started; empty: nothing
};

struct Launch {
    std::vector<NodeLaunch> nodes;
    std::vector<std::string> commands; // shell text per rank: what launch.sh runs
    std::string command = {};          // that starts the ranks: "mpirun …"; empty: each by itself
    std::string manifest = {};         // of a job of Kubernetes, which that command takes
    RunWants wants;                    // what the checks are for
};

// Ranks are numbered node by node. `places` has one entry per node of the case; where the case says Slurm
// or Kubernetes, one is enough: the node on which the job is submitted.
Result<Launch> prepareLaunch(const Framework &framework, const CaseKey &key, const std::string &runId,
                             const std::vector<LaunchPlace> &places);

// The case's launcher, else the framework's own.
LaunchKind launchKindOf(const Framework &framework, const CaseKey &key);

std::string slurmJobName(const std::string &runId);

// Beside the folder for runs: keys for log-ins from node to node (session/node_ssh).
std::string nodeSshFolder(const std::string &workFolder);

} // namespace sb
