// SPDX-License-Identifier: GPL-3.0-or-later
// A run as objects of Kubernetes: an Indexed Job with a pod for each node of the run, a headless Service that
// gives the pods names, and a ConfigMap with the scripts. Pure: JSON text out.
#pragma once

#include "core/launch_kind.h"
#include "core/result.h"

#include <string>
#include <vector>

namespace sb {

// A text file that pods find in kPodFilesFolder.
struct PodFile {
    std::string name;
    std::string text;

    bool operator==(const PodFile &) const = default;
};

struct KubeJob {
    std::string name;  // kubeName of the run
    std::string runId; // kept as an annotation
    std::string image;
    int pods = 1;
    int ranksPerPod = 1;
    int threadsPerRank = 0;           // on processors; what is asked for
    bool gpus = false;                // one a rank, all of a pod seen by each
    std::vector<std::string> folders; // of the data and of official scripts, at the same place in the pod
    std::string dataFolder;           // that of them which a claim stands for, if there is one
    std::vector<PodFile> files;
    std::string script; // of a pod (session/pod_scripts)
    KubernetesSettings settings;
};

inline constexpr const char *kPodFilesFolder = "/scaleboard/files";
inline constexpr const char *kPodRunFolder = "/scaleboard/run";
inline constexpr const char *kPodScript = "launch.sh";
inline constexpr const char *kKubeLabel = "scaleboard-run"; // of every object of a run, with the job's name

// A DNS label of at most 46 characters, so that names of pods, which are longer, are labels, too; the same
// for the same run. "20261129-180409981-native-…-r5" → "sb-20261129-180409981-1a2b3c4d".
std::string kubeName(const std::string &runId);

// How the others reach a pod of the job within its namespace: "sb-x-0.sb-x".
std::string podHost(const std::string &jobName, int index);

// A list of the three objects, as kubectl takes it. An error when the files are too large for a ConfigMap or
// are no text.
Result<std::string> kubeManifest(const KubeJob &job);

} // namespace sb
