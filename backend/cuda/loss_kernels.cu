// SPDX-License-Identifier: Apache-2.0

// Cross-entropy with label smoothing (formula: cpu/cross_entropy.cpp). A block takes a row at a time, which
// is read once, kept in registers and overwritten by its gradient, while the block's next row is on its way
// to shared memory.

#include "token_kernels.h"
#include "vec.cuh"

#include <algorithm>
#include <cuda_pipeline.h>

namespace sbtrain::cuda {

namespace {

__device__ inline float exp_fast(float x)
{
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x * 1.44269504F));
    return y;
}

struct Max {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Plus {
    __device__ float operator()(float a, float b) const { return a + b; }
};

// Every thread gets the result. `shared`: a float a warp, free again after the next barrier.
template <int Threads, typename Join>
__device__ float over_block(float value, float *shared, Join join)
{
    constexpr int kWarps = Threads / 32;
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2)
        value = join(value, __shfl_xor_sync(0xFFFFFFFFU, value, offset));
    if (threadIdx.x % 32 == 0)
        shared[threadIdx.x / 32] = value;
    __syncthreads();
    value = shared[threadIdx.x % kWarps];
#pragma unroll
    for (int offset = kWarps / 2; offset > 0; offset /= 2)
        value = join(value, __shfl_xor_sync(0xFFFFFFFFU, value, offset));
    return value;
}

// The next row on its way to shared memory, where a thread reads only what it asked for itself.
template <typename T, int Threads>
struct RowAhead {
    __device__ static uint4 *slot(int k, int word)
    {
        extern __shared__ uint4 staged[];
        return staged + (k * static_cast<int>(sizeof(T) / 2) + word) * Threads + threadIdx.x;
    }
    template <int Vectors>
    __device__ static void ask(const T *row, int vectors)
    {
        constexpr int kWords = sizeof(T) / 2; // of 16 bytes in eight elements
#pragma unroll
        for (int k = 0; k < Vectors; ++k) {
            const int at = static_cast<int>(threadIdx.x) + k * Threads;
            if (at >= vectors)
                break;
#pragma unroll
            for (int word = 0; word < kWords; ++word)
                __pipeline_memcpy_async(slot(k, word),
                                        reinterpret_cast<const uint4 *>(row) + at * kWords + word, 16);
        }
        __pipeline_commit();
    }
    __device__ static Float8 take(int k)
    {
        Raw8<T> raw;
#pragma unroll
        for (int word = 0; word < static_cast<int>(sizeof(T) / 2); ++word)
            raw.word[word] = *slot(k, word);
        return raw.values();
    }
};

