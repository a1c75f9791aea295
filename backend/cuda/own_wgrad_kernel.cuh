// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kernel of the own weight gradient of 3x3 convolutions. A block makes all nine taps of 64 output times
// 64 input channels from some of the images; its sums stay in registers. It goes down the images row by row:
// a step is one row of dy of several images and Stride rows of x. Three warpgroups multiply, one a ky, each
// with three sums of 64 x 64 for kx = 0, 1, 2. They take row y of dy with rows Stride y - 1, Stride y and
// Stride y + 1 of x, so a row of x is fetched once for all of them. dy goes through registers, as it serves
// three products.
//
// tf32: the tensor cores want pixels of a channel next to each other. A step is eight runs of seven pixels,
// and a product step takes one pixel of each as its k = 8. Then the shift of x by a pixel, which the taps
// need, is a shift by a whole k-slice of the transposed tile, hence only another address: x is transposed
// once for all taps by three warps, and no shifted copies are needed. Run 2 l + h is column l + 4 h of a
// product step; this order keeps the lanes that load dy in different banks.
//
// 16 bit: the tensor cores take tiles with pixels along k as they lie. A step is 128 pixels; rows are padded
// by zeros to 8, 16, 32 or 64, so that k is a multiple of 16 and a shifted pixel of x always there.
//
// Included by own_wgrad.cu only.

#include "own_wgrad_tiles.cuh"

#include <cuda.h>

