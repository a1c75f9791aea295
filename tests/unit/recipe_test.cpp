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

// Whole lines, for one process a node.
TEST(Recipes, TensorFlowModelsIsTheReports)
{
    Plan plan = planFor("tf_models", "resnet50", "fp16", 256);
    plan.data = "/data/tfrecord";
    plan.measurement = {100, 500, 5};
    const auto lines = commands(plan);
    ASSERT_EQ(lines.size(), 2U);
    for (const char *words :
         {"PYTHONPATH=/opt/D", "CUDA_VISIBLE_DEVICES=0,1,2,3,4,5,6,7",
          "python3 /opt/D/official/vision/image_classification/classifier_trainer.py --mode=train_and_eval "
          "--model_type=resnet --dataset=imagenet --model_dir=/w/run-n1/output --data_dir=/data/tfrecord "
          "--config_file=/f/resnet50_fp16.yaml",
          "runtime.num_gpus=8", "runtime.distribution_strategy=multi_worker_mirrored", "runtime.task_index=1",
          "runtime.all_reduce_alg=nccl", "train_dataset.batch_size=256", "train.steps=600"})
        EXPECT_NE(lines[1].find(words), std::string::npos) << words << " in " << lines[1];
    const std::string port = lines[1].substr(lines[1].find("10.0.0.1:") + 9, 5);
    EXPECT_NE(lines[1].find("10.0.0.1:" + port + ",10.0.0.2:" + port), std::string::npos) << lines[1];
    plan.scales = {{1, 4}};
    const std::string one = commands(plan).front();
    EXPECT_NE(one.find("CUDA_VISIBLE_DEVICES=0,1,2,3 "), std::string::npos) << one;
    EXPECT_NE(one.find("--params_override=runtime.num_gpus=4,train_dataset"), std::string::npos) << one;
    EXPECT_EQ(one.find("worker_hosts"), std::string::npos) << one;
}

TEST(Recipes, TensorFlowModelsBertIsTheReportsOnOneNode)
{
    Plan plan = planFor("tf_models", "bert-base", "fp16", 64);
    plan.data = "/data/wiki";
    EXPECT_EQ(expandPlan(plan, catalog().frameworks, twoNodes()).front().refusal, "too many nodes");
    plan.scales = {{1, 8}};
    const std::string line = commands(plan).front();
    for (const char *words : {"--max_seq_length=128 --max_predictions_per_seq=20 --train_batch_size=512 "
                              "--num_steps_per_epoch=120 --num_train_epochs=1 --warmup_steps=10000",
                              "--optimizer_type=adamw --num_gpus=8", "--dtype=fp16 --enable_xla=false"})
        EXPECT_NE(line.find(words), std::string::npos) << words << " in " << line;
}

TEST(Recipes, PaddleModelsIsTheReportsWithTheBatchOfANode)
{
    Plan plan = planFor("paddle_models", "resnet50", "fp16", 128);
    plan.data = "/data/imagenet";
    const auto lines = commands(plan);
    ASSERT_EQ(lines.size(), 2U);
    for (const char *words :
         {"FLAGS_fraction_of_gpu_memory_to_use=0.98",
          "python3 -u -m paddle.distributed.launch --cluster_node_ips=10.0.0.1,10.0.0.2 --node_ip=10.0.0.2 "
          "/opt/D/PaddleCV/image_classification/train.py --model=ResNet50 --data_dir=/data/imagenet",
          "--batch_size=1024 --reader_thread=8 --max_iter=120 --print_step=1",
          "--use_fp16=True --use_dynamic_loss_scaling=True --scale_loss=128"})
        EXPECT_NE(lines[1].find(words), std::string::npos) << words << " in " << lines[1];
    Plan bert = planFor("paddle_models", "bert-base", "fp32", 64);
    bert.data = "/data/wiki";
    bert.scales = {{1, 1}};
    const std::string line = commands(bert).front(); // its batch is counted in tokens
    for (const char *words : {"BERT/train.py --is_distributed false --use_cuda true --weight_sharing true "
                              "--batch_size 8192 --data_dir /data/wiki",
                              "--num_train_steps 120 --max_seq_len 128 --skip_steps 1", "--use_fp16 false"})
        EXPECT_NE(line.find(words), std::string::npos) << words << " in " << line;
}

