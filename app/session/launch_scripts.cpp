// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/launch_scripts.h"

#include "remote/shell_quote.h"

namespace sb {

// The marks have characters that shell_quote puts into single quotes; those are closed around the variable.
std::string commandText(const RankCommand &rank)
{
    std::string text = shellCommand(rank.environment, rank.argv);
    for (const std::string mark : {kJobMasterAddress, kJobRankHosts, kJobInterface}) {
        const std::string variable = "'\"$" + mark.substr(2, mark.size() - 4) + "\"'";
        for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at))
            text.replace(at, mark.size(), variable);
    }
    return text;
}

namespace {

std::string cleanupMode(const std::vector<RankCommand> &ranks)
{
    std::string text = "if [ \"${1:-}\" = cleanup ]; then\n  s=0\n";
    for (const RankCommand &rank : ranks)
        if (!rank.cleanup.empty())
            text += cleanupText(rank.cleanup);
    return text + "  exit $s\nfi\n";
}

// The one place that turns a launcher's numbers into ours. Everything else about a rank is known before.
std::string rankNumber(LaunchKind kind)
{
    if (kind == LaunchKind::Slurm)
        return "r=${SLURM_PROCID:-}\n";
    if (kind == LaunchKind::Horovodrun)
        return "r=${HOROVOD_RANK:-}\n";
    return "r=${OMPI_COMM_WORLD_RANK:-${PMIX_RANK:-${PMI_RANK:-}}}\n";
}

// Of mpirun's ranks each has a process group of its own; it is put on file for stopping.
constexpr const char *kJoinNode = R"sh(  exec 9>>lock
  flock -s 9 || exit 1
  read -r x <"/proc/$$/stat"
  x=${x##*) }
  x=${x#* * }
  echo "${x%% *}" >"pgid.$r"
)sh";

// Which way the other nodes are, for libraries that would ask the host's own name.
constexpr const char *kFindInterface =
    R"sh(  a=$(getent ahostsv4 "$SB_MASTER_ADDR" | { read -r a x; echo "$a"; })
  SB_INTERFACE=$(ip -o -4 addr show 2>/dev/null | while read -r n i k x y; do
    [ "${x%/*}" = "$a" ] && echo "$i" && break
  done)
  [ -n "$SB_INTERFACE" ] || SB_INTERFACE=$(ip -o route get "$a" 2>/dev/null | sed -n 's/.* dev \([^ ]*\).*/\1/p')
)sh";

std::string rankMode(const std::vector<RankCommand> &ranks, LaunchKind kind, const std::string &prepare)
{
    std::string text = "if [ \"${1:-}\" = rank ]; then\n"
                       "  cd -- \"$(dirname -- \"$0\")\" || exit 44\n  ";
    text += rankNumber(kind) + (kind == LaunchKind::Slurm ? kFindInterface : kJoinNode);
    text += "  trap : TERM\n";
    if (!prepare.empty()) // one rank of a node after the other: the later ones find it done
        text += "  ( flock 8; " + prepare + " ) 8>>\"prepare.$(uname -n)\" </dev/null >&2\n";
    // Standard error of a job's ranks is joined by srun: several nodes must not write one file.
    const std::string errors = kind == LaunchKind::Slurm ? "" : std::string(" 2>>") + kNodeErrorName;
    text += "  case $r in\n";
    for (const RankCommand &rank : ranks)
        text += "  " + std::to_string(rank.rank) + ") ( " + (rank.first.empty() ? "" : rank.first + "; ") +
                commandText(rank) + " ) </dev/null >>" + rankLogName(rank.rank) + errors + " & ;;\n";
    text += "  *)\n    echo \"The launcher asks for rank '$r', which has no place here.\" >&2\n    exit " +
            std::to_string(kNoRankHere) + "\n    ;;\n  esac\n  p=$!\n";
    text += "  while :; do wait $p; c=$?; kill -0 $p 2>/dev/null || break; done\n";
    std::string cleanups;
    for (const RankCommand &rank : ranks)
        if (!rank.cleanup.empty())
            cleanups += "  " + std::to_string(rank.rank) + ")\n" + cleanupText(rank.cleanup) + "  ;;\n";
    if (!cleanups.empty())
        text += "  case $r in\n" + cleanups + "  esac\n";
    return text + "  echo $c >\"exit.$r.tmp\" && mv \"exit.$r.tmp\" \"exit.$r\"\n  exit $c\nfi\n";
}

std::string makeLogs(const std::vector<RankCommand> &ranks)
{
    std::string text;
    for (const RankCommand &rank : ranks)
        text += ": >>" + rankLogName(rank.rank) + "\n";
    return text + ": >>" + kNodeErrorName + "\n";
}

std::string addressOf(const MpirunJob &job, std::size_t host)
{
    return job.hosts.size() == 1 ? "localhost" : job.hosts[host].address;
}

std::string hereDocument(const std::string &file, const std::string &text)
{
    return "cat >" + file + " <<'SB_END'\n" + text + "SB_END\n";
}

// What must be on the first node, and on the others, where `$2` is their name.
struct Needs {
    std::string program, missing, onOthers, missingThere;
};

Needs needsOf(const MpirunJob &job)
{
    const std::string &first = job.hosts.front().name;
    if (job.kind == LaunchKind::Horovodrun)
        return {"horovodrun",
                "There is no horovodrun on " + first +
                    "; install Horovod there, and name its virtual environment in the plan.",
                "echo", ""};
    return {"mpirun", "There is no mpirun on " + first + "; install OpenMPI there.",
            "command -v orted || command -v prted || echo none",
            "There is no OpenMPI on $2; install it there."};
}

// Says what is missing in the way of each node, all at once.
std::string checkNodes(const MpirunJob &job)
{
    const Needs needs = needsOf(job);
    const std::string &first = job.hosts.front().name;
    std::string names;
    for (const MpirunHost &host : job.hosts)
        names += " " + host.name;
    std::string text =
        "say() { echo \"$1\" >>ssh.err; }\n"
        "command -v " +
        needs.program + " >/dev/null 2>&1 ||\n  say " + shellQuote(needs.missing) +
        "\ncase $PWD in *[!A-Za-z0-9_./@%+=:,-]*) say \"" + needs.program +
        " cannot use the folder $PWD; its name has characters that it takes apart.\" ;; esac\n";
    if (job.hosts.size() == 1)
        return text;
    text += "reach() {\n"
            "  x=$(ssh -F ssh_config \"$1\" \"sh -c '" +
            needs.onOthers +
            "'\" 2>&1 </dev/null)\n"
            "  case $?$x in\n"
            "  0*none) say \"" +
            needs.missingThere +
            "\" ;;\n"
            "  0*) ;;\n"
            "  127*) say " +
            shellQuote("There is no ssh on " + first + ", which " + needs.program +
                       " needs; install openssh-client there.") +
            " ;;\n"
            "  *) say \"" +
            first + " cannot sign in to $2 ($1), which " + needs.program +
            " needs: $(echo \"$x\" | tail -n 1 | tr -d '\\r'). Prepare it: scaleboard-cli node-ssh prepare" +
            names + "\" ;;\n  esac\n}\n";
    for (std::size_t i = 1; i < job.hosts.size(); ++i)
        text += "( exec 9>&-; reach " + shellQuote(job.hosts[i].address) + " " +
                shellQuote(job.hosts[i].name) + " ) &\n";
    return text + "wait\n";
}

// OpenMPI 4 and 5 read settings of different names, so both are given; neither minds the other's. One
// process starts all others: log-ins go from the first node to each other one and nowhere else.
std::string mpirunSettings(const MpirunJob &job)
{
    if (job.kind == LaunchKind::Horovodrun)
        return {};
    std::string text = "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                       "PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1\n";
    if (job.hosts.size() == 1)
        return text;
    // The agent's name goes on to the other nodes, which look for it themselves; so it is plain ssh.
    text +=
        "export OMPI_MCA_plm_rsh_agent=ssh PRTE_MCA_plm_ssh_agent=ssh\n"
        "export OMPI_MCA_plm_rsh_args=\"-F $PWD/ssh_config\" PRTE_MCA_plm_ssh_args=\"-F $PWD/ssh_config\"\n"
        "export OMPI_MCA_plm_rsh_no_tree_spawn=1 PRTE_MCA_plm_ssh_no_tree_spawn=1\n";
    if (!job.network.empty())
        text += "export OMPI_MCA_oob_tcp_if_include=" + job.network +
                " OMPI_MCA_btl_tcp_if_include=" + job.network + " PRTE_MCA_prte_if_include=" + job.network +
                "\n";
    return text;
}

// horovodrun knows one port for all nodes and asks ssh not to mind host keys. An ssh before it in PATH takes
// ports, keys and known hosts as mpirun's does; of an option that is given twice ssh takes the first.
std::string horovodrunPath(const MpirunJob &job)
{
    if (job.kind != LaunchKind::Horovodrun)
        return {};
    std::string text;
    if (!job.programFolder.empty())
        text += "PATH=" + shellQuote(job.programFolder) + ":$PATH\n";
    if (job.hosts.size() > 1)
        text += "mkdir -p bin\n"
                "cat >bin/ssh <<SB_END\n"
                "#!/bin/sh\n"
                "exec \"$(command -v ssh)\" -F \"$PWD/ssh_config\" -o StrictHostKeyChecking=yes \"\\$@\"\n"
                "SB_END\n"
                "chmod +x bin/ssh\nPATH=$PWD/bin:$PATH\n";
    return text + "export PATH\n";
}

// When mpirun is gone its ranks should be; what is left of them on this node is ended.
constexpr const char *kEndRanks = R"sh(n=0
for f in pgid.[0-9]*; do
  [ -e "$f" ] || continue
  while kill -s 0 -- "-$(cat "$f")" 2>/dev/null; do
    n=$((n + 1))
    [ "$n" -gt 100 ] && kill -s KILL -- "-$(cat "$f")"
    [ "$n" -gt 120 ] && break
    sleep 0.1
  done
done
)sh";

} // namespace

