// SPDX-License-Identifier: Apache-2.0
#include "graph.h"

#include <cmath>
#include <type_traits>

namespace sbtrain {

std::int64_t Graph::parameter_count() const
{
    return parameters.empty() ? 0 : parameters.back().offset + parameters.back().count;
}

double Graph::activation_elements_per_sample() const
{
    double elements = 0.0;
    const auto count = [this](TensorId id) { return static_cast<double>(tensors[id.index].count()); };
    for (const Node &node : nodes)
        std::visit(
            [&](const auto &one) {
                using Kind = std::decay_t<decltype(one)>;
                if constexpr (std::is_same_v<Kind, CrossEntropy>)
                    elements += 2.0 * count(one.logits);
                else if constexpr (std::is_same_v<Kind, Embedding>)
                    elements += 2.0 * count(one.y);
                else if constexpr (std::is_same_v<Kind, Attention>)
                    elements += 3.0 * count(one.qkv) + 2.0 * count(one.y);
                else
                    elements += 3.0 * count(one.x) + 2.0 * count(one.y);
                if constexpr (requires { one.residual; })
                    elements += one.residual ? 2.0 * count(*one.residual) : 0.0;
            },
            node);
    return batch_size > 0 ? elements / static_cast<double>(batch_size) : 0.0;
}

TensorId Graph::add_tensor(Shape shape)
{
    tensors.push_back(shape);
    return TensorId{tensors.size() - 1};
}

ParameterId Graph::add_parameter(std::string name, std::vector<std::int64_t> shape, Init init, bool decay)
{
    std::int64_t count = 1;
    for (const std::int64_t extent : shape)
        count *= extent;
    parameters.push_back({std::move(name), std::move(shape), parameter_count(), count, decay, init});
    return ParameterId{parameters.size() - 1};
}

TensorId Graph::conv_bn(TensorId x, const ConvBnSpec &spec)
{
    const Shape in = tensors[x.index];
    const int pad = spec.kernel / 2;
    const std::int64_t k = spec.out_channels;
    const std::int64_t p = (in.h + 2 * pad - spec.kernel) / spec.stride + 1;
    const std::int64_t q = (in.w + 2 * pad - spec.kernel) / spec.stride + 1;
    const auto window = static_cast<std::int64_t>(spec.kernel) * spec.kernel;
    // He et al. in "fan out" mode: variance 2 / (K k^2); uniform in [-b, b) has variance b^2 / 3.
    const float bound = std::sqrt(6.0F / static_cast<float>(k * window));

    ConvBn node;
    node.x = x;
    node.residual = spec.residual;
    node.weight = add_parameter(spec.name + ".weight", {k, in.c, spec.kernel, spec.kernel},
                                {Init::Kind::Uniform, bound}, true);
    node.gamma = add_parameter(spec.name + ".bn.gamma", {k}, {Init::Kind::Constant, spec.gamma}, false);
    node.beta = add_parameter(spec.name + ".bn.beta", {k}, {}, false);
    node.kernel = spec.kernel;
    node.stride = spec.stride;
    node.pad = pad;
    node.relu = spec.relu;
    node.y = add_tensor({in.n, k, p, q});
    nodes.emplace_back(node);

    // Forward, weight gradient and, unless x is the image, input gradient: the same number of products.
    const double products = x == images ? 2.0 : 3.0;
    flops_per_sample += 2.0 * products * static_cast<double>(k * p * q * in.c * window);
    return node.y;
}

TensorId Graph::max_pool(TensorId x)
{
    const Shape in = tensors[x.index];
    const TensorId y = add_tensor({in.n, in.c, (in.h + 1) / 2, (in.w + 1) / 2});
    nodes.emplace_back(MaxPool{x, y});
    return y;
}

TensorId Graph::average_pool(TensorId x)
{
    const Shape in = tensors[x.index];
    const TensorId y = add_tensor({in.n, in.c});
    nodes.emplace_back(AveragePool{x, y});
    return y;
}

TensorId Graph::linear(TensorId x, const LinearSpec &spec)
{
    const Shape in = tensors[x.index];
    Linear node;
    node.x = x;
    node.weight = spec.tied_weight ? *spec.tied_weight
                                   : add_parameter(spec.name + ".weight", {spec.out_features, in.c},
                                                   {Init::Kind::Uniform, spec.init}, true);
    node.bias = add_parameter(spec.name + ".bias", {spec.out_features}, {}, false);
    node.activation = spec.activation;
    node.y = add_tensor({in.n, spec.out_features});
    nodes.emplace_back(node);
    const double rows_per_sample = static_cast<double>(in.n) / static_cast<double>(batch_size);
    flops_per_sample += 6.0 * rows_per_sample * static_cast<double>(in.c * spec.out_features);
    return node.y;
}

void Graph::cross_entropy(TensorId logits, Input labels, float smoothing)
{
    nodes.emplace_back(CrossEntropy{logits, labels, smoothing});
}

} // namespace sbtrain
