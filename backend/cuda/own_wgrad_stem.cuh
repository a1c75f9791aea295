// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kernel of the own weight gradient of 4x4 convolutions of 16 to 64 channels without a border, which the
// stem is over blocks of 2x2 pixels: sums over pixels of dy(pixel, 64 co) window(pixel, ky, 64 of kx and ci).
// A step is a row of dy; its operands are four rows of x, most of them those of the step before. dy goes
// through registers, as it serves four products. Two warpgroups multiply, every other row of dy each.
//
// 16 bit: the copy engine lays out the windows of a row of pixels, which overlap in the image, as rows of 64;
// the tensor cores take tiles with pixels along k as they lie. tf32: that they cannot, so three warps
// transpose x as in own_wgrad_kernel.cuh. A row is eight runs of 14 pixels, run l + 4 h is column l + 4 h of
// a product step, and as there a shift by a pixel is another address. More than that: a pixel's 16 channels
// make two groups of eight columns, so 64 columns from a pixel on are its window.
//
// Included by own_wgrad.cu only.

#include "own_wgrad_tiles.cuh"

#include <cuda.h>

namespace sbtrain::cuda {

namespace {

constexpr int kStemPixels = 112; // of a row, at most
constexpr int kStemRun = 14;
constexpr int kStemPositions = 18; // of a run, one more than its windows meet, to be even
constexpr int kStemHalf = kStemPixels * 128;

// Of shared memory, in bytes but for the numbers of slots.
template <typename T>
struct StemSizes {
    static constexpr bool kSingle = std::is_same_v<T, float>;
    static constexpr int kDySlot = kSingle ? 2 * kStemHalf : kStemHalf;
    static constexpr int kXCopy = kSingle ? (kStemPixels + 3) * 64 : kStemHalf;
    static constexpr int kXSlot = (kXCopy + 127) / 128 * 128;
    static constexpr int kTransposedSlot = 2 * kStemPositions * 256;
    static constexpr int kDySlots = kSingle ? 4 : 6;
    static constexpr int kXSlots = kSingle ? 4 : 8;
    static constexpr int kTransposedSlots = 8; // of tf32 only
    static constexpr int kXPlace = kDySlots * kDySlot;
    static constexpr int kTransposedPlace = kXPlace + kXSlots * kXSlot;
    static constexpr int kDyBarriers = kTransposedPlace + (kSingle ? kTransposedSlots * kTransposedSlot : 0);
    static constexpr int kXBarriers = kDyBarriers + 16 * kDySlots;
    static constexpr int kTransposedBarriers = kXBarriers + 16 * kXSlots;
    static constexpr int kShared = 1024 + kTransposedBarriers + 16 * kTransposedSlots; // alignment first
};

struct StemParams {
    int rows = 0; // of dy, an image
    int images = 0;
    float *out = nullptr; // (groups of all blocks, 64, 256)
};

template <typename T>
using StemShared = WgradRings<StemSizes<T>>;

// One thread, images [first, last).
template <typename T>
__device__ void copy_windows(const WgradMaps &maps, const StemParams &p, const StemShared<T> &s, int first,
                             int last)
{
    using Sizes = StemSizes<T>;
    int row = 0, n = 0; // of x and of dy, over all images
    for (int image = first; image < last; ++image) {
        for (int y = 0; y < p.rows; ++y, ++n) {
            for (int r = y == 0 ? 0 : y + 3; r <= y + 3; ++r, ++row) {
                s.x.wait_empty(row);
                barrier_expect(s.x.full(row), Sizes::kXCopy);
                tile_load(&maps.x, s.x.full(row), s.x.slot(row), 0, 0, r, image);
            }
            s.dy.wait_empty(n);
            barrier_expect(s.dy.full(n), Sizes::kDySlot);
            tile_load(&maps.dy, s.dy.full(n), s.dy.slot(n), 0, 0, y, image);
            if constexpr (Sizes::kSingle)
                tile_load(&maps.dy, s.dy.full(n), s.dy.slot(n) + kStemHalf, 32, 0, y, image);
        }
    }
}

// Three warps. A transposed slot is [h][pixel of the run][channel][l].
__device__ void transpose_windows(const StemShared<float> &s, int rows, int warp, int lane)
{
    constexpr int kPairs = kStemPositions / 2; // of pixels: what a warp takes at a time
    for (int row = 0; row < rows; ++row) {
        s.x.wait_full(row);
        s.transposed.wait_empty(row);
        const std::uint8_t *from = s.x.slot(row) + warp * 128 + lane * 4;
        std::uint8_t *to = s.transposed.slot(row) + warp * 512 + lane * 16;
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            float4 v[kPairs / 3];
#pragma unroll
            for (int i = 0; i < kPairs / 3; ++i) {
                const std::uint8_t *at = from + 4 * h * kStemRun * 64 + 3 * i * 128;
                v[i].x = *reinterpret_cast<const float *>(at);
                v[i].y = *reinterpret_cast<const float *>(at + kStemRun * 64);
                v[i].z = *reinterpret_cast<const float *>(at + 2 * kStemRun * 64);
                v[i].w = *reinterpret_cast<const float *>(at + 3 * kStemRun * 64);
            }
#pragma unroll
            for (int i = 0; i < kPairs / 3; ++i)
                *reinterpret_cast<float4 *>(to + (h * kPairs + 3 * i) * 512) = v[i];
        }
        fence_for_copies();
        barrier_arrive(s.transposed.full(row));
        barrier_arrive(s.x.empty(row));
    }
}

template <typename T>
struct StemConsumer {
    static constexpr bool kSingle = std::is_same_v<T, float>;
    static constexpr int kSteps = kSingle ? kStemRun : kStemPixels / 16;

