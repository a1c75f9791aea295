// SPDX-License-Identifier: GPL-3.0-or-later
// The launcher kubernetes: what a plan may say, the manifest and the scripts it gets, and what the cluster's
// answers mean. The manifests are held against the published schemas by tests/kubernetes_schemas.
#include "catalog/plan_file.h"
#include "core/json.h"
#include "core/plan.h"
#include "core/report_neutral.h"
#include "session/job_queue.h"
#include "session/kubernetes.h"
#include "session/launcher.h"
#include "session/pod_scripts.h"
#include "store/run_record.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <gtest/gtest.h>

namespace sb {
namespace {

Framework steps()
{
    Framework framework;
    framework.name = "steps";
    framework.title = "Steps";
    framework.program = "prog";
    framework.command = {"{program}", "{files}/train.py", "--rank", "{rank}", "--hosts", "{rank_hosts}"};
    framework.environment = {{"MASTER_ADDR", "{master_addr}"}, {"LOCAL_RANK", "{local_rank}"}};
    framework.launchers = {LaunchKind::Kubernetes};
    framework.manifestPath = "/plugins/steps/plugin.json";
    Workload workload;
    workload.name = "w";
    workload.title = "W";
    workload.precisions = {{"cpu", {"fp32"}}, {"cuda", {"fp32"}}};
    workload.dataArguments = {{"synthetic", {}}, {"folder", {}}};
    framework.workloads = {workload};
    return framework;
}

Plan plan()
{
    Plan plan;
    plan.name = "p";
    plan.frameworks = {"steps"};
    plan.workloads = {{"w", {"fp32"}, {2}}};
    plan.scales = {{2, 2}};
    plan.device = "cuda";
    plan.launcher = "kubernetes";
    plan.environments = {{"steps", "docker:registry.example/a/b:1@sha256:00ff"}};
    return plan;
}

CaseKey key(const std::string &device = "cuda")
{
    CaseKey key;
    key.framework = "steps";
    key.workload = "w";
    key.device = device;
    key.data = "synthetic";
    key.batchSizePerDevice = 2;
    key.nodes = 2;
    key.devicesPerNode = 2;
    key.threadsPerDevice = device == "cpu" ? 3 : 0;
    key.options = {{"launcher", "kubernetes"}, {"environment", "docker:registry.example/a/b:1"}};
    return key;
}

LaunchPlace place(const KubernetesSettings &settings = {})
{
    LaunchPlace place{"control", "10.0.0.9", "/home/me/runs", "prog", ""};
    place.filesFolder = kPodFilesFolder;
    place.kubernetes = settings;
    place.podFiles = {{"train.py", "print('hello')\n"}};
    return place;
}

constexpr const char *kRun = "20261129-180409981-native-bert_base-bf16-b160-1n2g-65ddfb0a-r5";

std::string problemOf(const Plan &plan)
{
    const std::vector<Framework> frameworks{steps()};
    const auto checked = checkPlan(plan, frameworks);
    return checked ? "" : checked.error().message;
}

// The part of a manifest at a path of keys and indices: {"items", "2", "spec"}.
JsonNode at(const std::string &manifest, const std::vector<std::string> &path)
{
    auto root = parseJson(manifest, "manifest");
    if (!root)
        return {};
    JsonNode node = *root;
    for (const std::string &step : path) {
        const JsonNode *next =
            node.kind == JsonNode::Kind::Array
                ? (std::stoul(step) < node.items.size() ? &node.items[std::stoul(step)] : nullptr)
                : node.find(step);
        if (!next)
            return {};
        const JsonNode copy = *next;
        node = copy;
    }
    return node;
}

JsonNode inPod(const std::string &manifest, std::vector<std::string> path)
{
    path.insert(path.begin(), {"items", "2", "spec", "template", "spec"});
    return at(manifest, path);
}

QByteArray shell(const QStringList &arguments, const QByteArray &input, int &status,
                 const QString &folder = {})
{
    QProcess sh;
    if (!folder.isEmpty())
        sh.setWorkingDirectory(folder);
    sh.start(QStringLiteral("sh"), arguments);
    sh.write(input);
    sh.closeWriteChannel();
    sh.waitForFinished();
    status = sh.exitCode();
    return sh.readAllStandardOutput() + sh.readAllStandardError();
}

std::string syntaxError(const std::string &script)
{
    int status = 0;
    const QByteArray said = shell({QStringLiteral("-n")}, QByteArray::fromStdString(script), status);
    return status == 0 ? "" : said.toStdString();
}

TEST(KubernetesPlan, IsWrittenAndRead)
{
    Plan whole = plan();
    whole.kubernetes = {"lab", "train", "runner", 30, "imagenet", {{"gpu", "h200"}}, {{"rdma/hca", "1"}},
                        64,    true};
    const auto again = readPlan(writePlan(whole), "plan.json");
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(*again, whole);
    EXPECT_EQ(writePlan(plan()).find("\"kubernetes\": {"), std::string::npos);
    std::string text = writePlan(whole);
    text.replace(text.find("\"namespace\""), 11, "\"nmespace\"");
    const auto bad = readPlan(text, "plan.json");
    ASSERT_FALSE(bad.ok());
    EXPECT_NE(bad.error().message.find("nmespace"), std::string::npos);
}

TEST(KubernetesPlan, NeedsAnImage)
{
    EXPECT_EQ(problemOf(plan()), "");
    Plan without = plan();
    without.environments.clear();
    EXPECT_NE(problemOf(without).find("environments has no image for \"steps\""), std::string::npos);
    without.environments["steps"] = "venv:/opt/torch";
    EXPECT_NE(problemOf(without).find("has no image"), std::string::npos);
    without.environments["steps"] = "docker:a b";
    EXPECT_NE(problemOf(without).find("no name of an image"), std::string::npos);
    without = plan();
    without.device = "auto";
    EXPECT_NE(problemOf(without).find("say \"cpu\" or \"cuda\""), std::string::npos);
}

TEST(KubernetesPlan, RefusesNamesThatKubernetesDoesNotKnow)
{
    const auto with = [](KubernetesSettings settings) {
        Plan changed = plan();
        changed.kubernetes = std::move(settings);
        return problemOf(changed);
    };
    EXPECT_NE(with({.nameSpace = "Train"}).find("kubernetes.namespace"), std::string::npos);
    EXPECT_NE(with({.nameSpace = "a\n---"}).find("kubernetes.namespace"), std::string::npos);
    EXPECT_NE(with({.nameSpace = std::string(64, 'a')}).find("kubernetes.namespace"), std::string::npos);
    EXPECT_NE(with({.context = "--kubeconfig=/x"}).find("kubernetes.context"), std::string::npos);
    EXPECT_NE(with({.serviceAccount = "-a"}).find("service_account"), std::string::npos);
    EXPECT_NE(with({.dataClaim = "a/b"}).find("data_claim"), std::string::npos);
    EXPECT_NE(with({.timeLimitMin = 0}).find("time_limit_min is 0"), std::string::npos);
    EXPECT_NE(with({.sharedMemoryGb = 0}).find("shared_memory_gb is 0"), std::string::npos);
    EXPECT_NE(with({.nodeSelector = {{"a b", "c"}}}).find("node_selector"), std::string::npos);
    EXPECT_NE(with({.resources = {{"memory", "much"}}}).find("resources has \"memory\""), std::string::npos);
    EXPECT_NE(with({.resources = {{"nvidia.com/gpu", "1"}}}).find("comes from scales"), std::string::npos);
    EXPECT_EQ(with({.context = "lab's (old)",
                    .nameSpace = "train-1",
                    .serviceAccount = "a.b",
                    .nodeSelector = {{"node.kubernetes.io/type", "H200_x"}, {"empty", ""}},
                    .resources = {{"memory", "64Gi"}, {"cpu", "0.5"}, {"rdma/hca_a", "1"}}}),
              "");
}

TEST(KubeManifest, NamesAreLabelsAndTheSameForTheSameRun)
{
    const std::string name = kubeName(kRun);
    EXPECT_EQ(name.substr(0, 22), "sb-20261129-180409981-");
    EXPECT_EQ(name, kubeName(kRun));
    EXPECT_NE(name, kubeName(std::string(kRun) + "1"));
    EXPECT_LE(podHost(name, 9999).substr(0, podHost(name, 9999).find('.')).size(), 63U);
    EXPECT_EQ(kubeName("A_b/c").substr(0, 9), "sb-a-b-c-");
}

TEST(KubeManifest, IsAnIndexedJobWithAPodANode)
{
    const auto launch = prepareLaunch(steps(), key(), kRun, {place({.timeLimitMin = 5})});
    ASSERT_TRUE(launch.ok()) << launch.error().message;
    const std::string &text = launch->manifest;
    const std::string name = kubeName(kRun);
    EXPECT_EQ(at(text, {"items", "2", "kind"}).text, "Job");
    EXPECT_EQ(at(text, {"items", "2", "spec", "completionMode"}).text, "Indexed");
    EXPECT_EQ(at(text, {"items", "2", "spec", "completions"}).integer, 2);
    EXPECT_EQ(at(text, {"items", "2", "spec", "parallelism"}).integer, 2);
    EXPECT_EQ(at(text, {"items", "2", "spec", "backoffLimit"}).integer, 0);
    EXPECT_EQ(at(text, {"items", "2", "spec", "activeDeadlineSeconds"}).integer, 300);
    EXPECT_EQ(at(text, {"items", "1", "spec", "clusterIP"}).text, "None");
    EXPECT_TRUE(at(text, {"items", "1", "spec", "publishNotReadyAddresses"}).boolean);
    EXPECT_EQ(inPod(text, {"restartPolicy"}).text, "Never");
    EXPECT_EQ(inPod(text, {"subdomain"}).text, name);
    EXPECT_EQ(inPod(text, {"containers", "0", "resources", "limits", "nvidia.com/gpu"}).text, "2");
    EXPECT_EQ(inPod(text, {"containers", "0", "image"}).text, "registry.example/a/b:1");
    EXPECT_EQ(inPod(text, {"volumes", "2", "emptyDir", "sizeLimit"}).text, "16Gi");
    EXPECT_TRUE(inPod(text, {"hostNetwork"}).isNull());
    EXPECT_TRUE(inPod(text, {"containers", "0", "securityContext"}).isNull());
    EXPECT_FALSE(inPod(text, {"affinity"}).isNull());
    for (const char *item : {"0", "1", "2"})
        EXPECT_EQ(at(text, {"items", item, "metadata", "labels", kKubeLabel}).text, name);
    EXPECT_EQ(at(text, {"items", "0", "data", "train.py"}).text, "print('hello')\n");
    EXPECT_EQ(launch->command, "kubectl apply --server-side --field-manager=scaleboard --filename=job.json");
    EXPECT_EQ(launch->commands.at(3),
              "GLOO_SOCKET_IFNAME=''\"$SB_INTERFACE\"'' LOCAL_RANK=1 MASTER_ADDR=" + name + "-0." + name +
                  " prog /scaleboard/files/train.py --rank 3 --hosts "
                  "''\"$SB_RANK_HOSTS\"''");
    EXPECT_EQ(syntaxError(at(text, {"items", "0", "data", "launch.sh"}).text), "");
    EXPECT_EQ(syntaxError(launch->nodes.at(0).script), "");
    EXPECT_EQ(launch->nodes.at(0).role, NodeRole::Pods);
}

TEST(KubeManifest, AsksForWhatThePlanSays)
{
    CaseKey data = key("cpu");
    data.data = "/data/imagenet";
    data.nodes = 1;
    const auto launch = prepareLaunch(steps(), data, kRun,
                                      {place({.context = "lab's",
                                              .nameSpace = "train",
                                              .serviceAccount = "runner",
                                              .dataClaim = "imagenet",
                                              .nodeSelector = {{"gpu", "h200"}},
                                              .resources = {{"rdma/hca", "1"}},
                                              .hostNetwork = true})});
    ASSERT_TRUE(launch.ok()) << launch.error().message;
    const std::string &text = launch->manifest;
    EXPECT_TRUE(launch->command.starts_with("kubectl '--context=lab'\\''s' --namespace=train apply "));
    EXPECT_EQ(at(text, {"items", "1", "metadata", "namespace"}).text, "train");
    EXPECT_EQ(inPod(text, {"serviceAccountName"}).text, "runner");
    EXPECT_EQ(inPod(text, {"nodeSelector", "gpu"}).text, "h200");
    EXPECT_TRUE(inPod(text, {"hostNetwork"}).boolean);
    EXPECT_EQ(inPod(text, {"dnsPolicy"}).text, "ClusterFirstWithHostNet");
    EXPECT_EQ(inPod(text, {"containers", "0", "resources", "limits", "cpu"}).text, "6");
    EXPECT_EQ(inPod(text, {"containers", "0", "resources", "limits", "rdma/hca"}).text, "1");
    EXPECT_EQ(inPod(text, {"containers", "0", "securityContext", "capabilities", "add", "0"}).text,
              "IPC_LOCK");
    EXPECT_EQ(inPod(text, {"volumes", "3", "persistentVolumeClaim", "claimName"}).text, "imagenet");
    EXPECT_EQ(inPod(text, {"containers", "0", "volumeMounts", "3", "mountPath"}).text, "/data/imagenet");
    EXPECT_TRUE(inPod(text, {"affinity"}).isNull());
    EXPECT_TRUE(inPod(text, {"tolerations"}).isNull());
    const auto onNodes = prepareLaunch(steps(), data, kRun, {place()});
    ASSERT_TRUE(onNodes.ok());
    EXPECT_EQ(inPod(onNodes->manifest, {"volumes", "3", "hostPath", "path"}).text, "/data/imagenet");
}

TEST(KubeManifest, RefusesFilesThatAConfigMapDoesNotTake)
{
    const auto problem = [](const PodFile &file) {
        LaunchPlace where = place();
        where.podFiles = {file};
        const auto launch = prepareLaunch(steps(), key(), kRun, {where});
        return launch ? "" : launch.error().message;
    };
    EXPECT_EQ(problem({"train.py", std::string(900'000, 'x')}), "");
    EXPECT_NE(problem({"train.py", std::string(1'000'000, 'x')}).find("Put them into the image"),
              std::string::npos);
    EXPECT_NE(problem({"a b.py", "x"}).find("a b.py"), std::string::npos);
    EXPECT_NE(problem({"launch.sh", "x"}).find("launch.sh"), std::string::npos);
    EXPECT_NE(problem({"net.bin", "\xff\xfe"}).find("no text in UTF-8"), std::string::npos);
}

constexpr const char *kWaiting =
    "@kube sb-x 2 10 job|pod 0 sb-x-0-abcde Running node=n1|pod 1 sb-x-1-fghij Pending "
    "sched=Unschedulable schedmsg=0%2F3+nodes+are+available%3A+3+Insufficient+nvidia.com%2Fgpu.";

TEST(Kubernetes, ReadsTheStateOfAJob)
{
    const auto job = readKubeJob(kWaiting);
    ASSERT_TRUE(job);
    EXPECT_EQ(job->text(), "Kubernetes job sb-x: Pending (pod 1: Unschedulable: 0/3 nodes are available: 3 "
                           "Insufficient nvidia.com/gpu.)");
    EXPECT_EQ(job->timeLimit, "10 min");
    EXPECT_FALSE(hasBegun(*job));
    const auto stateOf = [](const std::string &records) {
        const auto read = readKubeJob("@kube sb-x 1 0 " + records);
        return read ? read->state + "|" + read->reason : "nothing";
    };
    EXPECT_EQ(stateOf("job|pod 0 p Running node=n1"), "Running|");
    EXPECT_EQ(stateOf("job|"), "Pending|0 of 1 pods run");
    EXPECT_EQ(stateOf("job|pod 0 p Pending wait=ContainerCreating"), "Pending|0 of 1 pods run");
    EXPECT_EQ(stateOf("job|pod 0 p Pending wait=ImagePullBackOff waitmsg=Back-off+pulling"),
              "Pending|pod 0: ImagePullBackOff: Back-off pulling");
    EXPECT_EQ(stateOf("job|pod 0 p Pending wait=CreateContainerConfigError waitmsg=no%0Asecret"),
              "Pending|pod 0: CreateContainerConfigError: no secret");
    EXPECT_EQ(stateOf("job|event pods+%22a%22+is+forbidden"), "Pending|no pod yet: pods \"a\" is forbidden");
    EXPECT_EQ(stateOf("job Suspended|"), "Suspended|");
    EXPECT_EQ(stateOf("unreachable dial tcp: i/o timeout"), "Unreachable|dial tcp: i/o timeout");
    EXPECT_EQ(stateOf("job Complete|pod 0 p Succeeded node=n1 exit=0"), "Complete|");
    EXPECT_EQ(stateOf("pod 0 p Running"), "Deleted|");
    EXPECT_FALSE(readKubeJob("@kube"));
    EXPECT_FALSE(readKubeJob("@kube sb-x two 0 job"));
    EXPECT_FALSE(readKubeJob("@job JobId=1"));
}

TEST(Kubernetes, SaysWhyAJobEnded)
{
    const auto failure = [](const std::string &records) {
        const auto job = readKubeJob("@kube sb-x 1 10 " + records);
        return job ? kubeFailure(*job) + (kubeStateExplains(*job) ? " (explains)" : "") : "nothing";
    };
    const std::string failed = "job Failed reason=BackoffLimitExceeded message=m|";
    EXPECT_EQ(failure("job Complete|"), "");
    EXPECT_EQ(failure(failed + "pod 0 p Failed node=n1 exit=137 term=OOMKilled"),
              "The Kubernetes job sb-x used more memory than it may (pod 0 on n1). Give it more "
              "(kubernetes.resources: \"memory\"), or take a smaller batch. (explains)");
    EXPECT_EQ(failure("job Failed reason=DeadlineExceeded|"),
              "The Kubernetes job sb-x was ended at its time limit of 10 min. Raise "
              "kubernetes.time_limit_min in the "
              "plan. (explains)");
    EXPECT_EQ(
        failure(failed + "pod 0 p Failed node=n1 reason=Evicted message=low+on+memory."),
        "The Kubernetes job sb-x lost a pod to its node's needs (pod 0 on n1: low on memory.). Run the plan "
        "again. (explains)");
    EXPECT_NE(failure(failed + "pod 0 p Failed node=n1 exit=128 term=StartError termmsg=sh+not+found")
                  .find("The image needs sh"),
              std::string::npos);
    EXPECT_EQ(failure(failed + "pod 0 p Failed node=n1 exit=6 term=Error"),
              "The Kubernetes job sb-x ended as Failed with 6: BackoffLimitExceeded: m");
    EXPECT_NE(failure("pod 0 p Running").find("deleted by somebody else"), std::string::npos);
}

TEST(Kubernetes, RemembersWhatPodsSaidThatAreGone)
{
    const auto waiting =
        readKubeJob("@kube sb-x 1 10 job|pod 0 p Pending node=n1 image=r%2Fx%40sha256%3A00ff "
                    "wait=ImagePullBackOff waitmsg=Back-off");
    const auto ended = readKubeJob("@kube sb-x 1 10 job Failed reason=DeadlineExceeded|");
    ASSERT_TRUE(waiting && ended);
    const RunJob job = joined(waiting, *ended);
    EXPECT_EQ(job.image, "r/x@sha256:00ff");
    EXPECT_EQ(job.nodes, "n1");
    EXPECT_EQ(kubeFailure(job),
              "The Kubernetes job sb-x was ended at its time limit of 10 min while it still waited "
              "(pod 0: ImagePullBackOff: Back-off).");
    EXPECT_EQ(joined({}, *ended), *ended);
}

TEST(Kubernetes, NamesOfItsNodesAreReplacedInANeutralReport)
{
    sb::Run run;
    run.id = "r1";
    run.hosts = {"control"};
    run.job = readKubeJob("@kube sb-x 2 0 job|pod 0 p Running node=gpu-7|pod 1 q Pending node=gpu-8 wait=E "
                          "waitmsg=on+gpu-8");
    std::vector<sb::Run> runs{run};
    makeNeutral(runs);
    EXPECT_EQ(runs[0].job->nodes.find("gpu"), std::string::npos) << runs[0].job->nodes;
    EXPECT_EQ(runs[0].job->reason.find("gpu"), std::string::npos) << runs[0].job->reason;
}

TEST(Kubernetes, SaysWhatKubectlMeans)
{
    EXPECT_EQ(
        kubectlProblem(
            "The connection to the server localhost:8080 was refused - did you specify the right host "
            "or port?"),
        "Kubernetes did not take the job: The connection to the server localhost:8080 was refused - did you "
        "specify the right host or port?. No cluster answers there; see the configuration of kubectl on that "
        "node.");
    EXPECT_NE(
        kubectlProblem("Error from server (Forbidden): jobs.batch is forbidden").find("needs the right"),
        std::string::npos);
    EXPECT_EQ(kubectlProblem("error: context \"x\" does not exist"),
              "Kubernetes did not take the job: context \"x\" does not exist.");
}

TEST(Kubernetes, TheJobStaysInTheRecord)
{
    sb::Run run;
    run.id = "r1";
    run.key = key();
    run.createdUtc = "2026-01-01T00:00:00.000Z";
    run.job = readKubeJob(kWaiting);
    const auto again = readRunRecord(writeRunRecord(run), "run.json");
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(*again, run);
}

// The reader of frames as it stands in the control script, over a text.
class Frames : public testing::Test {
protected:
    void give(const QByteArray &stream)
    {
        KubeJob job;
        job.name = "sb-x";
        const std::string script = controlScript(job, "{}\n");
        const std::size_t begin = script.find("keep() {");
        const std::string reader = script.substr(begin, script.find("if [ \"${1:-}\" = pod ]") - begin);
        int status = 0;
        const QByteArray said =
            shell({QStringLiteral("-c"), QString::fromStdString("name=sb-x i=0\n" + reader + "frames")},
                  stream, status, folder.path());
        EXPECT_EQ(said.toStdString(), "");
    }
    std::string file(const char *name) const
    {
        QFile content(folder.filePath(QString::fromLatin1(name)));
        return content.open(QIODevice::ReadOnly) ? content.readAll().toStdString() : "none";
    }
    void make(const char *name)
    {
        QFile content(folder.filePath(QString::fromLatin1(name)));
        ASSERT_TRUE(content.open(QIODevice::WriteOnly));
    }
    void SetUp() override
    {
        for (const char *name : {"rank0.log", "rank1.log", "node.err"})
            make(name);
    }
    QTemporaryDir folder;
};

TEST_F(Frames, BecomeTheFilesOfThePod)
{
    give("noise\n@sb-x log rank0.log 0 6\none\ntw\n@sb-x log rank1.log 0 3\n@@\n\n@sb-x log node.err 0 "
         "4\nerr\n\n"
         "@sb-x log rank0.log 6 2\no\n\n@sb-x exit 0 0\n@sb-x exit 1 9\n@sb-x end\n");
    EXPECT_EQ(file("rank0.log"), "one\ntwo\n");
    EXPECT_EQ(file("rank1.log"), "@@\n");
    EXPECT_EQ(file("node.err"), "err\n");
    EXPECT_EQ(file("exit.1"), "9\n");
    EXPECT_EQ(file("told.0"), "");
}

TEST_F(Frames, ThatComeAgainAreNotDoubled)
{
    give("@sb-x log rank0.log 0 4\none\n\n@sb-x log rank0.log 4 8\ntwo\nth"); // cut off
    EXPECT_EQ(file("rank0.log"), "one\ntwo\nth");
    give("@sb-x log rank0.log 0 4\none\n\n@sb-x log rank0.log 4 10\ntwo\nthree\n\n@sb-x log node.err 0 "
         "2\ne\n\n");
    give("@sb-x log node.err 0 2\ne\n\n@sb-x log node.err 2 2\nf\n\n");
    EXPECT_EQ(file("rank0.log"), "one\ntwo\nthree\n");
    EXPECT_EQ(file("node.err"), "e\nf\n");
    EXPECT_EQ(file("told.0"), "none");
}

TEST_F(Frames, ThatAreGoneLeaveEmptyLines)
{
    give("ne\n\n@sb-x log rank0.log 4 4\ntwo\n\n"); // the first was rotated away
    EXPECT_EQ(file("rank0.log"), "\n\n\n\ntwo\n");
}

TEST_F(Frames, WithNamesOfTheirOwnAreLeftOut)
{
    give("@sb-x log ../rank0.log 0 2\nx\n\n@sb-x log launch.sh 0 2\nx\n\n@sb-x log rank0.log 0 $(id)\n"
         "@sb-x log rank0.log 0 2\nx\n\n");
    EXPECT_EQ(file("rank0.log"), "x\n");
    EXPECT_EQ(file("launch.sh"), "none");
}

} // namespace
} // namespace sb