TEST(Recipes, OneFlowBenchmarkIsTheReports)
{
    Plan plan = planFor("oneflow_benchmark", "resnet50", "fp16", 128);
    plan.data = "/data/ofrecord";
    const auto lines = commands(plan);
    ASSERT_EQ(lines.size(), 2U); // the same on every node; it knows itself by its address
    for (const std::string &line : lines)
        for (const char *words :
             {"NCCL_LAUNCH_MODE=PARALLEL", "PYTHONUNBUFFERED=1",
              "python3 /opt/D/Classification/cnns/of_cnn_train_val.py --num_examples=245760 --num_nodes=2 "
              "--gpu_num_per_node=8 --node_ips=10.0.0.1,10.0.0.2",
              "--loss_print_every_n_iter=20 --batch_size_per_device=128", "--num_epoch=1",
              "--train_data_dir=/data/ofrecord/train --train_data_part_num=256",
              "--use_fp16 --channel_last=True --pad_output --fuse_bn_relu=True --fuse_bn_add_relu=True "
              "--nccl_fusion_threshold_mb=16 --nccl_fusion_max_ops=24 --gpu_image_decoder=True"})
            EXPECT_NE(line.find(words), std::string::npos) << words << " in " << line;
    Plan bert = planFor("oneflow_benchmark", "bert-base", "fp32", 96);
    bert.data = "/data/bert";
    for (const char *words : {"--batch_size_per_device=96 --iter_num=120 --loss_print_every_n_iter=20 "
                              "--seq_length=128 --max_predictions_per_seq=20",
                              "--data_dir=/data/bert --data_part_num=32"})
        EXPECT_NE(commands(bert)[1].find(words), std::string::npos) << words;
}

TEST(Recipes, PyTorchExamplesIsTheReports)
{
    Plan plan = planFor("pytorch_examples", "resnet50", "fp32", 128);
    plan.data = "/data/imagenet";
    plan.options = {{"workers", "48"}};
    const auto lines = commands(plan);
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_NE(lines[1].find("python3 -u /opt/D/imagenet/main.py -a resnet50 --multiprocessing-distributed "
                            "--dist-backend nccl --dist-url tcp://10.0.0.1:"),
              std::string::npos)
        << lines[1];
    EXPECT_TRUE(endsWith(lines[1], " --world-size 2 --rank 1 --epochs 1 --print-freq 1 --batch-size 1024 "
                                   "--workers 48 /data/imagenet"))
        << lines[1];
}

TEST(Recipes, GluonIsTheReports)
{
    Plan plan = planFor("gluon_cv", "resnet50", "fp16", 128);
    plan.data = "/data/rec";
    auto lines = commands(plan);
    ASSERT_EQ(lines.size(), 16U); // by mpirun, one a GPU
    EXPECT_NE(lines[9].find("train_horovod.py --mode=hybrid --model=resnet50_v1b --use-rec "
                            "--rec-train=/data/rec/train.rec --rec-val=/data/rec/val.rec --batch-size=128 "
                            "--log-interval=1 --save-frequency=10000 --lr=0.001 --momentum=0.875 "
                            "--wd=0.000030518 --num-epochs=1 --warmup-epochs=1 --dtype=float16"),
              std::string::npos)
        << lines[9];
    plan = planFor("gluon_nlp", "bert-base", "fp32", 32);
    plan.data = "/data/npz";
    plan.measurement = {100, 100, 7};
    lines = commands(plan);
    ASSERT_EQ(lines.size(), 16U);
    for (const char *words : {"run_pretraining.py --model bert_12_768_12 --warmup_ratio 1 --comm_backend "
                              "horovod --total_batch_size 512",
                              "--max_seq_length 128 --max_predictions_per_seq 20 --num_steps 200 "
                              "--log_interval 1",
                              "--dtype float32"})
        EXPECT_NE(lines[0].find(words), std::string::npos) << words << " in " << lines[0];
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
