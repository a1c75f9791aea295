// SPDX-License-Identifier: Apache-2.0
#include "token_kernels.h"

#include "dropout.cuh"
#include "gelu.cuh"

#include <algorithm>

namespace sbtrain::cuda {

namespace {

constexpr int kThreads = 256;
constexpr int kBlocks = 1056;

int blocks_for(std::int64_t threads)
{
    return static_cast<int>(std::min<std::int64_t>((threads + kThreads - 1) / kThreads, kBlocks));
}

// 2D: x over columns, y over rows, so that a thread keeps its sums.
constexpr int kColumnThreads = 32;
constexpr int kRowThreads = 8;

template <typename T>
__global__ void activate_kernel(const T *z, T *y, std::int64_t vectors, int activation)
{
    constexpr int kInFlight = 4; // y may be z, so the compiler keeps loads behind stores
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; at < vectors;
         at += kInFlight * stride) {
        Float8 values[kInFlight];
#pragma unroll
        for (int i = 0; i < kInFlight; ++i) {
            if (at + i * stride < vectors)
                values[i] = load8(z, at + i * stride);
        }
#pragma unroll
        for (int i = 0; i < kInFlight; ++i) {
#pragma unroll
            for (float &v : values[i].v)
                v = activation == 1 ? gelu(v) : tanhf(v);
            if (at + i * stride < vectors)
                store8(y, at + i * stride, values[i]);
        }
    }
}

// dy is changed in place, so the compiler keeps loads behind the stores before them.
constexpr int rows_in_flight(int activation)
{
    return activation == 0 ? 2 : 4;
}
constexpr int kBiasBlocks = 4 * 132; // as many as the largest Hopper holds at once, in 16 bit

template <typename T, int Activation>
__global__ void __launch_bounds__(kColumnThreads *kRowThreads, sizeof(T) == 2 ? 4 : 2)
    bias_backward_kernel(MatrixShape shape, BiasBackward args)
{
    constexpr int kRowsInFlight = rows_in_flight(Activation);
    const std::int64_t vectors = shape.columns / 8;
    const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * kColumnThreads + threadIdx.x;
    Float8 sum{};
    if (column < vectors) {
        T *dy = static_cast<T *>(args.dy);
        const T *z = static_cast<const T *>(args.z);
        const std::int64_t stride = static_cast<std::int64_t>(gridDim.y) * kRowThreads;
        for (std::int64_t first = static_cast<std::int64_t>(blockIdx.y) * kRowThreads + threadIdx.y;
             first < shape.rows; first += kRowsInFlight * stride) {
            Raw8<T> raw_dy[kRowsInFlight];
            Raw8<T> raw_z[kRowsInFlight];
#pragma unroll
            for (int r = 0; r < kRowsInFlight; ++r) {
                const std::int64_t at = min(first + r * stride, shape.rows - 1) * vectors + column;
                raw_dy[r] = load_raw8(dy, at);
                if constexpr (Activation != 0)
                    raw_z[r] = load_raw8(z, at);
            }
#pragma unroll
            for (int r = 0; r < kRowsInFlight; ++r) {
                const std::int64_t row = first + r * stride;
                if (row >= shape.rows)
                    break;
                Float8 g = raw_dy[r].values();
                if constexpr (Activation != 0) {
                    const Float8 v = raw_z[r].values();
#pragma unroll
                    for (int i = 0; i < 8; ++i)
                        g.v[i] *= Activation == 1 ? gelu_slope(v.v[i]) : 1.0F - v.v[i] * v.v[i];
                    store8(dy, row * vectors + column, g);
                }
#pragma unroll
                for (int i = 0; i < 8; ++i)
                    sum.v[i] += g.v[i];
            }
        }
    }
    __shared__ float shared[kRowThreads][kColumnThreads * 8];
#pragma unroll
    for (int i = 0; i < 8; ++i)
        shared[threadIdx.y][threadIdx.x * 8 + i] = sum.v[i];
    __syncthreads();
    const int at = static_cast<int>(threadIdx.y * kColumnThreads + threadIdx.x); // one of 256 columns
    const std::int64_t out = static_cast<std::int64_t>(blockIdx.x) * kColumnThreads * 8 + at;
    if (out >= shape.columns)
        return;
    float total = 0.0F;
#pragma unroll
    for (int r = 0; r < kRowThreads; ++r)
        total += shared[r][at];
    args.partial[static_cast<std::int64_t>(blockIdx.y) * shape.columns + out] = total;
}

template <typename T>
__global__ void add_kernel(T *sum, const T *more, std::int64_t vectors)
{
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; at < vectors;
         at += stride) {
        Float8 a = load8(sum, at);
        const Float8 b = load8(more, at);
#pragma unroll
        for (int i = 0; i < 8; ++i)
            a.v[i] += b.v[i];
        store8(sum, at, a);
    }
}

