// SPDX-License-Identifier: Apache-2.0

// Cross-entropy with label smoothing (formula: cpu/cross_entropy.cpp). A block takes a row, which is read
// once, kept in registers and overwritten by its gradient.

#include "token_kernels.h"
#include "vec.cuh"

namespace sbtrain::cuda {

namespace {

struct Sums {
    float max, exps, plain;
};

// Puts (max, sum of e^(x - max), sum of x) of two sets together.
__device__ Sums merge(const Sums &a, const Sums &b)
{
    const float max = fmaxf(a.max, b.max);
    const float left = a.max == -INFINITY ? 0.0F : a.exps * __expf(a.max - max);
    const float right = b.max == -INFINITY ? 0.0F : b.exps * __expf(b.max - max);
    return {max, left + right, a.plain + b.plain};
}

template <int Threads>
__device__ Sums block_merge(Sums sums)
{
    __shared__ Sums shared[Threads / 32];
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2)
        sums = merge(sums, {__shfl_xor_sync(0xFFFFFFFFU, sums.max, offset),
                            __shfl_xor_sync(0xFFFFFFFFU, sums.exps, offset),
                            __shfl_xor_sync(0xFFFFFFFFU, sums.plain, offset)});
    if (threadIdx.x % 32 == 0)
        shared[threadIdx.x / 32] = sums;
    __syncthreads();
    sums = shared[0];
    for (int w = 1; w < Threads / 32; ++w)
        sums = merge(sums, shared[w]);
    return sums;
}

// Calls body for the first `left` of eight values; nearly always that is all of them.
template <typename Body>
__device__ inline void for_each_class(const Float8 &values, int left, Body body)
{
    if (left >= 8) {
#pragma unroll
        for (int i = 0; i < 8; ++i)
            body(values.v[i]);
        return;
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        if (i < left)
            body(values.v[i]);
    }
}

template <typename T, int Threads, int Vectors>
__global__ void __launch_bounds__(Threads, 1024 / Threads) cross_entropy_kernel(LossArgs args)
{
    const std::int64_t row = blockIdx.x;
    T *logits = static_cast<T *>(args.logits) + row * args.ld;
    const int vectors = static_cast<int>(args.ld / 8);
    const int classes = static_cast<int>(args.classes);
    Raw8<T> x[Vectors];
    Sums sums{-INFINITY, 0.0F, 0.0F};
#pragma unroll
    for (int k = 0; k < Vectors; ++k) {
        const int at = static_cast<int>(threadIdx.x) + k * Threads;
        x[k] = at < vectors ? load_raw8(logits, at) : Raw8<T>{};
    }
#pragma unroll
    for (int k = 0; k < Vectors; ++k) {
        const int at = static_cast<int>(threadIdx.x) + k * Threads;
        for_each_class(x[k].values(), classes - at * 8, [&](float value) {
            sums.max = fmaxf(sums.max, value);
            sums.plain += value;
        });
    }
#pragma unroll
    for (int k = 0; k < Vectors; ++k) {
        const int at = static_cast<int>(threadIdx.x) + k * Threads;
        for_each_class(x[k].values(), classes - at * 8,
                       [&](float value) { sums.exps += __expf(value - sums.max); });
    }
    sums = block_merge<Threads>(sums);

    const std::int32_t label = args.labels[row];
    const float scale = *args.loss_scale / static_cast<float>(args.rows);
    const float factor = scale / sums.exps;
    const float floor = scale * args.smoothing / static_cast<float>(classes);
    const float peak = scale * (1.0F - args.smoothing);
#pragma unroll
    for (int k = 0; k < Vectors; ++k) {
        const int at = static_cast<int>(threadIdx.x) + k * Threads;
        if (at >= vectors)
            continue;
        const Float8 value = x[k].values();
        Float8 g;
#pragma unroll
        for (int i = 0; i < 8; ++i)
            g.v[i] = factor * __expf(value.v[i] - sums.max) - floor;
        if (at == label / 8 || at >= classes / 8) { // what few vectors have: the label, padding
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                const int column = at * 8 + i;
                if (column >= classes)
                    g.v[i] = 0.0F;
                if (column != label)
                    continue;
                g.v[i] -= peak;
                args.row_loss[row] = logf(sums.exps) + sums.max - (1.0F - args.smoothing) * value.v[i] -
                                     args.smoothing / static_cast<float>(classes) * sums.plain;
            }
        }
        store8(logits, at, g);
    }
}

template <typename T>
void launch(const LossArgs &args, cudaStream_t stream)
{
    const auto rows = static_cast<unsigned>(args.rows);
    if (args.ld <= 128 * 8)
        cross_entropy_kernel<T, 128, 1><<<rows, 128, 0, stream>>>(args);
    else if (args.ld <= 512 * 8)
        cross_entropy_kernel<T, 512, 1><<<rows, 512, 0, stream>>>(args);
    else if (sizeof(T) == 2)
        cross_entropy_kernel<T, 512, 8><<<rows, 512, 0, stream>>>(args); // two rows a multiprocessor
    else
        cross_entropy_kernel<T, 1024, 4><<<rows, 1024, 0, stream>>>(args);
}

} // namespace

void cross_entropy(const LossArgs &args, cudaStream_t stream)
{
    if (args.ld > 32768)
        throw CudaError(ExitCode::Unsupported, "the CUDA device takes at most 32768 classes");
    dispatch(args.type, [&](auto tag) { launch<decltype(tag)>(args, stream); });
    check_launch("take the loss");
}

} // namespace sbtrain::cuda
