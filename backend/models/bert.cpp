// SPDX-License-Identifier: Apache-2.0

// BERT pre-training (Devlin et al., 2018): an encoder, a head that guesses masked tokens and one that says
// whether the second segment follows the first.

#include "model.h"

namespace sbtrain {

namespace {

struct BertSize {
    int layers = 0;
    std::int64_t width = 0; // C
    int heads = 0;
};

constexpr std::int64_t kVocabulary = 30522;
constexpr std::int64_t kMaxPositions = 512;
constexpr float kInit = 0.034641016F; // uniform with the standard deviation 0.02 of the paper

struct Builder {
    Graph &graph;
    BertSize size;
    float dropout;
    ParameterId token_table;

    // (N * T) token ids -> (N * T, C)
    TensorId embed()
    {
        const Init uniform{Init::Kind::Uniform, kInit};
        const std::int64_t c = size.width;
        Embedding node;
        node.token = token_table = graph.add_parameter("embedding.token", {kVocabulary, c}, uniform, true);
        node.position = graph.add_parameter("embedding.position", {kMaxPositions, c}, uniform, true);
        node.segment = graph.add_parameter("embedding.segment", {2, c}, uniform, true);
        add_norm("embedding.norm", node.gamma, node.beta);
        node.sequence_length = graph.sequence_length;
        node.dropout = dropout;
        node.y = graph.add_tensor({graph.batch_size * graph.sequence_length, c});
        graph.nodes.emplace_back(node);
        return node.y;
    }

    TensorId encoder_layer(TensorId x, const std::string &name)
    {
        const std::int64_t c = size.width;
        const TensorId qkv = linear(x, name + ".attention.qkv", 3 * c); // (N * T, 3 C)
        TensorId y = attention(qkv);                                    // (N * T, C)
        y = linear(y, name + ".attention.output", c);
        x = add_norm(y, x, name + ".attention.norm");
        y = linear(x, name + ".ffn.inner", 4 * c, Activation::Gelu); // (N * T, 4 C)
        y = linear(y, name + ".ffn.output", c);                      // (N * T, C)
        return add_norm(y, x, name + ".ffn.norm");
    }

    TensorId attention(TensorId qkv)
    {
        const std::int64_t t = graph.sequence_length;
        Attention node;
        node.qkv = qkv;
        node.sequence_length = t;
        node.heads = size.heads;
        node.dropout = dropout;
        node.y = graph.add_tensor({graph.tensors[qkv.index].n, size.width});
        graph.nodes.emplace_back(node);
        // q k^T and p v: T * T * C multiply-adds each; four products of that size in backward.
        graph.flops_per_sample += 2.0 * 6.0 * static_cast<double>(t * t * size.width);
        return node.y;
    }

    TensorId linear(TensorId x, const std::string &name, std::int64_t features,
                    Activation activation = Activation::None)
    {
        return graph.linear(
            x, {.name = name, .out_features = features, .activation = activation, .init = kInit});
    }

    // layer_norm(dropout(x) + residual); without residual also without dropout
    TensorId add_norm(TensorId x, std::optional<TensorId> residual, const std::string &name)
    {
        DropoutAddNorm node;
        node.x = x;
        node.residual = residual;
        add_norm(name, node.gamma, node.beta);
        node.dropout = residual ? dropout : 0.0F;
        node.y = graph.add_tensor(graph.tensors[x.index]);
        graph.nodes.emplace_back(node);
        return node.y;
    }

    void add_norm(const std::string &name, ParameterId &gamma, ParameterId &beta)
    {
        gamma = graph.add_parameter(name + ".gamma", {size.width}, {Init::Kind::Constant, 1.0F}, false);
        beta = graph.add_parameter(name + ".beta", {size.width}, {}, false);
    }

    TensorId gather(TensorId x, std::optional<Input> positions)
    {
        GatherRows node;
        node.x = x;
        node.positions = positions;
        node.sequence_length = graph.sequence_length;
        node.y = graph.add_tensor({graph.batch_size * (positions ? graph.masked_positions : 1), size.width});
        graph.nodes.emplace_back(node);
        return node.y;
    }

    // Only the masked rows meet the vocabulary: 20 instead of 128 a sequence.
    void add_heads(TensorId x)
    {
        TensorId y = gather(x, Input::MaskedPositions); // (N * P, C)
        y = linear(y, "masked.dense", size.width, Activation::Gelu);
        y = add_norm(y, std::nullopt, "masked.norm");
        y = graph.linear(y, {.name = "masked.decoder",
                             .out_features = kVocabulary,
                             .tied_weight = token_table}); // (N * P, V)
        graph.cross_entropy(y, Input::MaskedLabels, 0.0F);

        y = gather(x, std::nullopt); // (N, C)
        y = linear(y, "next.pooler", size.width, Activation::Tanh);
        y = linear(y, "next.classifier", 2);
        graph.cross_entropy(y, Input::NextSentence, 0.0F);
    }
};

} // namespace

Result<Graph> build_bert(const ModelInfo &info, const ModelSettings &settings)
{
    const std::int64_t length = settings.sequence_length.value_or(info.size);
    if (length > kMaxPositions)
        return Error{ExitCode::Unsupported,
                     std::string(info.name) + " has positions for " + std::to_string(kMaxPositions) +
                         " tokens, not " + std::to_string(length) + ": choose a shorter --sequence-length"};
    Graph graph;
    graph.batch_size = settings.batch_size;
    graph.sequence_length = length;
    graph.masked_positions = (15 * length + 99) / 100; // 15 %, rounded up: 20 of 128
    graph.classes = kVocabulary;
    const BertSize size = info.name == "bert-base"    ? BertSize{12, 768, 12}
                          : info.name == "bert-large" ? BertSize{24, 1024, 16}
                                                      : BertSize{2, 128, 2};
    Builder builder{graph, size, static_cast<float>(settings.dropout.value_or(0.1)), {}};
    TensorId x = builder.embed();
    for (int layer = 0; layer < size.layers; ++layer)
        x = builder.encoder_layer(x, "layer" + std::to_string(layer + 1));
    builder.add_heads(x);
    return graph;
}

} // namespace sbtrain