// Vector k of a thread is number threadIdx.x + k * Threads of the row's vectors of eight.
template <typename T, int Threads, int Vectors, bool Ahead>
__global__ void __launch_bounds__(Threads, 1024 / Threads) cross_entropy_kernel(LossArgs args)
{
    __shared__ float shared[3][32];
    using Next = RowAhead<T, Threads>;
    const int classes = static_cast<int>(args.classes);
    const int vectors = static_cast<int>(args.ld / 8);
    const int whole = classes / 8; // vectors without padding
    const float scale = *args.loss_scale / static_cast<float>(args.rows);
    const float floor = scale * args.smoothing / static_cast<float>(classes);
    const auto rows = static_cast<int>(args.rows);
    int row = static_cast<int>(blockIdx.x);
    T *logits = static_cast<T *>(args.logits) + row * args.ld;
    if constexpr (Ahead)
        Next::template ask<Vectors>(logits, vectors);
    for (; row < rows; row += static_cast<int>(gridDim.x), logits += gridDim.x * args.ld) {
        const std::int32_t label = args.labels[row];
        float label_logit = 0.0F; // read before the first barrier, overwritten after it
        if (threadIdx.x == 0)
            label_logit = to_float(logits[label]);
        Float8 x[Vectors];
        if constexpr (Ahead)
            __pipeline_wait_prior(0);
        float max = -INFINITY;
        float plain = 0.0F;
#pragma unroll
        for (int k = 0; k < Vectors; ++k) {
            const int at = static_cast<int>(threadIdx.x) + k * Threads;
            if constexpr (Ahead)
                x[k] = Next::take(k);
            else if (at < vectors)
                x[k] = load8(logits, at);
            if (at >= whole) {
#pragma unroll
                for (int i = 0; i < 8; ++i) {
                    if (at * 8 + i >= classes)
                        x[k].v[i] = -INFINITY;
                    else
                        plain += x[k].v[i];
                    max = fmaxf(max, x[k].v[i]);
                }
                continue;
            }
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                max = fmaxf(max, x[k].v[i]);
                plain += x[k].v[i];
            }
        }
        if constexpr (Ahead) {
            if (row + static_cast<int>(gridDim.x) < rows)
                Next::template ask<Vectors>(logits + gridDim.x * args.ld, vectors);
        }
        max = over_block<Threads>(max, shared[0], Max());
        float exps = 0.0F;
#pragma unroll
        for (int k = 0; k < Vectors; ++k) {
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                x[k].v[i] = exp_fast(x[k].v[i] - max);
                exps += x[k].v[i];
            }
        }
        exps = over_block<Threads>(exps, shared[1], Plus());
        if (args.smoothing != 0.0F)
            plain = over_block<Threads>(plain, shared[2], Plus());
        if (threadIdx.x == 0)
            args.row_loss[row] = logf(exps) + max - (1.0F - args.smoothing) * label_logit -
                                 args.smoothing / static_cast<float>(classes) * plain;
        const float factor = scale / exps;
#pragma unroll
        for (int k = 0; k < Vectors; ++k) {
            const int at = static_cast<int>(threadIdx.x) + k * Threads;
            if (at >= vectors)
                break;
#pragma unroll
            for (int i = 0; i < 8; ++i)
                x[k].v[i] = factor * x[k].v[i] - floor;
            if (at == label / 8 || at >= whole) { // what few vectors have: the label, padding
#pragma unroll
                for (int i = 0; i < 8; ++i) {
                    if (at * 8 + i >= classes)
                        x[k].v[i] = 0.0F;
                    else if (at * 8 + i == label)
                        x[k].v[i] -= scale * (1.0F - args.smoothing);
                }
            }
            store8(logits, at, x[k]);
        }
    }
}

template <typename T, int Threads, int Vectors>
void launch(const LossArgs &args, cudaStream_t stream)
{
    if constexpr (Vectors > 1) {
        constexpr int kBytes = Threads * Vectors * 8 * static_cast<int>(sizeof(T));
        int device = 0;
        int most = 0;
        int multiprocessors = 0;
        check(cudaGetDevice(&device), "ask the device");
        check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
              "ask the device");
        check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
              "ask the device");
        if (most >= kBytes) {
            const auto kernel = cross_entropy_kernel<T, Threads, Vectors, true>;
            check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes),
                  "reserve shared memory");
            const auto blocks = std::min<std::int64_t>(args.rows, multiprocessors * (1024 / Threads));
            kernel<<<static_cast<unsigned>(blocks), Threads, kBytes, stream>>>(args);
            return;
        }
    }
    cross_entropy_kernel<T, Threads, Vectors, false>
        <<<static_cast<unsigned>(args.rows), Threads, 0, stream>>>(args);
}

} // namespace

void cross_entropy(const LossArgs &args, cudaStream_t stream)
{
    if (args.ld > 32768)
        throw CudaError(ExitCode::Unsupported, "the CUDA device takes at most 32768 classes");
    dispatch(args.type, [&](auto tag) {
        using T = decltype(tag);
        if (args.ld <= 128 * 8)
            launch<T, 128, 1>(args, stream);
        else if (args.ld <= 512 * 8)
            launch<T, 512, 1>(args, stream);
        else
            launch<T, 1024, 4>(args, stream);
    });
    check_launch("take the loss");
}

} // namespace sbtrain::cuda
