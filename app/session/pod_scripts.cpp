// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/pod_scripts.h"

#include "remote/shell_quote.h"
#include "session/launch_scripts.h"

namespace sb {

namespace {

std::string number(int value)
{
    return std::to_string(value);
}

// What the ranks' commands refer to. The way out of a pod leads to the other pods, too.
constexpr const char *kFindPlace = R"sh(SB_RANK_HOSTS=
i=0
while [ "$i" -lt "$pods" ]; do
  h=127.0.0.1
  [ "$pods" -gt 1 ] && h=$name-$i.$name
  r=0
  while [ "$r" -lt "$per" ]; do
    SB_RANK_HOSTS=${SB_RANK_HOSTS:+$SB_RANK_HOSTS,}$h
    r=$((r + 1))
  done
  i=$((i + 1))
done
SB_INTERFACE=
while read -r i d x; do
  [ "$i" = Iface ] && continue
  [ -n "$SB_INTERFACE" ] || SB_INTERFACE=$i
  [ "$d" = 00000000 ] && SB_INTERFACE=$i && break
done </proc/net/route
export SB_RANK_HOSTS SB_INTERFACE
)sh";

// A rank that starts while other pods are not even placed would give up waiting for theirs.
constexpr const char *kMeet = R"sh(if [ "$pods" -gt 1 ] && command -v getent >/dev/null 2>&1; then
  i=0
  while [ "$i" -lt "$pods" ] && [ -z "$ended" ]; do
    if getent hosts "$name-$i.$name" >/dev/null 2>&1; then i=$((i + 1)); else sleep 1; fi
  done
fi
[ -z "$ended" ] || exit 143
)sh";

// The subshell outlives a TERM to the group, to put down how its rank took it.
constexpr const char *kStartRanks = R"sh(logs=node.err
: >>node.err
r=$first
while [ "$r" -lt "$last" ]; do
  : >>"rank$r.log"
  logs="$logs rank$r.log"
  (
    trap : TERM
    rank "$r" </dev/null >>"rank$r.log" 2>>node.err
    c=$?
    echo "$c" >"exit.$r.tmp"
    mv "exit.$r.tmp" "exit.$r"
  ) &
  r=$((r + 1))
done
)sh";

constexpr const char *kTell = R"sh(tell() {
  s=$(wc -c $logs)
  while read -r size f; do
    [ "$f" != total ] || continue
    eval "o=\${o_${f%.*}:-0}"
    k=$((size - o))
    [ "$k" -gt 0 ] || continue
    echo "@$name log $f $o $k"
    tail -c "+$((o + 1))" "$f" | head -c "$k"
    echo
    eval "o_${f%.*}=$size"
  done <<SB_END
$s
SB_END
}
)sh";

// Twice a second. When a rank has failed the others get 15 s to notice, and all get 20 s between TERM and
// KILL; the cluster gives 30 s.
constexpr const char *kLookAfterRanks = R"sh(t=0
while :; do
  all=1
  bad=
  r=$first
  while [ "$r" -lt "$last" ]; do
    if [ -s "exit.$r" ]; then
      read -r c <"exit.$r"
      [ "$c" = 0 ] || bad=1
    else
      all=
    fi
    r=$((r + 1))
  done
  tell
  [ -z "$all" ] || break
  [ -z "$ended" ] || [ "$t" -ge 30 ] || t=30
  case $t in
  30) kill -s TERM 0 ;;
  70)
    kill -s KILL 0
    sleep 1
    tell
    break
    ;;
  esac
  [ -z "$bad$ended" ] || t=$((t + 1))
  sleep 0.5
done
status=0
r=$first
while [ "$r" -lt "$last" ]; do
  c=137
  [ -s "exit.$r" ] && read -r c <"exit.$r"
  [ "$status" != 0 ] || status=$c
  echo "@$name exit $r $c"
  r=$((r + 1))
done
echo "@$name end"
exit "$status"
)sh";

// A line a job and a pod. Free text is encoded as in an address, so that fields end at blanks.
constexpr const char *kTemplate =
    R"({{range .items}}{{if eq .kind "Job"}}job)"
    R"({{range .status.conditions}}{{if eq .status "True"}} {{.type}})"
    R"({{with .reason}} reason={{urlquery .}}{{end}}{{with .message}} message={{urlquery .}}{{end}}{{end}}{{end}})"
    R"({{else}}pod {{index .metadata.annotations "batch.kubernetes.io/job-completion-index"}} {{.metadata.name}} )"
    R"({{.status.phase}}{{with .spec.nodeName}} node={{urlquery .}}{{end}})"
    R"({{with .status.reason}} reason={{urlquery .}}{{end}}{{with .status.message}} message={{urlquery .}}{{end}})"
    R"({{range .status.conditions}}{{if eq .type "PodScheduled"}}{{if ne .status "True"}})"
    R"({{with .reason}} sched={{urlquery .}}{{end}}{{with .message}} schedmsg={{urlquery .}}{{end}})"
    R"({{end}}{{end}}{{end}})"
    R"({{range .status.containerStatuses}}{{with .imageID}} image={{urlquery .}}{{end}}{{with .state}})"
    R"({{with .waiting}}{{with .reason}} wait={{urlquery .}}{{end}}{{with .message}} waitmsg={{urlquery .}}{{end}}{{end}})"
    R"({{with .terminated}} exit={{.exitCode}}{{with .reason}} term={{urlquery .}}{{end}})"
    R"({{with .message}} termmsg={{urlquery .}}{{end}}{{end}})"
    R"({{end}}{{end}}{{end}}{{"\n"}}{{end}})";

