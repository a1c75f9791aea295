// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan.h"

#include "catalog/command_template.h"
#include "catalog/manifest.h"
#include "catalog/plan_file.h"
#include "session/launcher.h"
#include "session/sweep.h"

#include <gtest/gtest.h>

namespace sb {
namespace {

Framework native()
{
    Framework framework;
    framework.name = "native";
    framework.title = "Native (sbtrain)";
    framework.devices = {"cpu"};
    Workload workload;
    workload.name = "resnet50";
    workload.title = "ResNet-50 v1.5";
    workload.unit = "images";
    workload.precisions = {{"cpu", {"fp32"}}};
    workload.flopsPerSample = 24.5e9;
    workload.memoryBytesFixed = 1e9;
    workload.memoryBytesPerSample = 1e8;
    framework.workloads = {workload};
    return framework;
}

const std::vector<Framework> kFrameworks{native()};

Plan plan()
{
    Plan p;
    p.name = "p";
    p.frameworks = {"native"};
    p.workloads = {{"resnet50", {"fp32"}, {4}}};
    p.scales = {{1, 1}, {1, 2}};
    p.measurement = {2, 8, 3};
    return p;
}

NodeFacts node(int cores = 2)
{
    NodeFacts facts;
    facts.name = "local";
    facts.cores = cores;
    facts.memoryBytes = 16e9;
    return facts;
}

std::string problemOf(const Plan &p)
{
    const auto checked = checkPlan(p, kFrameworks);
    return checked ? "" : checked.error().message;
}

TEST(CheckPlan, AcceptsAGoodPlan)
{
    EXPECT_EQ(problemOf(plan()), "");
}

TEST(CheckPlan, WantsAsManyGpusInASetAsItIsFor)
{
    Plan p = plan();
    p.gpuSets = {{2, "6,7"}, {4, "0,1,2,3"}};
    EXPECT_EQ(problemOf(p), "");
    for (const char *wrong : {"0", "0,1,2", "0,0", "0,x", "-1,0", "", "0;1"}) {
        p.gpuSets = {{2, wrong}};
        EXPECT_EQ(problemOf(p), std::string("gpu_sets gives \"") + wrong +
                                    "\" for 2 GPUs; list the number of each once, such as \"0,1\" for 2.");
    }
}

TEST(CheckPlan, NamesThePlaceOfAFault)
{
    Plan p = plan();
    p.workloads[0].name = "resnet05";
    EXPECT_EQ(problemOf(p),
              "workloads[0] names the workload \"resnet05\", which no chosen framework has. Did you "
              "mean \"resnet50\"?");
    p = plan();
    p.workloads[0].batchSizesPerDevice = {-1};
    EXPECT_EQ(problemOf(p),
              "workloads[0].batch_sizes_per_device has -1; a batch size must be between 1 and 1000000.");
    p = plan();
    p.frameworks = {"nativ"};
    EXPECT_EQ(problemOf(p),
              "frameworks names \"nativ\", for which there is no plugin. Did you mean \"native\"?");
    p = plan();
    p.measurement.measuredSteps = 0;
    EXPECT_EQ(problemOf(p), "measurement.measured_steps is 0; it must be between 1 and 10000000.");
    p = plan();
    p.scales.push_back({1, 1});
    EXPECT_EQ(problemOf(p), "scales[2] is listed twice; remove one of them.");
    p = plan();
    p.scales.push_back({65536, 65536}); // 2^32 devices
    EXPECT_EQ(problemOf(p), "scales[2] must have nodes and devices_per_node above 0, and at most 1000000 "
                            "devices in all.");
    p = plan();
    p.scales.clear();
    EXPECT_NE(problemOf(p), "");
    p = plan();
    p.device = "gpu";
    EXPECT_NE(problemOf(p), "");
    p = plan();
    p.workloads[0].precisions = {"fp23"};
    EXPECT_NE(problemOf(p).find("fp32"), std::string::npos);
}

TEST(ExpandPlan, GivesEveryScaleTheSameShareOfTheCores)
{
    const auto cases = expandPlan(plan(), kFrameworks, std::vector{node(8)});
    ASSERT_EQ(cases.size(), 2U);
    EXPECT_EQ(cases[0].key.threadsPerDevice, 4);
    EXPECT_EQ(cases[1].key.threadsPerDevice, 4);
    EXPECT_EQ(cases[0].key.device, "cpu");
    EXPECT_FALSE(cases[0].refused());
    EXPECT_TRUE(cases[0].estimatedRunTimeS.has_value());
}

TEST(ExpandPlan, RefusesWithAReason)
{
    Plan p = plan();
    p.scales = {{2, 1}, {1, 4}};
    p.threadsPerDevice = 1;
    auto cases = expandPlan(p, kFrameworks, std::vector{node(2)});
    EXPECT_EQ(cases[0].refusal, "too few nodes");
    EXPECT_EQ(cases[0].refusalReason, "2n1g needs 2 nodes; 1 ready.");
    EXPECT_EQ(cases[1].refusal, "too few cores");
    p = plan();
    p.workloads[0].batchSizesPerDevice = {4000};
    cases = expandPlan(p, kFrameworks, std::vector{node(2)});
    EXPECT_EQ(cases[0].refusal, "memory");
    p = plan();
    p.workloads[0].precisions = {"bf16"};
    cases = expandPlan(p, kFrameworks, std::vector{node(2)});
    EXPECT_EQ(cases[0].refusalReason, "Native (sbtrain) runs ResNet-50 v1.5 on cpu in fp32, not in bf16.");
    p = plan();
    p.device = "cuda";
    cases = expandPlan(p, kFrameworks, std::vector{node(2)});
    EXPECT_EQ(cases[0].refusal, "no cuda");
}

TEST(RunOrder, InterleavesRepeats)
{
    std::vector<PlannedCase> cases(3);
    cases[1].refusal = "no AMP";
    const auto runs = runOrder(cases, {2, 8, 2});
    EXPECT_EQ(runs, (std::vector<PlannedRun>{{0, 1}, {2, 1}, {0, 2}, {2, 2}}));
}

TEST(PlanFile, ReadsWhatItWrites)
{
    Plan p = plan();
    p.threadsPerDevice = 3;
    p.options["xla"] = "on";
    p.gpuSets = {{2, "0,3"}, {4, "0,1,2,3"}};
    const auto again = readPlan(writePlan(p), "plan.json");
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(*again, p);
}

TEST(PlanFile, NamesLineAndKey)
{
    const auto read =
        readPlan("{\n  \"schema\": 1,\n  \"name\": \"x\",\n  \"framworks\": [\"native\"]\n}", "plan.json");
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().message, "plan.json, line 1: plan has no \"frameworks\".");
    const auto extra =
        readPlan("{\"schema\": 1, \"name\": \"x\", \"frameworks\": [], \"workloads\": [],\n \"scales\": [],\n"
                 " \"repeats\": 3}",
                 "plan.json");
    ASSERT_FALSE(extra.ok());
    EXPECT_EQ(extra.error().message, "plan.json, line 3: the plan has no \"repeats\".");
}

TEST(PlanFile, RefusesANewerSchema)
{
    const auto read = readPlan("{\"schema\": 2}", "plan.json");
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().code, ErrorCode::Newer);
}

