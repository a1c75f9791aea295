// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kernel of the own weight gradient of 1x1 convolutions: sums over pixels of a(pixel, m) b(pixel, n), a
// being that of x and dy which has more channels. A block makes a tile of 256 x N from some of the pixels;
// its sums stay in registers.
//
// As in own_wgrad_kernel.cuh one warp has the copy engine fetch steps of pixels and three warps transpose b;
// a goes to registers as it lies. Four warpgroups multiply, 64 channels of a each. Of eight pixels, 2 l + h
// is column l + 4 h of a product step; this order keeps the lanes that load a in different banks.
//
// Included by own_wgrad.cu only.

#include "own_wgrad_tiles.cuh"

#include <cuda.h>

namespace sbtrain::cuda {

namespace {

constexpr int kPointwiseRows = 256; // channels of a
constexpr int kPointwiseGroups = 4; // of warps that multiply
constexpr int kPointwisePixels = 32;
constexpr int kPointwiseThreads = 128 * (1 + kPointwiseGroups);
constexpr int kBox = kPointwisePixels * 128; // bytes: 32 channels of a step, swizzled
constexpr int kASlot = kPointwiseRows / 32 * kBox;

// Of shared memory, in bytes but for the numbers of slots.
template <int N>
struct PointwiseSizes {
    static constexpr int kBSlot = kPointwisePixels * N * 4;
    static constexpr int kASlots = N == 64 ? 5 : 4;
    static constexpr int kBSlots = N == 64 ? 4 : 3;
    static constexpr int kTransposedSlots = 3;
    static constexpr int kBPlace = kASlots * kASlot;
    static constexpr int kTransposedPlace = kBPlace + kBSlots * kBSlot;
    static constexpr int kABarriers = kTransposedPlace + kTransposedSlots * kBSlot;
    static constexpr int kBBarriers = kABarriers + 16 * kASlots;
    static constexpr int kTransposedBarriers = kBBarriers + 16 * kBSlots;
    static constexpr int kShared = 1024 + kTransposedBarriers + 16 * kTransposedSlots; // alignment first
};

struct PointwiseParams {
    int steps = 0; // of all pixels
    int splits = 0;
    int tiles_n = 0;
    int columns = 0;         // of out
    bool transposed = false; // out is (n, m)
    std::int64_t split_stride = 0;
    float *out = nullptr; // of the first split: (m, n)
};

struct PointwiseMaps {
    CUtensorMap a, b;
};

template <int N>
struct PointwiseShared {
    using Sizes = PointwiseSizes<N>;
    Ring<Sizes::kASlots, kASlot, 0, Sizes::kABarriers> a;
    Ring<Sizes::kBSlots, Sizes::kBSlot, Sizes::kBPlace, Sizes::kBBarriers> b;
    Ring<Sizes::kTransposedSlots, Sizes::kBSlot, Sizes::kTransposedPlace, Sizes::kTransposedBarriers>
        transposed;
};

// What this block does: a tile, and steps [first, last).
struct PointwiseShare {
    int m, n, split, first, last;
    __device__ PointwiseShare(const PointwiseParams &p, int tile_columns)
    {
        const int tiles = static_cast<int>(gridDim.x) / p.splits;
        const int tile = static_cast<int>(blockIdx.x) % tiles;
        split = static_cast<int>(blockIdx.x) / tiles;
        m = tile / p.tiles_n * kPointwiseRows;
        n = tile % p.tiles_n * tile_columns;
        first = static_cast<int>(static_cast<std::int64_t>(p.steps) * split / p.splits);
        last = static_cast<int>(static_cast<std::int64_t>(p.steps) * (split + 1) / p.splits);
    }
};

// One thread.
template <int N>
__device__ void copy_steps(const PointwiseMaps &maps, const PointwiseShared<N> &s,
                           const PointwiseShare &share)
{
    for (int step = share.first; step < share.last; ++step) {
        const int n = step - share.first;
        s.b.wait_empty(n);
        barrier_expect(s.b.full(n), PointwiseSizes<N>::kBSlot);
        tile_load(&maps.b, s.b.full(n), s.b.slot(n), share.n, step * kPointwisePixels);
        s.a.wait_empty(n);
        barrier_expect(s.a.full(n), kASlot);
        tile_load(&maps.a, s.a.full(n), s.a.slot(n), 0, step * kPointwisePixels, share.m / 32, 0);
    }
}

// Three warps. A transposed slot is [eight pixels][h][channel][l].
template <int N>
__device__ void transpose_steps(const PointwiseShared<N> &s, int steps, int warp, int lane)
{
    constexpr int kParts = kPointwisePixels / 4 * (N / 32); // 32 channels of four pixels
    constexpr int kBatch = 4;                               // loads of so many before the stores
    for (int n = 0; n < steps; ++n) {
        s.b.wait_full(n);
        s.transposed.wait_empty(n);
        const std::uint8_t *from = s.b.slot(n) + lane * 4;
        std::uint8_t *to = s.transposed.slot(n) + lane * 16;
#pragma unroll
        for (int i = 0; i < kParts; i += 3 * kBatch) {
            float4 v[kBatch];
#pragma unroll
            for (int j = 0; j < kBatch; ++j) {
                const int part = i + 3 * j + warp;
                if (part < kParts) {
                    const int half = part / (N / 32);
                    const std::uint8_t *at =
                        from + (half / 2 * 8 + half % 2) * (N * 4) + part % (N / 32) * 128;
                    v[j].x = *reinterpret_cast<const float *>(at);
                    v[j].y = *reinterpret_cast<const float *>(at + 2 * N * 4);
                    v[j].z = *reinterpret_cast<const float *>(at + 4 * N * 4);
                    v[j].w = *reinterpret_cast<const float *>(at + 6 * N * 4);
                }
            }
#pragma unroll
            for (int j = 0; j < kBatch; ++j) {
                const int part = i + 3 * j + warp;
                if (part < kParts)
                    *reinterpret_cast<float4 *>(to + part * 512) = v[j];
            }
        }
        fence_for_copies();
        barrier_arrive(s.transposed.full(n));
        barrier_arrive(s.b.empty(n));
    }
}

// One warpgroup: 64 channels of a.
template <int N>
struct PointwiseConsumer {
    const PointwiseParams &p;
    const PointwiseShared<N> &s;
    int group, warp, lane;
    float d[N / 2] = {};

