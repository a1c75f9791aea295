// SPDX-License-Identifier: Apache-2.0

// Batch norm + ReLU + max-pool of a stem. Window (i, j) covers rows 2i-1 .. 2i+1 and columns 2j-1 .. 2j+1.
// Pixels are taken in 2x2 groups: group (i, j) lies in the windows (i..i+1, j..j+1) and in no other.

#include "bn_kernels.h"
#include "vec.cuh"

#include <algorithm>

namespace sbtrain::cuda {

namespace {

constexpr int kThreads = 256;
constexpr int kBlocks = 1056;

struct Place {
    int n, i, j, column;
};

// Splits a linear position over (n, h/2, w/2, c/8).
__device__ Place place_of(unsigned at, const StemShape &shape)
{
    const auto vectors = static_cast<unsigned>(shape.c / 8);
    const auto columns = static_cast<unsigned>(shape.w / 2);
    const auto rows = static_cast<unsigned>(shape.h / 2);
    const unsigned pixel = at / vectors;
    const unsigned line = pixel / columns;
    return {static_cast<int>(line / rows), static_cast<int>(line % rows), static_cast<int>(pixel % columns),
            static_cast<int>(at % vectors)};
}

template <typename T>
__global__ void __launch_bounds__(kThreads) pool_kernel(StemPool args, StemShape shape, unsigned count)
{
    const int vectors = shape.c / 8;
    const unsigned stride = gridDim.x * blockDim.x;
    unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    const T *x = static_cast<const T *>(args.x);
    for (; at < count; at += stride) {
        const Place place = place_of(at, shape);
        const Float8 a = load8(args.a, place.column);
        const Float8 b = load8(args.b, place.column);
        Float8 best;
        Float8 winner;
        std::uint8_t index[8];
#pragma unroll
        for (int c = 0; c < 8; ++c) {
            best.v[c] = -1.0F; // below anything ReLU lets through
            winner.v[c] = 0.0F;
            index[c] = 0;
        }
#pragma unroll
        for (int tap = 0; tap < 9; ++tap) {
            const int h = 2 * place.i - 1 + tap / 3;
            const int w = 2 * place.j - 1 + tap % 3;
            if (h < 0 || w < 0 || h >= shape.h || w >= shape.w)
                continue;
            const std::int64_t pixel = (static_cast<std::int64_t>(place.n) * shape.h + h) * shape.w + w;
            const Float8 value = load8(x, pixel * vectors + place.column);
#pragma unroll
            for (int c = 0; c < 8; ++c) {
                const float z = fmaxf(a.v[c] * value.v[c] + b.v[c], 0.0F);
                if (z > best.v[c]) {
                    best.v[c] = z;
                    winner.v[c] = value.v[c];
                    index[c] = static_cast<std::uint8_t>(tap);
                }
            }
        }
        store8(static_cast<T *>(args.y), at, best);
        store8(static_cast<T *>(args.winner), at, winner);
        reinterpret_cast<uint2 *>(args.index)[at] = *reinterpret_cast<const uint2 *>(index);
    }
}

// The gradient at the four pixels of group (i, j): what the windows they won in received.
template <typename T>
struct Group {
    Float8 dz[4];

    __device__ void load(const StemBackward &args, const StemShape &shape, const Place &place)
    {
        const int vectors = shape.c / 8;
        const int columns = shape.w / 2;
        const int rows = shape.h / 2;
#pragma unroll
        for (int k = 0; k < 4; ++k)
            dz[k] = Float8{};
#pragma unroll
        for (int window = 0; window < 4; ++window) {
            const int i = place.i + window / 2;
            const int j = place.j + window % 2;
            if (i >= rows || j >= columns)
                continue;
            const std::int64_t at =
                ((static_cast<std::int64_t>(place.n) * rows + i) * columns + j) * vectors + place.column;
            const Float8 dy = load8(static_cast<const T *>(args.dy), at);
            const uint2 raw = reinterpret_cast<const uint2 *>(args.index)[at];
            const std::uint8_t *index = reinterpret_cast<const std::uint8_t *>(&raw);
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                const int row = k / 2 + 1 - 2 * (window / 2);
                const int column = k % 2 + 1 - 2 * (window % 2);
                if (row < 0 || column < 0)
                    continue;
#pragma unroll
                for (int c = 0; c < 8; ++c)
                    dz[k].v[c] += index[c] == row * 3 + column ? dy.v[c] : 0.0F;
            }
        }
    }
};

template <typename T>
__global__ void __launch_bounds__(kThreads)
    stem_apply_kernel(StemBackward args, StemShape shape, unsigned count)
{
    const unsigned stride = gridDim.x * blockDim.x;
    unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    const int vectors = shape.c / 8;
    for (; at < count; at += stride) {
        const Place place = place_of(at, shape);
        Raw8<T> x[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const int h = 2 * place.i + k / 2;
            const int w = 2 * place.j + k % 2;
            const std::int64_t pixel = (static_cast<std::int64_t>(place.n) * shape.h + h) * shape.w + w;
            x[k] = load_raw8(static_cast<const T *>(args.x), pixel * vectors + place.column);
        }
        Group<T> group;
        group.load(args, shape, place);
        const Float8 a = load8(args.a, place.column);
        const Float8 p = load8(args.p, place.column);
        const Float8 q = load8(args.q, place.column);
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const Float8 value = x[k].values();
#pragma unroll
            for (int c = 0; c < 8; ++c)
                group.dz[k].v[c] = a.v[c] * group.dz[k].v[c] + p.v[c] * value.v[c] + q.v[c];
            const int h = 2 * place.i + k / 2;
            const int w = 2 * place.j + k % 2;
            const std::int64_t pixel = (static_cast<std::int64_t>(place.n) * shape.h + h) * shape.w + w;
            store8(static_cast<T *>(args.dx), pixel * vectors + place.column, group.dz[k]);
        }
    }
}

// Fits 32 bits, which keeps the index arithmetic cheap (stem_supported).
unsigned group_count(const StemShape &shape)
{
    return static_cast<unsigned>(shape.n) * static_cast<unsigned>(shape.h / 2) *
           static_cast<unsigned>(shape.w / 2) * static_cast<unsigned>(shape.c / 8);
}

int blocks_for(const StemShape &shape)
{
    return static_cast<int>(std::min<unsigned>((group_count(shape) + kThreads - 1) / kThreads, kBlocks));
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
        pool_kernel<decltype(tag)>
            <<<blocks_for(shape) * 4, kThreads, 0, stream>>>(args, shape, group_count(shape));
    });
    check_launch("pool the stem");
}

void stem_backward_apply(const StemShape &shape, const StemBackward &args, cudaStream_t stream)
{
    dispatch(shape.type, [&](auto tag) {
        stem_apply_kernel<decltype(tag)>
            <<<blocks_for(shape), kThreads, 0, stream>>>(args, shape, group_count(shape));
    });
    check_launch("apply the stem's gradient");
}

} // namespace sbtrain::cuda
