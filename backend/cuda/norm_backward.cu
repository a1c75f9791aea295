// SPDX-License-Identifier: Apache-2.0
#include "norm_kernels.h"

#include "norm_rows.cuh"

#include <algorithm>
#include <cuda_pipeline.h>

namespace sbtrain::cuda {

namespace {

// A thread owns eight columns for the whole pass, so that parameter gradients stay in registers. A block
// takes several rows at a time, one barrier for all of them, while the next ones are on their way to shared
// memory; a thread reads there only what it asked for itself.
template <typename T>
constexpr int kRows = 8 / sizeof(T); // 64 bytes of a matrix on the way to a thread
constexpr int kStages = 2;
constexpr int kStageBytes = 64; // of a thread and matrix

int backward_blocks(const NormShape &shape)
{
    const int rows = static_cast<int>(8 / size_of(shape.type));
    const int most = 132 * std::max(1024 / threads_for(shape.c) / 2, 1);
    return static_cast<int>(std::min<std::int64_t>((shape.rows + rows - 1) / rows, most));
}

// The rows that come next.
template <typename T, bool DropOut>
struct Ahead {
    static constexpr int kWords = sizeof(T) / 2; // of 16 bytes in eight elements
    const NormBackward &args;
    const NormShape &shape;
    bool active;
    float statistics; // lane r: mean of row r; lane kRows + r: istd
    unsigned kept[kRows<T>];

