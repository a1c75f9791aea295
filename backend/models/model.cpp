// SPDX-License-Identifier: Apache-2.0
#include "model.h"

#include "../random.h"

#include <array>

namespace sbtrain {

namespace {

constexpr OptimizerSettings kSgd{.kind = OptimizerKind::Sgd, .learning_rate = 0.1, .weight_decay = 1e-4};
constexpr OptimizerSettings kAdamW{
    .kind = OptimizerKind::AdamW, .learning_rate = 1e-4, .weight_decay = 0.01, .eps = 1e-6, .clip_norm = 1.0};

constexpr std::array<ModelInfo, 7> kModels{{
    {"resnet50", "ResNet-50 v1.5, 1000 classes", "images", 224, kSgd, true, build_resnet50},
    {"resnet20-cifar", "ResNet-20 for 32x32 images, 10 classes", "images", 32, kSgd, true,
     build_cifar_resnet},
    {"resnet56-cifar", "ResNet-56 for 32x32 images, 10 classes", "images", 32, kSgd, true,
     build_cifar_resnet},
    {"resnet110-cifar", "ResNet-110 for 32x32 images, 10 classes", "images", 32, kSgd, true,
     build_cifar_resnet},
    {"bert-base", "BERT-base pre-training (masked tokens + next sentence)", "sequences", 128, kAdamW, false,
     build_bert},
    {"bert-large", "BERT-large pre-training (masked tokens + next sentence)", "sequences", 128, kAdamW, false,
     build_bert},
    {"bert-tiny", "BERT with 2 layers of 128, pre-training", "sequences", 128, kAdamW, false, build_bert},
}};

} // namespace

std::span<const ModelInfo> all_models()
{
    return kModels;
}

const ModelInfo *find_model(std::string_view name)
{
    for (const ModelInfo &info : kModels) {
        if (info.name == name)
            return &info;
    }
    return nullptr;
}

void write_initial_parameters(Program &program, const Graph &graph, std::uint64_t seed)
{
    const Stream stream(seed, kInitStream);
    std::vector<float> values;
    for (std::size_t i = 0; i < graph.parameters.size(); ++i) {
        const Parameter &parameter = graph.parameters[i];
        values.assign(static_cast<std::size_t>(parameter.count), parameter.init.value);
        if (parameter.init.kind == Init::Kind::Uniform) {
            const auto first = static_cast<std::uint64_t>(parameter.offset);
            for (std::size_t j = 0; j < values.size(); ++j)
                values[j] *= 2.0F * stream.unit(first + j) - 1.0F;
        }
        program.write_parameter(ParameterId{i}, values);
    }
}

} // namespace sbtrain