constexpr const char *kCleanup = R"sh(cleanup() {
  n=0
  until kube delete jobs,services,configmaps -l "$label" --cascade=foreground --wait=false >/dev/null 2>kubectl.err; do
    n=$((n + 1))
    [ "$n" -lt 5 ] || return 1
    sleep 2
  done
  n=0
  while :; do
    left=$(kube get jobs,services,configmaps,pods -l "$label" -o name 2>kubectl.err) && [ -z "$left" ] && return 0
    n=$((n + 1))
    [ "$n" -lt 90 ] || return 1
    sleep 1
  done
}
)sh";

// What the job does not own would outlive it when the cluster deletes it by itself. No harm if this fails.
constexpr const char *kOwn = R"sh(  uid=$(kube get job "$name" -o 'jsonpath={.metadata.uid}') || exit 0
  for o in service configmap; do
    kube patch "$o" "$name" --type=merge -p "{\"metadata\":{\"ownerReferences\":[{\"apiVersion\":\"batch/v1\",\
\"kind\":\"Job\",\"name\":\"$name\",\"uid\":\"$uid\"}]}}" >/dev/null 2>&1
  done
  exit 0
)sh";

// Frames from a pod's standard output into files. A target's size says what has come already.
constexpr const char *kFrames = R"sh(keep() {
  if [ "$t" = "node.$i.err" ]; then tee -a "$t" >>node.err; else cat >>"$t"; fi
}
frames() {
  : >>"node.$i.err"
  while IFS= read -r line; do
    case $line in "@$name "*) ;; *) continue ;; esac
    set -f
    set -- $line
    set +f
    case $2$3$4$5 in *[!a-z0-9.]*) continue ;; esac
    case $2 in
    log)
      case $3 in
      rank*.log) t=$3 ;;
      node.err) t=node.$i.err ;;
      *) continue ;;
      esac
      had=$(($(wc -c <"$t") - $4))
      if [ "$had" -lt 0 ]; then
        head -c "$((-had))" /dev/zero | tr '\0' '\n' | keep
        had=0
      fi
      head -c "$5" | tail -c "+$((had + 1))" | keep
      IFS= read -r line
      ;;
    exit) echo "$4" >"exit.$3" ;;
    end) : >"told.$i" ;;
    esac
  done
}
)sh";

// One pod's logs. A stream that breaks is taken up again; a pod that is over is asked once more.
constexpr const char *kPod = R"sh(  i=$2
  pod=$3
  while :; do
    kubectl_raw logs --follow "$pod" 2>"kubectl.$i" | frames
    [ ! -e "told.$i" ] || exit 0
    if phase=$(kube get pod "$pod" -o 'jsonpath={.status.phase}' 2>"kubectl.$i"); then
      case $phase in
      Succeeded | Failed)
        kubectl_raw logs "$pod" 2>"kubectl.$i" | frames
        exit 0
        ;;
      esac
    elif grep -q NotFound "kubectl.$i"; then
      exit 0
    fi
    sleep 1
  done
)sh";

constexpr const char *kFollow = R"sh(exec 9>>lock
flock -w 2 9 || exit 0
[ -e started ] && [ ! -e exit ] || exit 0
trap '' HUP
stop_pods() {
  for f in follow.pod*; do
    [ -e "$f" ] || continue
    p=$(cat "$f")
    [ "/proc/$p/cwd" -ef . ] && kill -s KILL -- "-$p"
    rm -f "$f"
  done
}
stop_pods
follow_pods() {
  while read -r kind i pod phase x; do
    [ "$kind" = pod ] || continue
    case $phase in Running | Succeeded | Failed) ;; *) continue ;; esac
    [ ! -e "follow.pod$i" ] || continue
    setsid sh ./launch.sh pod "$i" "$pod" 9>&- &
    echo $! >"follow.pod$i"
  done <<SB_END
$s
SB_END
}
say() { printf '@kube %s %s %s %s\n' "$name" "$pods" "$limit" "$(printf '%s' "$1" | tr '\n' '|')" >>status; }
shown=
gone=0
n=0
while [ ! -e cancel ]; do
  n=$((n + 1))
  over=
  if s=$(kube get jobs,pods -l "$label" -o "go-template=$template" 2>kubectl.err); then
    case $s in
    *"pod "*) follow_pods ;;
    *)
      e=
      [ "$n" -lt 3 ] || e=$(kube get events --field-selector "involvedObject.name=$name,reason=FailedCreate" \
        -o 'go-template={{range .items}}{{urlquery .message}}{{"\n"}}{{end}}' 2>/dev/null | tail -n 1)
      [ -z "$e" ] || s="${s}