std::string nodeSshConfig(const std::vector<MpirunHost> &hosts, const std::string &sshFolder)
{
    std::string text;
    for (std::size_t i = 1; i < hosts.size(); ++i) {
        text += "Host " + hosts[i].address + "\n";
        if (hosts[i].sshPort != 22)
            text += "  Port " + std::to_string(hosts[i].sshPort) + "\n";
        if (!hosts[i].user.empty())
            text += "  User " + hosts[i].user + "\n";
    }
    return text + "Host *\n  BatchMode yes\n  ConnectTimeout 10\n  Include \"" + sshFolder +
           "/config\"\n  Include ~/.ssh/config\n  Include /etc/ssh/ssh_config\n";
}

namespace {

std::vector<std::string> horovodrunCommand(const MpirunJob &job)
{
    const auto ranks = job.hosts.size() * static_cast<std::size_t>(job.ranksPerNode);
    std::string hosts;
    for (std::size_t i = 0; i < job.hosts.size(); ++i)
        hosts += (i > 0 ? "," : "") + addressOf(job, i) + ":" + std::to_string(job.ranksPerNode);
    std::vector<std::string> words{
        "horovodrun",      "--gloo",          "-np", std::to_string(ranks), "-H", hosts,
        "--disable-cache", "--start-timeout", "300"};
    if (job.hosts.size() > 1 && !job.interface.empty())
        words.insert(words.end(), {"--network-interfaces", job.interface});
    words.insert(words.end(), {"sh", "-c",
                               "n=$(($HOROVOD_RANK / $2)); [ $n -gt 0 ] && set -- \"$1-n$n\"; "
                               "exec sh \"$1/launch.sh\" rank",
                               "scaleboard", job.folder, std::to_string(job.ranksPerNode)});
    return words;
}

} // namespace

