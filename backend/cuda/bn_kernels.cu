// SPDX-License-Identifier: Apache-2.0
#include "bn_kernels.h"

#include "bn_formulas.cuh"
#include "vec.cuh"

#include <algorithm>

namespace sbtrain::cuda {

namespace {

// A block covers whole rows: C / 8 threads side by side, as many rows as fit. Blocks step through the rows
// together (a grid stride), which keeps the memory controllers in one neighbourhood.
constexpr int kThreads = 512;
constexpr int kReduceThreads = 256; // three blocks a multiprocessor: one wave on the largest Hopper
constexpr int kReduceBlocks = 396;
constexpr int kApplyBlocks = 264;

int rows_per_block(int c)
{
    return kReduceThreads / (c / 8);
}

int reduce_blocks(const BnShape &shape)
{
    const std::int64_t fit = (shape.rows + rows_per_block(shape.c) - 1) / rows_per_block(shape.c);
    // Long rows: fewer partial rows, or putting them together costs as much as the pass itself.
    const int most = shape.c >= 1024 ? kReduceBlocks / 2 : kReduceBlocks;
    return static_cast<int>(std::min<std::int64_t>(std::max<std::int64_t>(fit / 4, 1), most));
}

int apply_blocks(const BnShape &shape)
{
    const std::int64_t vectors = shape.rows * shape.c / 8;
    return static_cast<int>(std::min<std::int64_t>((vectors + kThreads - 1) / kThreads, kApplyBlocks));
}

// Adds first and second over the block's rows and writes one partial row.
__device__ void write_partial(const Float8 &first, const Float8 &second, int c, float *partial)
{
    __shared__ float shared[kReduceThreads * 8];
    const int vectors = c / 8;
    const int lane_rows = blockDim.x / vectors;
    const int column = threadIdx.x % vectors;
    const int row = threadIdx.x / vectors;
#pragma unroll
    for (int which = 0; which < 2; ++which) {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 8; ++i)
            shared[row * c + column * 8 + i] = which == 0 ? first.v[i] : second.v[i];
        __syncthreads();
        for (int channel = threadIdx.x; channel < c; channel += blockDim.x) {
            float sum = 0.0F;
            for (int r = 0; r < lane_rows; ++r)
                sum += shared[r * c + channel];
            partial[(static_cast<std::int64_t>(blockIdx.x) * 2 + which) * c + channel] = sum;
        }
    }
}

template <typename T>
__global__ void __launch_bounds__(kReduceThreads, 3)
    statistics_kernel(const T *x, std::int64_t rows, int c, float *partial)
{
    const int vectors = c / 8;
    const int column = threadIdx.x % vectors;
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * (blockDim.x / vectors);
    std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * (blockDim.x / vectors) + threadIdx.x / vectors;
    const Float8 shift = load8(x, column);
    Float8 sum{};
    Float8 square{};
    constexpr int kBatch = sizeof(T) == 2 ? 4 : 2;
    for (; row < rows; row += kBatch * stride) {
        Raw8<T> raw[kBatch];
#pragma unroll
        for (int k = 0; k < kBatch; ++k) {
            if (row + k * stride < rows)
                raw[k] = load_raw8(x, (row + k * stride) * vectors + column);
        }
#pragma unroll
        for (int k = 0; k < kBatch; ++k) {
            if (row + k * stride >= rows)
                break;
            const Float8 value = raw[k].values();
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                const float d = value.v[i] - shift.v[i];
                sum.v[i] += d;
                square.v[i] += d * d;
            }
        }
    }
    write_partial(sum, square, c, partial);
}

// Eight channels a block, 128 threads a channel: many loads at once, for there is little else to hide their
// latency. The sums are thread threadIdx.x's for channel blockIdx.x * 8 + threadIdx.x, threadIdx.x < 8.
constexpr int kFinishThreads = 1024;
constexpr int kFinishChannels = 8;

struct PairSum {
    double first, second;
};

__device__ PairSum quarter_warp_sum(PairSum sum)
{
#pragma unroll
    for (int offset = 8; offset < 32; offset *= 2) {
        sum.first += __shfl_xor_sync(0xFFFFFFFFU, sum.first, offset);
        sum.second += __shfl_xor_sync(0xFFFFFFFFU, sum.second, offset);
    }
    return sum;
}