template <typename T>
__global__ void average_kernel(AverageArgs args)
{
    const int vectors = args.c / 8;
    const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at >= args.n * vectors)
        return;
    const std::int64_t image = at / vectors;
    const std::int64_t column = at % vectors;
    Float8 sum{};
#pragma unroll 7
    for (std::int64_t pixel = 0; pixel < args.pixels; ++pixel) {
        const Float8 value =
            load8(static_cast<const T *>(args.in), (image * args.pixels + pixel) * vectors + column);
#pragma unroll
        for (int i = 0; i < 8; ++i)
            sum.v[i] += value.v[i];
    }
#pragma unroll
    for (int i = 0; i < 8; ++i)
        sum.v[i] /= static_cast<float>(args.pixels);
    store8(static_cast<T *>(args.out), at, sum);
}

template <typename T>
__global__ void spread_kernel(AverageArgs args)
{
    const int vectors = args.c / 8;
    const std::int64_t count = args.n * args.pixels * vectors;
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    const float share = 1.0F / static_cast<float>(args.pixels);
    for (std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; at < count;
         at += stride) {
        const std::int64_t image = at / vectors / args.pixels;
        Float8 value = load8(static_cast<const T *>(args.in), image * vectors + at % vectors);
#pragma unroll
        for (int i = 0; i < 8; ++i)
            value.v[i] *= share;
        store8(static_cast<T *>(args.out), at, value);
    }
}

// A warp a row of scores.
template <typename T, bool DropOut>
__global__ void softmax_kernel(SoftmaxArgs args, std::int64_t rows)
{
    const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= rows)
        return;
    const int lane = static_cast<int>(threadIdx.x % 32);
    const std::int64_t t = args.t;
    const std::int64_t valid =
        min(max(static_cast<std::int64_t>(args.lengths[row / (args.heads * t)]), std::int64_t{1}), t);
    T *scores = static_cast<T *>(args.scores) + row * t;
    T *dropped = static_cast<T *>(args.dropped);
    float best = -INFINITY;
    for (std::int64_t i = lane; i < valid; i += 32)
        best = fmaxf(best, to_float(scores[i]));
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2)
        best = fmaxf(best, __shfl_xor_sync(0xFFFFFFFFU, best, offset));
    float sum = 0.0F;
    for (std::int64_t i = lane; i < valid; i += 32)
        sum += expf(args.scale * (to_float(scores[i]) - best));
    sum = warp_sum(sum);
    const std::int64_t first_draw = row * draws_of_row(t);
    DropoutMask mask;
    if constexpr (DropOut)
        mask = dropout_mask(args.dropout);
    for (std::int64_t i = lane; i < t; i += 32) {
        const float p = i < valid ? expf(args.scale * (to_float(scores[i]) - best)) / sum : 0.0F;
        scores[i] = from_float<T>(p);
        if constexpr (DropOut)
            dropped[row * t + i] = from_float<T>(p * mask.factor(static_cast<std::uint64_t>(first_draw + i)));
    }
}

template <typename T, bool DropOut>
__global__ void softmax_backward_kernel(SoftmaxArgs args, std::int64_t rows)
{
    const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= rows)
        return;
    const int lane = static_cast<int>(threadIdx.x % 32);
    const std::int64_t t = args.t;
    const T *p = static_cast<const T *>(args.scores) + row * t;
    T *dp = static_cast<T *>(args.dropped) + row * t;
    const std::int64_t first_draw = row * draws_of_row(t);
    DropoutMask mask;
    if constexpr (DropOut)
        mask = dropout_mask(args.dropout);
    const auto factor = [&](std::int64_t i) {
        return DropOut ? mask.factor(static_cast<std::uint64_t>(first_draw + i)) : 1.0F;
    };
    float dot = 0.0F;
    for (std::int64_t i = lane; i < t; i += 32)
        dot += factor(i) * to_float(dp[i]) * to_float(p[i]);
    dot = warp_sum(dot);
    for (std::int64_t i = lane; i < t; i += 32) {
        const float f = factor(i);
        const float value = to_float(p[i]);
        dp[i] = from_float<T>(args.scale * value * (f * to_float(dp[i]) - dot));
        if constexpr (DropOut)
            static_cast<T *>(args.again)[row * t + i] = from_float<T>(f * value);
    }
}