std::vector<std::string> mpirunCommand(const MpirunJob &job)
{
    if (job.kind == LaunchKind::Horovodrun)
        return horovodrunCommand(job);
    const auto ranks = job.hosts.size() * static_cast<std::size_t>(job.ranksPerNode);
    return {"mpirun", "--hostfile", "hosts", "-np", std::to_string(ranks), "--bind-to", "none", "sh", "-c",
            // A launcher's rank → the run folder of its node.
            "n=$((${OMPI_COMM_WORLD_RANK:-$PMIX_RANK} / $2)); [ $n -gt 0 ] && set -- \"$1-n$n\"; "
            "exec sh \"$1/launch.sh\" rank",
            "scaleboard", job.folder, std::to_string(job.ranksPerNode)};
}

std::string mpirunScript(const MpirunJob &job, const std::vector<RankCommand> &ranks,
                         const std::string &prepare)
{
    std::string hosts;
    for (std::size_t i = 0; i < job.hosts.size(); ++i)
        hosts += addressOf(job, i) + " slots=" + std::to_string(job.ranksPerNode) + "\n";
    const std::string program = launchKindName(job.kind);
    std::string text = "#!/bin/sh\n"
                       "# One run, started by Scaleboard with " +
                       program + ". See \"exit\" for how it ended.\n";
    text += cleanupMode(ranks) + rankMode(ranks, job.kind, prepare);
    // Shared: the ranks on this node hold it too, without being children of this process.
    text += "exec 9>>lock\nflock -s 9 || exit 1\ntrap : TERM\n";
    text += makeLogs(ranks) + "echo $$ >pgid.tmp && mv pgid.tmp pgid\n";
    text += hereDocument("hosts", hosts);
    if (job.hosts.size() > 1)
        text += hereDocument("ssh_config", nodeSshConfig(job.hosts, job.sshFolder));
    text += horovodrunPath(job) + checkNodes(job) + "if [ -s ssh.err ]; then\n  cat ssh.err >>" +
            kNodeErrorName + "\n  c=" + std::to_string(kNoNodeSsh) + "\nelse\n";
    text += mpirunSettings(job);
    text += shellCommand(mpirunCommand(job)) + " </dev/null >mpirun.err 2>&1 &\np=$!\n";
    text += "while :; do wait $p; c=$?; kill -0 $p 2>/dev/null || break; done\n";
    // Marked: what mpirun says when a rank has failed must not pass for the rank's own last words.
    text += "sed -e '/^-*$/d' -e 's/^/" + program + ": /' mpirun.err >>" + kNodeErrorName + "\n";
    text += std::string(kEndRanks) + "fi\n";
    text += "( exec 9>&-; sh ./launch.sh cleanup ) </dev/null >/dev/null 2>&1\n";
    return text + "echo $c >exit.tmp && mv exit.tmp exit\n";
}