__device__ PairSum sum_partial(const float *partial, int partial_rows, int c)
{
    __shared__ PairSum shared[kFinishThreads / 32][kFinishChannels];
    const int lane = static_cast<int>(threadIdx.x) % kFinishChannels;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int channel = static_cast<int>(blockIdx.x) * kFinishChannels + lane;
    PairSum sum{0.0, 0.0};
#pragma unroll 4
    for (int row = static_cast<int>(threadIdx.x) / kFinishChannels; row < partial_rows;
         row += kFinishThreads / kFinishChannels) {
        sum.first += partial[static_cast<std::int64_t>(row) * 2 * c + channel];
        sum.second += partial[(static_cast<std::int64_t>(row) * 2 + 1) * c + channel];
    }
    sum = quarter_warp_sum(sum);
    if (threadIdx.x % 32 < kFinishChannels)
        shared[warp][lane] = sum;
    __syncthreads();
    if (warp != 0)
        return sum;
    sum = {0.0, 0.0};
#pragma unroll
    for (int w = static_cast<int>(threadIdx.x) / kFinishChannels; w < kFinishThreads / 32; w += 4) {
        sum.first += shared[w][lane].first;
        sum.second += shared[w][lane].second;
    }
    return quarter_warp_sum(sum);
}

template <typename T>
__global__ void __launch_bounds__(kFinishThreads)
    forward_finish_kernel(BnForward args, std::int64_t rows, int c)
{
    const int channel = static_cast<int>(blockIdx.x) * kFinishChannels + static_cast<int>(threadIdx.x);
    PairSum sums{0.0, 0.0};
    if (!args.freeze)
        sums = sum_partial(args.partial, args.partial_rows, c);
    if (threadIdx.x >= kFinishChannels)
        return;
    double mean = args.running_mean[channel];
    double var = args.running_var[channel];
    if (!args.freeze) {
        const double count = static_cast<double>(rows);
        const double shift = args.shift ? to_float(static_cast<const T *>(args.shift)[channel]) : 0.0;
        const double offset = sums.first / count;
        mean = shift + offset;
        var = fmax(sums.second / count - offset * offset, 0.0);
        const double unbiased = var * count / fmax(count - 1.0, 1.0);
        args.running_mean[channel] += args.momentum * (static_cast<float>(mean) - args.running_mean[channel]);
        args.running_var[channel] +=
            args.momentum * (static_cast<float>(unbiased) - args.running_var[channel]);
    }
    const float istd = static_cast<float>(1.0 / sqrt(var + args.eps));
    const float a = args.gamma[channel] * istd;
    args.mean[channel] = static_cast<float>(mean);
    args.istd[channel] = istd;
    args.a[channel] = a;
    args.b[channel] = args.beta[channel] - a * static_cast<float>(mean);
}

enum class Residual { None, Plain, Normalised };

template <typename T, Residual R>
__global__ void __launch_bounds__(kThreads, sizeof(T) == 2 ? 2 : 1)
    normalise_kernel(BnNormalise args, std::int64_t vectors, int c)
{
    // The grid's stride is a multiple of a row, so a thread always meets the same channels.
    std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    const int column = static_cast<int>(at % (c / 8));
    const Float8 a = load8(args.a, column);
    Float8 b = load8(args.b, column);
    Float8 residual_a{};
    if constexpr (R == Residual::Normalised) {
        residual_a = load8(args.residual_a, column);
        const Float8 residual_b = load8(args.residual_b, column);
#pragma unroll
        for (int i = 0; i < 8; ++i)
            b.v[i] += residual_b.v[i];
    }
    const T *x = static_cast<const T *>(args.x);
    const T *residual = static_cast<const T *>(args.residual);
    T *y = static_cast<T *>(args.y);
    constexpr int kBatch = (R == Residual::None ? 4 : 2) / static_cast<int>(sizeof(T) / 2);
    for (; at < vectors; at += kBatch * stride) {
        Raw8<T> raw[kBatch];
        Raw8<T> more[kBatch];
#pragma unroll
        for (int k = 0; k < kBatch; ++k) {
            if (at + k * stride >= vectors)
                break;
            raw[k] = load_raw8(x, at + k * stride);
            if constexpr (R != Residual::None)
                more[k] = load_raw8(residual, at + k * stride);
        }
#pragma unroll
        for (int k = 0; k < kBatch; ++k) {
            const std::int64_t here = at + k * stride;
            if (here >= vectors)
                break;
            Float8 value = raw[k].values();
            Float8 add{};
            if constexpr (R != Residual::None)
                add = more[k].values();
            unsigned bits = 0;
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                value.v[i] = R == Residual::Normalised
                                 ? bn_sum(a.v[i], value.v[i], residual_a.v[i], add.v[i], b.v[i])
                                 : bn_value(a.v[i], value.v[i], b.v[i], add.v[i]);
                if (value.v[i] > 0.0F)
                    bits |= 1U << i;
                else if (args.relu)
                    value.v[i] = 0.0F;
            }
            store8(y, here, value);
            if (args.bits)
                args.bits[here] = static_cast<std::uint8_t>(bits);
        }
    }
}

