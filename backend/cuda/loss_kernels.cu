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

template <typename T>
constexpr int kWords = sizeof(T) / 2; // of 16 bytes in eight elements

// Vector k of a thread is number threadIdx.x + k * Threads of the row's vectors of eight. Shared memory,
// where a thread reads only what it wrote or asked for itself, has the next row on its way and, behind it,
// the thread's sums over the rows so far.
template <typename T, int Threads, int Vectors>
struct Rows {
    const LossArgs &args;
    int vectors; // of a row
    int whole;   // of them, without padding

    __device__ explicit Rows(const LossArgs &loss)
        : args(loss)
        , vectors(static_cast<int>(loss.ld / 8))
        , whole(static_cast<int>(loss.classes / 8))
    {
    }
    __device__ static int at(int k) { return static_cast<int>(threadIdx.x) + k * Threads; }
    __device__ static uint4 *slot(int word)
    {
        extern __shared__ uint4 shared_words[];
        return shared_words + word * Threads + threadIdx.x;
    }
    __device__ void ask(const T *row) const
    {
#pragma unroll
        for (int k = 0; k < Vectors; ++k) {
            if (at(k) >= vectors)
                break;
#pragma unroll
            for (int word = 0; word < kWords<T>; ++word)
                __pipeline_memcpy_async(slot(k * kWords<T> + word),
                                        reinterpret_cast<const uint4 *>(row) + at(k) * kWords<T> + word, 16);
        }
        __pipeline_commit();
    }
    // Takes what was asked for; -infinity behind the classes.
    template <bool Ahead>
    __device__ void take(const T *row, Float8 (&x)[Vectors], float &max, float &plain) const
    {
        if constexpr (Ahead)
            __pipeline_wait_prior(0);
#pragma unroll
        for (int k = 0; k < Vectors; ++k) {
            if constexpr (Ahead) {
                Raw8<T> raw;
#pragma unroll
                for (int word = 0; word < kWords<T>; ++word)
                    raw.word[word] = *slot(k * kWords<T> + word);
                x[k] = raw.values();
            } else if (at(k) < vectors) {
                x[k] = load8(row, at(k));
            }
            const bool padded = at(k) >= whole;
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                if (padded && at(k) * 8 + i >= args.classes)
                    x[k].v[i] = -INFINITY;
                else
                    plain += x[k].v[i];
                max = fmaxf(max, x[k].v[i]);
            }
        }
    }
    // factor x - floor, less `peak` at the label; zero behind the classes.
    __device__ void give(T *row, Float8 (&x)[Vectors], int label, float factor, float floor, float peak) const
    {
#pragma unroll
        for (int k = 0; k < Vectors; ++k) {
            if (at(k) >= vectors)
                break;
#pragma unroll
            for (int i = 0; i < 8; ++i)
                x[k].v[i] = factor * x[k].v[i] - floor;
            if (at(k) == label / 8 || at(k) >= whole) { // what few vectors have: the label, padding
#pragma unroll
                for (int i = 0; i < 8; ++i) {
                    if (at(k) * 8 + i >= args.classes)
                        x[k].v[i] = 0.0F;
                    else if (at(k) * 8 + i == label)
                        x[k].v[i] -= peak;
                }
            }
            store8(row, at(k), x[k]);
        }
    }
    __device__ static float4 *sum(int k, int half)
    {
        return reinterpret_cast<float4 *>(slot(Vectors * kWords<T> + 2 * k + half));
    }
    __device__ void begin_sums() const
    {
#pragma unroll
        for (int k = 0; k < Vectors; ++k)
            *sum(k, 0) = *sum(k, 1) = float4{};
    }
    __device__ void add(const Float8 (&x)[Vectors]) const
    {
#pragma unroll
        for (int i = 0; i < 2 * Vectors; ++i) {
            float4 &to = *sum(i / 2, i % 2);
            const float *more = x[i / 2].v + i % 2 * 4;
            to = {to.x + more[0], to.y + more[1], to.z + more[2], to.w + more[3]};
        }
    }
    __device__ void store_sums() const
    {
        auto *to = reinterpret_cast<float4 *>(args.partial + blockIdx.x * args.ld);
#pragma unroll
        for (int k = 0; k < Vectors; ++k) {
            if (at(k) >= vectors)
                break;
            to[2 * at(k)] = *sum(k, 0);
            to[2 * at(k) + 1] = *sum(k, 1);
        }
    }
};

