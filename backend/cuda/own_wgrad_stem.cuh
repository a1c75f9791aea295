// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kernel of the own weight gradient of 4x4 convolutions without a border over 16 channels of 16 bit,
// which the stem is over blocks of 2x2 pixels: sums over pixels of dy(pixel, 64 co) window(pixel, ky, 64 of
// kx and ci). The copy engine lays out the windows of a row of pixels, which overlap in the image, as rows of
// 64; four of these tiles are the operands of four rows of dy. The tensor cores take tiles with pixels along
// k as they lie, from shared memory; dy goes through registers, as it serves four products.
//
// Two warpgroups multiply, every other row of dy each.
//
// Included by own_wgrad.cu only.

#include "attention_tiles.cuh"
#include "ring.cuh"

#include <cuda.h>

namespace sbtrain::cuda {

namespace {

constexpr int kStemPixels = 112; // of a row, at most; a multiple of 16
constexpr int kStemSlot = kStemPixels * 128;
constexpr int kStemDySlots = 6;
constexpr int kStemXSlots = 8;
constexpr int kStemXPlace = kStemDySlots * kStemSlot;
constexpr int kStemDyBarriers = kStemXPlace + kStemXSlots * kStemSlot;
constexpr int kStemXBarriers = kStemDyBarriers + 16 * kStemDySlots;
constexpr int kStemShared = 1024 + kStemXBarriers + 16 * kStemXSlots; // alignment first

struct StemParams {
    int rows = 0; // of dy, an image
    int images = 0;
    float *out = nullptr; // (groups of all blocks, 64, 256)
};

struct StemMaps {
    CUtensorMap x, dy;
};

struct StemShared {
    Ring<kStemDySlots, kStemSlot, 0, kStemDyBarriers> dy;
    Ring<kStemXSlots, kStemSlot, kStemXPlace, kStemXBarriers> x;
};

// One thread, images [first, last).
__device__ void copy_windows(const StemMaps &maps, const StemParams &p, const StemShared &s, int first,
                             int last)
{
    int row = 0, n = 0; // of x and of dy, over all images
    for (int image = first; image < last; ++image) {
        for (int y = 0; y < p.rows; ++y, ++n) {
            for (int r = y == 0 ? 0 : y + 3; r <= y + 3; ++r, ++row) {
                s.x.wait_empty(row);
                barrier_expect(s.x.full(row), kStemSlot);
                tile_load(&maps.x, s.x.full(row), s.x.slot(row), 0, 0, r, image);
            }
            s.dy.wait_empty(n);
            barrier_expect(s.dy.full(n), kStemSlot);
            tile_load(&maps.dy, s.dy.full(n), s.dy.slot(n), 0, 0, y, image);
        }
    }
}

// Four 8x8 blocks of 16 bit, transposed; lane 8 i + r has the address of row r of block i.
__device__ inline void load_across(std::uint32_t (&f)[4], std::uint32_t address)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(f[0]), "=r"(f[1]), "=r"(f[2]), "=r"(f[3])
                 : "r"(address)
                 : "memory");
}

template <typename T>
struct StemConsumer {
    const StemParams &p;
    const StemShared &s;
    int group, warp, lane;
    float d[4][32] = {}; // by ky: (co, kx and ci)

    // Row n of dy, and four of x from `row` on.
    __device__ __forceinline__ void multiply(int n, int row)
    {
        constexpr int kSteps = kStemPixels / 16;
        // Blocks of the fragment: channels 16 warp and 8 further of pixels 0 to 7, the same of 8 to 15.
        const std::uint32_t dy =
            tile_address(shared_address(s.dy.slot(n)), lane / 16 * 8 + lane % 8, 2 * warp + lane / 8 % 2);
        std::uint64_t right[4];
#pragma unroll
        for (int ky = 0; ky < 4; ++ky)
            right[ky] = tile_descriptor(s.x.slot(row + ky));
        std::uint32_t left[kSteps][4];
        load_across(left[0], dy);
        load_across(left[1], dy + 16 * 128);
#pragma unroll
        for (int i = 0; i < kSteps; ++i) {
            product_fence();
#pragma unroll
            for (int ky = 0; ky < 4; ++ky)
                product_across<T>(d[ky], left[i], right[ky] + i * kSixteenRows, 1);
            product_commit();
            if (i + 1 == kSteps)
                break;
            product_wait<1>();
            if (i + 2 < kSteps)
                load_across(left[i + 2], dy + (i + 2) * 16 * 128);
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
                s.x.wait_full(row + ky);
            multiply(n, row);
            __syncwarp();
            if (lane == 0) {
                barrier_arrive(s.dy.empty(n));
                // Rows that the next step does not need; none that this group has not seen come.
                for (; released < min(first_row(n + 2), row + 4); ++released)
                    barrier_arrive(s.x.empty(released));
            }
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
    own_wgrad_stem_kernel(const __grid_constant__ StemMaps maps, const __grid_constant__ StemParams p)
{
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    extern __shared__ std::uint8_t raw[];
    std::uint8_t *const shared = raw + (1024 - shared_address(raw) % 1024) % 1024;
    const StemShared s{{shared}, {shared}};
    if (threadIdx.x == 0) {
        s.dy.init(1, 4); // warps of one group
        s.x.init(1, 8);  // of both
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
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        StemConsumer<T> consumer{p, s, warp / 4 - 1, warp % 4, static_cast<int>(threadIdx.x) % 32};
        consumer.run(last - first);
    }
#endif
}

} // namespace

} // namespace sbtrain::cuda
