// SPDX-License-Identifier: GPL-3.0-or-later
// Launchers: what a plan may say of them, the scripts they get, and what Slurm's answers mean.
#include "catalog/manifest.h"
#include "catalog/plan_file.h"
#include "core/plan.h"
#include "session/launch_scripts.h"
#include "session/launcher.h"
#include "session/slurm.h"
#include "store/run_record.h"

#include <QProcess>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sb {
namespace {

Framework steps()
{
    Framework framework;
    framework.name = "steps";
    framework.title = "Steps";
    framework.launchers = {LaunchKind::Mpirun, LaunchKind::Horovodrun, LaunchKind::Slurm};
    framework.devices = {"cpu", "cuda"};
    framework.command = {"{program}", "--rank", "{rank}", "--hosts", "{rank_hosts}"};
    framework.environment = {{"MASTER_ADDR", "{master_addr}"}, {"LOCAL_RANK", "{local_rank}"}};
    Workload workload;
    workload.name = "w";
    workload.title = "W";
    workload.precisions = {{"cpu", {"fp32"}}, {"cuda", {"fp32"}}};
    framework.workloads = {workload};
    return framework;
}

Plan planWith(const std::string &launcher)
{
    Plan plan;
    plan.name = "p";
    plan.frameworks = {"steps"};
    plan.workloads = {{"w", {"fp32"}, {2}}};
    plan.scales = {{1, 1}, {2, 2}};
    plan.device = "cpu";
    plan.threadsPerDevice = 1;
    plan.launcher = launcher;
    return plan;
}

CaseKey keyWith(const std::string &launcher)
{
    CaseKey key;
    key.framework = "steps";
    key.workload = "w";
    key.device = "cpu";
    key.batchSizePerDevice = 2;
    key.nodes = 2;
    key.devicesPerNode = 2;
    key.threadsPerDevice = 3;
    key.options["launcher"] = launcher;
    return key;
}

LaunchPlace place(const std::string &name, const std::string &address)
{
    LaunchPlace place{name, address, "/home/me/state/runs", "/opt/prog", "/home/me/programs"};
    place.network = "10.0.0.0/24";
    place.sshPort = 2222;
    place.user = "me";
    return place;
}

// What the shell itself says of a script; empty when it could be read.
std::string syntaxError(const std::string &script)
{
    QProcess sh;
    sh.start(QStringLiteral("sh"), {QStringLiteral("-n")});
    sh.write(QByteArray::fromStdString(script));
    sh.closeWriteChannel();
    sh.waitForFinished();
    return sh.exitCode() == 0 ? "" : sh.readAllStandardError().toStdString();
}

std::string problemOf(const Plan &plan)
{
    const std::vector<Framework> frameworks{steps()};
    const auto checked = checkPlan(plan, frameworks);
    return checked ? "" : checked.error().message;
}

TEST(Launcher, IsWrittenAndReadWithThePlan)
{
    Plan plan = planWith("slurm");
    plan.slurm = {"gpu", "me", 30, "/shared", {"--exclusive"}};
    const auto again = readPlan(writePlan(plan), "plan.json");
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(*again, plan);
    EXPECT_EQ(writePlan(planWith("")).find("launcher"), std::string::npos);
}

TEST(Launcher, IsCheckedWithThePlan)
{
    EXPECT_EQ(problemOf(planWith("")), "");
    EXPECT_EQ(problemOf(planWith("mpirun")), "");
    EXPECT_EQ(problemOf(planWith("slurm")), "");
    EXPECT_EQ(problemOf(planWith("mpiru")), "launcher is \"mpiru\". Did you mean \"mpirun\"?");
    Plan plan = planWith("slurm");
    plan.device = "auto";
    EXPECT_NE(problemOf(plan).find("say \"cpu\" or \"cuda\""), std::string::npos);
    plan = planWith("slurm");
    plan.threadsPerDevice.reset();
    EXPECT_NE(problemOf(plan).find("threads_per_device is missing"), std::string::npos);
    plan = planWith("slurm");
    plan.slurm.timeLimitMin = 0;
    EXPECT_NE(problemOf(plan).find("slurm.time_limit_min is 0"), std::string::npos);
    plan.slurm = {.folder = "shared"};
    EXPECT_NE(problemOf(plan).find("slurm.folder"), std::string::npos);
    plan.slurm = {.options = {"--comment=a\n#SBATCH --wrap=x"}};
    EXPECT_NE(problemOf(plan).find("cannot stand in a job script"), std::string::npos);
    plan.slurm = {.options = {"-N4"}};
    EXPECT_NE(problemOf(plan).find("--name=value"), std::string::npos);
}

TEST(Launcher, MustBeAllowedByThePlugin)
{
    std::vector<Framework> frameworks{steps()};
    frameworks[0].launchers = {};
    const auto checked = checkPlan(planWith("mpirun"), frameworks);
    ASSERT_FALSE(checked.ok());
    EXPECT_NE(checked.error().message.find("the plugin of Steps does not allow"), std::string::npos);
    EXPECT_TRUE(checkPlan(planWith("per_rank"), frameworks).ok());
}

TEST(Launcher, IsInTheKeyWhereItIsNotTheFrameworksOwn)
{
    const std::vector<Framework> frameworks{steps()};
    NodeFacts node;
    node.name = "n";
    node.cores = 16;
    const std::vector nodes{node};
    EXPECT_EQ(expandPlan(planWith("per_rank"), frameworks, nodes)[0].key.launcher(), "");
    EXPECT_EQ(expandPlan(planWith("mpirun"), frameworks, nodes)[0].key.launcher(), "mpirun");
    EXPECT_TRUE(expandPlan(planWith("mpirun"), frameworks, nodes)[1].refused()); // one node of two
    EXPECT_FALSE(expandPlan(planWith("slurm"), frameworks, nodes)[1].refused()); // Slurm has others
}

TEST(Launcher, RunsAgainComeWithTheirLauncher)
{
    sb::Run run;
    run.key = keyWith("mpirun");
    run.key.options["environment"] = "venv:/opt/x";
    run.key.measuredSteps = 5;
    const auto plan = planOfRuns(std::vector{run});
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->launcher, "mpirun");
    EXPECT_EQ(plan->environments.at("steps"), "venv:/opt/x");
    EXPECT_TRUE(plan->options.empty());
}

