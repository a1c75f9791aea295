// SPDX-License-Identifier: GPL-3.0-or-later
// The two scripts of a run on Kubernetes. Pure: text out.
//
//   podScript       launch.sh in each pod: starts the pod's ranks and tells their logs on its standard output
//   controlScript   launch.sh on the control node, where kubectl is: follows the job's state and the pods'
//   logs
//                   into the run folder, deletes the job at its end and leaves the ranks' exit codes in
//                   "exit"
//
// A pod has one standard output and several logs, so they come in frames with a line before each:
//
//   @sb-x log rank0.log 512 64     64 bytes of that file from offset 512 follow, then a line feed
//   @sb-x exit 0 1                 rank 0 ended with status 1
//   @sb-x end                      nothing comes any more
//
// Offsets make a stream that broke go on without a byte doubled or lost. What is gone from the cluster's logs
// (rotated away) becomes empty lines: a hole in the steps, which gives no throughput.
#pragma once

#include "session/kube_manifest.h"
#include "session/node_scripts.h"

#include <string>
#include <vector>

namespace sb {

// `ranks` are all of the run; which of them a pod starts, its index says.
std::string podScript(const std::string &jobName, int pods, const std::vector<RankCommand> &ranks);

// kubectl with the context and namespace of the settings.
std::vector<std::string> kubectlCommand(const KubernetesSettings &settings);

// What submits the job, run in the run folder.
std::vector<std::string> kubectlApplyCommand(const KubernetesSettings &settings);

// Uses: "launch.sh" follows, "launch.sh apply" submits the manifest (a file of its own for people to look
// at), "launch.sh cleanup" deletes everything of the run and fails when something is left.
std::string controlScript(const KubeJob &job, const std::string &manifest);

inline constexpr const char *kKubeManifestFile = "job.json";

} // namespace sb
