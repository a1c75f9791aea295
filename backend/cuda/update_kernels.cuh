// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the kernels of all update rules share.

#include "block_sum.cuh"
#include "update_kernels.h"
#include "vec.cuh"

namespace sbtrain::cuda {

constexpr int kUpdateBlocks = 132 * 8;

// Calls body with the chunk's gradient in its own type: fp32, or that of the copies.
template <typename T, typename Body>
__device__ inline void with_gradient(const Chunk &chunk, Body body)
{
    if (chunk.full)
        body(static_cast<float *>(chunk.gradient));
    else
        body(static_cast<T *>(chunk.gradient));
}

struct Constants {
    float learning_rate, momentum, decay, beta1, beta2, eps;
};

template <typename T>
__device__ inline void store_copy(const UpdateArgs &args, std::int64_t vector, const Float8 &p)
{
    if constexpr (sizeof(T) == 2)
        store8(static_cast<T *>(args.copy), vector, p);
}

inline Constants constants_of(const UpdateRule &rule)
{
    const auto number = [](double value) { return static_cast<float>(value); };
    return {number(rule.learning_rate), number(rule.momentum), number(rule.decay),
            number(rule.beta1),         number(rule.beta2),    number(rule.eps)};
}

struct Moments {
    float step;        // 1 / (1 - beta1^t)
    float correction2; // 1 / sqrt(1 - beta2^t)
};
__device__ inline Moments bias_corrections(const UpdateArgs &args, const Constants &k)
{
    const auto t = static_cast<double>(args.state->updates);
    const double correction1 = 1.0 - pow(args.rule.beta1, t);
    const double correction2 = 1.0 - pow(args.rule.beta2, t);
    return {static_cast<float>(1.0 / correction1), static_cast<float>(1.0 / sqrt(correction2))};
}

void update_by_lamb(const UpdateArgs &args, cudaStream_t stream);

} // namespace sbtrain::cuda
