// SPDX-License-Identifier: GPL-3.0-or-later
// A run as a job of Slurm: what is asked on the login node, as shell text, and what the answers mean. Nothing
// of ours stays on the login node; the job belongs to Slurm, and its number is in the run folder.
#pragma once

#include "core/run.h"
#include "remote/host.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sb {

// Submits `script` unless this folder's was submitted before; either way prints the job's number. `logs` are
// made empty, so that they can be followed before the job runs.
// Exit codes as of startSpec; 51 sbatch refused (it says why), 52 submitted once but no such job is known.
ProcessSpec submitSpec(const std::string &folder, const std::string &script, const std::string &jobName,
                       const std::vector<std::string> &logs);

inline constexpr int kJobRefused = 51;

// Prints a line as `scontrol show job -o` does when the job's state changes, and ends when it is over; then
// one line "codes" with the exit codes of `ranks` ranks, -1 for one that left none. 44, 46 no number.
ProcessSpec watchSpec(const std::string &folder, int ranks);

// scancel, and says "gone" only when Slurm has no such job any more. 46, 53 still there after `waitS`.
ProcessSpec cancelSpec(const std::string &folder, int waitS);

// One line of watchSpec; nothing when it is none.
std::optional<RunJob> readSlurmJob(std::string_view line);

bool isOver(const RunJob &job);

// Why a job that is over is not a success, and what to do; empty for COMPLETED.
std::string slurmFailure(const RunJob &job);

} // namespace sb