TEST(PlanFile, TheShippedPlansAreGood)
{
    const Catalog catalog = readCatalog(SCALEBOARD_SOURCE "/plugins");
    EXPECT_EQ(catalog.problems, std::vector<std::string>{});
    for (const char *name : {"first-study"}) {
        const auto shipped =
            readPlanFile(std::string(SCALEBOARD_SOURCE "/resources/plans/") + name + ".json");
        ASSERT_TRUE(shipped.ok()) << shipped.error().message;
        EXPECT_TRUE(checkPlan(*shipped, catalog.frameworks).ok());
    }
    EXPECT_TRUE(checkPlan(dlperfPlan(), catalog.frameworks).ok());
}

TEST(Launch, TakesTheGpusOfTheSetThatFits)
{
    Framework framework = native();
    framework.command = {"{program}"};
    CaseKey key;
    key.workload = "resnet50";
    key.device = "cuda";
    key.devicesPerNode = 2;
    const std::vector<LaunchPlace> places{
        {"node1", "a", "/w", "/p/sbtrain", "", "", {{2, "6,7"}, {4, "0,1,2,3"}}}};
    const auto launch = prepareLaunch(framework, key, "r1", places);
    ASSERT_TRUE(launch);
    EXPECT_EQ(launch->commands.at(1), "CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES=6,7 /p/sbtrain");
    key.devicesPerNode = 8; // all of them: nothing to choose
    EXPECT_EQ(prepareLaunch(framework, key, "r1", places)->commands.at(0), "/p/sbtrain");
    key.devicesPerNode = 2;
    key.device = "cpu";
    EXPECT_EQ(prepareLaunch(framework, key, "r1", places)->commands.at(0), "/p/sbtrain");
    // What the framework's own manifest says goes before.
    key.device = "cuda";
    framework.environment = {{"CUDA_VISIBLE_DEVICES", "0,1"}};
    EXPECT_EQ(prepareLaunch(framework, key, "r1", places)->commands.at(0),
              "CUDA_VISIBLE_DEVICES=0,1 /p/sbtrain");
}

TEST(Launch, GivesAGpuProcessOneThread)
{
    const Catalog catalog = readCatalog(SCALEBOARD_SOURCE "/plugins");
    for (const Framework &framework : catalog.frameworks) {
        if (framework.name != "native")
            continue;
        CaseKey key = expandPlan(plan(), kFrameworks, std::vector{node(2)})[0].key;
        key.device = "cuda";
        key.threadsPerDevice = 0;
        const auto launch =
            prepareLaunch(framework, key, "run", {{"n", "127.0.0.1", "/w", "/bin/sbtrain", "", ""}});
        ASSERT_TRUE(launch.ok());
        EXPECT_NE(launch->commands[0].find("--threads 1 "), std::string::npos) << launch->commands[0];
    }
}