event $e"
      ;;
    esac
    case $s in job*) gone=0 ;; *) gone=$((gone + 1)) ;; esac
    case $s in "job Complete"* | "job Failed"* | job*" Complete"* | job*" Failed"*) over=1 ;; esac
    [ "$gone" -lt 3 ] || over=1
    [ "$gone" -eq 0 ] || [ -n "$over" ] || s=$shown # it may be a slip of the server
  else
    s="unreachable $(tail -n 1 kubectl.err | tr '|' '/')"
  fi
  [ "$s" = "$shown" ] || say "$s"
  shown=$s
  [ -z "$over" ] || break
  if [ "$n" -lt 60 ]; then sleep 1; else sleep 3; fi
done
left=
if [ -e cancel ]; then cleanup || echo "$left" >left; fi
n=0
for f in follow.pod*; do
  [ -e "$f" ] || continue
  while kill -s 0 "$(cat "$f")" 2>/dev/null && [ "$n" -lt 80 ]; do
    n=$((n + 1))
    sleep 0.5
  done
done
stop_pods
if [ ! -e cancel ]; then cleanup || echo "$left" >left; fi
codes=
r=0
while [ "$r" -lt "$ranks" ]; do
  c=-1
  [ -s "exit.$r" ] && read -r c <"exit.$r"
  codes="$codes $c"
  r=$((r + 1))
done
echo "$codes" >exit.tmp && mv exit.tmp exit
)sh";

} // namespace

std::string podScript(const std::string &jobName, int pods, const std::vector<RankCommand> &ranks)
{
    const int per = static_cast<int>(ranks.size()) / pods;
    std::string text =
        "#!/bin/sh\n"
        "# A pod of one run, started by Scaleboard: its ranks, and their logs on the output.\n";
    text += std::string("cd ") + kPodRunFolder + " || exit 44\nname=" + jobName + "\npods=" + number(pods) +
            "\nper=" + number(per) + "\n" +
            "first=$((${JOB_COMPLETION_INDEX:?} * per))\nlast=$((first + per))\n"
            "ended=\ntrap 'ended=1' TERM\nrank() {\n  case $1 in\n";
    for (const RankCommand &rank : ranks)
        text += "  " + number(rank.rank) + ") " + commandText(rank) + " ;;\n";
    text += "  *) return " + number(kNoRankHere) + " ;;\n  esac\n}\n";
    return text + kFindPlace + kMeet + kStartRanks + kTell + kLookAfterRanks;
}

std::vector<std::string> kubectlCommand(const KubernetesSettings &settings)
{
    std::vector<std::string> words{"kubectl"};
    if (!settings.context.empty())
        words.push_back("--context=" + settings.context);
    if (!settings.nameSpace.empty())
        words.push_back("--namespace=" + settings.nameSpace);
    return words;
}

std::vector<std::string> kubectlApplyCommand(const KubernetesSettings &settings)
{
    std::vector<std::string> words = kubectlCommand(settings);
    words.insert(words.end(), {"apply", "--server-side", "--field-manager=scaleboard",
                               "--filename=" + std::string(kKubeManifestFile)});
    return words;
}

std::string controlScript(const KubeJob &job, const std::string &manifest)
{
    const std::string kubectl = shellCommand(kubectlCommand(job.settings));
    std::string text = "#!/bin/sh\n"
                       "# One run on Kubernetes, followed by Scaleboard. See \"exit\" for how it ended.\n"
                       "cd -- \"$(dirname -- \"$0\")\" || exit 44\nLC_ALL=C\nexport LC_ALL\n";
    text += "name=" + job.name + "\npods=" + number(job.pods) +
            "\nranks=" + number(job.pods * job.ranksPerPod) +
            "\nlimit=" + number(job.settings.timeLimitMin.value_or(0)) + "\nlabel=" + kKubeLabel + "=" +
            job.name + "\n";
    text += "template=" + shellQuote(kTemplate) + "\n";
    text += "kubectl_raw() { " + kubectl + " \"$@\" </dev/null; }\n";
    text += "kube() { kubectl_raw --request-timeout=30s \"$@\"; }\n";
    text += kCleanup;
    text += "case ${1:-} in\ncleanup)\n  cleanup\n  exit\n  ;;\napply)\n  cat >" +
            std::string(kKubeManifestFile) + " <<'SB_END'\n" + manifest + "SB_END\n  " +
            shellCommand(kubectlApplyCommand(job.settings)) +
            " --request-timeout=30s </dev/null >applied.tmp || exit\n" + kOwn + "  ;;\nesac\n";
    text += std::string(kFrames) + "if [ \"${1:-}\" = pod ]; then\n" + kPod + "fi\n" + kFollow;
    return text;
}

} // namespace sb
