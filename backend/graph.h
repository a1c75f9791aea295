// SPDX-License-Identifier: Apache-2.0
#pragma once

// A model, written down once and without a device: which operations follow each other, on which
// activations, with which parameters. Model files (models/) build a Graph; a device (device.h) compiles
// it into a Program that runs forward, backward and the optimizer. Because the device sees the whole
// graph before the first step it may choose layouts, plan addresses by lifetime over the step, fuse
// neighbours (statistics in a convolution's epilogue, mask and sums in the next one's input gradient,
// stem + pooling) and record everything into one CUDA graph, while this file stays as it is.
//
// The operations are the units that are worth fusing, not the smallest ones. Nodes are in forward order:
// an activation is written by exactly one node, before every node that reads it. The backward pass is
// the list in reverse; the gradient of an activation is the sum over its readers.

#include "tensor.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sbtrain {

// How a parameter starts (see random.h for the generator): every element `value`, or uniform in
// [-value, value).
struct Init {
    enum class Kind { Constant, Uniform };
    Kind kind = Kind::Constant;
    float value = 0.0F;
};

// One named range of the flat parameter arena. Offset and count are in elements, in the logical order:
// row-major over `shape` (convolutions (out, in, kh, kw), matrices (out, in)).
struct Parameter {
    std::string name;
    std::vector<std::int64_t> shape;
    std::int64_t offset = 0;
    std::int64_t count = 0;
    bool decay = true; // takes part in weight decay (weights do, biases and norm scales do not)
    Init init;
};

// What a batch brings. Images are float32 (N, C, H, W); everything else is int32.
enum class Input {
    Images,          // (N, C, H, W)
    Labels,          // (N)       class of the image
    Tokens,          // (N, T)    token ids
    Segments,        // (N, T)    0 or 1
    Lengths,         // (N)       tokens at and after the length are padding: no one attends to them
    MaskedPositions, // (N, P)    positions in the sequence, 0 .. T-1
    MaskedLabels,    // (N, P)    the token that was there
    NextSentence,    // (N)       0 or 1
};

enum class Activation { None, Gelu, Tanh }; // Gelu: the tanh form, see cuda/gelu.cuh

// y = act(batch_norm(conv(x)) [+ residual]), act = ReLU or nothing. No convolution bias.
// Statistics are those of this process's batch (biased variance in y, unbiased in the running one).
struct ConvBn {
    TensorId x;                       // (N, C, H, W)
    std::optional<TensorId> residual; // shape of y
    TensorId y;                       // (N, K, P, Q)
    ParameterId weight;               // (K, C, kernel, kernel)
    ParameterId gamma;                // (K)
    ParameterId beta;                 // (K)
    int kernel = 1;
    int stride = 1;
    int pad = 0;
    bool relu = true;
    float eps = 1e-5F;
    float momentum = 0.1F; // of the running statistics: r = (1 - momentum) r + momentum * batch
};

// 3x3 windows, stride 2, padding 1 (the padding never wins).
struct MaxPool {
    TensorId x; // (N, C, H, W)
    TensorId y; // (N, C, (H + 1) / 2, (W + 1) / 2)
};

// Mean over H and W.
struct AveragePool {
    TensorId x; // (N, C, H, W)
    TensorId y; // (N, C)
};

// y = act(x * weight^T + bias). A decoder tied to the embedding table names the table as its weight;
// the two gradients add up.
struct Linear {
    TensorId x;         // (rows, C)
    TensorId y;         // (rows, K)
    ParameterId weight; // (K, C)
    ParameterId bias;   // (K)
    Activation activation = Activation::None;
};

// Adds to the loss: mean over rows of the cross-entropy between softmax(logits) and
// (1 - smoothing) * onehot(label) + smoothing / K. One fused operation: loss and gradient.
struct CrossEntropy {
    TensorId logits; // (rows, K)
    Input labels = Input::Labels;
    float smoothing = 0.0F;
};

