// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/kubernetes.h"

#include "core/text.h"

#include <algorithm>
#include <array>
#include <map>

namespace sb {

namespace {

// Applying twice is harmless, so a link that broke in between costs nothing. What was refused leaves nothing.
constexpr const char *kSubmit = R"sh(trap '' HUP
umask 077
mkdir -p -- "$1" && cd -- "$1" || exit 41
folder=$1
size=$2
shift 2
refuse() {
  cd / && rm -rf -- "$folder"
  exit "$1"
}
if [ ! -e started ]; then
  cat >"launch.sh.$$" || exit 42
  [ "$(wc -c <"launch.sh.$$")" -eq "$size" ] || { rm -f "launch.sh.$$"; exit 48; }
  mv "launch.sh.$$" launch.sh && : >>lock && : >>status || exit 42
  for f; do : >>"$f" || exit 42; done
  : >started
fi
if [ ! -e applied ]; then
  command -v kubectl >/dev/null 2>&1 || refuse 56
  if sh ./launch.sh apply 2>apply.err; then
    : >applied
  else
    [ -s apply.err ] && tail -n 3 apply.err >&2 || echo "kubectl said nothing" >&2
    if [ -s applied.tmp ]; then sh ./launch.sh cleanup >/dev/null 2>&1; fi
    refuse 54
  fi
fi
if [ ! -e exit ] && flock -n lock true; then setsid sh ./launch.sh </dev/null >>launch.out 2>&1 & fi
echo submitted)sh";

constexpr const char *kWatch = R"sh(cd -- "$1" || exit 44
shown=0
news() {
  n=$(wc -l <status)
  if [ "$n" -gt "$shown" ]; then head -n "$n" status | tail -n "+$((shown + 1))"; fi
  shown=$n
}
idle=0 # it has just been started, or is gone
while :; do
  [ -e started ] || exit 44
  news
  if flock -n lock true; then
    [ ! -e exit ] || break
    idle=$((idle + 1))
    [ $((idle % 4)) -ne 3 ] || setsid sh ./launch.sh </dev/null >>launch.out 2>&1 &
  fi
  sleep 0.5
done
news
[ ! -e left ] || { tr '\n' ' ' <left >&2; exit 55; }
echo "codes $(cat exit)")sh";

constexpr const char *kCancel = R"sh(cd -- "$1" || exit 44
: >cancel
n=0
idle=0
while [ ! -e exit ] || ! flock -n lock true; do
  [ -e started ] || break # the run is over and its folder removed
  n=$((n + 1))
  [ "$n" -le $(($2 * 2)) ] || exit 55
  if [ ! -e exit ] && flock -n lock true; then
    idle=$((idle + 1))
    [ $((idle % 4)) -ne 3 ] || setsid sh ./launch.sh </dev/null >>launch.out 2>&1 &
  fi
  sleep 0.5
done
[ ! -e left ] || { tr '\n' ' ' <left >&2; exit 55; }
echo gone)sh";

int hexDigit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

constexpr std::size_t kLongestReason = 300; // a status line; a scheduler's message can fill a page

// "0%2F3+nodes" → "0/3 nodes", on one line.
std::string decoded(std::string_view text)
{
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i] == '+' ? ' ' : text[i];
        if (c == '%' && i + 2 < text.size() && hexDigit(text[i + 1]) >= 0 && hexDigit(text[i + 2]) >= 0) {
            c = static_cast<char>(hexDigit(text[i + 1]) * 16 + hexDigit(text[i + 2]));
            i += 2;
        }
        bytes += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    if (bytes.size() > kLongestReason)
        bytes = bytes.substr(0, kLongestReason) + "…";
    return validUtf8(trimmed(bytes));
}

// "pod 0 sb-x-0-abc Pending sched=Unschedulable": words without "=" in order, the others by name.
struct Record {
    std::vector<std::string> words;
    std::map<std::string, std::string> fields;

    std::string field(const std::string &name) const
    {
        const auto found = fields.find(name);
        return found == fields.end() ? std::string() : found->second;
    }
    bool has(const std::string &word) const
    {
        return std::find(words.begin(), words.end(), word) != words.end();
    }
};

