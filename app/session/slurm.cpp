// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/slurm.h"

#include "core/text.h"

#include <algorithm>
#include <array>

namespace sb {

namespace {

// A hang-up must not come between the submission and writing its number down; if it does all the same, the
// job is found by its name.
constexpr const char *kSubmit = R"sh(trap '' HUP
umask 077
mkdir -p -- "$1" && cd -- "$1" || exit 41
folder=$1
size=$2
name=$3
shift 3
if [ ! -e started ]; then
  cat >"launch.sh.$$" || exit 42
  [ "$(wc -c <"launch.sh.$$")" -eq "$size" ] || { rm -f "launch.sh.$$"; exit 48; }
  mv "launch.sh.$$" launch.sh || exit 42
  for f; do : >>"$f" || exit 42; done
  if (set -C && : >started) 2>/dev/null; then
    if j=$(sbatch --parsable ./launch.sh 2>sbatch.err </dev/null); then
      echo "${j%%;*}" >job.tmp && mv job.tmp job || exit 42
    else
      [ -s sbatch.err ] && cat sbatch.err >&2 || echo "sbatch said nothing" >&2
      cd / && rm -rf -- "$folder" # nothing was started
      exit 51
    fi
  fi
fi
n=0
while [ ! -s job ]; do
  n=$((n + 1))
  if [ "$n" -gt 100 ]; then
    j=$(squeue -h -o %i -n "$name" | head -n 1)
    [ -n "$j" ] || exit 52
    echo "$j" >job.tmp && mv job.tmp job
  fi
  sleep 0.1
done
cat job)sh";

// Often at first, when a job on a free cluster is through quickly, then rarely: the answer costs slurmctld a
// lock. A number that Slurm has forgotten is asked of the accounting, if there is one.
constexpr const char *kWatch = R"sh(cd -- "$1" || exit 44
LC_ALL=C
export LC_ALL
j=$(cat job) || exit 46
ranks=$2
field() {
  x=${s#*" $1="}
  [ "$x" = "$s" ] && x= || x=${x%% *}
}
n=0
known=
while :; do
  s=" $(scontrol show job -o "$j" 2>&1 </dev/null)"
  case $s in
  *JobState=*) ;;
  *"Invalid job id"*)
    s=$(sacct -X -n -P -j "$j" -o State,ExitCode,NodeList 2>/dev/null </dev/null | head -n 1)
    IFS='|' read -r a b c <<SB_END
$s
SB_END
    [ -n "$a" ] || a=FORGOTTEN
    s=" JobId=$j JobState=${a%% *} Reason=None ExitCode=${b:-0:0} NodeList=$c "
    ;;
  *) s=" JobId=$j JobState=UNREACHABLE Reason=None " ;;
  esac
  field JobState
  state=$x
  field Reason
  new=$state$x
  field NodeList
  new=$new$x
  [ "$new" = "$known" ] || echo "@job$s"
  known=$new
  case $state in
  PENDING | RUNNING | CONFIGURING | COMPLETING | SUSPENDED | STOPPED | REQUEUED | REQUEUE_* | RESIZING | SIGNALING | \
  STAGE_OUT | SPECIAL_EXIT | UNREACHABLE) ;;
  *) break ;;
  esac
  n=$((n + 1))
  if [ "$n" -lt 40 ]; then sleep 0.5; elif [ "$n" -lt 100 ]; then sleep 2; else sleep 5; fi
done
printf codes
r=0
while [ "$r" -lt "$ranks" ]; do
  if [ -s "exit.$r" ]; then read -r x <"exit.$r"; else x=-1; fi
  printf ' %s' "$x"
  r=$((r + 1))
done
echo)sh";

constexpr const char *kCancel = R"sh(cd -- "$1" || exit 44
LC_ALL=C
export LC_ALL
n=0
while [ ! -s job ] && [ "$n" -lt 100 ]; do # it is being submitted
  n=$((n + 1))
  sleep 0.1
