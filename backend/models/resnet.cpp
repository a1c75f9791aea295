// SPDX-License-Identifier: Apache-2.0

// Residual networks (He et al., "Deep Residual Learning for Image Recognition", 2015).

#include "model.h"

#include <array>
#include <cmath>

namespace sbtrain {

namespace {

// Where the images come in: x is (N, 3, S, S).
Result<TensorId> add_image_input(Graph &graph, const ModelInfo &info, const ModelSettings &settings,
                                 std::int64_t multiple)
{
    const std::int64_t size = settings.image_size.value_or(info.size);
    if (size % multiple != 0)
        return Error{ExitCode::Unsupported, std::string(info.name) + " cannot take images of " +
                                                std::to_string(size) + " pixels: choose a multiple of " +
                                                std::to_string(multiple) + " for --image-size"};
    graph.batch_size = settings.batch_size;
    graph.images = graph.add_tensor({settings.batch_size, 3, size, size});
    return *graph.images;
}

// The classifier and its loss. The weights start uniform with variance 1 / (3 C), as PyTorch's do.
void add_classifier(Graph &graph, TensorId x, std::int64_t classes, double smoothing)
{
    graph.classes = classes;
    const TensorId pooled = graph.average_pool(x); // (N, C)
    const auto features = static_cast<float>(graph.tensors[pooled.index].c);
    const TensorId logits = graph.linear(
        pooled, {.name = "fc", .out_features = classes, .init = 1.0F / std::sqrt(features)}); // (N, classes)
    graph.cross_entropy(logits, Input::Labels, static_cast<float>(smoothing));
}

struct BlockSpec {
    std::string name;
    std::int64_t width = 0; // channels of the 3x3 convolutions
    int stride = 1;         // of the block's first 3x3 convolution
    float last_gamma = 1.0F;
};

// 1x1 reduce, 3x3, 1x1 expand to 4 * width. "v1.5": the stride sits in the 3x3, not in the first 1x1.
TensorId bottleneck(Graph &graph, TensorId x, const BlockSpec &spec)
{
    const std::int64_t out = 4 * spec.width;
    TensorId y = graph.conv_bn(x, {.name = spec.name + ".conv1", .out_channels = spec.width});
    y = graph.conv_bn(
        y, {.name = spec.name + ".conv2", .out_channels = spec.width, .kernel = 3, .stride = spec.stride});
    TensorId shortcut = x;
    if (spec.stride != 1 || graph.tensors[x.index].c != out) {
        shortcut = graph.conv_bn(
            x, {.name = spec.name + ".shortcut", .out_channels = out, .stride = spec.stride, .relu = false});
    }
    return graph.conv_bn(
        y,
        {.name = spec.name + ".conv3", .out_channels = out, .residual = shortcut, .gamma = spec.last_gamma});
}

// Two 3x3 convolutions. Where the shape changes the shortcut is a 1x1 convolution (option B of the paper).
TensorId basic_block(Graph &graph, TensorId x, const BlockSpec &spec)
{
    const TensorId y = graph.conv_bn(
        x, {.name = spec.name + ".conv1", .out_channels = spec.width, .kernel = 3, .stride = spec.stride});
    TensorId shortcut = x;
    if (spec.stride != 1) {
        shortcut = graph.conv_bn(x, {.name = spec.name + ".shortcut",
                                     .out_channels = spec.width,
                                     .stride = spec.stride,
                                     .relu = false});
    }
    return graph.conv_bn(y, {.name = spec.name + ".conv2",
                             .out_channels = spec.width,
                             .kernel = 3,
                             .residual = shortcut,
                             .gamma = spec.last_gamma});
}

} // namespace

// 25,557,032 parameters, 4.09 G multiply-adds an image of 224 x 224 forward.
Result<Graph> build_resnet50(const ModelInfo &info, const ModelSettings &settings)
{
    Graph graph;
    Result<TensorId> images = add_image_input(graph, info, settings, 32);
    if (!images)
        return images.error();

    // (N, 3, 224, 224) -> (N, 64, 112, 112) -> (N, 64, 56, 56)
    TensorId x = graph.conv_bn(*images, {.name = "stem", .out_channels = 64, .kernel = 7, .stride = 2});
    x = graph.max_pool(x);

    // (N, 256, 56, 56), (N, 512, 28, 28), (N, 1024, 14, 14), (N, 2048, 7, 7)
    constexpr std::array<int, 4> kBlocks{3, 4, 6, 3};
    for (std::size_t stage = 0; stage < kBlocks.size(); ++stage) {
        for (int block = 0; block < kBlocks[stage]; ++block) {
            BlockSpec spec;
            spec.name = "stage" + std::to_string(stage + 1) + ".block" + std::to_string(block + 1);
            spec.width = std::int64_t{64} << stage;
            spec.stride = stage > 0 && block == 0 ? 2 : 1;
            spec.last_gamma = settings.zero_init_residual ? 0.0F : 1.0F;
            x = bottleneck(graph, x, spec);
        }
    }
    add_classifier(graph, x, 1000, settings.label_smoothing);
    return graph;
}

// Depth 6 n + 2: a 3x3 convolution, three stages of n blocks with 16, 32 and 64 channels, a classifier.
Result<Graph> build_cifar_resnet(const ModelInfo &info, const ModelSettings &settings)
{
    const int blocks = info.name == "resnet20-cifar" ? 3 : info.name == "resnet56-cifar" ? 9 : 18;
    Graph graph;
    Result<TensorId> images = add_image_input(graph, info, settings, 4);
    if (!images)
        return images.error();

    // (N, 3, 32, 32) -> (N, 16, 32, 32) -> (N, 32, 16, 16) -> (N, 64, 8, 8)
    TensorId x = graph.conv_bn(*images, {.name = "stem", .out_channels = 16, .kernel = 3});
    for (int stage = 0; stage < 3; ++stage) {
        for (int block = 0; block < blocks; ++block) {
            BlockSpec spec;
            spec.name = "stage" + std::to_string(stage + 1) + ".block" + std::to_string(block + 1);
            spec.width = std::int64_t{16} << stage;
            spec.stride = stage > 0 && block == 0 ? 2 : 1;
            spec.last_gamma = settings.zero_init_residual ? 0.0F : 1.0F;
            x = basic_block(graph, x, spec);
        }
    }
    add_classifier(graph, x, 10, settings.label_smoothing);
    return graph;
}

} // namespace sbtrain