Record readRecord(std::string_view text)
{
    Record record;
    for (const std::string_view part : split(text, ' '))
        if (const std::size_t equals = part.find('='); equals != std::string_view::npos)
            record.fields[std::string(part.substr(0, equals))] = decoded(part.substr(equals + 1));
        else if (!part.empty())
            record.words.emplace_back(part);
    return record;
}

std::string withMessage(const std::string &reason, const std::string &message)
{
    return message.empty() || message == reason ? reason : reason + ": " + message;
}

// Why a pod does not run yet; empty when that is but a matter of time.
std::string whyWaiting(const Record &pod)
{
    const std::string wait = pod.field("wait");
    if (!wait.empty() && wait != "ContainerCreating" && wait != "PodInitializing")
        return withMessage(wait, pod.field("waitmsg"));
    return pod.field("sched").empty() ? "" : withMessage(pod.field("sched"), pod.field("schedmsg"));
}

// The state of a job that failed, from its pods: the first that has a reason of its own.
void takeFailure(RunJob &job, const Record &of, const std::vector<Record> &pods)
{
    job.state = "Failed";
    job.reason = withMessage(of.field("reason"), of.field("message"));
    if (of.field("reason") == "DeadlineExceeded") {
        job.state = "DeadlineExceeded";
        job.reason.clear();
        return;
    }
    for (const Record &pod : pods) {
        const std::string node = pod.field("node");
        const std::string name =
            "pod " + (pod.words.size() > 1 ? pod.words[1] : "") + (node.empty() ? "" : " on " + node);
        const std::string term = pod.field("term");
        const bool startFailed = term == "StartError" || term == "ContainerCannotRun";
        if (term == "OOMKilled" || startFailed) {
            job.state = startFailed ? "StartError" : term;
            job.reason = withMessage(name, pod.field("termmsg"));
        } else if (pod.field("reason") == "Evicted" || pod.field("reason").starts_with("Preempt")) {
            job.state = "Evicted";
            job.reason = withMessage(name, pod.field("message"));
        } else {
            continue;
        }
        job.exitCode = pod.field("exit");
        return;
    }
    for (const Record &pod : pods)
        if (job.exitCode.empty() && pod.field("exit") != "0")
            job.exitCode = pod.field("exit");
}

void takePods(RunJob &job, const std::vector<Record> &pods, int wanted)
{
    int running = 0;
    for (const Record &pod : pods) {
        const std::string why = whyWaiting(pod);
        if (!why.empty() && job.reason.empty())
            job.reason = "pod " + (pod.words.size() > 1 ? pod.words[1] : "") + ": " + why;
        running += pod.has("Running") || pod.has("Succeeded") || pod.has("Failed");
    }
    job.state = running >= wanted ? "Running" : "Pending";
    if (job.reason.empty() && running < wanted)
        job.reason = std::to_string(running) + " of " + std::to_string(wanted) + " pods run";
}

std::string nodesOf(const std::vector<Record> &pods)
{
    std::vector<std::string> nodes;
    for (const Record &pod : pods)
        if (const std::string node = pod.field("node"); !node.empty())
            nodes.push_back(node);
    return join(nodes, ",");
}

} // namespace

ProcessSpec submitKubeSpec(const std::string &folder, const std::string &text,
                           const std::vector<std::string> &logs)
{
    std::vector<std::string> arguments{folder, std::to_string(text.size())};
    arguments.insert(arguments.end(), logs.begin(), logs.end());
    return scriptSpec(kSubmit, arguments, QByteArray::fromStdString(text));
}

ProcessSpec watchKubeSpec(const std::string &folder)
{
    return scriptSpec(kWatch, {folder});
}

ProcessSpec cancelKubeSpec(const std::string &folder, int waitS)
{
    return scriptSpec(kCancel, {folder, std::to_string(waitS)});
}

