// SPDX-License-Identifier: GPL-3.0-or-later
// The command lines of plugins that run official scripts, against those of the 2020-10 report; and what a
// plan must say for them: a folder with the scripts, data.
#include "catalog/manifest.h"
#include "core/plan.h"
#include "session/launcher.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sb {
namespace {

const Catalog &catalog()
{
    static const Catalog read = readCatalog(SCALEBOARD_SOURCE "/plugins");
    return read;
}

Plan planFor(const std::string &framework, const std::string &workload, const std::string &precision,
             int batch)
{
    Plan plan;
    plan.name = "p";
    plan.frameworks = {framework};
    plan.workloads = {{workload, {precision}, {batch}}};
    plan.scales = {{2, 8}};
    plan.device = "cuda";
    plan.sourceFolders = {{framework, "/opt/D"}};
    plan.measurement = {20, 100, 7};
    return plan;
}

std::vector<NodeFacts> twoNodes()
{
    NodeFacts node;
    node.cores = 64;
    node.gpus.resize(8);
    std::vector<NodeFacts> nodes(2, node);
    nodes[0].name = "n1";
    nodes[1].name = "n2";
    return nodes;
}

std::vector<std::string> commands(const Plan &plan)
{
    const auto checked = checkPlan(plan, catalog().frameworks);
    EXPECT_TRUE(checked.ok()) << (checked ? "" : checked.error().message);
    const auto nodes = twoNodes();
    const auto cases = expandPlan(plan, catalog().frameworks, nodes);
    EXPECT_EQ(cases.size(), 1U);
    EXPECT_FALSE(cases.front().refused()) << cases.front().refusalReason;
    const Framework *framework = findFramework(catalog().frameworks, plan.frameworks.front());
    LaunchPlace place{"n1", "10.0.0.1", "/w", framework->program, ""};
    place.filesFolder = "/f";
    LaunchPlace other = place;
    other.host = "n2";
    other.address = "10.0.0.2";
    const auto launch = prepareLaunch(*framework, cases.front().key, "run", {place, other});
    EXPECT_TRUE(launch.ok()) << (launch ? "" : launch.error().message);
    return launch ? launch->commands : std::vector<std::string>();
}

bool endsWith(const std::string &text, const std::string &end)
{
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

TEST(Recipes, NgcPyTorchResNetIsTheReports)
{
    const auto lines = commands(planFor("ngc_pytorch", "resnet50", "fp16", 256));
    ASSERT_EQ(lines.size(), 16U);
    EXPECT_TRUE(endsWith(
        lines[9],
        "python3 -u /opt/D/PyTorch/Classification/ConvNets/main.py synthetic -j8 -p 1 -b 256 --prof "
        "120 --training-only --no-checkpoints --epochs 1 --workspace /w/run-n1 --data-backend syntetic "
        "--amp --dynamic-loss-scale"))
        << lines[9];
    for (const char *variable : {"RANK=9 ", "LOCAL_RANK=1 ", "WORLD_SIZE=16 ", "MASTER_ADDR=10.0.0.1 "})
        EXPECT_NE(lines[9].find(variable), std::string::npos) << lines[9];
    Plan real = planFor("ngc_pytorch", "resnet50", "fp32", 128);
    real.data = "/data/imagenet";
    real.options = {{"dali", "on"}};
    EXPECT_TRUE(endsWith(commands(real).front(),
                         "main.py /data/imagenet -j8 -p 1 -b 128 --prof 120 --training-only "
                         "--no-checkpoints --epochs 1 --workspace /w/run --data-backend "
                         "dali-cpu"))
        << commands(real).front();
}

TEST(Recipes, NgcTensorFlowIsTheReports)
{
    Plan plan = planFor("ngc_tensorflow1", "resnet50", "fp16", 224);
    plan.options = {{"xla", "on"}};
    const auto synthetic = commands(plan);
    EXPECT_NE(synthetic[5].find(
                  "python3 /opt/D/TensorFlow/Classification/ConvNets/main.py --arch=resnet50 --mode=train "
                  "--iter_unit=batch --num_iter=120 --batch_size=224 --warmup_steps=0 --display_every=1 "
                  "--results_dir=/w/run/results --precision=fp32 --use_tf_amp --use_static_loss_scaling "
                  "--loss_scale=128 --use_xla"),
              std::string::npos)
        << synthetic[5];
    plan.data = "/data/tfrecord";
    plan.options = {{"dali", "on"}};
    EXPECT_NE(commands(plan).front().find("--data_dir=/data/tfrecord --precision=fp32 --use_tf_amp "
                                          "--use_static_loss_scaling --loss_scale=128 --use_dali "
                                          "--data_idx_dir=/data/tfrecord/dali_idx"),
              std::string::npos)
        << commands(plan).front();
    Plan bert = planFor("ngc_tensorflow1", "bert-base", "fp16", 64);
    bert.data = "/data/bert";
    for (const char *words :
         {"run_pretraining.py", "--horovod", "--train_batch_size=64", "--num_train_steps=120",
          "--max_seq_length=128", "--max_predictions_per_seq=20", "--use_fp16"})
        EXPECT_NE(commands(bert).front().find(words), std::string::npos) << words;
}

TEST(Recipes, NgcMxnetIsTheReportsWithTheTotalBatch)
{
    Plan plan = planFor("ngc_mxnet", "resnet50", "fp16", 256);
    plan.data = "/data/rec";
    const std::string line = commands(plan).front();
    for (const char *words :
         {"python3 /opt/D/MxNet/Classification/RN50v1.5/train.py --arch resnetv15 --batch-size 4096 "
          "--kv-store horovod",
          "--benchmark-iters 120 --disp-batches 1 --no-metrics", "--data-backend dali-gpu",
          "--dtype float16 --amp --input-layout NCHW --conv-layout NHWC --batchnorm-layout NHWC "
          "--pooling-layout NHWC",
          "MXNET_HOROVOD_NUM_GROUPS=16", "HOROVOD_FUSION_THRESHOLD=67108864"})
        EXPECT_NE(line.find(words), std::string::npos) << words << " in " << line;
    plan.workloads.front().precisions = {"fp32"};
    EXPECT_NE(commands(plan).front().find("--dtype float32 --input-layout NHWC"), std::string::npos);
}

TEST(Recipes, NcclTestsAreStartedByMpirunOneProcessAGpu)
{
    Plan plan = planFor("nccl_tests", "all-reduce", "fp32", 1024);
    plan.sourceFolders.clear();
    const auto lines = commands(plan);
    ASSERT_EQ(lines.size(), 16U);
    EXPECT_NE(lines[8].find("all_reduce_perf -b 1024M -e 1024M -g 1 -n 20 -w 5 -N 120"), std::string::npos)
        << lines[8];
    EXPECT_EQ(findFramework(catalog().frameworks, "nccl_tests")->launch, LaunchKind::Mpirun);
}

TEST(Recipes, NgcPyTorchBertTakesPreparedFilesOnly)
{
    Plan plan = planFor("ngc_pytorch", "bert-base", "fp16", 96);
    const auto refused = expandPlan(plan, catalog().frameworks, twoNodes());
    EXPECT_EQ(refused.front().refusal, "no such data");
    plan.data = "/data/hdf5";
    const auto lines = commands(plan);
    EXPECT_NE(lines[3].find("--local_rank=3"), std::string::npos);
    for (const char *words : {"--train_batch_size=96", "--max_steps=120", "--max_seq_length=128",
                              "--max_predictions_per_seq=20", "--input_dir=/data/hdf5 --fp16"})
        EXPECT_NE(lines[3].find(words), std::string::npos) << words << " in " << lines[3];
}

TEST(Recipes, NeedAFolderWithTheScripts)
{
    Plan plan = planFor("ngc_pytorch", "resnet50", "fp32", 128);
    plan.sourceFolders.clear();
    const auto missing = checkPlan(plan, catalog().frameworks);
    ASSERT_FALSE(missing.ok());
    EXPECT_NE(missing.error().message.find("5cc03caa153faab7a2c3b1b5b5d63663f06ce1b4"), std::string::npos)
        << missing.error().message;
    plan.sourceFolders = {{"ngc_pytorch", "relative"}};
    EXPECT_FALSE(checkPlan(plan, catalog().frameworks).ok());
}

TEST(Recipes, ALoaderNeedsAFolderOfData)
{
    Plan plan = planFor("ngc_pytorch", "resnet50", "fp32", 128);
    plan.options = {{"dali", "on"}};
    const auto checked = checkPlan(plan, catalog().frameworks);
    ASSERT_FALSE(checked.ok());
    EXPECT_NE(checked.error().message.find("needs data from a folder"), std::string::npos);
    plan.options.clear();
    // Without such data the switch says nothing and is no part of the key.
    EXPECT_FALSE(expandPlan(plan, catalog().frameworks, twoNodes()).front().key.options.contains("dali"));
    plan.data = "relative";
    EXPECT_FALSE(checkPlan(plan, catalog().frameworks).ok());
}

TEST(Recipes, WorkersAreGivenToLoadersOfFolders)
{
    Plan plan = planFor("pytorch", "resnet50", "fp32", 8);
    plan.sourceFolders.clear();
    plan.data = "/data/images";
    plan.options = {{"workers", "48"}};
    EXPECT_NE(commands(plan).front().find("--data /data/images --compile off --workers 48"),
              std::string::npos)
        << commands(plan).front();
}

} // namespace
} // namespace sb