std::string ledScript(LaunchKind kind, const std::vector<RankCommand> &ranks, const std::string &prepare)
{
    return "#!/bin/sh\n"
           "# The part of a run on this node; " +
           launchKindName(kind) + " on the run's first node starts it.\n" + cleanupMode(ranks) +
           rankMode(ranks, kind, prepare) + makeLogs(ranks) + "echo led >pgid.tmp && mv pgid.tmp pgid\n";
}

namespace {

std::vector<std::string> slurmOptions(const SlurmJob &job)
{
    std::vector<std::string> options;
    const auto add = [&options](const std::string &option) { options.push_back(option); };
    add("--job-name=" + job.name);
    add("--nodes=" + std::to_string(job.nodes));
    add("--ntasks-per-node=" + std::to_string(job.ranksPerNode));
    if (job.threadsPerRank > 0)
        add("--cpus-per-task=" + std::to_string(job.threadsPerRank));
    // All GPUs of a node are seen by each of its ranks, as without Slurm: a rank that sees its own only
    // could not exchange memory with its neighbours, and its number would be 0 everywhere.
    if (job.gpus)
        add("--gres=gpu:" + std::to_string(job.ranksPerNode));
    if (!job.settings.partition.empty())
        add("--partition=" + job.settings.partition);
    if (!job.settings.account.empty())
        add("--account=" + job.settings.account);
    if (job.settings.timeLimitMin)
        add("--time=" + std::to_string(*job.settings.timeLimitMin));
    add("--no-requeue"); // a second attempt would write into the first one's logs
    add("--output=" + job.folder + "/slurm.out");
    add("--open-mode=append");
    options.insert(options.end(), job.settings.options.begin(), job.settings.options.end());
    return options;
}

} // namespace

std::vector<std::string> sbatchCommand(const SlurmJob &job)
{
    std::vector<std::string> words = slurmOptions(job);
    words.insert(words.begin(), "sbatch");
    words.push_back(job.folder + "/launch.sh");
    return words;
}

std::string slurmScript(const SlurmJob &job, const std::vector<RankCommand> &ranks,
                        const std::string &prepare)
{
    std::string text = "#!/bin/sh\n";
    for (const std::string &option : slurmOptions(job))
        text += "#SBATCH " + option + "\n";
    text += "# One run as a batch job, made by Scaleboard. See \"exit\" for how it ended.\n";
    text += cleanupMode(ranks) + rankMode(ranks, LaunchKind::Slurm, prepare);
    text += "cd -- " + shellQuote(job.folder) + " || exit 44\n";
    text += "h=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\")\n";
    text += job.nodes == 1 ? "SB_MASTER_ADDR=127.0.0.1\n" : "SB_MASTER_ADDR=$(echo \"$h\" | head -n 1)\n";
    text += "SB_RANK_HOSTS=\nfor n in $h; do\n";
    if (job.nodes == 1)
        text += "  n=127.0.0.1\n";
    for (int rank = 0; rank < job.ranksPerNode; ++rank)
        text += "  SB_RANK_HOSTS=${SB_RANK_HOSTS:+$SB_RANK_HOSTS,}$n\n";
    text += "done\nexport SB_MASTER_ADDR SB_RANK_HOSTS\n";
    std::vector<std::string> srun{"srun",
                                  "--ntasks=" + std::to_string(job.nodes * job.ranksPerNode),
                                  "--ntasks-per-node=" + std::to_string(job.ranksPerNode),
                                  "--kill-on-bad-exit=1",
                                  "--error=" + std::string(kNodeErrorName),
                                  "--open-mode=append"};
    if (job.threadsPerRank > 0)
        srun.push_back("--cpus-per-task=" + std::to_string(job.threadsPerRank));
    srun.insert(srun.end(), {"sh", job.folder + "/launch.sh", "rank"});
    text += shellCommand(srun) + "\nc=$?\n";
    return text + "echo $c >exit.tmp && mv exit.tmp exit\nexit $c\n";
}

} // namespace sb