int bias_row_blocks(const MatrixShape &shape)
{
    const std::int64_t columns = (shape.columns / 8 + kColumnThreads - 1) / kColumnThreads;
    const std::int64_t wanted = std::max<std::int64_t>(kBiasBlocks / columns, 1);
    return static_cast<int>(std::min(wanted, (shape.rows + kRowThreads - 1) / kRowThreads));
}

dim3 bias_grid(const MatrixShape &shape)
{
    const std::int64_t columns = (shape.columns / 8 + kColumnThreads - 1) / kColumnThreads;
    return dim3(static_cast<unsigned>(columns), static_cast<unsigned>(bias_row_blocks(shape)));
}

} // namespace

void activate(const MatrixShape &shape, const void *z, void *y, int activation, cudaStream_t stream)
{
    const std::int64_t vectors = shape.rows * shape.columns / 8;
    dispatch(shape.type, [&](auto tag) {
        using T = decltype(tag);
        activate_kernel<T><<<blocks_for(vectors), kThreads, 0, stream>>>(
            static_cast<const T *>(z), static_cast<T *>(y), vectors, activation);
    });
    check_launch("activate");
}

std::int64_t bias_partial_floats(const MatrixShape &shape)
{
    return bias_row_blocks(shape) * shape.columns;
}

void bias_backward(const MatrixShape &shape, const BiasBackward &args, ColumnSums &sums, cudaStream_t stream)
{
    const dim3 threads(kColumnThreads, kRowThreads);
    dispatch(shape.type, [&](auto tag) {
        using T = decltype(tag);
        if (args.activation == 0)
            bias_backward_kernel<T, 0><<<bias_grid(shape), threads, 0, stream>>>(shape, args);
        else if (args.activation == 1)
            bias_backward_kernel<T, 1><<<bias_grid(shape), threads, 0, stream>>>(shape, args);
        else
            bias_backward_kernel<T, 2><<<bias_grid(shape), threads, 0, stream>>>(shape, args);
    });
    check_launch("take a bias gradient");
    sums.add({args.partial, bias_row_blocks(shape), shape.columns, shape.columns, args.dbias});
}

void add_into(Type type, void *sum, const void *more, std::int64_t count, cudaStream_t stream)
{
    dispatch(type, [&](auto tag) {
        using T = decltype(tag);
        add_kernel<T><<<blocks_for(count / 8), kThreads, 0, stream>>>(
            static_cast<T *>(sum), static_cast<const T *>(more), count / 8);
    });
    check_launch("add gradients");
}

void average_forward(const AverageArgs &args, cudaStream_t stream)
{
    const std::int64_t threads = args.n * args.c / 8;
    dispatch(args.type, [&](auto tag) {
        average_kernel<decltype(tag)><<<static_cast<unsigned>((threads + 63) / 64), 64, 0, stream>>>(args);
    });
    check_launch("average pixels");
}

void average_backward(const AverageArgs &args, cudaStream_t stream)
{
    dispatch(args.type, [&](auto tag) {
        spread_kernel<decltype(tag)>
            <<<blocks_for(args.n * args.pixels * args.c / 8), kThreads, 0, stream>>>(args);
    });
    check_launch("spread a gradient over pixels");
}

void softmax_forward(const SoftmaxArgs &args, cudaStream_t stream)
{
    const std::int64_t rows = args.n * args.heads * args.t;
    const auto blocks = static_cast<unsigned>((rows + 7) / 8);
    dispatch(args.type, [&](auto tag) {
        using T = decltype(tag);
        if (args.dropout.rate.drops())
            softmax_kernel<T, true><<<blocks, 256, 0, stream>>>(args, rows);
        else
            softmax_kernel<T, false><<<blocks, 256, 0, stream>>>(args, rows);
    });
    check_launch("take a softmax");
}

void softmax_backward(const SoftmaxArgs &args, cudaStream_t stream)
{
    const std::int64_t rows = args.n * args.heads * args.t;
    const auto blocks = static_cast<unsigned>((rows + 7) / 8);
    dispatch(args.type, [&](auto tag) {
        using T = decltype(tag);
        if (args.dropout.rate.drops())
            softmax_backward_kernel<T, true><<<blocks, 256, 0, stream>>>(args, rows);
        else
            softmax_backward_kernel<T, false><<<blocks, 256, 0, stream>>>(args, rows);
    });
    check_launch("take a softmax's gradient");
}

} // namespace sbtrain::cuda
