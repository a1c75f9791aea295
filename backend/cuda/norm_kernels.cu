// SPDX-License-Identifier: Apache-2.0
#include "norm_kernels.h"

#include "vec.cuh"

#include <algorithm>

namespace sbtrain::cuda {

namespace {

// A block of C / 8 threads (whole warps) takes kRows rows at a time: a thread owns eight columns for the
// whole pass, so parameter gradients stay in registers, and one barrier serves kRows rows.
constexpr int kRows = 4;
constexpr int kMaxWarps = 16;

int threads_for(int c)
{
    return (c / 8 + 31) / 32 * 32;
}

int blocks_for(const NormShape &shape, int most)
{
    return static_cast<int>(std::min<std::int64_t>((shape.rows + kRows - 1) / kRows, most));
}

int backward_blocks(const NormShape &shape)
{
    return blocks_for(shape, 132 * std::max(1024 / threads_for(shape.c) / 2, 1));
}

// Sums 2 * kRows values over the block; every thread gets all sums.
struct RowSums {
    float first[kRows];
    float second[kRows];
};
__device__ void block_sums(RowSums &sums)
{
    __shared__ float shared[kMaxWarps][2 * kRows];
    const int warp = threadIdx.x / 32;
    const int warps = blockDim.x / 32;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
        sums.first[r] = warp_sum(sums.first[r]);
        sums.second[r] = warp_sum(sums.second[r]);
    }
    if (warps == 1)
        return;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
            shared[warp][r] = sums.first[r];
            shared[warp][kRows + r] = sums.second[r];
        }
    }
    __syncthreads();
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
        sums.first[r] = 0.0F;
        sums.second[r] = 0.0F;
        for (int w = 0; w < warps; ++w) {
            sums.first[r] += shared[w][r];
            sums.second[r] += shared[w][kRows + r];
        }
    }
}

// Normalises kRows rows held in registers and writes y, mean and istd. Two passes over the registers: the
// variance is that of the deviations.
template <typename T, bool DropOut>
__device__ void normalise_rows(Float8 (&z)[kRows], const NormForward &args, std::int64_t first_row,
                               const NormShape &shape)
{
    const bool active = static_cast<int>(threadIdx.x) < shape.c / 8;
    const float per_column = 1.0F / static_cast<float>(shape.c);
    RowSums sums{};
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
#pragma unroll
        for (int i = 0; i < 8; ++i)
            sums.first[r] += z[r].v[i];
    }
    block_sums(sums);
    float mean[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
        mean[r] = sums.first[r] * per_column;
        sums.first[r] = 0.0F;
        sums.second[r] = 0.0F;
        if (active) {
#pragma unroll
            for (int i = 0; i < 8; ++i)
                sums.second[r] += (z[r].v[i] - mean[r]) * (z[r].v[i] - mean[r]);
        }
    }
    block_sums(sums);
    if (!active)
        return;
    const Float8 gamma = load8(args.gamma, threadIdx.x);
    const Float8 beta = load8(args.beta, threadIdx.x);
    DropoutMask mask;
    if constexpr (DropOut)
        mask = dropout_mask(args.dropout);
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
        const std::int64_t row = first_row + r;
        if (row >= shape.rows)
            break;
        const float istd = rsqrtf(sums.second[r] * per_column + args.eps);
        Float8 y;
        unsigned kept = 0;
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            y.v[i] = gamma.v[i] * ((z[r].v[i] - mean[r]) * istd) + beta.v[i];
            if constexpr (DropOut) {
                const float factor =
                    mask.factor(static_cast<std::uint64_t>(row * shape.c + threadIdx.x * 8 + i));
                y.v[i] *= factor;
                kept |= factor > 0.0F ? 1U << i : 0U;
            }
        }
        if constexpr (DropOut)
            args.kept[row * (shape.c / 8) + threadIdx.x] = static_cast<std::uint8_t>(kept);
        store8(static_cast<T *>(args.y), row * (shape.c / 8) + threadIdx.x, y);
        if (threadIdx.x == 0) {
            args.mean[row] = mean[r];
            args.istd[row] = istd;
        }
    }
}

template <typename T>
__device__ void store_rows(const Float8 (&z)[kRows], T *out, std::int64_t first_row, const NormShape &shape)
{
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
        if (first_row + r < shape.rows)
            store8(out, (first_row + r) * (shape.c / 8) + threadIdx.x, z[r]);
    }
}

