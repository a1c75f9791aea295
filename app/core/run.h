// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/case.h"
#include "core/measurement.h"
#include "core/node.h"
#include "core/sample.h"

#include <optional>
#include <string>
#include <vector>

namespace sb {

enum class RunState {
    Queued,
    Starting, // files are put on the nodes, processes are being started
    Running,
    Done, // ended well and gave every asked step
    Failed,
    Cancelled, // stopped by the user; steps so far are kept
    Lost,      // the node forgot it (rebooted, folder gone)
};

inline bool isFinal(RunState state)
{
    return state == RunState::Done || state == RunState::Failed || state == RunState::Cancelled ||
           state == RunState::Lost;
}

// "queued", "starting", …: the spelling in files.
std::string runStateName(RunState state);
std::optional<RunState> runStateFromName(const std::string &name);

// Where a framework comes from, as its plugin says: what a reader needs to get the same program.
struct RunOrigin {
    std::optional<std::string> image;  // with its digest: "nvcr.io/nvidia/pytorch:20.03-py3@sha256:…"
    std::optional<std::string> source; // address of the repository
    std::optional<std::string> commit; // of it
    std::vector<std::string> features; // "XLA", "DALI": what it brings and others may not

    bool operator==(const RunOrigin &) const = default;
};

// A run's job in a queue, as the queue told it last.
struct RunJob {
    std::string id;              // "4711"
    std::string state;           // in the queue's own word: "PENDING"
    std::string reason;          // why it waits: "Resources"; empty: none given
    std::string nodes;           // "node[1-2]", once it has them
    std::string timeLimit;       // "00:10:00"
    std::string exitCode;        // "0:0": of the script, and the signal that ended it
    std::string queue = "Slurm"; // or "Kubernetes"
    std::string image = {};      // of its pods, with the digest that was pulled

    // "Slurm job 4711: PENDING (Resources)".
    std::string text() const
    {
        return queue + " job " + id + ": " + state + (reason.empty() ? "" : " (" + reason + ")");
    }
    bool operator==(const RunJob &) const = default;
};

// One execution of one repeat of a case, and where its evidence is. Written as JSON beside the raw logs
// (store/run_record), so that the database can be rebuilt.
struct Run {
    std::string id; // "20261129-134501-native-resnet50-fp32-b4-1n2g-1a2b3c4d-r1"
    CaseKey key;
    std::string caseName; // caseId(key)
    std::string planName;
    std::string frameworkTitle;
    std::string workloadTitle;
    std::string unit; // "images"
    std::optional<std::int64_t> datasetSize;
    int repeat = 1;
    RunState state = RunState::Queued;
    std::string reason; // why failed, cancelled or lost; empty otherwise
    std::optional<int> exitCode;
    std::string createdUtc; // ISO 8601, UTC
    std::string startedUtc;
    std::string finishedUtc;
    std::vector<std::string> hosts;         // names of the nodes in rank order
    std::vector<std::string> remoteFolders; // run folder on each host
    std::vector<std::string> commands;      // shell text per rank, as started
    std::string launchCommand;              // that started the ranks: "mpirun …"; empty: each by itself
    std::optional<RunJob> job;              // of a queue
    std::vector<NodeFacts> nodeFacts;       // environment at the start
    RunFacts facts;                         // as the program logged them
    RunOrigin origin;
    std::optional<Measurement> measurement; // derived from the raw log
    bool simulated = false;

    int ranks() const { return key.devices(); }
    // That were started: one a device, or one a node.
    int processes() const { return commands.empty() ? ranks() : static_cast<int>(commands.size()); }
    bool operator==(const Run &) const = default;
};

} // namespace sb