// "@kube NAME PODS MINUTES record|record|…"
std::optional<RunJob> readKubeJob(std::string_view line)
{
    const auto head = split(line, ' ');
    if (head.size() < 5 || head[0] != "@kube" || head[1].empty())
        return std::nullopt;
    const auto wanted = toInteger(head[2]);
    const auto minutes = toInteger(head[3]);
    if (!wanted || !minutes || *wanted < 1 || *wanted > 65'536)
        return std::nullopt;
    RunJob job;
    job.queue = kKubeQueue;
    job.id = std::string(head[1]);
    job.timeLimit = *minutes > 0 ? std::to_string(*minutes) + " min" : "";
    const auto start = static_cast<std::size_t>(head[4].data() - line.data());
    std::optional<Record> ofJob;
    std::vector<Record> pods;
    for (const std::string_view text : split(line.substr(start), '|')) {
        if (text.starts_with("unreachable")) {
            job.state = "Unreachable";
            job.reason = decoded(text.substr(std::min(text.size(), std::string_view("unreachable ").size())));
            return job;
        }
        const Record record = readRecord(text);
        if (record.has("job"))
            ofJob = record;
        else if (record.has("pod"))
            pods.push_back(record);
        else if (record.has("event") && record.words.size() > 1)
            job.reason = "no pod yet: " + decoded(record.words[1]);
    }
    job.nodes = nodesOf(pods);
    for (const Record &pod : pods)
        if (job.image.empty())
            job.image = pod.field("image");
    if (!ofJob)
        job.state = "Deleted";
    else if (ofJob->has("Complete"))
        job.state = "Complete";
    else if (ofJob->has("Failed"))
        takeFailure(job, *ofJob, pods);
    else if (ofJob->has("Suspended"))
        job.state = "Suspended";
    else
        takePods(job, pods, static_cast<int>(*wanted));
    return job;
}

bool isKubeJobOver(const RunJob &job)
{
    constexpr std::array kOver{"Complete", "Failed",     "DeadlineExceeded", "OOMKilled",
                               "Evicted",  "StartError", "Deleted"};
    return std::find(kOver.begin(), kOver.end(), job.state) != kOver.end();
}

bool kubeStateExplains(const RunJob &job)
{
    return isKubeJobOver(job) && job.state != "Failed" && job.state != "Complete";
}

std::string kubeFailure(const RunJob &job)
{
    const std::string name = "The Kubernetes job " + job.id;
    if (job.state == "Complete")
        return {};
    if (job.state == "DeadlineExceeded")
        return name + " was ended at its time limit" + (job.timeLimit.empty() ? "" : " of " + job.timeLimit) +
               (job.reason.empty() ? ". Raise kubernetes.time_limit_min in the plan."
                                   : " while it still waited (" + job.reason + ").");
    if (job.state == "OOMKilled")
        return name + " used more memory than it may (" + job.reason +
               "). Give it more (kubernetes.resources: \"memory\"), or take a smaller batch.";
    if (job.state == "Evicted")
        return name + " lost a pod to its node's needs (" + job.reason + "). Run the plan again.";
    if (job.state == "StartError")
        return name + " could not start (" + job.reason +
               "). The image needs sh, and the framework's program in its PATH.";
    if (job.state == "Deleted")
        return name + " was deleted by somebody else (kubectl delete).";
    return name + " ended as " + job.state + (job.exitCode.empty() ? "" : " with " + job.exitCode) +
           (job.reason.empty() ? "." : ": " + job.reason);
}

std::string kubectlProblem(const std::string &said)
{
    std::string line = said.substr(said.rfind('\n') + 1);
    for (const std::string prefix :
         {"error: ", "Error from server: ", "error validating \"job.json\": ", "error validating data: "})
        if (line.starts_with(prefix))
            line.erase(0, prefix.size());
    line.erase(std::min(line.size(), line.find("; if you choose to ignore these errors")));
    if (!line.ends_with('.'))
        line += '.';
    const std::string text = "Kubernetes did not take the job: " + line;
    const auto says = [&said](const char *words) { return said.find(words) != std::string::npos; };
    if (says("was refused") || says("connection refused") || says("Unable to connect") ||
        says("no such host") || says("i/o timeout"))
        return text + " No cluster answers there; see the configuration of kubectl on that node.";
    if (says("(Forbidden)"))
        return text + " Its user needs the right to create and delete jobs, services and config maps, and to "
                      "read pods and their logs.";
    return text;
}

} // namespace sb
