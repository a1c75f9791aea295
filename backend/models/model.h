// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../device.h"

#include <string_view>

namespace sbtrain {

// What a user may change about a model. Absent: the model's own value.
struct ModelSettings {
    std::int64_t batch_size = 1;
    std::optional<std::int64_t> image_size = std::nullopt;
    std::optional<std::int64_t> sequence_length = std::nullopt;
    std::optional<double> dropout = std::nullopt;
    double label_smoothing = 0.0;
    bool zero_init_residual =
        false; // last gamma of every residual block starts at 0: blocks start as identity
};

struct ModelInfo {
    std::string_view name;
    std::string_view title;
    std::string_view unit;            // what a sample is: "images" or "sequences"
    std::int64_t size = 0;            // default image size or sequence length
    OptimizerSettings optimizer;      // default; the learning rate is that of a global batch of 256 for SGD
    bool scale_learning_rate = false; // multiply by global batch / 256
    Result<Graph> (*build)(const ModelInfo &info, const ModelSettings &settings) = nullptr;
};

std::span<const ModelInfo> all_models();
const ModelInfo *find_model(std::string_view name);

// Fills every parameter with its initial values, a function of the seed alone: element i of the logical
// arena is constant, or value * (2 * unit(i) - 1) of Stream(seed, kInitStream).
void write_initial_parameters(Program &program, const Graph &graph, std::uint64_t seed);

Result<Graph> build_resnet50(const ModelInfo &info, const ModelSettings &settings);
Result<Graph> build_cifar_resnet(const ModelInfo &info, const ModelSettings &settings);
Result<Graph> build_bert(const ModelInfo &info, const ModelSettings &settings);

} // namespace sbtrain