namespace sbtrain::cuda {

namespace {

constexpr int kRun = 7;                 // tf32: pixels of dy
constexpr int kPixels = 128;            // 16 bit: of a step
constexpr int kChannels = 64;           // of a tile, of both sides
constexpr int kDyHalf = 8 * kRun * 128; // bytes: 32 channels of a step in tf32, swizzled
constexpr int kSlice = kChannels * 16;  // bytes: one pixel of four runs, transposed
constexpr int kTransposers = 96;        // threads

// Of shared memory, in bytes but for the numbers of slots.
template <typename T, int Stride>
struct WgradSizes {
    static constexpr bool kSingle = std::is_same_v<T, float>;
    static constexpr int kMet = Stride * (kRun - 1) + 3; // pixels of x that a run meets
    static constexpr int kDySlot = kSingle ? 2 * kDyHalf : kPixels * 128;
    // tf32: at most; pixels as they come. 16 bit: zeros for the last pixel's neighbour come behind.
    static constexpr int kXSlot = kSingle ? 8 * kMet * kChannels * 4 : (kPixels + 8) * 128;
    static constexpr int kTransposedSlot = 2 * kMet * kSlice;
    static constexpr int kDySlots = !kSingle ? 5 : Stride == 1 ? 4 : 3;
    static constexpr int kXSlots = !kSingle ? 7 : Stride == 1 ? 3 : 2;
    static constexpr int kTransposedSlots = Stride == 1 ? 5 : 4; // of tf32 only
    static constexpr int kXPlace = kDySlots * kDySlot;
    static constexpr int kTransposedPlace = kXPlace + kXSlots * kXSlot;
    static constexpr int kDyBarriers = kTransposedPlace + (kSingle ? kTransposedSlots * kTransposedSlot : 0);
    static constexpr int kXBarriers = kDyBarriers + 16 * kDySlots;
    static constexpr int kTransposedBarriers = kXBarriers + 16 * kXSlots;
    static constexpr int kShared = 1024 + kTransposedBarriers + 16 * kTransposedSlots; // alignment first
};

struct WgradParams {
    int height = 0;     // of dy
    int images = 0;     // of a step
    int width = 0;      // of dy, of a step
    int x_width = 0;    // of x, of a step
    int runs_shift = 0; // tf32: log2 of the runs a row
    int strips = 0;     // of `width` pixels, across an image
    int units = 0;      // of as many images as a step has, a strip of each; all strips
    int splits = 0;
    int tiles_ci = 0;
    int ci = 0; // all channels of x
    std::int64_t split_stride = 0;
    float *out = nullptr; // of the first split: (co, 3, 3, ci)
};

template <typename T, int Stride>
using WgradShared = WgradRings<WgradSizes<T, Stride>>;

// What this block does: a tile of dw, and units [first, last).
struct WgradShare {
    int co, ci, split, first, last;
    __device__ explicit WgradShare(const WgradParams &p)
    {
        const int tiles = static_cast<int>(gridDim.x) / p.splits;
        const int tile = static_cast<int>(blockIdx.x) % tiles;
        split = static_cast<int>(blockIdx.x) / tiles;
        co = tile / p.tiles_ci * kChannels;
        ci = tile % p.tiles_ci * kChannels;
        first = static_cast<int>(static_cast<std::int64_t>(p.units) * split / p.splits);
        last = static_cast<int>(static_cast<std::int64_t>(p.units) * (split + 1) / p.splits);
    }
};

// One thread.
template <typename T, int Stride>
__device__ void copy_rows(const WgradMaps &maps, const WgradParams &p, const WgradShared<T, Stride> &s,
                          const WgradShare &share)
{
    using Sizes = WgradSizes<T, Stride>;
    const int x_bytes = p.images * p.x_width * kChannels * static_cast<int>(sizeof(T));
    int n = 0;
    for (int unit = share.first; unit < share.last; ++unit) {
        const int image = unit / p.strips * p.images;
        const int column = unit % p.strips * p.width;
        for (int y = 0; y < p.height; ++y, ++n) {
#pragma unroll
            for (int i = 0; i < Stride; ++i) {
                const int row = Stride * n + i;
                s.x.wait_empty(row);
                barrier_expect(s.x.full(row), x_bytes);
                tile_load(&maps.x, s.x.full(row), s.x.slot(row), share.ci, Stride * column - 1,
                          Stride * y + i, image);
            }
            s.dy.wait_empty(n);
            barrier_expect(s.dy.full(n), Sizes::kDySlot);
            tile_load(&maps.dy, s.dy.full(n), s.dy.slot(n), share.co, column, y, image);
            if constexpr (Sizes::kSingle)
                tile_load(&maps.dy, s.dy.full(n), s.dy.slot(n) + kDyHalf, share.co + 32, column, y, image);
        }
    }
}

// Three warps. A transposed slot is [h][pixel of the run, from -1 on][channel][l].
template <int Stride>
__device__ void transpose_rows(const WgradParams &p, const WgradShared<float, Stride> &s, int rows, int warp,
                               int lane)
{
    constexpr int kHalves = 2 * WgradSizes<float, Stride>::kMet; // 32 channels of a pixel
    constexpr int kBatch = kHalves % 9 == 0 ? 3 : 5;             // loads of so many before the stores
    static_assert(kHalves % (3 * kBatch) == 0);
    const int mask = (1 << p.runs_shift) - 1;
    for (int row = 0; row < rows; ++row) {
        s.x.wait_full(row);
        s.transposed.wait_empty(row);
        const std::uint8_t *from = s.x.slot(row) + (warp * 32 + lane) * 4;
        std::uint8_t *to = s.transposed.slot(row) + warp * (kSlice / 2) + lane * 16;
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const std::uint8_t *run_at[4];
#pragma unroll
            for (int l = 0; l < 4; ++l) {
                const int run = 2 * l + h;
                const int pixel = (run >> p.runs_shift) * p.x_width + (run & mask) * Stride * kRun;
                run_at[l] = from + pixel * kChannels * 4;
            }
#pragma unroll
            for (int i = 0; i < kHalves; i += 3 * kBatch) { // the other warps take those between
                float4 v[kBatch];
#pragma unroll
                for (int j = 0; j < kBatch; ++j) {
                    const int at = (i + 3 * j) * 128;
                    v[j].x = *reinterpret_cast<const float *>(run_at[0] + at);
                    v[j].y = *reinterpret_cast<const float *>(run_at[1] + at);
                    v[j].z = *reinterpret_cast<const float *>(run_at[2] + at);
                    v[j].w = *reinterpret_cast<const float *>(run_at[3] + at);
                }
#pragma unroll
                for (int j = 0; j < kBatch; ++j)
                    *reinterpret_cast<float4 *>(to + (h * kHalves + i + 3 * j) * (kSlice / 2)) = v[j];
            }
        }
        fence_for_copies();
        barrier_arrive(s.transposed.full(row));
        barrier_arrive(s.x.empty(row));
    }
}

// One warpgroup: the three taps of a ky.
template <typename T, int Stride>
struct WgradConsumer {
    using Sizes = WgradSizes<T, Stride>;
    static constexpr int kSteps = Sizes::kSingle ? kRun : kPixels / 16;

    const WgradParams &p;
    const WgradShared<T, Stride> &s;
    int ky, warp, lane;
    float d[3][kChannels / 2] = {};

    // tf32: where this lane's run 2 l of dy begins; run 2 l + 1 comes behind it.
    __device__ int pixel() const { return lane % 4 * 2 * kRun; }

    // dy of product step i.
    __device__ __forceinline__ void load(std::uint32_t (&left)[4], const std::uint8_t *dy, int i) const
    {
        if constexpr (Sizes::kSingle)
            load_pixels(left, dy, pixel(), i, i + kRun, warp, lane);
        else
            load_pixels(left, dy, 16 * i, warp, lane);
    }

