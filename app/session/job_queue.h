// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that a queue starts: Slurm or Kubernetes, behind one set of questions. Which of them, the role of the
// launch says; for other roles nothing here may be asked.
#pragma once

#include "core/run.h"
#include "remote/host.h"
#include "session/launcher.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sb {

inline bool isJob(NodeRole role)
{
    return role == NodeRole::Job || role == NodeRole::Pods;
}

ProcessSpec submitJob(const NodeLaunch &launch, const std::string &runId,
                      const std::vector<std::string> &logs);
ProcessSpec watchJob(const NodeLaunch &launch);
ProcessSpec cancelJob(const NodeLaunch &launch);

// Whether a submission that ended with this code was refused and left nothing behind.
bool isJobRefused(int exitCode);

// A line of the watching process; nothing when it is none.
std::optional<RunJob> readJob(NodeRole role, std::string_view line);

// What is known of a job after it said something new: pods that are gone cannot say any more what they waited
// for, or what their image was.
RunJob joined(const std::optional<RunJob> &before, RunJob now);

// Whether it has got its nodes (and may be over).
bool hasBegun(const RunJob &job);

// Why it is not a success, and what to do; empty when it is one.
std::string jobFailure(const RunJob &job);

// Whether that says more than the exit code of a rank.
bool jobExplains(const RunJob &job);

} // namespace sb
