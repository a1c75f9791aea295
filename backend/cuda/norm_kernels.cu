// SPDX-License-Identifier: Apache-2.0
#include "norm_kernels.h"

#include "dropout.cuh"
#include "norm_rows.cuh"

namespace sbtrain::cuda {

namespace {

// A block of C / 8 threads (whole warps) takes kRows rows at a time: one barrier serves them all.
constexpr int kRows = 4;

// Normalises kRows rows held in registers and writes y, mean and istd. Two passes over the registers: the
// variance is that of the deviations.
template <typename T>
__device__ void normalise_rows(Float8 (&z)[kRows], const NormForward &args, std::int64_t first_row,
                               const NormShape &shape)
{
    const bool active = static_cast<int>(threadIdx.x) < shape.c / 8;
    const float per_column = 1.0F / static_cast<float>(shape.c);
    RowSums<kRows> sums{};
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
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
        const std::int64_t row = first_row + r;
        if (row >= shape.rows)
            break;
        const float istd = rsqrtf(sums.second[r] * per_column + args.eps);
        Float8 y;
#pragma unroll
        for (int i = 0; i < 8; ++i)
            y.v[i] = gamma.v[i] * ((z[r].v[i] - mean[r]) * istd) + beta.v[i];
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

// Forward with a warp to a row of at most 256 V columns: everything it reads is on its way before anything
// is used, and sums cross no barrier.
constexpr int kRowsABlock = 4;
constexpr int kMostVectors = 4;

template <typename T, int V>
struct RowAt {
    std::int64_t row, first; // first: of its vectors
    int vectors;

    __device__ explicit RowAt(const NormShape &shape)
        : row(static_cast<std::int64_t>(blockIdx.x) * kRowsABlock + threadIdx.x / 32)
        , first(row * (shape.c / 8) + threadIdx.x % 32)
        , vectors(shape.c / 8)
    {
    }
    // Vector 32 v of the lane is one of the row: all but the last are.
    __device__ bool has(int v) const
    {
        return v < V - 1 || static_cast<int>(threadIdx.x % 32) + 32 * v < vectors;
    }
    __device__ void load(const void *from, Raw8<T> (&raw)[V]) const
    {
#pragma unroll
        for (int v = 0; v < V; ++v) {
            raw[v] = Raw8<T>{};
            if (has(v))
                raw[v] = load_raw8(static_cast<const T *>(from), first + 32 * v);
        }
    }
};

// z = dropout(x) + residual, rounded as it is stored: backward shall see what was normalised.
template <typename T, bool DropOut, int V>
__device__ inline void add_row(const NormForward &args, const RowAt<T, V> &at, Float8 (&z)[V])
{
    Raw8<T> x[V];
    Raw8<T> residual[V];
    at.load(args.x, x);
#pragma unroll
    for (int v = 0; v < V; ++v)
        residual[v] = Raw8<T>{};
    if (args.residual != nullptr)
        at.load(args.residual, residual);
    DropoutMask mask;
    if constexpr (DropOut)
        mask = dropout_mask(args.dropout);
#pragma unroll
    for (int v = 0; v < V; ++v) {
        z[v] = x[v].values();
        const Float8 more = residual[v].values();
        unsigned kept = 0xFF;
        if constexpr (DropOut)
            kept = mask.drop8(static_cast<std::uint64_t>(at.first + 32 * v), z[v]);
#pragma unroll
        for (int i = 0; i < 8; ++i)
            z[v].v[i] = to_float(from_float<T>(z[v].v[i] + more.v[i]));
        if (!at.has(v)) {
            z[v] = Float8{};
            continue;
        }
        if constexpr (DropOut)
            args.kept[at.first + 32 * v] = static_cast<std::uint8_t>(kept);
        if (args.z != nullptr)
            store8(static_cast<T *>(args.z), at.first + 32 * v, z[v]);
    }
}

template <typename T, bool DropOut, int V>
__global__ void __launch_bounds__(32 * kRowsABlock) forward_row_kernel(NormForward args, NormShape shape)
{
    const RowAt<T, V> at(shape);
    if (at.row >= shape.rows)
        return;
    Float8 z[V];
    add_row<T, DropOut>(args, at, z);
    const float per_column = 1.0F / static_cast<float>(shape.c);
    float sum = 0.0F;
#pragma unroll
    for (int i = 0; i < 8 * V; ++i)
        sum += z[i / 8].v[i % 8];
    const float mean = warp_sum(sum) * per_column;
    float squares = 0.0F;
#pragma unroll
    for (int i = 0; i < 8 * V; ++i) {
        const float deviation = z[i / 8].v[i % 8] - mean;
        squares += at.has(i / 8) ? deviation * deviation : 0.0F;
    }
    const float istd = rsqrtf(warp_sum(squares) * per_column + args.eps);
#pragma unroll
    for (int v = 0; v < V; ++v) {
        if (!at.has(v))
            continue;
        const std::int64_t column = static_cast<std::int64_t>(threadIdx.x % 32) + 32 * v;
        const Float8 gamma = load8(args.gamma, column);
        const Float8 beta = load8(args.beta, column);
        Float8 y;
#pragma unroll
        for (int i = 0; i < 8; ++i)
            y.v[i] = gamma.v[i] * ((z[v].v[i] - mean) * istd) + beta.v[i];
        store8(static_cast<T *>(args.y), at.first + 32 * v, y);
    }
    if (threadIdx.x % 32 == 0) {
        args.mean[at.row] = mean;
        args.istd[at.row] = istd;
    }
}

template <typename T, bool DropOut>
void forward_rows(const NormShape &shape, const NormForward &args, cudaStream_t stream)
{
    const auto blocks = static_cast<unsigned>((shape.rows + kRowsABlock - 1) / kRowsABlock);
    constexpr int kThreads = 32 * kRowsABlock;
    switch ((shape.c / 8 + 31) / 32) {
    case 1:
        forward_row_kernel<T, DropOut, 1><<<blocks, kThreads, 0, stream>>>(args, shape);
        break;
    case 2:
        forward_row_kernel<T, DropOut, 2><<<blocks, kThreads, 0, stream>>>(args, shape);
        break;
    case 3:
        forward_row_kernel<T, DropOut, 3><<<blocks, kThreads, 0, stream>>>(args, shape);
        break;
    default:
        forward_row_kernel<T, DropOut, kMostVectors><<<blocks, kThreads, 0, stream>>>(args, shape);
    }
}

// Rows too long for a warp.
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
        const std::int64_t vector = row * vectors + threadIdx.x;
        z[r] = load8(static_cast<const T *>(args.x), vector);
        Float8 residual{};
        if (args.residual)
            residual = load8(static_cast<const T *>(args.residual), vector);
        if constexpr (DropOut)
            args.kept[vector] =
                static_cast<std::uint8_t>(mask.drop8(static_cast<std::uint64_t>(vector), z[r]));
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            // What is stored is what is normalised, so that backward sees the same numbers.
            z[r].v[i] = to_float(from_float<T>(z[r].v[i] + residual.v[i]));
        }
    }
    if (active && args.z != nullptr)
        store_rows(z, static_cast<T *>(args.z), first_row, shape);
    normalise_rows<T>(z, args, first_row, shape);
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
        const bool drops = args.dropout.rate.drops();
        if (shape.c <= 256 * kMostVectors && drops)
            forward_rows<T, true>(shape, args, stream);
        else if (shape.c <= 256 * kMostVectors)
            forward_rows<T, false>(shape, args, stream);
        else if (drops)
            forward_kernel<T, true><<<blocks, threads, 0, stream>>>(args, shape);
        else
            forward_kernel<T, false><<<blocks, threads, 0, stream>>>(args, shape);
    });
    check_launch("normalise rows");
}

} // namespace sbtrain::cuda