    __device__ uint4 *slot(int stage, int matrix, int r) const
    {
        extern __shared__ uint4 staged[];
        const int matrices = args.dy2 != nullptr ? 3 : 2;
        const int first = ((stage * matrices + matrix) * kRows<T> + r) * kWords;
        return staged + first * static_cast<int>(blockDim.x) + static_cast<int>(threadIdx.x);
    }
    __device__ void copy(const void *from, std::int64_t at, uint4 *to) const
    {
#pragma unroll
        for (int w = 0; w < kWords; ++w)
            __pipeline_memcpy_async(to + w * static_cast<int>(blockDim.x),
                                    static_cast<const uint4 *>(from) + at * kWords + w, 16);
    }
    __device__ Float8 values(int stage, int matrix, int r) const
    {
        Raw8<T> raw;
#pragma unroll
        for (int w = 0; w < kWords; ++w)
            raw.word[w] = slot(stage, matrix, r)[w * static_cast<int>(blockDim.x)];
        return raw.values();
    }
    __device__ void load(std::int64_t first_row, int stage)
    {
        const int vectors = shape.c / 8;
#pragma unroll
        for (int r = 0; r < kRows<T>; ++r) {
            kept[r] = 0;
            if (!active || first_row + r >= shape.rows)
                continue;
            const std::int64_t at = (first_row + r) * vectors + threadIdx.x;
            copy(args.dy, at, slot(stage, 0, r));
            copy(args.z, at, slot(stage, 1, r));
            if (args.dy2 != nullptr)
                copy(args.dy2, at, slot(stage, 2, r));
            if constexpr (DropOut)
                kept[r] = args.kept[at];
        }
        __pipeline_commit();
        const int lane = static_cast<int>(threadIdx.x % 32);
        const std::int64_t row = first_row + lane % kRows<T>;
        statistics = 0.0F;
        if (lane < 2 * kRows<T> && row < shape.rows)
            statistics = (lane < kRows<T> ? args.mean : args.istd)[row];
    }
};

// Eight columns' parts of the parameter gradients.
struct ColumnParts {
    Float8 dgamma{}, dbeta{}, dbias{};
};

__device__ inline void keep_only(Float8 &x, unsigned kept, float scale)
{
#pragma unroll
    for (int i = 0; i < 8; ++i)
        x.v[i] = kept >> i & 1U ? x.v[i] * scale : 0.0F;
}

// g = dy gamma, h = (z - mean) istd:  dz = istd (g - mean(g) - h mean(g h)),  dgamma = sum dy h,
// dbeta = sum dy.
template <typename T, bool DropOut>
__global__ void __launch_bounds__(512) backward_kernel(NormBackward args, NormShape shape)
{
    constexpr int R = kRows<T>;
    const bool active = static_cast<int>(threadIdx.x) < shape.c / 8;
    const float per_column = 1.0F / static_cast<float>(shape.c);
    const float scale = args.dropout.scale;
    Float8 gamma{};
    if (active)
        gamma = load8(args.gamma, threadIdx.x);
    ColumnParts columns;
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * R;
    std::int64_t first_row = static_cast<std::int64_t>(blockIdx.x) * R;
    Ahead<T, DropOut> ahead{args, shape, active, 0.0F, {}};
    ahead.load(first_row, 0);
    for (int stage = 0; first_row < shape.rows; first_row += stride, stage ^= 1) {
        const float statistics = ahead.statistics;
        unsigned kept = 0; // eight bits a row
#pragma unroll
        for (int r = 0; r < R; ++r)
            kept |= ahead.kept[r] << 8 * r;
        ahead.load(first_row + stride, stage ^ 1);
        __pipeline_wait_prior(1);
        Float8 g[R];
        Float8 h[R];
        RowSums<R> sums{};
#pragma unroll
        for (int r = 0; r < R; ++r) {
            const float mean = __shfl_sync(0xFFFFFFFFU, statistics, r);
            const float istd = __shfl_sync(0xFFFFFFFFU, statistics, R + r);
            g[r] = Float8{};
            h[r] = Float8{};
            if (!active || first_row + r >= shape.rows)
                continue;
            g[r] = ahead.values(stage, 0, r);
            h[r] = ahead.values(stage, 1, r);
            if (args.dy2 != nullptr) {
                const Float8 more = ahead.values(stage, 2, r);
#pragma unroll
                for (int i = 0; i < 8; ++i)
                    g[r].v[i] += more.v[i];
            }
            if constexpr (DropOut) {
                if (args.drop_dy)
                    keep_only(g[r], kept >> 8 * r, scale);
            }
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                h[r].v[i] = (h[r].v[i] - mean) * istd;
                columns.dgamma.v[i] += g[r].v[i] * h[r].v[i];
                columns.dbeta.v[i] += g[r].v[i];
                g[r].v[i] *= gamma.v[i];
                sums.first[r] += g[r].v[i];
                sums.second[r] += g[r].v[i] * h[r].v[i];
            }
        }
        block_sums(sums);
#pragma unroll
        for (int r = 0; r < R; ++r) {
            const float istd = __shfl_sync(0xFFFFFFFFU, statistics, R + r);
            if (!active || first_row + r >= shape.rows)
                continue;
            const std::int64_t at = (first_row + r) * (shape.c / 8) + threadIdx.x;
#pragma unroll
            for (int i = 0; i < 8; ++i)
                g[r].v[i] =
                    istd * (g[r].v[i] - sums.first[r] * per_column - h[r].v[i] * sums.second[r] * per_column);
            store8(static_cast<T *>(args.dz), at, g[r]);
            if constexpr (DropOut) {
                if (args.dx != nullptr) {
                    keep_only(g[r], kept >> 8 * r, scale);
                    store8(static_cast<T *>(args.dx), at, g[r]);
                }
            }
#pragma unroll
            for (int i = 0; i < 8; ++i)
                columns.dbias.v[i] += g[r].v[i];
        }
    }
    __pipeline_wait_prior(0);
    if (!active)
        return;
    float *partial = args.partial + static_cast<std::int64_t>(blockIdx.x) * 3 * shape.c;
    store8(partial, threadIdx.x, columns.dgamma);
    store8(partial + shape.c, threadIdx.x, columns.dbeta);
    store8(partial + 2 * shape.c, threadIdx.x, columns.dbias);
}

template <typename Kernel>
void launch_backward(Kernel kernel, const NormShape &shape, const NormBackward &args, cudaStream_t stream)
{
    const int threads = threads_for(shape.c);
    const int bytes = threads * kStages * kStageBytes * (args.dy2 != nullptr ? 3 : 2);
    // More than 48 KiB of shared memory has to be asked for, and room for it in several blocks as well.
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
          "reserve shared memory");
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                               cudaSharedmemCarveoutMaxShared),
          "reserve shared memory");
    kernel<<<backward_blocks(shape), threads, bytes, stream>>>(args, shape);
}

} // namespace

std::int64_t norm_partial_floats(const NormShape &shape)
{
    return std::int64_t{3} * shape.c * backward_blocks(shape);
}

void norm_backward(const NormShape &shape, const NormBackward &args, ColumnSums &sums, cudaStream_t stream)
{
    const int blocks = backward_blocks(shape);
    dispatch(shape.type, [&](auto tag) {
        using T = decltype(tag);
        if (args.dropout.drops())
            launch_backward(backward_kernel<T, true>, shape, args, stream);
        else
            launch_backward(backward_kernel<T, false>, shape, args, stream);
    });
    check_launch("take layer norm's gradient");
    const std::int64_t ld = std::int64_t{3} * shape.c;
    sums.add({args.partial, blocks, shape.c, ld, args.dgamma});
    sums.add({args.partial + shape.c, blocks, shape.c, ld, args.dbeta});
    if (args.dbias != nullptr)
        sums.add({args.partial + 2 * shape.c, blocks, shape.c, ld, args.dbias});
}

} // namespace sbtrain::cuda