template <typename T, int Threads, int Vectors, bool Ahead, bool Sums>
__global__ void __launch_bounds__(Threads, 1024 / Threads) cross_entropy_kernel(LossArgs args)
{
    __shared__ float shared[3][32];
    const Rows<T, Threads, Vectors> rows(args);
    const float scale = *args.loss_scale / static_cast<float>(args.rows);
    const float share = args.smoothing / static_cast<float>(args.classes);
    const float rest = 1.0F - args.smoothing;
    const auto count = static_cast<int>(args.rows);
    int row = static_cast<int>(blockIdx.x);
    T *logits = static_cast<T *>(args.logits) + row * args.ld;
    if constexpr (Sums)
        rows.begin_sums();
    if constexpr (Ahead)
        rows.ask(logits);
    for (; row < count; row += static_cast<int>(gridDim.x), logits += gridDim.x * args.ld) {
        const std::int32_t label = args.labels[row];
        float label_logit = 0.0F; // read before the first barrier, overwritten after it
        if (threadIdx.x == 0)
            label_logit = to_float(logits[label]);
        Float8 x[Vectors];
        float max = -INFINITY;
        float plain = 0.0F;
        rows.template take<Ahead>(logits, x, max, plain);
        if constexpr (Ahead) {
            if (row + static_cast<int>(gridDim.x) < count)
                rows.ask(logits + gridDim.x * args.ld);
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
            args.row_loss[row] = logf(exps) + max - rest * label_logit - share * plain;
        rows.give(logits, x, label, scale / exps, scale * share, scale * rest);
        if constexpr (Sums)
            rows.add(x);
    }
    if constexpr (Sums)
        rows.store_sums();
}

int attribute(cudaDeviceAttr which)
{
    int device = 0;
    int value = 0;
    check(cudaGetDevice(&device), "ask the device");
    check(cudaDeviceGetAttribute(&value, which, device), "ask the device");
    return value;
}

// Rows too long to be quick without asking ahead.
constexpr int kLongThreads = 1024;
constexpr int kLongVectors = 4;
constexpr std::int64_t kLong = 512 * 8;

// Of shared memory.
template <typename T>
int long_bytes(bool sums)
{
    return kLongThreads * kLongVectors * (kWords<T> * 16 + (sums ? 32 : 0));
}

template <typename T>
int long_blocks(const LossArgs &args, bool sums)
{
    constexpr int kOwnBytes = 1024; // of the block's, beside
    if (long_bytes<T>(sums) + kOwnBytes > attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin))
        return 0;
    return static_cast<int>(std::min<std::int64_t>(args.rows, attribute(cudaDevAttrMultiProcessorCount)));
}

template <typename T, bool Sums>
void launch_long(const LossArgs &args, cudaStream_t stream)
{
    const int blocks = long_blocks<T>(args, Sums);
    if (blocks == 0) {
        cross_entropy_kernel<T, kLongThreads, kLongVectors, false, false>
            <<<static_cast<unsigned>(args.rows), kLongThreads, 0, stream>>>(args);
        return;
    }
    const auto kernel = cross_entropy_kernel<T, kLongThreads, kLongVectors, true, Sums>;
    const int bytes = long_bytes<T>(Sums);
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
          "reserve shared memory");
    kernel<<<static_cast<unsigned>(blocks), kLongThreads, bytes, stream>>>(args);
}

template <typename T>
void launch(const LossArgs &args, cudaStream_t stream)
{
    const auto rows = static_cast<unsigned>(args.rows);
    if (args.ld <= 128 * 8)
        cross_entropy_kernel<T, 128, 1, false, false><<<rows, 128, 0, stream>>>(args);
    else if (args.ld <= kLong)
        cross_entropy_kernel<T, 512, 1, false, false><<<rows, 512, 0, stream>>>(args);
    else if (args.partial != nullptr)
        launch_long<T, true>(args, stream);
    else
        launch_long<T, false>(args, stream);
}

} // namespace

int loss_partial_rows(const LossArgs &args)
{
    int rows = 0;
    if (args.ld > kLong)
        dispatch(args.type, [&](auto tag) { rows = long_blocks<decltype(tag)>(args, true); });
    return rows;
}

void cross_entropy(const LossArgs &args, cudaStream_t stream)
{
    if (args.ld > kLongThreads * kLongVectors * 8)
        throw CudaError(ExitCode::Unsupported, "the CUDA device takes at most 32768 classes");
    dispatch(args.type, [&](auto tag) { launch<decltype(tag)>(args, stream); });
    check_launch("take the loss");
}

} // namespace sbtrain::cuda
