// SPDX-License-Identifier: GPL-3.0-or-later
// From a case to what is started on each node. Pure.
#pragma once

#include "core/framework.h"
#include "core/result.h"
#include "core/run.h"
#include "session/run_check.h"

#include <map>
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
};

struct NodeLaunch {
    std::string host;
    std::string folder; // run folder on that node
    std::string script; // launch.sh
    std::vector<int> ranks;
    std::string check = {}; // what is looked at before anything is started; empty: nothing
};

struct Launch {
    std::vector<NodeLaunch> nodes;
    std::vector<std::string> commands; // shell text per rank: what launch.sh runs
    RunWants wants;                    // what the checks are for
};

// Ranks are numbered node by node. `places` has one entry per node of the case.
Result<Launch> prepareLaunch(const Framework &framework, const CaseKey &key, const std::string &runId,
                             const std::vector<LaunchPlace> &places);

} // namespace sb