    __device__ __forceinline__ void load(std::uint32_t (&left)[4], const std::uint8_t *a, int i) const
    {
        load_pixels(left, a, lane % 4 * 2, 8 * i, 8 * i + 1, warp, lane);
    }

    // Adds a step's pixels.
    __device__ __forceinline__ void multiply(const std::uint8_t *a, const std::uint8_t *b)
    {
        constexpr int kEights = kPointwisePixels / 8;
        a = own_pixel(a + group * 2 * kBox, kBox, lane % 4 * 2, warp, lane);
        const std::uint64_t right = plain_tile_descriptor(b, N * 16, 128);
        std::uint32_t left[kEights][4];
        load(left[0], a, 0);
        load(left[1], a, 1);
#pragma unroll
        for (int i = 0; i < kEights; ++i) {
            product_fence();
            product<float, N>(d, left[i], right + static_cast<std::uint64_t>(i * 2 * N), 1);
            product_commit();
            if (i + 1 == kEights)
                break;
            product_wait<1>();
            if (i + 2 < kEights)
                load(left[i + 2], a, i + 2);
        }
        product_wait<0>();
    }

    __device__ void run(const PointwiseShare &share)
    {
        for (int n = 0; n < share.last - share.first; ++n) {
            s.a.wait_full(n);
            s.transposed.wait_full(n);
            multiply(s.a.slot(n), s.transposed.slot(n));
            release(s.a.empty(n), lane);
            release(s.transposed.empty(n), lane);
        }
        store(share);
    }

    __device__ void store(const PointwiseShare &share) const
    {
        float *out = p.out + share.split * p.split_stride;
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const std::int64_t m = share.m + group * 64 + warp * 16 + half * 8 + lane / 4;
            const std::int64_t n = share.n + lane % 4 * 2;
#pragma unroll
            for (int j = 0; j < N / 8; ++j) {
                const float2 v = make_float2(d[4 * j + 2 * half], d[4 * j + 2 * half + 1]);
                if (p.transposed) {
                    out[(n + 8 * j) * p.columns + m] = v.x;
                    out[(n + 8 * j + 1) * p.columns + m] = v.y;
                } else {
                    *reinterpret_cast<float2 *>(out + m * p.columns + n + 8 * j) = v;
                }
            }
        }
    }
};

template <int N>
__global__ void __launch_bounds__(kPointwiseThreads, 1)
    own_wgrad_pointwise_kernel(const __grid_constant__ PointwiseMaps maps,
                               const __grid_constant__ PointwiseParams p)
{
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    extern __shared__ std::uint8_t raw[];
    std::uint8_t *const shared = raw + (1024 - shared_address(raw) % 1024) % 1024;
    const PointwiseShared<N> s{{shared}, {shared}, {shared}};
    if (threadIdx.x == 0) {
        s.a.init(1, 4 * kPointwiseGroups);
        s.b.init(1, 96);
        s.transposed.init(96, 4 * kPointwiseGroups);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    const PointwiseShare share(p, N);
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    if (warp < 4) { // 640 threads begin with 96 registers each, which is what there is to share out
        asm volatile("setmaxnreg.dec.sync.aligned.u32 64;");
        if (warp > 0)
            transpose_steps<N>(s, share.last - share.first, warp - 1, lane);
        else if (lane == 0)
            copy_steps<N>(maps, s, share);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 104;");
        PointwiseConsumer<N> consumer{p, s, warp / 4 - 1, warp % 4, lane};
        consumer.run(share);
    }
#endif
}

} // namespace

} // namespace sbtrain::cuda