template <typename T, bool DropOut>
__global__ void __launch_bounds__(512) forward_kernel(NormForward args, NormShape shape)
{
    const std::int64_t first_row = static_cast<std::int64_t>(blockIdx.x) * kRows;
    const bool active = static_cast<int>(threadIdx.x) < shape.c / 8;
    const int vectors = shape.c / 8;
    DropoutMask mask;
    if constexpr (DropOut)
        mask = dropout_mask(args.dropout);
    Float8 z[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
        z[r] = Float8{};
        const std::int64_t row = first_row + r;
        if (!active || row >= shape.rows)
            continue;
        z[r] = load8(static_cast<const T *>(args.x), row * vectors + threadIdx.x);
        Float8 residual{};
        if (args.residual)
            residual = load8(static_cast<const T *>(args.residual), row * vectors + threadIdx.x);
        unsigned kept = 0;
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            if constexpr (DropOut) {
                const float factor =
                    mask.factor(static_cast<std::uint64_t>(row * shape.c + threadIdx.x * 8 + i));
                z[r].v[i] *= factor;
                kept |= factor > 0.0F ? 1U << i : 0U;
            }
            // What is stored is what is normalised, so that backward sees the same numbers.
            z[r].v[i] = to_float(from_float<T>(z[r].v[i] + residual.v[i]));
        }
        if constexpr (DropOut)
            args.kept[row * vectors + threadIdx.x] = static_cast<std::uint8_t>(kept);
    }
    if (active && args.z != nullptr)
        store_rows(z, static_cast<T *>(args.z), first_row, shape);
    normalise_rows<T, false>(z, args, first_row, shape);
}

template <typename T, bool DropOut>
__global__ void __launch_bounds__(512) embedding_kernel(EmbeddingForward args, NormShape shape)
{
    const std::int64_t first_row = static_cast<std::int64_t>(blockIdx.x) * kRows;
    const bool active = static_cast<int>(threadIdx.x) < shape.c / 8;
    const int vectors = shape.c / 8;
    Float8 z[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
        z[r] = Float8{};
        const std::int64_t row = first_row + r;
        if (!active || row >= shape.rows)
            continue;
        const std::int64_t position = row % args.sequence_length;
        z[r] = load8(static_cast<const T *>(args.token),
                     static_cast<std::int64_t>(args.tokens[row]) * vectors + threadIdx.x);
        const Float8 p = load8(static_cast<const T *>(args.position), position * vectors + threadIdx.x);
        const Float8 s = load8(static_cast<const T *>(args.segment),
                               static_cast<std::int64_t>(args.segments[row]) * vectors + threadIdx.x);
#pragma unroll
        for (int i = 0; i < 8; ++i)
            z[r].v[i] = to_float(from_float<T>(z[r].v[i] + p.v[i] + s.v[i]));
    }
    if (active)
        store_rows(z, static_cast<T *>(args.norm.z), first_row, shape);
    normalise_rows<T, DropOut>(z, args.norm, first_row, shape);
}

// g = dy gamma, h = (z - mean) istd:  dz = istd (g - mean(g) - h mean(g h)),  dgamma = sum dy h,
// dbeta = sum dy.
template <typename T, bool DropOut>
__global__ void __launch_bounds__(512) backward_kernel(NormBackward args, NormShape shape)
{
    const bool active = static_cast<int>(threadIdx.x) < shape.c / 8;
    const int vectors = shape.c / 8;
    const float per_column = 1.0F / static_cast<float>(shape.c);
    Float8 gamma{};
    if (active)
        gamma = load8(args.gamma, threadIdx.x);
    const float scale = 1.0F / (1.0F - args.dropout);
    Float8 dgamma{};
    Float8 dbeta{};
    Float8 dbias{};
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * kRows;
    for (std::int64_t first_row = static_cast<std::int64_t>(blockIdx.x) * kRows; first_row < shape.rows;
         first_row += stride) {
        Float8 g[kRows];
        Float8 h[kRows];
        float istd[kRows];
        unsigned kept[kRows];
        RowSums sums{};
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
            const std::int64_t row = first_row + r;
            g[r] = Float8{};
            h[r] = Float8{};
            istd[r] = 0.0F;
            if (!active || row >= shape.rows)
                continue;
            const std::int64_t at = row * vectors + threadIdx.x;
            g[r] = load8(static_cast<const T *>(args.dy), at);
            h[r] = load8(static_cast<const T *>(args.z), at);
            if constexpr (DropOut)
                kept[r] = args.kept[at];
            if (args.dy2) {
                const Float8 more = load8(static_cast<const T *>(args.dy2), at);
#pragma unroll
                for (int i = 0; i < 8; ++i)
                    g[r].v[i] += more.v[i];
            }
            istd[r] = args.istd[row];
            const float mean = args.mean[row];
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                if constexpr (DropOut) {
                    if (args.drop_dy)
                        g[r].v[i] = kept[r] >> i & 1U ? g[r].v[i] * scale : 0.0F;
                }
                h[r].v[i] = (h[r].v[i] - mean) * istd[r];
                dgamma.v[i] += g[r].v[i] * h[r].v[i];
                dbeta.v[i] += g[r].v[i];
                g[r].v[i] *= gamma.v[i];
                sums.first[r] += g[r].v[i];
                sums.second[r] += g[r].v[i] * h[r].v[i];
            }
        }
        block_sums(sums);
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
            const std::int64_t row = first_row + r;
            if (!active || row >= shape.rows)
                continue;
            const std::int64_t at = row * vectors + threadIdx.x;
