// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/node_scripts.h"

#include "core/text.h"
#include "remote/shell_quote.h"
#include "session/kubernetes.h"

namespace sb {

namespace {

// The size tells a script that was cut off with its link from a whole one, and of two that start the same
// folder at once only one makes "started".
// setsid makes launch.sh the leader of a new session and process group, so its PID is the group's number.
constexpr const char *kStart = R"sh(umask 077
mkdir -p -- "$1" && cd -- "$1" || exit 41
if [ ! -e started ]; then
  cat >"launch.sh.$$" || exit 42
  [ "$(wc -c <"launch.sh.$$")" -eq "$2" ] || { rm -f "launch.sh.$$"; exit 48; }
  mv "launch.sh.$$" launch.sh && : >>lock || exit 42
  if (set -C && : >started) 2>/dev/null; then
    setsid sh ./launch.sh </dev/null >>launch.out 2>&1 &
  fi
fi
n=0
while [ ! -s pgid ]; do
  n=$((n + 1))
  [ "$n" -gt 100 ] && exit 43
  sleep 0.05
done
cat pgid)sh";

constexpr const char *kFollow = R"sh(cd -- "$1" || exit 44
exec 3<&0
tail -c "+$3" -f -- "$2" 3<&- &
t=$!
cat <&3 >/dev/null &
c=$!
trap 'kill "$t" "$c" 2>/dev/null; rm -f "follow.$$"' EXIT
trap 'exit 0' TERM HUP
echo "$t $c" >"follow.$$"
wait "$c")sh";

constexpr const char *kWait = R"sh(cd -- "$1" 2>/dev/null || exit 44
flock lock true
[ -e exit ] || exit 45
cat exit)sh";

constexpr const char *kStop = R"sh(cd -- "$1" || exit 44
clean() {
  if grep -q "= cleanup" launch.sh; then sh ./launch.sh cleanup </dev/null >/dev/null 2>&1; fi
}
gone() {
  clean || exit 47
  echo gone
  exit 0
}
flock -n lock true && gone
g=$(cat pgid) || exit 46
[ "$g" = led ] || kill -s TERM -- "-$g"
flock -w "$2" lock true && gone
for g in "$g" $(cat pgid.[0-9]* 2>/dev/null); do
  [ "$g" = led ] || kill -s KILL -- "-$g" 2>/dev/null
done
clean
flock -w 5 lock true && gone
exit 47)sh";

constexpr const char *kWaitRanks = R"sh(cd -- "$1" 2>/dev/null || exit 44
leads=$2
shift 2
if [ "$leads" = 1 ]; then
  flock lock true
  [ -e exit ] || exit 45
  cat exit
else
  if ! flock -w 10 lock true; then
    for g in $(cat pgid.[0-9]* 2>/dev/null); do kill -s KILL -- "-$g"; done
    flock -w 5 lock true || exit 47
  fi
  echo 0
fi
for r; do
  if [ -s "exit.$r" ]; then cat "exit.$r"; else echo -1; fi
done)sh";

constexpr const char *kSizes = R"sh(cd -- "$1" || exit 44
shift
for f; do wc -c <"$f" || exit 44; done)sh";

// Followers whose link was cut may not know it for hours. Their numbers are on file; that their folder is
// this one tells them from others that were given the same number since.
constexpr const char *kRemove = R"sh([ -e "$1/started" ] || exit 0
cd -- "$1" || exit 44
for f in follow.*; do
  [ -e "$f" ] || continue
  for p in $(cat "$f"); do
    [ "/proc/$p/cwd" -ef . ] && kill "$p"
  done
done
cd /
rm -rf -- "$1")sh";

} // namespace

std::string rankLogName(int rank)
{
    return "rank" + std::to_string(rank) + ".log";
}

// Again and again: an engine that is still taking a container down refuses to remove it.
std::string cleanupText(const std::string &cleanup)
{
    return "  i=0\n  until { " + cleanup +
           "; }; do\n    i=$((i + 1))\n    [ $i -lt 10 ] || { s=1; break; }\n    sleep 1\n  done\n";
}

