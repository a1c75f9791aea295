// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/case.h"
#include "core/framework.h"
#include "core/launch_kind.h"
#include "core/measurement.h"
#include "core/node.h"
#include "core/result.h"
#include "core/run.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sb {

struct PlanWorkload {
    std::string name;
    std::vector<std::string> precisions;
    std::vector<int> batchSizesPerDevice;

    bool operator==(const PlanWorkload &) const = default;
};

// Nodes × devices on each.
struct Scale {
    int nodes = 1;
    int devicesPerNode = 1;

    int devices() const { return nodes * devicesPerNode; }
    bool operator==(const Scale &) const = default;
};

// A sweep as a user writes it. The text form is JSON, read by catalog/plan_file.
struct Plan {
    std::string name;
    std::vector<std::string> frameworks;
    std::vector<PlanWorkload> workloads;
    std::vector<Scale> scales;
    std::string device = "auto"; // "auto": cuda where every node has a GPU, else cpu
    std::string data = "synthetic";
    std::optional<int> threadsPerDevice; // CPU only; absent: cores / most devices a node of the plan
    std::map<std::string, std::string> options;
    std::map<std::string, std::string> environments; // by framework: "venv:/opt/torch", "podman:image"
    std::map<std::string, std::string>
        sourceFolders;                  // by framework: checkouts of official scripts on the nodes
    std::string launcher;               // "mpirun"; empty: what each framework's plugin says
    SlurmSettings slurm;                // for the launcher "slurm"
    KubernetesSettings kubernetes;      // for the launcher "kubernetes"
    std::map<int, std::string> gpuSets; // GPUs of a node for cases with so many: 4 → "0,1,2,3"
    MeasurementRule measurement;

    bool operator==(const Plan &) const = default;
};

// A case of the grid, to be run `repeats` times, or refused with a reason.
struct PlannedCase {
    CaseKey key;
    std::string refusal;                     // two words for the cell, e.g. "no GPU"; empty = will run
    std::string refusalReason;               // the whole sentence
    std::optional<double> estimatedRunTimeS; // one run, start-up included

    bool refused() const { return !refusal.empty(); }
    bool operator==(const PlannedCase &) const = default;
};

// One run to do: a case and which repeat of it (from 1).
struct PlannedRun {
    std::size_t caseIndex = 0;
    int repeat = 1;

    bool operator==(const PlannedRun &) const = default;
};

// Checks what the plan alone can tell (empty lists, counts below one, doubled entries, unknown frameworks,
// workloads and options of a closed set). The message names the place in the plan.
Result<void> checkPlan(const Plan &plan, std::span<const Framework> frameworks);

// The grid: frameworks × workloads × precisions × batch sizes × scales, in that order. Cases that these
// nodes cannot run are kept, with a refusal. Call checkPlan first.
std::vector<PlannedCase> expandPlan(const Plan &plan, std::span<const Framework> frameworks,
                                    std::span<const NodeFacts> nodes);

// Runs in the order they are done: repeat 1 of every case, then repeat 2, …, so that drift of the machine
// hits all cases alike. Refused cases have none.
std::vector<PlannedRun> runOrder(std::span<const PlannedCase> cases, const MeasurementRule &rule);

// The plan that asks for everything in these runs, for running them again: their frameworks, workloads and
// scales, and the most repeats that a case had. Runs of one plan give that plan back; ones of several, their
// union. Nothing when they have different rules of measuring, or there are none.
std::optional<Plan> planOfRuns(std::span<const Run> runs);

// The preset of the 2020-10 DLPerf report: skip 20, average 100, 7 repeats; 1n1g, 1n8g, 2n8g, 4n8g.
Plan dlperfPlan();

} // namespace sb
