// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sb {

// How the processes of a run are started over its nodes; a closed set (architecture: launch kinds).
enum class LaunchKind {
    PerRank,    // one process a device, started on each node over our own connections
    Mpirun,     // OpenMPI's mpirun on the first node, which reaches the others by SSH of its own
    Horovodrun, // likewise Horovod's own launcher, over Gloo
    Slurm,      // a batch job: sbatch on the connected node, srun within the job
};

// "per_rank", "mpirun", "horovodrun", "slurm": the spelling in files.
std::string launchKindName(LaunchKind kind);
std::optional<LaunchKind> launchKindFromName(const std::string &name);
std::vector<std::string> launchKindNames();

// What Slurm is asked for beside nodes and tasks. Empty or absent: the cluster's own choice.
struct SlurmSettings {
    std::string partition = {};
    std::string account = {};
    std::optional<int> timeLimitMin = {};
    std::string folder = {};               // that login node and compute nodes share; empty: the home folder
    std::vector<std::string> options = {}; // further ones of sbatch: "--exclusive"

    bool operator==(const SlurmSettings &) const = default;
};

} // namespace sb