TEST(Mpirun, StartsEveryRankWithItsOwnCommand)
{
    const auto launch = prepareLaunch(steps(), keyWith("mpirun"), "r1",
                                      {place("node1", "10.0.0.1"), place("node2", "10.0.0.2")});
    ASSERT_TRUE(launch.ok()) << launch.error().message;
    ASSERT_EQ(launch->nodes.size(), 2U);
    EXPECT_EQ(launch->nodes[0].role, NodeRole::Leads);
    EXPECT_EQ(launch->nodes[1].role, NodeRole::Led);
    EXPECT_EQ(launch->nodes[1].folder, "/home/me/state/runs/r1-n1");
    EXPECT_EQ(launch->commands.at(3), "LOCAL_RANK=1 MASTER_ADDR=10.0.0.1 /opt/prog --rank 3 --hosts "
                                      "10.0.0.1,10.0.0.1,10.0.0.2,10.0.0.2");
    EXPECT_TRUE(launch->command.starts_with("mpirun --hostfile hosts -np 4 --bind-to none sh -c "));
    const std::string &first = launch->nodes[0].script;
    EXPECT_NE(first.find("10.0.0.1 slots=2\n10.0.0.2 slots=2\n"), std::string::npos);
    EXPECT_NE(first.find("Host 10.0.0.2\n  Port 2222\n  User me\n"), std::string::npos);
    EXPECT_NE(first.find("Include \"/home/me/state/ssh/config\""), std::string::npos);
    EXPECT_NE(first.find("OMPI_MCA_oob_tcp_if_include=10.0.0.0/24"), std::string::npos);
    EXPECT_NE(launch->nodes[1].script.find("rank3.log"), std::string::npos);
    EXPECT_EQ(launch->nodes[1].script.find("mpirun --hostfile"), std::string::npos);
    for (const NodeLaunch &node : launch->nodes)
        EXPECT_EQ(syntaxError(node.script), "");
}

TEST(Mpirun, NeedsTheSameFolderEverywhere)
{
    LaunchPlace other = place("node2", "10.0.0.2");
    other.workFolder = "/home/you/state/runs";
    const auto launch = prepareLaunch(steps(), keyWith("mpirun"), "r1", {place("node1", "10.0.0.1"), other});
    ASSERT_FALSE(launch.ok());
    EXPECT_NE(launch.error().message.find("node2 has /home/you/state/runs"), std::string::npos);
}