    // Tile x as the right factor of product step i.
    __device__ __forceinline__ void add(std::uint64_t right, const std::uint32_t (&left)[4], int i)
    {
#pragma unroll
        for (int kx = 0; kx < 3; ++kx) {
            if constexpr (Sizes::kSingle)
                product<float, kChannels>(
                    d[kx], left, right + static_cast<std::uint64_t>((Stride * i + kx) * (kSlice / 16)), 1);
            else // from row kx of the swizzled tile on: its pattern goes by the address
                product_across<T>(d[kx], left,
                                  right + i * kSixteenRows + static_cast<std::uint64_t>(kx * (128 / 16)), 1);
        }
    }

    // Adds one row of dy times one row of x.
    __device__ __forceinline__ void multiply(const std::uint8_t *dy, const std::uint8_t *x)
    {
        if constexpr (Sizes::kSingle)
            dy = own_pixel(dy, kDyHalf, pixel(), warp, lane);
        const std::uint64_t right =
            Sizes::kSingle ? plain_tile_descriptor(x, Sizes::kMet * kSlice, 128) : tile_descriptor(x);
        std::uint32_t left[kSteps][4];
        load(left[0], dy, 0);
        load(left[1], dy, 1);
#pragma unroll
        for (int i = 0; i < kSteps; ++i) {
            product_fence();
            add(right, left[i], i);
            product_commit();
            if (i + 1 == kSteps)
                break;
            product_wait<1>();
            if (i + 2 < kSteps)
                load(left[i + 2], dy, i + 2);
        }
        product_wait<0>();
    }

    __device__ void run(const WgradShare &share)
    {
        const int steps = (share.last - share.first) * p.height;
        int y = 0, released = 0;
        for (int n = 0; n < steps; ++n, y = y + 1 == p.height ? 0 : y + 1) {
            // Counted over all images of this block; outside an image there is another's row, or none.
            const int row = Stride * n + ky - 1;
            const bool there = row >= 0 && row < Stride * steps;
            s.dy.wait_full(n);
            if (there)
                s.operands().wait_full(row);
            if (Stride * y + ky - 1 >= 0 && Stride * y + ky - 1 < Stride * p.height)
                multiply(s.dy.slot(n), s.operands().slot(row));
            release(s.dy.empty(n), lane);
            // Every group frees every row, once it or a later one has come: so it cannot free the row that
            // will take the slot's place next.
            for (; there && released <= row; ++released)
                release(s.operands().empty(released), lane);
        }
        store(share);
    }

    __device__ void store(const WgradShare &share) const
    {
        float *out = p.out + share.split * p.split_stride;
#pragma unroll
        for (int kx = 0; kx < 3; ++kx) {
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                const std::int64_t co = share.co + warp * 16 + half * 8 + lane / 4;
                float *to = out + (co * 9 + ky * 3 + kx) * p.ci + share.ci + lane % 4 * 2;
#pragma unroll
                for (int j = 0; j < kChannels / 8; ++j)
                    *reinterpret_cast<float2 *>(to + 8 * j) =
                        make_float2(d[kx][4 * j + 2 * half], d[kx][4 * j + 2 * half + 1]);
            }
        }
    }
};

template <typename T, int Stride>
__global__ void __launch_bounds__(512, 1)
    own_wgrad_kernel(const __grid_constant__ WgradMaps maps, const __grid_constant__ WgradParams p)
{
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    using Sizes = WgradSizes<T, Stride>;
    extern __shared__ std::uint8_t raw[];
    std::uint8_t *const shared = raw + (1024 - shared_address(raw) % 1024) % 1024;
    const WgradShared<T, Stride> s{{shared}, {shared}, {shared}};
    if (threadIdx.x == 0) {
        s.dy.init(1, 12); // warps that multiply
        s.x.init(1, Sizes::kSingle ? kTransposers : 12);
        s.transposed.init(kTransposers, 12);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    if constexpr (!Sizes::kSingle) {
        for (int i = static_cast<int>(threadIdx.x); i < Sizes::kXSlots * 64; i += 512)
            reinterpret_cast<float4 *>(s.x.slot(i / 64) + kPixels * 128)[i % 64] = {0.0F, 0.0F, 0.0F, 0.0F};
        fence_for_copies();
    }
    __syncthreads();
    const WgradShare share(p);
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    if (warp < 4) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 56;");
        if (threadIdx.x == 0)
            copy_rows(maps, p, s, share);
        if constexpr (Sizes::kSingle) {
            if (warp > 0)
                transpose_rows(p, s, Stride * (share.last - share.first) * p.height, warp - 1, lane);
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 152;");
        WgradConsumer<T, Stride> consumer{p, s, warp / 4 - 1, warp % 4, lane};
        consumer.run(share);
    }
#endif
}

} // namespace

} // namespace sbtrain::cuda
