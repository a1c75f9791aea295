// SPDX-License-Identifier: GPL-3.0-or-later
// What a sweep still has to do, how far it is and how long it will take. Pure functions of the plan's cases
// and the runs of the workspace.
#pragma once

#include "core/framework.h"
#include "core/plan.h"
#include "core/run.h"
#include "session/deployer.h"
#include "session/launcher.h"
#include "session/sweep_progress.h"

#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sb {

// A framework's program on this machine. On a node over SSH it lies under its checksum.
struct SweepProgram {
    std::string localPath;
    std::string checksum;          // empty when every node is this machine
    std::string sourceFolder = {}; // here; empty: it cannot be built on a node
    bool onNode = false;           // the node has it: `localPath` is its name there
    std::vector<std::pair<std::string, std::string>> files = {}; // of the plugin: path here and checksum
    std::vector<PodFile> podFiles = {}; // the same with their text, where they go into pods
};

struct Sweep {
    std::string planName;
    std::vector<PlannedCase> cases;
    MeasurementRule rule;
    std::vector<NodeFacts> nodes;
    std::vector<LaunchPlace> places;              // one per node, without the program
    std::map<std::string, SweepProgram> programs; // by framework
};

// Says in each place where the program lies there, and gives the copies that the first `nodes` need.
std::vector<ProgramCopy> placePrograms(const SweepProgram &program, int nodes,
                                       std::vector<LaunchPlace> &places);

// A run to do. Without an id it is new; with one it was begun by an earlier session.
struct SweepItem {
    Run run;
    std::optional<std::size_t> caseIndex; // absent: a run of another plan
};

// Unfinished runs of the workspace first, whatever plan they are of: they may still be going on their nodes
// and would disturb the others. Then what is missing of the plan, repeats interleaved.
std::deque<SweepItem> missingItems(const Sweep &sweep, std::span<const Run> runs,
                                   std::span<const Framework> frameworks);

// Progress of each case: done in the workspace, waiting in `queue` or `current`, the rest failed
// or was stopped.
std::vector<CaseProgress> countCases(const Sweep &sweep, std::span<const Run> runs,
                                     const std::deque<SweepItem> &queue, const SweepItem *current);

// Seconds one run of a case takes: the mean of its own finished runs, else the plan's estimate corrected by
// how the estimates of other cases turned out. Absent when there is neither.
std::optional<double> expectedRunS(const Sweep &sweep, std::span<const Run> runs, std::size_t caseIndex);

} // namespace sb