// y = dropout(layer_norm(token[id] + position[t] + segment[s])).
struct Embedding {
    TensorId y;           // (N * T, C)
    ParameterId token;    // (V, C)
    ParameterId position; // (>= T, C)
    ParameterId segment;  // (2, C)
    ParameterId gamma;    // (C)
    ParameterId beta;     // (C)
    std::int64_t sequence_length = 0;
    float dropout = 0.0F;
    float eps = 1e-12F;
};

// Multi-head attention. A row of qkv is [3][heads][d]: query, key and value of one token.
// y = dropout(softmax(q k^T / sqrt(d) over keys before the sequence's length)) v, heads side by side.
struct Attention {
    TensorId qkv; // (N * T, 3 * C)
    TensorId y;   // (N * T, C)
    std::int64_t sequence_length = 0;
    int heads = 1;
    float dropout = 0.0F;
};

// y = layer_norm(dropout(x) [+ residual]).
struct DropoutAddNorm {
    TensorId x;                       // (rows, C)
    std::optional<TensorId> residual; // (rows, C)
    TensorId y;                       // (rows, C)
    ParameterId gamma;                // (C)
    ParameterId beta;                 // (C)
    float dropout = 0.0F;
    float eps = 1e-12F;
};

// Row b * P + p of y is row b * T + positions[b, p] of x. Without positions: P = 1, the first token.
struct GatherRows {
    TensorId x;                     // (N * T, C)
    TensorId y;                     // (N * P, C)
    std::optional<Input> positions; // MaskedPositions
    std::int64_t sequence_length = 0;
};

using Node = std::variant<ConvBn, MaxPool, AveragePool, Linear, CrossEntropy, Embedding, Attention,
                          DropoutAddNorm, GatherRows>;

struct Graph {
    std::vector<Shape> tensors;
    std::vector<Parameter> parameters;
    std::vector<Node> nodes;
    std::optional<TensorId> images;    // the activation that Input::Images fills, for image models
    std::int64_t batch_size = 0;       // samples of this process
    std::int64_t sequence_length = 0;  // 0 for image models
    std::int64_t masked_positions = 0; // a sequence; 0 for image models
    std::int64_t classes = 0;          // of the labels of image models, of the vocabulary otherwise
    double flops_per_sample = 0.0;     // training, forward + backward: 2 a multiply-add of products only

    std::int64_t parameter_count() const;
    // Elements of activations that have to cross the memory's border in a training step, a sample, if every
    // operation moves each of its operands once a pass and keeps none: forward reads x (and the residual) and
    // writes y; backward reads x and the gradient of y and writes the gradient of x (and of the residual).
    double activation_elements_per_sample() const;

    // Building blocks. Each appends nodes, activations and parameters and returns the new activation.
    TensorId add_tensor(Shape shape);
    ParameterId add_parameter(std::string name, std::vector<std::int64_t> shape, Init init, bool decay);

    struct ConvBnSpec {
        std::string name; // parameters become NAME.weight, NAME.bn.gamma, NAME.bn.beta
        std::int64_t out_channels = 0;
        int kernel = 1;
        int stride = 1;
        bool relu = true;
        std::optional<TensorId> residual = std::nullopt;
        float gamma = 1.0F; // initial value
    };
    // Padding is kernel / 2. Weights start uniform with variance 2 / (out_channels * kernel^2).
    TensorId conv_bn(TensorId x, const ConvBnSpec &spec);
    TensorId max_pool(TensorId x);
    TensorId average_pool(TensorId x);

    struct LinearSpec {
        std::string name; // parameters become NAME.weight, NAME.bias
        std::int64_t out_features = 0;
        Activation activation = Activation::None;
        float init = 0.0F; // weights start uniform in [-init, init), the bias at 0
        std::optional<ParameterId> tied_weight = std::nullopt;
    };
    TensorId linear(TensorId x, const LinearSpec &spec);
    void cross_entropy(TensorId logits, Input labels, float smoothing);
};

} // namespace sbtrain
