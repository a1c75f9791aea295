// SPDX-License-Identifier: Apache-2.0

// Batch norm + ReLU + max-pool of a stem. Window (i, j) covers rows 2i-1 .. 2i+1 and columns 2j-1 .. 2j+1.
// Pixels are taken in 2x2 groups: group (i, j) lies in the windows (i..i+1, j..j+1) and in no other.

#include "bn_kernels.h"
#include "vec.cuh"

#include <algorithm>

namespace sbtrain::cuda {

namespace {

constexpr int kThreads = 256;
constexpr unsigned kProcessors = 132; // of the largest Hopper
constexpr int kPoolsAtOnce = 3;       // blocks a multiprocessor
constexpr int kAppliesAtOnce = 2;

// A block takes lines (image, i) of groups; a thread, eight channels of every blockDim.y-th group of a line.
struct Line {
    unsigned number, rows, columns, image, i;

    __device__ Line(const StemShape &shape, unsigned line)
        : number(line)
        , rows(static_cast<unsigned>(shape.h) / 2)
        , columns(static_cast<unsigned>(shape.w) / 2)
        , image(line / rows)
        , i(line % rows)
    {
    }
    // In vectors of eight channels: group (i, j) of all groups, pixel (h, w) of all pixels.
    __device__ unsigned group(unsigned j) const { return (number * columns + j) * blockDim.x + threadIdx.x; }
    __device__ unsigned pixel(unsigned h, unsigned w) const
    {
        return ((image * rows * 2 + h) * columns * 2 + w) * blockDim.x + threadIdx.x;
    }
};

// The largest of a x + b in a window is at the largest x, or at the smallest where a is negative: values are
// compared as they are, their signs exchanged for negative a. In 16 bit a number becomes the upper half of a
// float whose lower half tells the tap. Of equal ones the first wins; of equal negative ones in 16 bit, the
// last.
template <typename T>
struct Largest {
    std::uint32_t exchange[4];
    float key[8];

    __device__ explicit Largest(const Float8 &a)
    {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            exchange[i] = (a.v[2 * i] < 0.0F ? 0x8000U : 0U) | (a.v[2 * i + 1] < 0.0F ? 0x80000000U : 0U);
    }
    __device__ void begin()
    {
#pragma unroll
        for (float &k : key)
            k = __int_as_float(static_cast<int>(0xFF800000U));
    }
    __device__ void take(const Raw8<T> &raw, unsigned tap)
    {
        const std::uint32_t word[4] = {raw.word[0].x, raw.word[0].y, raw.word[0].z, raw.word[0].w};
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const std::uint32_t pair = word[i] ^ exchange[i];
            key[2 * i] = fmaxf(key[2 * i], __uint_as_float(pair * 65536U + (15 - tap)));
            key[2 * i + 1] = fmaxf(key[2 * i + 1], __uint_as_float((pair & 0xFFFF0000U) | (15 - tap)));
        }
    }
    __device__ Float8 finish(std::uint8_t (&tap)[8]) const
    {
        uint4 raw;
        std::uint32_t *word = &raw.x;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const std::uint32_t low = __float_as_uint(key[2 * i]);
            const std::uint32_t high = __float_as_uint(key[2 * i + 1]);
            word[i] = ((low >> 16) | (high & 0xFFFF0000U)) ^ exchange[i];
            tap[2 * i] = static_cast<std::uint8_t>(15 - (low & 15));
            tap[2 * i + 1] = static_cast<std::uint8_t>(15 - (high & 15));
        }
        return unpack8<T>(raw);
    }
};
template <>
struct Largest<float> {
    std::uint32_t exchange[8];
    float key[8];
    unsigned at[8];

