// SPDX-License-Identifier: Apache-2.0

// Every operation of the CPU device: its gradients against finite differences, in small graphs in which the
// operation under test sits between others, so that its input gradient is checked through them.

#include "training.h"

#include <gtest/gtest.h>

namespace sbtrain::test {
namespace {

constexpr std::int64_t kBatch = 3;
constexpr std::int64_t kClasses = 5;

Graph image_graph(std::int64_t size)
{
    Graph graph;
    graph.batch_size = kBatch;
    graph.classes = kClasses;
    graph.images = graph.add_tensor({kBatch, 3, size, size});
    return graph;
}

void finish(Graph &graph, TensorId x, float smoothing = 0.0F)
{
    x = graph.average_pool(x);
    x = graph.linear(x, {.name = "fc", .out_features = kClasses, .init = 0.5F});
    graph.cross_entropy(x, Input::Labels, smoothing);
}

void check(const Graph &graph, const ProgramSettings &settings = {})
{
    expect_gradients_match_differences(graph, settings, random_batch(graph, 11));
}

struct ConvCase {
    int kernel;
    int stride;
};

class ConvGradient : public testing::TestWithParam<ConvCase> {};

TEST_P(ConvGradient, MatchesFiniteDifferences)
{
    Graph graph = image_graph(12);
    TensorId x = graph.conv_bn(*graph.images, {.name = "first", .out_channels = 16, .kernel = 3});
    x = graph.conv_bn(
        x, {.name = "tested", .out_channels = 32, .kernel = GetParam().kernel, .stride = GetParam().stride});
    finish(graph, x);
    check(graph);
}

INSTANTIATE_TEST_SUITE_P(Shapes, ConvGradient,
                         testing::Values(ConvCase{1, 1}, ConvCase{1, 2}, ConvCase{3, 1}, ConvCase{3, 2},
                                         ConvCase{7, 2}),
                         [](const testing::TestParamInfo<ConvCase> &tested) {
                             return "Kernel" + std::to_string(tested.param.kernel) + "Stride" +
                                    std::to_string(tested.param.stride);
                         });

TEST(Gradient, OfResidualBlockWithTwoReadersMatches)
{
    Graph graph = image_graph(8);
    const TensorId x = graph.conv_bn(*graph.images, {.name = "stem", .out_channels = 16, .kernel = 3});
    TensorId y = graph.conv_bn(x, {.name = "conv1", .out_channels = 16, .kernel = 3});
    y = graph.conv_bn(y, {.name = "conv2", .out_channels = 16, .kernel = 3, .residual = x});
    finish(graph, y);
    check(graph);
}

TEST(Gradient, OfProjectedShortcutMatches)
{
    Graph graph = image_graph(8);
    const TensorId x = graph.conv_bn(*graph.images, {.name = "stem", .out_channels = 16, .kernel = 3});
    const TensorId shortcut =
        graph.conv_bn(x, {.name = "shortcut", .out_channels = 32, .stride = 2, .relu = false});
    TensorId y = graph.conv_bn(x, {.name = "conv1", .out_channels = 32, .kernel = 3, .stride = 2});
    y = graph.conv_bn(y, {.name = "conv2", .out_channels = 32, .kernel = 3, .residual = shortcut});
    finish(graph, y);
    check(graph);
}

TEST(Gradient, WithFrozenStatisticsMatches)
{
    Graph graph = image_graph(8);
    const TensorId x = graph.conv_bn(*graph.images, {.name = "stem", .out_channels = 16, .kernel = 3});
    const TensorId y = graph.conv_bn(x, {.name = "conv1", .out_channels = 16, .kernel = 3, .residual = x});
    finish(graph, y);
    ProgramSettings settings;
    settings.freeze_bn = true;
    check(graph, settings);
}

TEST(Gradient, OfMaxPoolMatches)
{
    for (const std::int64_t size : {8, 7}) { // even, and odd with windows cut at both ends
        Graph graph = image_graph(size);
        TensorId x =
            graph.conv_bn(*graph.images, {.name = "stem", .out_channels = 16, .kernel = 3, .relu = false});
        x = graph.max_pool(x);
        finish(graph, x);
        check(graph);
    }
}

TEST(Gradient, WithLabelSmoothingMatches)
{
    Graph graph = image_graph(8);
    finish(graph, graph.conv_bn(*graph.images, {.name = "stem", .out_channels = 16, .kernel = 3}), 0.2F);
    check(graph);
}

// ---- sequences ----

constexpr std::int64_t kLength = 12;
constexpr std::int64_t kWidth = 32;
constexpr std::int64_t kVocabulary = 40;

struct SequenceGraph {
    Graph graph;
    ParameterId token;
    TensorId embedded;