done
j=$(cat job) || exit 46
scancel "$j" </dev/null
n=0
while :; do
  s=$(squeue -h -o %T -j "$j" 2>&1 </dev/null)
  case $?$s in
  0 | *"Invalid job id"*)
    echo gone
    exit 0
    ;;
  esac
  n=$((n + 1))
  [ "$n" -gt $(($2 * 5)) ] && exit 53
  sleep 0.2
done)sh";

std::string field(std::string_view line, const std::string &name)
{
    const std::string mark = " " + name + "=";
    const std::size_t at = line.find(mark);
    if (at == std::string_view::npos)
        return {};
    const std::string_view rest = line.substr(at + mark.size());
    const std::string value(rest.substr(0, rest.find(' ')));
    return value == "(null)" || value == "None" ? std::string() : value;
}

} // namespace

ProcessSpec submitSpec(const std::string &folder, const std::string &text, const std::string &jobName,
                       const std::vector<std::string> &logs)
{
    std::vector<std::string> arguments{folder, std::to_string(text.size()), jobName};
    arguments.insert(arguments.end(), logs.begin(), logs.end());
    return scriptSpec(kSubmit, arguments, QByteArray::fromStdString(text));
}

ProcessSpec watchSpec(const std::string &folder, int ranks)
{
    return scriptSpec(kWatch, {folder, std::to_string(ranks)});
}

ProcessSpec cancelSpec(const std::string &folder, int waitS)
{
    return scriptSpec(kCancel, {folder, std::to_string(waitS)});
}

std::optional<RunJob> readSlurmJob(std::string_view line)
{
    if (!line.starts_with("@job "))
        return std::nullopt;
    const std::string_view fields = line.substr(4);
    RunJob job;
    job.id = field(fields, "JobId");
    job.state = field(fields, "JobState");
    job.reason = field(fields, "Reason");
    job.nodes = field(fields, "NodeList");
    job.timeLimit = field(fields, "TimeLimit");
    job.exitCode = field(fields, "ExitCode");
    if (job.id.empty() || job.state.empty())
        return std::nullopt;
    return job;
}

bool isOver(const RunJob &job)
{
    constexpr std::array kOver{"COMPLETED", "FAILED",    "TIMEOUT",       "CANCELLED",
                               "NODE_FAIL", "PREEMPTED", "OUT_OF_MEMORY", "BOOT_FAIL",
                               "DEADLINE",  "REVOKED",   "FORGOTTEN"};
    return std::find(kOver.begin(), kOver.end(), job.state) != kOver.end();
}

std::string slurmFailure(const RunJob &job)
{
    const std::string name = "The Slurm job " + job.id;
    const std::string nodes = job.nodes.empty() ? "" : " on " + job.nodes;
    if (job.state == "COMPLETED")
        return {};
    if (job.state == "TIMEOUT" || job.state == "DEADLINE")
        return name + nodes + " was ended at its time limit" +
               (job.timeLimit.empty() ? "" : " of " + job.timeLimit) +
               ". Raise slurm.time_limit_min in the plan.";
    if (job.state == "CANCELLED")
        return name + nodes + " was cancelled by somebody else (scancel).";
    if (job.state == "NODE_FAIL" || job.state == "BOOT_FAIL")
        return name + " ended because a node failed" + nodes + ". Run the plan again.";
    if (job.state == "OUT_OF_MEMORY")
        return name + nodes +
               " used more memory than it had asked for. Ask for more (slurm.options: \"--mem=…\") or take a "
               "smaller batch.";
    if (job.state == "PREEMPTED")
        return name + nodes + " was ended to make room for another. Run the plan again.";
    if (job.state == "FORGOTTEN")
        return "Slurm does not know the job " + job.id + " any more, and it left no exit codes.";
    std::string text =
        name + nodes + " ended as " + job.state + (job.exitCode.empty() ? "" : " with " + job.exitCode);
    // 53 is Slurm's own word for files of the job that could not be opened.
    if (job.exitCode.starts_with("44:") || job.exitCode == "0:53")
        return text + ": the run folder is not there on the compute nodes. Name one that they share with the "
                      "login node as slurm.folder in the plan.";
    return text + ".";
}

} // namespace sb
