// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/job_queue.h"

#include "session/kubernetes.h"
#include "session/slurm.h"

namespace sb {

namespace {

constexpr int kCancelS = 90;      // Slurm's KillWait is 30 s, and the epilogue takes its time
constexpr int kCancelPodsS = 150; // pods have 30 s, and their node may be slow to say that they are gone

bool isOfKubernetes(const RunJob &job)
{
    return job.queue == kKubeQueue;
}

} // namespace

ProcessSpec submitJob(const NodeLaunch &launch, const std::string &runId,
                      const std::vector<std::string> &logs)
{
    return launch.role == NodeRole::Pods
               ? submitKubeSpec(launch.folder, launch.script, logs)
               : submitSpec(launch.folder, launch.script, slurmJobName(runId), logs);
}

ProcessSpec watchJob(const NodeLaunch &launch)
{
    return launch.role == NodeRole::Pods ? watchKubeSpec(launch.folder)
                                         : watchSpec(launch.folder, static_cast<int>(launch.ranks.size()));
}

ProcessSpec cancelJob(const NodeLaunch &launch)
{
    return launch.role == NodeRole::Pods ? cancelKubeSpec(launch.folder, kCancelPodsS)
                                         : cancelSpec(launch.folder, kCancelS);
}

bool isJobRefused(int exitCode)
{
    return exitCode == kJobRefused || exitCode == kKubeRefused || exitCode == kNoKubectl;
}

std::optional<RunJob> readJob(NodeRole role, std::string_view line)
{
    return role == NodeRole::Pods ? readKubeJob(line) : readSlurmJob(line);
}

RunJob joined(const std::optional<RunJob> &before, RunJob now)
{
    if (!before || !isOfKubernetes(now))
        return now;
    if (now.image.empty())
        now.image = before->image;
    if (now.nodes.empty())
        now.nodes = before->nodes;
    if (now.state == "DeadlineExceeded" && before->state == "Pending")
        now.reason = before->reason;
    return now;
}

bool hasBegun(const RunJob &job)
{
    if (isOfKubernetes(job))
        return job.state == "Running" || isKubeJobOver(job);
    return job.state == "RUNNING" || job.state == "COMPLETING" || isOver(job);
}

std::string jobFailure(const RunJob &job)
{
    return isOfKubernetes(job) ? kubeFailure(job) : slurmFailure(job);
}

bool jobExplains(const RunJob &job)
{
    return isOfKubernetes(job) ? kubeStateExplains(job) : job.state != "FAILED" && job.state != "FORGOTTEN";
}

} // namespace sb