#pragma unroll
            for (int i = 0; i < 8; ++i)
                g[r].v[i] = istd[r] * (g[r].v[i] - sums.first[r] * per_column -
                                       h[r].v[i] * sums.second[r] * per_column);
            store8(static_cast<T *>(args.dz), at, g[r]);
            if constexpr (DropOut) {
                if (args.dx) {
#pragma unroll
                    for (int i = 0; i < 8; ++i)
                        g[r].v[i] = kept[r] >> i & 1U ? g[r].v[i] * scale : 0.0F;
                    store8(static_cast<T *>(args.dx), at, g[r]);
                }
            }
#pragma unroll
            for (int i = 0; i < 8; ++i)
                dbias.v[i] += g[r].v[i];
        }
    }
    if (!active)
        return;
    float *partial = args.partial + static_cast<std::int64_t>(blockIdx.x) * 3 * shape.c;
    store8(partial, threadIdx.x, dgamma);
    store8(partial + shape.c, threadIdx.x, dbeta);
    store8(partial + 2 * shape.c, threadIdx.x, dbias);
}

// out[column] = sum over partial rows; which = blockIdx.y of dgamma, dbeta, dbias.
__global__ void finish_kernel(NormBackward args, int partial_rows, int c)
{
    float *out = blockIdx.y == 0 ? args.dgamma : blockIdx.y == 1 ? args.dbeta : args.dbias;
    if (out == nullptr)
        return;
    __shared__ float shared[32][33];
    const int column = blockIdx.x * 32 + threadIdx.x;
    float sum = 0.0F;
    if (column < c) {
#pragma unroll 4
        for (int row = threadIdx.y; row < partial_rows; row += 32)
            sum += args.partial[(static_cast<std::int64_t>(row) * 3 + blockIdx.y) * c + column];
    }
    shared[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    for (int half = 16; half > 0; half /= 2) {
        if (threadIdx.y < half)
            shared[threadIdx.y][threadIdx.x] += shared[threadIdx.y + half][threadIdx.x];
        __syncthreads();
    }
    if (threadIdx.y == 0 && column < c)
        out[column] = shared[0][threadIdx.x];
}

} // namespace

bool norm_supported(std::int64_t c)
{
    return c % 8 == 0 && c <= 4096;
}

void norm_forward(const NormShape &shape, const NormForward &args, cudaStream_t stream)
{
    const auto blocks = static_cast<unsigned>((shape.rows + kRows - 1) / kRows);
    const int threads = threads_for(shape.c);
    dispatch(shape.type, [&](auto tag) {
        using T = decltype(tag);
        if (args.dropout.probability > 0.0F)
            forward_kernel<T, true><<<blocks, threads, 0, stream>>>(args, shape);
        else
            forward_kernel<T, false><<<blocks, threads, 0, stream>>>(args, shape);
    });
    check_launch("normalise rows");
}

void embedding_forward(const NormShape &shape, const EmbeddingForward &args, cudaStream_t stream)
{
    const auto blocks = static_cast<unsigned>((shape.rows + kRows - 1) / kRows);
    const int threads = threads_for(shape.c);
    dispatch(shape.type, [&](auto tag) {
        using T = decltype(tag);
        if (args.norm.dropout.probability > 0.0F)
            embedding_kernel<T, true><<<blocks, threads, 0, stream>>>(args, shape);
        else
            embedding_kernel<T, false><<<blocks, threads, 0, stream>>>(args, shape);
    });
    check_launch("embed tokens");
}

std::int64_t norm_partial_floats(const NormShape &shape)
{
    return std::int64_t{3} * shape.c * backward_blocks(shape);
}

void norm_backward(const NormShape &shape, const NormBackward &args, cudaStream_t stream)
{
    const int blocks = backward_blocks(shape);
    const int threads = threads_for(shape.c);
    dispatch(shape.type, [&](auto tag) {
        using T = decltype(tag);
        if (args.dropout > 0.0F)
            backward_kernel<T, true><<<blocks, threads, 0, stream>>>(args, shape);
        else
            backward_kernel<T, false><<<blocks, threads, 0, stream>>>(args, shape);
    });
    check_launch("take layer norm's gradient");
    const dim3 grid(static_cast<unsigned>((shape.c + 31) / 32), args.dbias ? 3 : 2);
    finish_kernel<<<grid, dim3(32, 32), 0, stream>>>(args, blocks, shape.c);
    check_launch("finish layer norm's gradient");
}

} // namespace sbtrain::cuda