TEST(Horovodrun, StartsEveryRankWithItsOwnCommand)
{
    CaseKey key = keyWith("horovodrun");
    key.options["environment"] = "venv:/opt/hvd";
    const auto launch =
        prepareLaunch(steps(), key, "r1", {place("node1", "10.0.0.1"), place("node2", "10.0.0.2")});
    ASSERT_TRUE(launch.ok()) << launch.error().message;
    EXPECT_EQ(launch->nodes[1].role, NodeRole::Led);
    EXPECT_TRUE(launch->command.starts_with("horovodrun --gloo -np 4 -H 10.0.0.1:2,10.0.0.2:2 "))
        << launch->command;
    const std::string &first = launch->nodes[0].script;
    EXPECT_NE(first.find("PATH=/opt/hvd/bin:$PATH"), std::string::npos);
    // It turns checks of host keys off itself; they stay on.
    EXPECT_NE(first.find("-o StrictHostKeyChecking=yes"), std::string::npos);
    EXPECT_NE(first.find("r=${HOROVOD_RANK:-}"), std::string::npos);
    EXPECT_EQ(first.find("OMPI_"), std::string::npos);
    for (const NodeLaunch &node : launch->nodes)
        EXPECT_EQ(syntaxError(node.script), "");
}

TEST(Horovodrun, NeedsAnInterfaceOfOneNameAndNoContainer)
{
    LaunchPlace first = place("node1", "10.0.0.1"), second = place("node2", "10.0.0.2");
    first.interface = "eth0";
    second.interface = "eth1";
    const auto unlike = prepareLaunch(steps(), keyWith("horovodrun"), "r1", {first, second});
    ASSERT_FALSE(unlike.ok());
    EXPECT_NE(unlike.error().message.find("node1 has eth0 and node2 has eth1"), std::string::npos);
    second.interface = "eth0";
    const auto alike = prepareLaunch(steps(), keyWith("horovodrun"), "r1", {first, second});
    ASSERT_TRUE(alike.ok());
    EXPECT_NE(alike->command.find("--network-interfaces eth0 "), std::string::npos) << alike->command;
    CaseKey key = keyWith("horovodrun");
    key.options["environment"] = "docker:horovod/horovod:0.28.1";
    EXPECT_FALSE(prepareLaunch(steps(), key, "r1", {first, second}).ok());
}

TEST(Launcher, NodesThatShareAHomeHaveAFolderEach)
{
    const auto launch = prepareLaunch(steps(), keyWith("per_rank"), "r1",
                                      {place("node1", "10.0.0.1"), place("node2", "10.0.0.2")});
    ASSERT_TRUE(launch.ok());
    EXPECT_EQ(launch->command, "");
    EXPECT_EQ(launch->nodes[0].role, NodeRole::Own);
    EXPECT_NE(launch->nodes[0].folder, launch->nodes[1].folder);
}

TEST(Slurm, WritesABatchScript)
{
    LaunchPlace login = place("login", "10.0.0.9");
    login.slurm = SlurmSettings{"gpu", "acc", 30, "", {"--exclusive", "--comment=two words"}};
    CaseKey key = keyWith("slurm");
    key.device = "cuda";
    key.threadsPerDevice = 0;
    const auto launch = prepareLaunch(steps(), key, "r1", {login});
    ASSERT_TRUE(launch.ok()) << launch.error().message;
    ASSERT_EQ(launch->nodes.size(), 1U);
    EXPECT_EQ(launch->nodes[0].role, NodeRole::Job);
    EXPECT_EQ(launch->nodes[0].ranks, (std::vector{0, 1, 2, 3}));
    const std::string &script = launch->nodes[0].script;
    EXPECT_TRUE(script.starts_with("#!/bin/sh\n#SBATCH --job-name=sb-r1\n#SBATCH --nodes=2\n"
                                   "#SBATCH --ntasks-per-node=2\n#SBATCH --gres=gpu:2\n"
                                   "#SBATCH --partition=gpu\n#SBATCH --account=acc\n#SBATCH --time=30\n"
                                   "#SBATCH --no-requeue\n"))
        << script;
    EXPECT_NE(script.find("#SBATCH --exclusive\n"), std::string::npos);
    EXPECT_EQ(syntaxError(script), "");
    // Addresses are the job's to know; they are variables outside of quotes, everything else is quoted.
    EXPECT_EQ(launch->commands.at(3), "GLOO_SOCKET_IFNAME=''\"$SB_INTERFACE\"'' LOCAL_RANK=1 "
                                      "MASTER_ADDR=''\"$SB_MASTER_ADDR\"'' /opt/prog --rank 3 --hosts "
                                      "''\"$SB_RANK_HOSTS\"''");
    EXPECT_TRUE(launch->command.starts_with("sbatch --job-name=sb-r1 --nodes=2 "));
    login.workFolder = "/home/my folder/runs";
    EXPECT_FALSE(prepareLaunch(steps(), key, "r1", {login}).ok());
}