    __device__ explicit Largest(const Float8 &a)
    {
#pragma unroll
        for (int i = 0; i < 8; ++i)
            exchange[i] = a.v[i] < 0.0F ? 0x80000000U : 0U;
    }
    __device__ void begin()
    {
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            key[i] = __int_as_float(static_cast<int>(0xFF800000U));
            at[i] = 4;
        }
    }
    __device__ void take(const Raw8<float> &raw, unsigned tap)
    {
        const Float8 value = raw.values();
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            const float signed_value = __uint_as_float(__float_as_uint(value.v[i]) ^ exchange[i]);
            at[i] = signed_value > key[i] ? tap : at[i];
            key[i] = fmaxf(key[i], signed_value);
        }
    }
    __device__ Float8 finish(std::uint8_t (&tap)[8]) const
    {
        Float8 value;
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            value.v[i] = __uint_as_float(__float_as_uint(key[i]) ^ exchange[i]);
            tap[i] = static_cast<std::uint8_t>(at[i]);
        }
        return value;
    }
};

template <typename T>
__global__ void __launch_bounds__(kThreads, kPoolsAtOnce)
    pool_kernel(StemPool args, StemShape shape, unsigned lines)
{
    const T *x = static_cast<const T *>(args.x);
    const Float8 a = load8(args.a, threadIdx.x);
    const Float8 b = load8(args.b, threadIdx.x);
    Largest<T> largest(a);
    for (unsigned number = blockIdx.x; number < lines; number += gridDim.x) {
        const Line line(shape, number);
        for (unsigned j = threadIdx.y; j < line.columns; j += blockDim.y) {
            const unsigned middle = line.pixel(2 * line.i, 2 * j);
            const unsigned row_step = line.columns * 2 * blockDim.x;
            // Of the border only the first row and column are outside: sizes are even.
            constexpr int kTogether = sizeof(T) == 2 ? 3 : 1; // rows whose loads are on their way at once
            largest.begin();
#pragma unroll
            for (int first = 0; first < 3; first += kTogether) {
                Raw8<T> raw[kTogether * 3];
#pragma unroll
                for (int k = 0; k < kTogether * 3; ++k) {
                    const int row = first + k / 3;
                    if ((row > 0 || line.i > 0) && (k % 3 > 0 || j > 0))
                        raw[k] = load_raw8(x, middle + (row - 1) * static_cast<int>(row_step) +
                                                  (k % 3 - 1) * static_cast<int>(blockDim.x));
                }
#pragma unroll
                for (int k = 0; k < kTogether * 3; ++k) {
                    const int row = first + k / 3;
                    if ((row > 0 || line.i > 0) && (k % 3 > 0 || j > 0))
                        largest.take(raw[k], static_cast<unsigned>(first * 3 + k));
                }
            }
            std::uint8_t tap[8];
            const Float8 winner = largest.finish(tap);
            Float8 y;
#pragma unroll
            for (int c = 0; c < 8; ++c)
                y.v[c] = fmaxf(a.v[c] * winner.v[c] + b.v[c], 0.0F);
            const unsigned at = line.group(j);
            store8(static_cast<T *>(args.y), at, y);
            store8(static_cast<T *>(args.winner), at, winner);
            reinterpret_cast<uint2 *>(args.index)[at] = *reinterpret_cast<const uint2 *>(tap);
        }
    }
}

// The four windows that a group's pixels lie in: what they received, and which tap won it.
template <typename T>
struct Windows {
    Raw8<T> dy[4];
    uint2 index[4];

    __device__ void load(const StemBackward &args, const Line &line, unsigned j)
    {
#pragma unroll
        for (int window = 0; window < 4; ++window) {
            if (line.i + window / 2 < line.rows && j + window % 2 < line.columns) {
                const unsigned at = line.group(j) + (window / 2 * line.columns + window % 2) * blockDim.x;
                dy[window] = load_raw8(static_cast<const T *>(args.dy), at);
                index[window] = reinterpret_cast<const uint2 *>(args.index)[at];
            } else {
                dy[window] = Raw8<T>{};
                index[window] = make_uint2(~0U, ~0U); // no tap
            }
        }
    }
    // The gradient of pixel (k / 2, k % 2) of the group.
    __device__ Float8 gradient(int k) const
    {
        Float8 dz{};
#pragma unroll
        for (int window = 0; window < 4; ++window) {
            const int row = k / 2 + 1 - 2 * (window / 2);
            const int column = k % 2 + 1 - 2 * (window % 2);
            if (row < 0 || column < 0)
                continue;
            const Float8 value = dy[window].values();
#pragma unroll
            for (int c = 0; c < 8; ++c) {
                const unsigned word = c < 4 ? index[window].x : index[window].y;
                const unsigned tap = (word >> (c % 4 * 8)) & 0xFFU;
                if (tap == static_cast<unsigned>(row * 3 + column))
                    dz.v[c] += value.v[c];
            }
        }
        return dz;
    }
};