template <typename T, BnMask Mask, bool Second>
__global__ void __launch_bounds__(kReduceThreads, 3) sums_kernel(BnSums args, std::int64_t rows, int c)
{
    const int vectors = c / 8;
    const int column = threadIdx.x % vectors;
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * (blockDim.x / vectors);
    std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * (blockDim.x / vectors) + threadIdx.x / vectors;
    const T *x = static_cast<const T *>(args.x);
    const T *dy = static_cast<const T *>(args.dy);
    const T *dy2 = static_cast<const T *>(args.dy2);
    T *dz = static_cast<T *>(args.dz);
    const Float8 mean = load8(args.mean, column);
    Float8 a{};
    Float8 b{};
    if constexpr (Mask == BnMask::FromX) {
        a = load8(args.a, column);
        b = load8(args.b, column);
    }
    Float8 first{};
    Float8 second{};
    constexpr int kBatch = sizeof(T) == 2 ? 2 : 1;
    for (; row < rows; row += kBatch * stride) {
        Raw8<T> raw[kBatch];
        Raw8<T> raw_dy[kBatch];
        Raw8<T> raw_dy2[kBatch];
        unsigned bits[kBatch];
#pragma unroll
        for (int k = 0; k < kBatch; ++k) {
            if (row + k * stride >= rows)
                break;
            const std::int64_t at = (row + k * stride) * vectors + column;
            raw_dy[k] = load_raw8(dy, at);
            raw[k] = load_raw8(x, at);
            if constexpr (Second)
                raw_dy2[k] = load_raw8(dy2, at);
            if constexpr (Mask == BnMask::FromBits)
                bits[k] = args.bits[at];
        }
#pragma unroll
        for (int k = 0; k < kBatch; ++k) {
            if (row + k * stride >= rows)
                break;
            Float8 gradient = raw_dy[k].values();
            const Float8 value = raw[k].values();
            Float8 more{};
            if constexpr (Second)
                more = raw_dy2[k].values();
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                float g = gradient.v[i] + more.v[i];
                if constexpr (Mask == BnMask::FromBits)
                    g = (bits[k] >> i) & 1U ? g : 0.0F;
                if constexpr (Mask == BnMask::FromX)
                    g = a.v[i] * value.v[i] + b.v[i] > 0.0F ? g : 0.0F;
                gradient.v[i] = g;
                first.v[i] += g;
                second.v[i] += g * (value.v[i] - mean.v[i]);
            }
            if (dz)
                store8(dz, (row + k * stride) * vectors + column, gradient);
        }
    }
    write_partial(first, second, c, args.partial);
}

__global__ void __launch_bounds__(kFinishThreads)
    backward_finish_kernel(BnBackward args, std::int64_t rows, int c)
{
    const int channel = static_cast<int>(blockIdx.x) * kFinishChannels + static_cast<int>(threadIdx.x);
    const PairSum sums = sum_partial(args.partial, args.partial_rows, c);
    if (threadIdx.x >= kFinishChannels)
        return;
    const double istd = args.istd[channel];
    const double a = args.a[channel];
    const double count = static_cast<double>(rows);
    args.dbeta[channel] = static_cast<float>(sums.first);
    args.dgamma[channel] = static_cast<float>(istd * sums.second);
    // Frozen statistics do not depend on x: only the first term of dx is left.
    const double p = args.freeze ? 0.0 : -a * istd * istd * sums.second / count;
    const double q = args.freeze ? 0.0 : -a * sums.first / count - p * args.mean[channel];
    args.p[channel] = static_cast<float>(p);
    args.q[channel] = static_cast<float>(q);
}

