// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the kernels of the own matrix product share. Three warpgroups a block. The first copies tiles: one
// thread a and b, one the tiles the epilogue needs. The other two take turns at the tensor cores, each with a
// tile of 128 x BN of its own, so that one multiplies while the other is in its epilogue. A block keeps its
// columns and walks over the rows, so column sums stay in registers and leave once, at the end, in a fixed
// order.
//
// With a prologue (own_gemm_prologue.cuh) a fourth group turns what was copied into a.
//
// T is what a and b are made of: __half, __nv_bfloat16, or float, which the tensor cores take as tf32.

#include "hopper.cuh"
#include "own_gemm.h"

#include <algorithm>

namespace sbtrain::cuda {

namespace {

constexpr int kRows = 128;          // of a tile
constexpr int kSlice = kRows * 128; // bytes of as many columns of a tile as make 128 bytes a row

struct Params {
    int m = 0, n = 0, k = 0;
    int tiles_x = 0, tiles_y = 0; // of an image, where a's rows are windows
    int width = 0;                // of an image, where g is of even pixels
    OwnGemmPointers at;
};

// A tile of windows: 8 rows of 16 pixels.
struct WindowTile {
    int x, y, image;
    __device__ WindowTile(const Params &p, int tile)
        : x(tile % p.tiles_x * 16)
        , y(tile / p.tiles_x % p.tiles_y * 8)
        , image(tile / (p.tiles_x * p.tiles_y))
    {
    }
};

// Columns that make 128 bytes: of k a stage, of n a box of an epilogue tile.
template <typename T>
constexpr int columns_of()
{
    return 128 / static_cast<int>(sizeof(T));
}

// Tiles that the epilogue reads, and tiles it keeps in shared memory.
constexpr int inputs_of(Epilogue e)
{
    return e == Epilogue::AddMaskBits ? 2 : e == Epilogue::Stats ? 0 : 1;
}
constexpr int tiles_of(Epilogue e)
{
    return e == Epilogue::AddMaskBits ? 2 : 1;
}

// What it needs of a g of even pixels only: of 128 pixels in a row at most half are.
constexpr int kEvenRows = 64;
constexpr int kEvenSlice = kEvenRows * 128;
constexpr int even_bytes(Epilogue e, int bn)
{
    return e == Epilogue::AddEvenMaskBits ? bn / 64 * kEvenSlice : 0;
}
// The row of such a g that is of this pixel, or of the next that has one.
__device__ inline int even_row(int pixel, int width)
{
    const int y = pixel / width, x = pixel % width;
    return y % 2 == 0 ? y / 2 * (width / 2) + (x + 1) / 2 : (y + 1) / 2 * (width / 2);
}

// Groups of 128 threads a block.
constexpr int groups_of(Prologue p)
{
    return p == Prologue::None ? 3 : 4;
}

// Where parts of a stage begin: a (of a prologue: x, which becomes a), b, the prologue's other matrix.
constexpr int kPlaceOfB = kSlice;
constexpr int place_of_other(int bn)
{
    return kPlaceOfB + bn * 128;
}
constexpr int stage_bytes(Prologue p, int bn)
{
    return place_of_other(bn) + (p == Prologue::None ? 0 : kSlice);
}

// Adds v of two lanes that differ in Bit; each keeps half of the sums, the upper lane the upper half.
template <int Half, int Bit, int Count>
__device__ void spread_half(float (&v)[Count], int lane)
{
    const bool upper = lane & Bit;
#pragma unroll
    for (int i = 0; i < Half; ++i) {
        const float send = upper ? v[i] : v[i + Half];
        const float keep = upper ? v[i + Half] : v[i];
        v[i] = keep + __shfl_xor_sync(0xFFFFFFFFU, send, Bit);
    }
}

template <int BN>
struct Shared {
    std::uint8_t *stages;
    std::uint8_t *tiles;
    float *table; // [3][BN]
    // ready: a is made. Without a prologue that is full.
    std::uint64_t *full, *ready, *empty, *turn, *aux_full, *aux_empty;
};

// This block's share: a column tile, and every step-th row tile from first on.
struct Share {
    int column, first, step, tiles;
    __device__ Share(const Params &p, int bn)
    {
        const int columns = p.n / bn;
        column = static_cast<int>(blockIdx.x) % columns;
        first = static_cast<int>(blockIdx.x) / columns;
        step = static_cast<int>(gridDim.x) / columns;
        tiles = (p.m + kRows - 1) / kRows;
    }
};

template <typename T, Prologue P, int kStages, int BN>
__device__ void copy_operands(const OwnGemm::Maps &maps, const Params &p, const Shared<BN> &s)
{
    const Share share(p, BN);
    int it = 0;
    for (int tile = share.first; tile < share.tiles; tile += share.step) {
        for (int k = 0; k < p.k; k += columns_of<T>(), ++it) {
            const int stage = it % kStages;
            std::uint64_t *full = s.full + stage;
            barrier_wait(s.empty + stage, (it / kStages & 1) ^ 1);
            barrier_expect(full, stage_bytes(P, BN));
            std::uint8_t *to = s.stages + stage * stage_bytes(P, BN);
            if (p.tiles_x == 0) {
                tile_load(&maps.a, full, to, k, tile * kRows);
            } else { // 64 of k are a row of the windows: four pixels of 16 channels
                const WindowTile window(p, tile);
                tile_load(&maps.a, full, to, k % 64, window.x, window.y + k / 64, window.image);
            }
            tile_load(&maps.b, full, to + kPlaceOfB, k, share.column * BN);
            if constexpr (P != Prologue::None)
                tile_load(&maps.other, full, to + place_of_other(BN), k, tile * kRows);
        }
    }
}

// Who a thread of the two multiplying groups is.
struct Place {
    int group, warp, lane;
};

// d = the use-th tile, which is this group's; then it is the other group's turn.
template <typename T, Prologue P, int kStages, int BN>
__device__ __forceinline__ void multiply(float (&d)[2][BN / 2], const Shared<BN> &s, int k, int use,
                                         Place place)
{
    const int blocks = k / columns_of<T>();
    [[maybe_unused]] int previous = 0;
    for (int kb = 0; kb < blocks; ++kb) {
        const int it = use * blocks + kb;
        const int stage = it % kStages;
        barrier_wait(s.ready + stage, it / kStages & 1);
        const std::uint8_t *a = s.stages + stage * stage_bytes(P, BN);
        const std::uint64_t left = tile_descriptor(a);
        const std::uint64_t right = tile_descriptor(a + kPlaceOfB);
        product_fence();
#pragma unroll
        for (int part = 0; part < 4; ++part) {
            const int add = kb > 0 || part > 0;
            product<T, BN>(d[0], left + 2 * part, right + 2 * part, add);
            product<T, BN>(d[1], left + 64 * 128 / 16 + 2 * part, right + 2 * part, add);
        }
        product_commit();
        if constexpr (P != Prologue::None) {
            // The next stage is not ready before this product is done, and there are few: give it back now.
            product_wait<0>();
            if (place.lane == 0)
                barrier_arrive(s.empty + stage);
        } else {
            product_wait<1>();
            if (kb > 0 && place.lane == 0)
                barrier_arrive(s.empty + previous);
            previous = stage;
        }
    }
    if constexpr (P == Prologue::None) {
        product_wait<0>();
        if (place.lane == 0)
            barrier_arrive(s.empty + previous);
    }
    if (place.lane == 0)
        barrier_arrive(s.turn + (place.group ^ 1));
}

// Turns alternate, the first group begins.
template <int BN>
__device__ void wait_for_turn(const Shared<BN> &s, int group, int turn)
{
    if (group == 1)
        barrier_wait(s.turn + 1, turn & 1);
    else if (turn > 0)
        barrier_wait(s.turn, (turn - 1) & 1);
}

// Makes the barriers, `aux` of them for the epilogue's tiles, and fetches the block's vectors.
template <Prologue P, int kStages, int BN>
__device__ void prepare(const Shared<BN> &s, const Params &p, int aux)
{
    const Share share(p, BN);
    if (threadIdx.x == 0) {
        // Who reads a stage: the warps of one multiplying group, and the store of a.
        constexpr int kReaders = P == Prologue::None ? 4 : 5;
        for (int i = 0; i < kStages; ++i) {
            barrier_init(s.full + i, 1);
            barrier_init(s.empty + i, kReaders);
            if constexpr (P != Prologue::None)
                barrier_init(s.ready + i, 4); // the warps that make a
        }
        for (int i = 0; i < 2; ++i)
            barrier_init(s.turn + i, 4);
        for (int i = 0; i < aux; ++i) {
            barrier_init(s.aux_full + i, 1);
            barrier_init(s.aux_empty + i, 1);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    for (int i = static_cast<int>(threadIdx.x); i < BN; i += 128 * groups_of(P)) {
        const int column = share.column * BN + i;
        s.table[i] = p.at.scale ? p.at.scale[column] : 0.0F;
        s.table[BN + i] = p.at.shift ? p.at.shift[column] : 0.0F;
        s.table[2 * BN + i] = p.at.mean ? p.at.mean[column] : 0.0F;
    }
    __syncthreads();
}

// Of the two multiplying groups.
__device__ inline void groups_sync()
{
    threads_sync<256>(3);
}

// The last of a block: its eight warps' sums, [8][2][BN], become one row of partial. Called by the 256
// threads of the groups, numbered `at`, once all sums are in shared memory.
template <int BN>
__device__ void write_block_sums(const Params &p, const Share &share, const float *sums, int at)
{
    if (at >= 2 * BN)
        return;
    float sum = 0.0F;
#pragma unroll
    for (int w = 0; w < 8; ++w)
        sum += sums[w * 2 * BN + at];
    p.at.partial[(static_cast<std::int64_t>(share.first) * 2 + at / BN) * p.n + share.column * BN + at % BN] =
        sum;
}

} // namespace

} // namespace sbtrain::cuda
