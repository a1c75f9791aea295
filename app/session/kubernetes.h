// SPDX-License-Identifier: GPL-3.0-or-later
// A run as an Indexed Job of Kubernetes: what is asked on the control node, where kubectl and its
// configuration are, and what the answers mean. A process of ours stays on that node while the job lives,
// since the pods' logs must be fetched before the job is deleted; it is started again when it is gone.
#pragma once

#include "core/run.h"
#include "remote/host.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sb {

// Submits the job that `script` (pod_scripts' controlScript) describes unless this folder's was submitted
// before, and sees that it is followed. Exit codes as of startSpec; 54 kubectl failed (it says why), 56 there
// is no kubectl.
ProcessSpec submitKubeSpec(const std::string &folder, const std::string &script,
                           const std::vector<std::string> &logs);

inline constexpr int kKubeRefused = 54;
inline constexpr int kNoKubectl = 56;

// Prints a line "@kube …" when job or pods change, and ends when the job is over, its logs are fetched and
// everything of it is deleted; then one line "codes" with the exit codes of the ranks, -1 for one that left
// none. 44, 55 objects of the job are left in the cluster.
ProcessSpec watchKubeSpec(const std::string &folder);

// Has the job deleted, and says "gone" only when the cluster has nothing of it any more. 44, 55.
ProcessSpec cancelKubeSpec(const std::string &folder, int waitS);

// One line of watchKubeSpec; nothing when it is none.
std::optional<RunJob> readKubeJob(std::string_view line);

bool isKubeJobOver(const RunJob &job);

// Why a job that is over is not a success, and what to do; empty for Complete.
std::string kubeFailure(const RunJob &job);

// Whether the job's state says more than a rank's exit code does.
bool kubeStateExplains(const RunJob &job);

// What kubectl said when it failed, as the end of a sentence, and what to do about it.
std::string kubectlProblem(const std::string &said);

inline constexpr const char *kKubeQueue = "Kubernetes"; // RunJob::queue

} // namespace sb