template <typename T>
__global__ void __launch_bounds__(kThreads, kAppliesAtOnce)
    stem_apply_kernel(StemBackward args, StemShape shape, unsigned lines)
{
    const Float8 a = load8(args.a, threadIdx.x);
    const Float8 p = load8(args.p, threadIdx.x);
    const Float8 q = load8(args.q, threadIdx.x);
    for (unsigned number = blockIdx.x; number < lines; number += gridDim.x) {
        const Line line(shape, number);
        for (unsigned j = threadIdx.y; j < line.columns; j += blockDim.y) {
            const unsigned first = line.pixel(2 * line.i, 2 * j);
            const unsigned row_step = line.columns * 2 * blockDim.x;
            Raw8<T> x[4];
#pragma unroll
            for (int k = 0; k < 4; ++k)
                x[k] =
                    load_raw8(static_cast<const T *>(args.x), first + k / 2 * row_step + k % 2 * blockDim.x);
            Windows<T> windows;
            windows.load(args, line, j);
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                Float8 dx = windows.gradient(k);
                const Float8 value = x[k].values();
#pragma unroll
                for (int c = 0; c < 8; ++c)
                    dx.v[c] = a.v[c] * dx.v[c] + p.v[c] * value.v[c] + q.v[c];
                store8(static_cast<T *>(args.dx), first + k / 2 * row_step + k % 2 * blockDim.x, dx);
            }
        }
    }
}

unsigned line_count(const StemShape &shape)
{
    return static_cast<unsigned>(shape.n) * static_cast<unsigned>(shape.h / 2);
}

// As many groups of a line at once as make its rounds equally long.
dim3 threads_for(const StemShape &shape)
{
    const auto vectors = static_cast<unsigned>(shape.c / 8);
    const auto columns = static_cast<unsigned>(shape.w / 2);
    const unsigned most = kThreads / vectors;
    const unsigned rounds = (columns + most - 1) / most;
    return {vectors, (columns + rounds - 1) / rounds};
}

unsigned blocks_for(const StemShape &shape, unsigned a_processor)
{
    return std::min<unsigned>(line_count(shape), kProcessors * a_processor);
}

} // namespace

bool stem_supported(const StemShape &shape)
{
    return shape.h % 2 == 0 && shape.w % 2 == 0 && kThreads % (shape.c / 8) == 0 &&
           static_cast<std::int64_t>(shape.n) * shape.h * shape.w * shape.c < (std::int64_t{1} << 34);
}

void stem_pool_forward(const StemShape &shape, const StemPool &args, cudaStream_t stream)
{
    dispatch(shape.type, [&](auto tag) {
        pool_kernel<decltype(tag)><<<blocks_for(shape, kPoolsAtOnce), threads_for(shape), 0, stream>>>(
            args, shape, line_count(shape));
    });
    check_launch("pool the stem");
}

void stem_backward_apply(const StemShape &shape, const StemBackward &args, cudaStream_t stream)
{
    // In fp32 many short blocks are faster (measured: 0.262 against 0.272 ms for 128 images).
    const unsigned a_processor = shape.type == Type::F32 ? 8 * kAppliesAtOnce : kAppliesAtOnce;
    dispatch(shape.type, [&](auto tag) {
        stem_apply_kernel<decltype(tag)><<<blocks_for(shape, a_processor), threads_for(shape), 0, stream>>>(
            args, shape, line_count(shape));
    });
    check_launch("apply the stem's gradient");
}

} // namespace sbtrain::cuda