    explicit SequenceGraph(float dropout = 0.0F)
    {
        graph.batch_size = kBatch;
        graph.sequence_length = kLength;
        graph.masked_positions = 4;
        graph.classes = kVocabulary;
        const Init uniform{Init::Kind::Uniform, 0.5F};
        Embedding node;
        node.token = token = graph.add_parameter("token", {kVocabulary, kWidth}, uniform, true);
        node.position = graph.add_parameter("position", {kLength, kWidth}, uniform, true);
        node.segment = graph.add_parameter("segment", {2, kWidth}, uniform, true);
        add_norm(node.gamma, node.beta, "embedding");
        node.sequence_length = kLength;
        node.dropout = dropout;
        node.y = embedded = graph.add_tensor({kBatch * kLength, kWidth});
        graph.nodes.emplace_back(node);
    }

    void add_norm(ParameterId &gamma, ParameterId &beta, const std::string &name)
    {
        gamma = graph.add_parameter(name + ".gamma", {kWidth}, {Init::Kind::Constant, 1.0F}, false);
        beta = graph.add_parameter(name + ".beta", {kWidth}, {}, false);
    }

    TensorId attention(TensorId x, float dropout)
    {
        Attention node;
        node.qkv = graph.linear(x, {.name = "qkv", .out_features = 3 * kWidth, .init = 0.4F});
        node.sequence_length = kLength;
        node.heads = 2;
        node.dropout = dropout;
        node.y = graph.add_tensor({kBatch * kLength, kWidth});
        graph.nodes.emplace_back(node);
        return node.y;
    }

    TensorId norm(TensorId x, std::optional<TensorId> residual, float dropout)
    {
        DropoutAddNorm node;
        node.x = x;
        node.residual = residual;
        add_norm(node.gamma, node.beta, "norm");
        node.dropout = dropout;
        node.y = graph.add_tensor({kBatch * kLength, kWidth});
        graph.nodes.emplace_back(node);
        return node.y;
    }

    TensorId gather(TensorId x, std::optional<Input> positions)
    {
        GatherRows node;
        node.x = x;
        node.positions = positions;
        node.sequence_length = kLength;
        node.y = graph.add_tensor({kBatch * (positions ? graph.masked_positions : 1), kWidth});
        graph.nodes.emplace_back(node);
        return node.y;
    }

    void finish(TensorId x)
    {
        x = gather(x, Input::MaskedPositions);
        x = graph.linear(x, {.name = "decoder", .out_features = kVocabulary, .init = 0.3F});
        graph.cross_entropy(x, Input::MaskedLabels, 0.0F);
    }
};

TEST(Gradient, OfEmbeddingMatches)
{
    SequenceGraph built;
    built.finish(built.embedded);
    check(built.graph);
}

TEST(Gradient, OfAttentionWithPaddingMatches)
{
    SequenceGraph built;
    built.finish(built.attention(built.embedded, 0.0F));
    check(built.graph);
}

TEST(Gradient, OfDropoutEverywhereMatches)
{
    SequenceGraph built(0.2F);
    const TensorId y = built.attention(built.embedded, 0.2F);
    built.finish(built.norm(y, built.embedded, 0.2F));
    check(built.graph);
}

TEST(Gradient, OfNormWithoutResidualMatches)
{
    SequenceGraph built;
    built.finish(built.norm(built.embedded, std::nullopt, 0.3F));
    check(built.graph);
}

TEST(Gradient, OfActivationsMatches)
{
    for (const Activation activation : {Activation::None, Activation::Gelu, Activation::Tanh}) {
        SequenceGraph built;
        const TensorId x = built.graph.linear(
            built.embedded,
            {.name = "dense", .out_features = kWidth, .activation = activation, .init = 0.3F});
        built.finish(x);
        check(built.graph);
    }
}

TEST(Gradient, OfTiedDecoderAndTwoHeadsMatches)
{
    SequenceGraph built;
    Graph &graph = built.graph;
    TensorId x = built.gather(built.embedded, Input::MaskedPositions);
    x = graph.linear(x, {.name = "decoder", .out_features = kVocabulary, .tied_weight = built.token});
    graph.cross_entropy(x, Input::MaskedLabels, 0.0F);
    x = built.gather(built.embedded, std::nullopt);
    x = graph.linear(x, {.name = "next", .out_features = 2, .init = 0.5F});
    graph.cross_entropy(x, Input::NextSentence, 0.0F);
    check(graph);
}

} // namespace
} // namespace sbtrain::test
