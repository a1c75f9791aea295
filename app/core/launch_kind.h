// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
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
    Kubernetes, // an Indexed Job: kubectl on the connected node, one pod a node of the run
};

// "per_rank", "mpirun", "horovodrun", "slurm", "kubernetes": the spelling in files.
std::string launchKindName(LaunchKind kind);
std::optional<LaunchKind> launchKindFromName(const std::string &name);
std::vector<std::string> launchKindNames();

// Whether a queue chooses the nodes, so that nothing can be concluded from the one that is connected.
bool isQueue(LaunchKind kind);
bool isQueue(const std::string &name);

// What is said wherever the launcher is offered, until a run of it has been on a cluster.
std::string kubernetesMark();

// What Slurm is asked for beside nodes and tasks. Empty or absent: the cluster's own choice.
struct SlurmSettings {
    std::string partition = {};
    std::string account = {};
    std::optional<int> timeLimitMin = {};
    std::string folder = {};               // that login node and compute nodes share; empty: the home folder
    std::vector<std::string> options = {}; // further ones of sbatch: "--exclusive"

    bool operator==(const SlurmSettings &) const = default;
};

// What Kubernetes is asked for beside pods and GPUs. Empty or absent: what kubectl's configuration on the
// connected node or the cluster says.
struct KubernetesSettings {
    std::string context = {};
    std::string nameSpace = {};
    std::string serviceAccount = {};
    std::optional<int> timeLimitMin = {};
    std::string dataClaim = {}; // mounted as the data folder; empty: that folder of the nodes
    std::map<std::string, std::string> nodeSelector = {}; // labels that nodes must have
    std::map<std::string, std::string> resources = {};    // of a pod, beside GPUs: {"rdma/hca": "1"}
    int sharedMemoryGb = 16;                              // of a pod, for data loaders and NCCL
    bool hostNetwork = false;

    bool operator==(const KubernetesSettings &) const = default;
};

} // namespace sb