    const StemParams &p;
    const StemShared<T> &s;
    int group, warp, lane;
    float d[4][32] = {}; // by ky: (co, kx and ci)

    // tf32: this lane's pixels of the runs' begin; run l + 4 h is column l + 4 h of a product step.
    __device__ int pixel() const { return lane % 4 * kStemRun; }

    // dy of product step i.
    __device__ __forceinline__ void load(std::uint32_t (&left)[4], const std::uint8_t *dy, int i) const
    {
        if constexpr (kSingle)
            load_pixels(left, dy, pixel(), i, i + 4 * kStemRun, warp, lane);
        else
            load_pixels(left, dy, 16 * i, warp, lane);
    }

    // Row n of dy, and four of x from `row` on.
    __device__ __forceinline__ void multiply(int n, int row)
    {
        const std::uint8_t *dy = s.dy.slot(n);
        if constexpr (kSingle)
            dy = own_pixel(dy, kStemHalf, pixel(), warp, lane);
        std::uint64_t right[4];
#pragma unroll
        for (int ky = 0; ky < 4; ++ky) {
            const std::uint8_t *x = s.operands().slot(row + ky);
            right[ky] = kSingle ? plain_tile_descriptor(x, kStemPositions * 256, 128) : tile_descriptor(x);
        }
        std::uint32_t left[kSteps][4];
        load(left[0], dy, 0);
        load(left[1], dy, 1);
#pragma unroll
        for (int i = 0; i < kSteps; ++i) {
            product_fence();
#pragma unroll
            for (int ky = 0; ky < 4; ++ky) {
                if constexpr (kSingle)
                    product<float, 64>(d[ky], left[i], right[ky] + i * (256 / 16), 1);
                else
                    product_across<T>(d[ky], left[i], right[ky] + i * kSixteenRows, 1);
            }
            product_commit();
            if (i + 1 == kSteps)
                break;
            product_wait<1>();
            if (i + 2 < kSteps)
                load(left[i + 2], dy, i + 2);
        }
        product_wait<0>();
    }

    __device__ void run(int images)
    {
        const auto first_row = [&](int n) { return n / p.rows * (p.rows + 3) + n % p.rows; };
        int released = 0;
        for (int n = group; n < images * p.rows; n += 2) {
            const int row = first_row(n);
            s.dy.wait_full(n);
            for (int ky = 0; ky < 4; ++ky)
                s.operands().wait_full(row + ky);
            multiply(n, row);
            release(s.dy.empty(n), lane);
            // Rows that the next step does not need; none that this group has not seen come.
            for (; released < min(first_row(n + 2), row + 4); ++released)
                release(s.operands().empty(released), lane);
        }
        store();
    }

    __device__ void store() const
    {
        float *out = p.out + (static_cast<int>(blockIdx.x) * 2 + group) * (64 * 256);
#pragma unroll
        for (int ky = 0; ky < 4; ++ky) {
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                float *to = out + (warp * 16 + half * 8 + lane / 4) * 256 + ky * 64 + lane % 4 * 2;
#pragma unroll
                for (int j = 0; j < 8; ++j)
                    *reinterpret_cast<float2 *>(to + 8 * j) =
                        make_float2(d[ky][4 * j + 2 * half], d[ky][4 * j + 2 * half + 1]);
            }
        }
    }
};

template <typename T>
__global__ void __launch_bounds__(384, 1)
    own_wgrad_stem_kernel(const __grid_constant__ WgradMaps maps, const __grid_constant__ StemParams p)
{
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    constexpr bool kSingle = StemSizes<T>::kSingle;
    extern __shared__ std::uint8_t raw[];
    std::uint8_t *const shared = raw + (1024 - shared_address(raw) % 1024) % 1024;
    const StemShared<T> s{{shared}, {shared}, {shared}};
    if (threadIdx.x == 0) {
        s.dy.init(1, 4);               // warps of one group
        s.x.init(1, kSingle ? 96 : 8); // threads that transpose; warps of both groups
        s.transposed.init(96, 8);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    const int blocks = static_cast<int>(gridDim.x), block = static_cast<int>(blockIdx.x);
    const int first = static_cast<int>(static_cast<std::int64_t>(p.images) * block / blocks);
    const int last = static_cast<int>(static_cast<std::int64_t>(p.images) * (block + 1) / blocks);
    const int warp = static_cast<int>(threadIdx.x) / 32;
    if (warp < 4) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 0)
            copy_windows(maps, p, s, first, last);
        if constexpr (kSingle) {
            if (warp > 0)
                transpose_windows(s, (last - first) * (p.rows + 3), warp - 1,
                                  static_cast<int>(threadIdx.x) % 32);
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        StemConsumer<T> consumer{p, s, warp / 4 - 1, warp % 4, static_cast<int>(threadIdx.x) % 32};
        consumer.run(last - first);
    }
#endif
}

} // namespace

} // namespace sbtrain::cuda
