// SPDX-License-Identifier: GPL-3.0-or-later
#include "report_values.h"

#include <algorithm>
#include <array>

namespace sb::test {

namespace {

struct Published {
    const char *name;
    const char *title;
    std::array<double, 4> rate;
};

constexpr std::array<int, 4> kDevices{1, 8, 16, 32};
constexpr std::array<Published, 8> kPublished{{
    {"oneflow", "OneFlow", {397.64, 3130.34, 6260.30, 12411.97}},
    {"ngc_mxnet", "NGC MXNet", {392.24, 3006.98, 5758.49, 11331.93}},
    {"ngc_pytorch", "NGC PyTorch", {367.29, 2887.65, 5716.79, 10917.09}},
    {"pytorch", "PyTorch", {348.62, 2632.93, 5115.40, 10021.29}},
    {"mxnet", "MXNet", {384.19, 2556.03, 4855.34, 9579.74}},
    {"ngc_tensorflow1", "NGC TensorFlow 1.x", {362.44, 2721.98, 5099.42, 9514.64}},
    {"tensorflow2", "TensorFlow 2.x", {321.80, 2458.74, 4849.68, 9418.44}},
    {"paddlepaddle", "PaddlePaddle", {352.72, 2625.38, 4895.27, 9348.17}},
}};

NodeFacts madeNode(int index)
{
    NodeFacts node;
    node.name = "node" + std::to_string(index + 1);
    node.os = "Ubuntu 16.04";
    node.cpuModel = "Intel Xeon Gold 6148";
    node.cores = 40;
    node.memoryBytes = 404e9;
    node.driverVersion = "440.33.01";
    node.cudaVersion = "10.2";
    for (int gpu = 0; gpu < 8; ++gpu)
        node.gpus.push_back({gpu, "Tesla V100-SXM2-16GB", std::nullopt, std::nullopt, 16.9e9});
    return node;
}

Run madeRun(const Published &entry, std::size_t scale, int repeat, int repeats)
{
    Run run;
    run.key.framework = entry.name;
    run.key.workload = "resnet50";
    run.key.precision = "fp32";
    run.key.device = "cuda";
    run.key.data = "synthetic";
    run.key.batchSizePerDevice = 128;
    run.key.nodes = std::max(1, kDevices.at(scale) / 8);
    run.key.devicesPerNode = kDevices.at(scale) / run.key.nodes;
    run.key.warmupSteps = 20;
    run.key.measuredSteps = 100;
    run.caseName = caseId(run.key);
    run.id = "20201015-12000" + std::to_string(repeat) + "-" + run.caseName + "-r" + std::to_string(repeat);
    run.frameworkTitle = entry.title;
    run.workloadTitle = "ResNet-50 v1.5";
    run.unit = "images";
    run.datasetSize = 1281167;
    run.repeat = repeat;
    run.state = RunState::Done;
    run.createdUtc = "2020-10-15T12:00:0" + std::to_string(repeat) + "Z";
    run.startedUtc = run.createdUtc;
    run.finishedUtc = "2020-10-15T12:03:0" + std::to_string(repeat) + "Z";
    for (int node = 0; node < run.key.nodes; ++node) {
        run.nodeFacts.push_back(madeNode(node));
        run.hosts.push_back(run.nodeFacts.back().name);
    }
    run.commands.push_back("python3 train.py --batch-size 128 --rank 0");
    run.facts.programVersion = "0.2.0";
    // The middle repeat is the published median; the others lie around it.
    const double offset = static_cast<double>(repeat) - (repeats + 1) / 2.0;
    const double rate = entry.rate.at(scale) * (1 + 0.002 * offset);
    run.measurement = Measurement{rate, 128e3 * kDevices.at(scale) / rate, {}, {}, {}, {}, 21, 120};
    return run;
}

} // namespace

std::vector<Run> publishedRuns(int frameworks, int repeats)
{
    std::vector<Run> runs;
    for (std::size_t f = 0; f < static_cast<std::size_t>(frameworks); ++f)
        for (std::size_t scale = 0; scale < kDevices.size(); ++scale)
            for (int repeat = 1; repeat <= repeats; ++repeat)
                runs.push_back(madeRun(kPublished.at(f), scale, repeat, repeats));
    return runs;
}

} // namespace sb::test