// In the form of "scontrol show job -o", with the mark of the watching script.
constexpr const char *kPending =
    "@job JobId=3 JobName=sb-x UserId=root(0) GroupId=root(0) MCS_label=N/A Priority=4294901757 Nice=0 "
    "Account=(null) QOS=(null) JobState=PENDING Reason=Resources Dependency=(null) Requeue=0 Restarts=0 "
    "BatchFlag=1 Reboot=0 ExitCode=0:0 RunTime=00:00:00 TimeLimit=00:10:00 TimeMin=N/A ReqNodeList=(null) "
    "ExcNodeList=(null) NodeList= NumNodes=2-2 NumCPUs=2 NumTasks=2";

TEST(Slurm, ReadsTheStateOfAJob)
{
    const auto job = readSlurmJob(kPending);
    ASSERT_TRUE(job);
    EXPECT_EQ(*job, (RunJob{"3", "PENDING", "Resources", "", "00:10:00", "0:0"}));
    EXPECT_EQ(job->text(), "Slurm job 3: PENDING (Resources)");
    EXPECT_FALSE(isOver(*job));
    EXPECT_FALSE(readSlurmJob("slurm_load_jobs error: Invalid job id specified"));
    EXPECT_FALSE(readSlurmJob("@job nonsense"));
}

TEST(Slurm, SaysWhyAJobEnded)
{
    const auto ended = [](const std::string &state, const std::string &exitCode = "0:0") {
        return RunJob{"3", state, "", "node[1-2]", "00:10:00", exitCode};
    };
    EXPECT_EQ(slurmFailure(ended("COMPLETED")), "");
    EXPECT_EQ(slurmFailure(ended("TIMEOUT")), "The Slurm job 3 on node[1-2] was ended at its time limit of "
                                              "00:10:00. Raise slurm.time_limit_min in the plan.");
    EXPECT_NE(slurmFailure(ended("CANCELLED")).find("scancel"), std::string::npos);
    EXPECT_NE(slurmFailure(ended("NODE_FAIL")).find("node failed"), std::string::npos);
    EXPECT_NE(slurmFailure(ended("OUT_OF_MEMORY")).find("--mem"), std::string::npos);
    EXPECT_NE(slurmFailure(ended("FAILED", "44:0")).find("slurm.folder"), std::string::npos);
    for (const char *state : {"COMPLETED", "TIMEOUT", "CANCELLED", "NODE_FAIL", "OUT_OF_MEMORY", "FAILED"})
        EXPECT_TRUE(isOver(ended(state))) << state;
    for (const char *state : {"RUNNING", "COMPLETING", "UNREACHABLE", "SUSPENDED"})
        EXPECT_FALSE(isOver(ended(state))) << state;
}

TEST(Slurm, TheJobStaysInTheRecord)
{
    sb::Run run;
    run.id = "r1";
    run.key = keyWith("slurm");
    run.createdUtc = "2026-01-01T00:00:00.000Z";
    run.job = readSlurmJob(kPending);
    run.launchCommand = "sbatch --nodes=2 /shared/runs/r1/launch.sh";
    const auto again = readRunRecord(writeRunRecord(run), "run.json");
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(*again, run);
}

TEST(Manifest, NamesTheLaunchersThatAPlanMayChoose)
{
    const auto read = [](const std::string &launchers) {
        return readManifest("{\"schema\": 1, \"name\": \"n\", \"title\": \"N\", \"license\": \"MIT\", "
                            "\"program\": \"p\", \"launch\": \"per_rank\", \"launchers\": " +
                                launchers +
                                ", \"devices\": [\"cpu\"], \"command\": [\"{rank}\"], "
                                "\"log\": {\"rule\": \"json_lines\"}, \"workloads\": []}",
                            "plugin.json");
    };
    const auto good = read("[\"mpirun\"]");
    ASSERT_TRUE(good.ok()) << good.error().message;
    EXPECT_TRUE(good->allows(LaunchKind::PerRank));
    EXPECT_TRUE(good->allows(LaunchKind::Mpirun));
    EXPECT_FALSE(good->allows(LaunchKind::Slurm));
    const auto bad = read("[\"pbs\"]");
    ASSERT_FALSE(bad.ok());
    EXPECT_NE(bad.error().message.find("launchers has \"pbs\""), std::string::npos);
}

} // namespace
} // namespace sb