TEST(CommandTemplate, ExpandsAndRefuses)
{
    const PlaceholderValues values{{"rank", "3"}, {"program", "/bin/x y"}};
    EXPECT_EQ(*expandTemplate("r={rank} {{x}}", values), "r=3 {x}");
    EXPECT_FALSE(expandTemplate("{rnak}", values).ok());
    EXPECT_FALSE(expandTemplate("{rank", values).ok());
    const auto command =
        expandCommand({"{program}", "{workload_arguments}", "-r"}, {"--a", "{rank}"}, values);
    EXPECT_EQ(*command, (std::vector<std::string>{"/bin/x y", "--a", "3", "-r"}));
}

TEST(Manifest, NamesFileLineAndKey)
{
    const auto unknown = readManifest(
        "{\n\"schema\": 1, \"name\": \"n\", \"title\": \"N\", \"license\": \"MIT\",\n\"program\": "
        "\"p\", \"launch\": \"per_rank\", \"devices\": [\"cpu\"], \"command\": [\"{rnak}\"],\n"
        "\"log\": {\"rule\": \"json_lines\"}, \"workloads\": []}",
        "plugin.json");
    ASSERT_FALSE(unknown.ok());
    EXPECT_EQ(unknown.error().message,
              "plugin.json, line 1: plugin: \"{rnak}\" uses the unknown placeholder {rnak}; "
              "did you mean {rank}?.");
}

Run doneRun(const CaseKey &key, int repeat)
{
    Run run;
    run.id = "x" + std::to_string(repeat);
    run.key = key;
    run.repeat = repeat;
    run.state = RunState::Done;
    run.startedUtc = "2026-01-01T00:00:00.000Z";
    run.finishedUtc = "2026-01-01T00:00:20.000Z";
    return run;
}

Sweep sweep()
{
    Sweep s;
    s.cases = expandPlan(plan(), kFrameworks, std::vector{node(2)});
    s.rule = plan().measurement;
    return s;
}

TEST(Sweep, DoesNotRepeatFinishedRuns)
{
    const Sweep s = sweep();
    const std::vector runs{doneRun(s.cases[0].key, 1), doneRun(s.cases[0].key, 3)};
    const auto items = missingItems(s, runs, kFrameworks);
    ASSERT_EQ(items.size(), 4U);
    EXPECT_EQ(items[0].run.repeat, 1);
    EXPECT_EQ(*items[0].caseIndex, 1U);
    EXPECT_EQ(items[1].run.repeat, 2);
    EXPECT_EQ(*items[1].caseIndex, 0U);
}

TEST(Sweep, TakesUpUnfinishedRunsFirst)
{
    const Sweep s = sweep();
    sb::Run begun = doneRun(s.cases[1].key, 2);
    begun.state = RunState::Running;
    const auto items = missingItems(s, std::vector{begun}, kFrameworks);
    ASSERT_EQ(items.size(), 6U); // not run twice
    EXPECT_EQ(items[0].run.id, begun.id);
}

TEST(Sweep, TriesFailedRunsAgainAndCountsThem)
{
    const Sweep s = sweep();
    sb::Run failed = doneRun(s.cases[0].key, 1);
    failed.state = RunState::Failed;
    EXPECT_EQ(missingItems(s, std::vector{failed}, kFrameworks).size(), 6U);
    const auto counts = countCases(s, std::vector{doneRun(s.cases[0].key, 1)}, {}, nullptr);
    EXPECT_EQ(counts[0], (CaseProgress{.repeats = 3, .done = 1, .failed = 2}));
}

TEST(Sweep, DoesNotCountAStoppedRunAsFailed)
{
    const Sweep s = sweep();
    sb::Run first = doneRun(s.cases[0].key, 1);
    first.state = RunState::Failed;
    sb::Run again = first;
    again.state = RunState::Cancelled;
    EXPECT_EQ(countCases(s, std::vector{first, again}, {}, nullptr)[0],
              (CaseProgress{.repeats = 3, .failed = 2, .stopped = 1}));
    EXPECT_EQ(missingItems(s, std::vector{first, again}, kFrameworks).size(), 6U);
}

TEST(Sweep, LearnsHowLongRunsTake)
{
    const Sweep s = sweep();
    EXPECT_EQ(expectedRunS(s, {}, 0), s.cases[0].estimatedRunTimeS);
    const std::vector runs{doneRun(s.cases[0].key, 1)};
    EXPECT_EQ(expectedRunS(s, runs, 0), 20.0);
    EXPECT_NEAR(*expectedRunS(s, runs, 1),
                *s.cases[1].estimatedRunTimeS * 20.0 / *s.cases[0].estimatedRunTimeS, 1e-9);
}

} // namespace
} // namespace sb