std::string launchScript(const std::vector<RankCommand> &ranks, const std::string &prepare)
{
    std::string text = "#!/bin/sh\n"
                       "# One run on this node, started by Scaleboard. See \"exit\" for how it ended.\n"
                       "if [ \"${1:-}\" = cleanup ]; then\n  s=0\n";
    for (const RankCommand &rank : ranks)
        if (!rank.cleanup.empty())
            text += cleanupText(rank.cleanup);
    text += "  exit $s\n"
            "fi\n"
            "exec 9>>lock\n"
            "flock 9 || exit 1\n"
            "trap : TERM\n";
    for (const RankCommand &rank : ranks)
        text += ": >>" + rankLogName(rank.rank) + "\n";
    text += std::string(": >>") + kNodeErrorName + "\n";
    text += "echo $$ >pgid.tmp && mv pgid.tmp pgid\n"
            "failed() { ( exec 9>&-; sleep 15; [ -e exit ] || kill -s TERM 0 ) & }\n";
    if (!prepare.empty())
        text += "{ " + prepare + "; } </dev/null >>" + std::string(kNodeErrorName) + " 2>&1\n";
    for (const RankCommand &rank : ranks)
        text += "( " + (rank.first.empty() ? "" : rank.first + "; ") +
                shellCommand(rank.environment, rank.argv) +
                "; c=$?; [ $c -eq 0 ] || failed; exit $c ) </dev/null >>" + rankLogName(rank.rank) + " 2>>" +
                kNodeErrorName + " &\n" + "p" + std::to_string(rank.rank) + "=$!\n";
    // A signal ends `wait` early, so it is asked again until the process is really gone.
    text += "codes=\n"
            "for p in";
    for (const RankCommand &rank : ranks)
        text += " $p" + std::to_string(rank.rank);
    text += "; do\n"
            "  while :; do wait $p; c=$?; kill -0 $p 2>/dev/null || break; done\n"
            "  codes=\"$codes $c\"\n"
            "done\n"
            "( exec 9>&-; sh ./launch.sh cleanup ) </dev/null >/dev/null 2>&1\n"
            "echo $codes >exit.tmp && mv exit.tmp exit\n";
    return text;
}

ProcessSpec startSpec(const std::string &folder, const std::string &launch)
{
    return scriptSpec(kStart, {folder, std::to_string(launch.size())}, QByteArray::fromStdString(launch));
}

ProcessSpec followSpec(const std::string &folder, const std::string &file, qint64 offset)
{
    ProcessSpec spec = scriptSpec(kFollow, {folder, file, std::to_string(offset + 1)});
    spec.keepInputOpen = true;
    return spec;
}

ProcessSpec waitSpec(const std::string &folder)
{
    return scriptSpec(kWait, {folder});
}

ProcessSpec stopSpec(const std::string &folder, int graceS)
{
    return scriptSpec(kStop, {folder, std::to_string(graceS)});
}

ProcessSpec waitRanksSpec(const std::string &folder, bool leads, const std::vector<int> &ranks)
{
    std::vector<std::string> arguments{folder, leads ? "1" : "0"};
    for (const int rank : ranks)
        arguments.push_back(std::to_string(rank));
    return scriptSpec(kWaitRanks, arguments);
}

ProcessSpec sizesSpec(const std::string &folder, const std::vector<std::string> &files)
{
    std::vector<std::string> arguments{folder};
    arguments.insert(arguments.end(), files.begin(), files.end());
    return scriptSpec(kSizes, arguments);
}

ProcessSpec removeSpec(const std::string &folder)
{
    return scriptSpec(kRemove, {folder});
}

namespace {

// Of sbatch: "sbatch: error: Batch job submission failed: Invalid partition name specified".
std::string lastWords(const std::string &said)
{
    std::string line = said.substr(said.rfind('\n') + 1);
    for (const std::string prefix : {"sbatch: ", "error: ", "Batch job submission failed: "})
        if (line.starts_with(prefix))
            line.erase(0, prefix.size());
    return line.ends_with('.') ? line : line + ".";
}

} // namespace

std::string nodeScriptError(const ProcessEnd &end, const std::string &folder)
{
    if (!end.exitCode)
        return end.error;
    const std::string said = validUtf8(trimmed(
        std::string_view(end.errorOutput.constData(), static_cast<std::size_t>(end.errorOutput.size()))));
    const std::string detail = said.empty() ? "" : " (" + said + ")";
    switch (*end.exitCode) {
    case 41:
        return "the folder " + folder + " cannot be made" + detail + ".";
    case 42:
        return "the folder " + folder + " cannot be written; is the disk full?" + detail;
    case 43:
        return "the run did not come up within 5 s in " + folder + detail + ".";
    case 44:
        return "the run folder " + folder + " is gone.";
    case 45:
        return "the run was killed from outside or the node restarted.";
    case 46:
        return "the process group of the run is not known in " + folder + ".";
    case 47:
        return "processes of the run are still there after a KILL.";
    case 51:
        return "Slurm did not take the job: " + lastWords(said);
    case 52:
        return "the job was submitted from " + folder + ", but Slurm knows no job of its name.";
    case 53:
        return "the job is still in Slurm's queue after scancel.";
    case kKubeRefused:
        return kubectlProblem(said);
    case 55:
        return "something of the job is still in the cluster after kubectl delete: " + said +
               (said.ends_with('.') ? "" : ".");
    case kNoKubectl:
        return "there is no kubectl; install it there, or name another node first.";
    case 127:
        return "a standard program is missing on the node" + detail + ".";
    default:
        return "the node's shell ended with status " + std::to_string(*end.exitCode) + detail + ".";
    }
}

} // namespace sb