template <typename T, bool MaskFromX>
__global__ void __launch_bounds__(kThreads, sizeof(T) == 2 ? 2 : 1)
    apply_kernel(BnApply args, std::int64_t vectors, int c)
{
    std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    const int column = static_cast<int>(at % (c / 8));
    const Float8 a = load8(args.a, column);
    const Float8 p = load8(args.p, column);
    const Float8 q = load8(args.q, column);
    Float8 b{};
    if constexpr (MaskFromX)
        b = load8(args.b, column);
    const T *x = static_cast<const T *>(args.x);
    const T *dz = static_cast<const T *>(args.dz);
    T *dx = static_cast<T *>(args.dx);
    for (; at < vectors; at += stride) {
        const Float8 value = load8(x, at);
        Float8 gradient = load8(dz, at);
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            float g = gradient.v[i];
            if constexpr (MaskFromX)
                g = a.v[i] * value.v[i] + b.v[i] > 0.0F ? g : 0.0F;
            gradient.v[i] = bn_gradient(a.v[i], g, p.v[i], value.v[i], q.v[i]);
        }
        store8(dx, at, gradient);
    }
}

template <typename T, BnMask Mask>
void launch_sums(int blocks, const BnShape &shape, const BnSums &args, cudaStream_t stream)
{
    if (args.dy2)
        sums_kernel<T, Mask, true><<<blocks, kReduceThreads, 0, stream>>>(args, shape.rows, shape.c);
    else
        sums_kernel<T, Mask, false><<<blocks, kReduceThreads, 0, stream>>>(args, shape.rows, shape.c);
}

dim3 finish_blocks(const BnShape &shape)
{
    return dim3(static_cast<unsigned>(shape.c / kFinishChannels));
}

} // namespace

bool bn_supported(int c)
{
    return c >= 8 && c <= 8 * kReduceThreads && (c & (c - 1)) == 0;
}

int bn_partial_rows(const BnShape &shape)
{
    return reduce_blocks(shape);
}

int bn_statistics(const BnShape &shape, const void *x, float *partial, cudaStream_t stream)
{
    const int blocks = reduce_blocks(shape);
    dispatch(shape.type, [&](auto tag) {
        using T = decltype(tag);
        statistics_kernel<T>
            <<<blocks, kReduceThreads, 0, stream>>>(static_cast<const T *>(x), shape.rows, shape.c, partial);
    });
    check_launch("sum an activation");
    return blocks;
}

void bn_forward_finish(const BnShape &shape, const BnForward &args, cudaStream_t stream)
{
    dispatch(shape.type, [&](auto tag) {
        forward_finish_kernel<decltype(tag)>
            <<<finish_blocks(shape), kFinishThreads, 0, stream>>>(args, shape.rows, shape.c);
    });
    check_launch("finish batch statistics");
}

void bn_normalise(const BnShape &shape, const BnNormalise &args, cudaStream_t stream)
{
    const std::int64_t vectors = shape.rows * shape.c / 8;
    dispatch(shape.type, [&](auto tag) {
        using T = decltype(tag);
        const auto kernel = args.residual_a ? normalise_kernel<T, Residual::Normalised>
                            : args.residual ? normalise_kernel<T, Residual::Plain>
                                            : normalise_kernel<T, Residual::None>;
        kernel<<<apply_blocks(shape), kThreads, 0, stream>>>(args, vectors, shape.c);
    });
    check_launch("normalise an activation");
}

int bn_backward_sums(const BnShape &shape, const BnSums &args, cudaStream_t stream)
{
    const int blocks = reduce_blocks(shape);
    dispatch(shape.type, [&](auto tag) {
        using T = decltype(tag);
        switch (args.mask) {
        case BnMask::None:
            launch_sums<T, BnMask::None>(blocks, shape, args, stream);
            break;
        case BnMask::FromX:
            launch_sums<T, BnMask::FromX>(blocks, shape, args, stream);
            break;
        case BnMask::FromBits:
            launch_sums<T, BnMask::FromBits>(blocks, shape, args, stream);
            break;
        }
    });
    check_launch("sum a gradient");
    return blocks;
}

void bn_backward_finish(const BnShape &shape, const BnBackward &args, cudaStream_t stream)
{
    backward_finish_kernel<<<finish_blocks(shape), kFinishThreads, 0, stream>>>(args, shape.rows, shape.c);
    check_launch("finish gradient sums");
}

void bn_backward_apply(const BnShape &shape, const BnApply &args, cudaStream_t stream)
{
    const std::int64_t vectors = shape.rows * shape.c / 8;
    dispatch(shape.type, [&](auto tag) {
        using T = decltype(tag);
        if (args.mask_from_x)
            apply_kernel<T, true><<<apply_blocks(shape), kThreads, 0, stream>>>(args, vectors, shape.c);
        else
            apply_kernel<T, false><<<apply_blocks(shape), kThreads, 0, stream>>>(args, vectors, shape.c);
    });
    check_launch("apply batch norm's gradient");
}

} // namespace sbtrain::cuda
