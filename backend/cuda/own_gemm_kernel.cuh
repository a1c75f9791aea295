// SPDX-License-Identifier: Apache-2.0
#pragma once

// The own matrix product in 16 bit. Each group keeps the whole tile of its epilogue in shared memory.
//
// Included by own_gemm.cu only, which describes the tiles and chooses the instance.

#include "own_gemm_prologue.cuh"

namespace sbtrain::cuda {

namespace {

// All but the stages: alignment, tiles and table of the epilogue, barriers.
constexpr int fixed_bytes(Epilogue e, int bn)
{
    return 1024 + 2 * (tiles_of(e) * kRows * bn * 2 + even_bytes(e, bn)) + 3 * bn * 4 + 256;
}
constexpr int stages_of(Prologue p, Epilogue e, int bn)
{
    return std::min((227 * 1024 - fixed_bytes(e, bn)) / stage_bytes(p, bn), 6);
}
constexpr int shared_bytes(Prologue p, Epilogue e, int bn)
{
    return fixed_bytes(e, bn) + stages_of(p, e, bn) * stage_bytes(p, bn);
}

// Sums v over the eight lanes that share lane % 4 and keeps one of the eight, see write_sums().
__device__ float spread_sums(float (&v)[8], int lane)
{
    spread_half<4, 16>(v, lane);
    spread_half<2, 8>(v, lane);
    spread_half<1, 4>(v, lane);
    return v[0];
}

// Where a group finds its even pixels of g: behind the tiles.
template <Epilogue E, int BN>
__device__ std::uint8_t *even_tile(const Shared<BN> &s, int group)
{
    return s.tiles + 2 * tiles_of(E) * kRows * BN * 2 + group * even_bytes(E, BN);
}

template <Prologue P, Epilogue E, int BN>
__device__ Shared<BN> carve(std::uint8_t *raw)
{
    constexpr int kStages = stages_of(P, E, BN);
    auto address = reinterpret_cast<std::uintptr_t>(raw);
    raw += (1024 - address % 1024) % 1024;
    Shared<BN> s;
    s.stages = raw;
    s.tiles = raw + kStages * stage_bytes(P, BN);
    s.table = reinterpret_cast<float *>(even_tile<E, BN>(s, 2));
    s.full = reinterpret_cast<std::uint64_t *>(s.table + 3 * BN);
    s.ready = P == Prologue::None ? s.full : s.full + kStages;
    s.empty = s.ready + kStages;
    s.turn = s.empty + kStages;
    s.aux_full = s.turn + 2;
    s.aux_empty = s.aux_full + 2;
    return s;
}

template <Epilogue E, int BN>
__device__ void copy_inputs(const OwnGemm::Maps &maps, const Params &p, const Shared<BN> &s)
{
    const Share share(p, BN);
    int use = 0;
    for (int tile = share.first; tile < share.tiles; tile += share.step, ++use) {
        const int group = use % 2;
        barrier_wait(s.aux_empty + group, (use / 2 & 1) ^ 1);
        barrier_expect(s.aux_full + group, inputs_of(E) * kRows * BN * 2 + even_bytes(E, BN));
        std::uint8_t *to = s.tiles + group * tiles_of(E) * kRows * BN * 2;
        for (int input = 0; input < inputs_of(E); ++input) {
            // The tile that is written back comes first: g where there is one.
            const OwnGemm::Map *map = inputs_of(E) == 2 && input == 0 ? &maps.g : &maps.x;
            for (int slice = 0; slice < BN / 64; ++slice, to += kSlice)
                tile_load(map, s.aux_full + group, to, share.column * BN + slice * 64, tile * kRows);
        }
        for (int slice = 0; slice < even_bytes(E, BN) / kEvenSlice; ++slice)
            tile_load(&maps.g, s.aux_full + group, even_tile<E, BN>(s, group) + slice * kEvenSlice,
                      share.column * BN + slice * 64, even_row(tile * kRows, p.width));
    }
}

template <typename T, Prologue P, Epilogue E, int BN>
struct Consumer {
    const Params &p;
    const Shared<BN> &s;
    int group, warp, lane;
    float sum1[BN / 32] = {};
    float sum2[BN / 32] = {};

    static constexpr bool kEven = E == Epilogue::AddEvenMaskBits;
    static constexpr bool kMasked = kEven || E == Epilogue::AddMaskBits;

    // The mask bytes of this thread's four rows, fetched before the product so that nobody waits for them.
    struct Bits {
        std::uint32_t word[4][BN / 32];
        int even[4]; // rows of the tile of even pixels, or -1
    };
    __device__ Bits load_bits(int tile, int column) const
    {
        Bits bits;
#pragma unroll
        for (int r = 0; r < 4; ++r) {
            const int row = tile * kRows + r / 2 * 64 + warp * 16 + r % 2 * 8 + lane / 4;
            const auto at = (static_cast<std::int64_t>(row) * p.n + column * BN) / 8;
            const auto *from = reinterpret_cast<const std::uint32_t *>(p.at.bits + at);
#pragma unroll
            for (int w = 0; w < BN / 32; ++w)
                bits.word[r][w] = row < p.m ? from[w] : 0;
            if constexpr (kEven)
                bits.even[r] = row % p.width % 2 == 0 && row / p.width % 2 == 0
                                   ? even_row(row, p.width) - even_row(tile * kRows, p.width)
                                   : -1;
        }
        return bits;
    }

    // Eight columns of this thread at a time: more sums would not fit the registers beside d.
    __device__ void finish(float (&d)[2][BN / 2], const Bits &bits)
    {
        std::uint8_t *tile = s.tiles + group * tiles_of(E) * kRows * BN * 2;
#pragma unroll
        for (int part = 0; part < BN / 32; ++part) {
            float v1[8];
            float v2[8];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const int j = part * 4 + i;
                const float4 sums = finish_pair(d, bits, tile, j);
                v1[2 * i] = sums.x;
                v1[2 * i + 1] = sums.y;
                v2[2 * i] = sums.z;
                v2[2 * i + 1] = sums.w;
            }
            sum1[part] += spread_sums(v1, lane);
            sum2[part] += spread_sums(v2, lane);
        }
    }

    // The j-th pair of columns: this thread's four rows of it into the tile. Both sums of both columns.
    __device__ __forceinline__ float4 finish_pair(float (&d)[2][BN / 2], const Bits &bits, std::uint8_t *tile,
                                                  int j) const
    {
        const int column = j * 8 + lane % 4 * 2;
        const float2 scale = *reinterpret_cast<const float2 *>(s.table + column);
        const float2 shift = *reinterpret_cast<const float2 *>(s.table + BN + column);
        const float2 mean = *reinterpret_cast<const float2 *>(s.table + 2 * BN + column);
        float4 sums{0.0F, 0.0F, 0.0F, 0.0F};
#pragma unroll
        for (int r = 0; r < 4; ++r) {
            const int row = r / 2 * 64 + warp * 16 + r % 2 * 8 + lane / 4;
            const int at = j / 8 * kSlice + row * 128 + ((j % 8 ^ lane / 4) << 4) + lane % 4 * 4;
            auto *own = reinterpret_cast<std::uint32_t *>(tile + at);
            auto *other = reinterpret_cast<std::uint32_t *>(tile + BN / 64 * kSlice + at);
            float2 c{d[r / 2][j * 4 + r % 2 * 2], d[r / 2][j * 4 + r % 2 * 2 + 1]};
            float2 x{0.0F, 0.0F};
            if constexpr (E == Epilogue::MaskFromX) {
                x = unpack2<T>(*own);
                c.x = scale.x * x.x + shift.x > 0.0F ? c.x : 0.0F;
                c.y = scale.y * x.y + shift.y > 0.0F ? c.y : 0.0F;
            } else if constexpr (kMasked) {
                const float2 g = kEven ? even_pair(bits.even[r], j) : unpack2<T>(*own);
                x = unpack2<T>(kEven ? *own : *other);
                const std::uint32_t mask = bits.word[r][j / 4] >> (j % 4 * 8 + lane % 4 * 2);
                c.x = mask & 1U ? c.x + g.x : 0.0F;
                c.y = mask & 2U ? c.y + g.y : 0.0F;
            }
            const std::uint32_t stored = pack2<T>(c.x, c.y);
            *own = stored;
            c = unpack2<T>(stored);
            sums.x += c.x;
            sums.y += c.y;
            sums.z += E == Epilogue::Stats ? c.x * c.x : c.x * (x.x - mean.x);
            sums.w += E == Epilogue::Stats ? c.y * c.y : c.y * (x.y - mean.y);
        }
        return sums;
    }

    // Of g; zero where it has none.
    __device__ float2 even_pair(int row, int j) const
    {
        if (row < 0)
            return {0.0F, 0.0F};
        const int at = j / 8 * kEvenSlice + row * 128 + ((j % 8 ^ row % 8) << 4) + lane % 4 * 4;
        return unpack2<T>(*reinterpret_cast<const std::uint32_t *>(even_tile<E, BN>(s, group) + at));
    }

    __device__ void store(const OwnGemm::Maps &maps, int tile, int column) const
    {
        fence_for_copies();
        warpgroup_sync(1 + group);
        if (warp != 0 || lane != 0)
            return;
        const std::uint8_t *from = s.tiles + group * tiles_of(E) * kRows * BN * 2;
        if (BN == 64 && p.tiles_x > 0) {
            const WindowTile window(p, tile);
            tile_store(&maps.c, from, 0, window.x, window.y, window.image);
        } else {
            for (int slice = 0; slice < BN / 64; ++slice)
                tile_store(&maps.c, from + slice * kSlice, column * BN + slice * 64, tile * kRows);
        }
        stores_commit();
        if constexpr (inputs_of(E) > 0) {
            stores_wait_read();
            barrier_arrive(s.aux_empty + group);
        }
    }

    __device__ void run(const OwnGemm::Maps &maps)
    {
        const Share share(p, BN);
        int use = group;
        for (int tile = share.first + group * share.step; tile < share.tiles;
             tile += 2 * share.step, use += 2) {
            Bits bits;
            if constexpr (kMasked)
                bits = load_bits(tile, share.column);
            const int turn = use / 2;
            float d[2][BN / 2];
            product_start(d[0]);
            product_start(d[1]);
            wait_for_turn(s, group, turn);
            multiply<T, P, stages_of(P, E, BN)>(d, s, p.k, use, {group, warp, lane});
            if constexpr (inputs_of(E) > 0) {
                barrier_wait(s.aux_full + group, turn & 1);
            } else {
                if (warp == 0 && lane == 0)
                    stores_wait_read();
                warpgroup_sync(1 + group);
            }
            finish(d, bits);
            store(maps, tile, share.column);
        }
        if (warp == 0 && lane == 0)
            stores_wait();
        write_sums(share);
    }

    // The eight warps' sums become the block's. The tiles are free once both groups are here.
    __device__ void write_sums(const Share &share) const
    {
        auto *sums = reinterpret_cast<float *>(s.tiles); // [8][2][BN]
        const int kept = lane / 16 * 4 + lane / 8 % 2 * 2 + lane / 4 % 2;
        const int column = kept / 2 * 8 + lane % 4 * 2 + kept % 2;
        groups_sync();
#pragma unroll
        for (int part = 0; part < BN / 32; ++part) {
            float *to = sums + (group * 4 + warp) * 2 * BN + part * 32 + column;
            to[0] = sum1[part];
            to[BN] = sum2[part];
        }
        groups_sync();
        write_block_sums<BN>(p, share, sums, group * 128 + warp * 32 + lane);
    }
};

template <typename T, Prologue P, Epilogue E, int BN>
__global__ void __launch_bounds__(128 * groups_of(P), 1)
    own_gemm_kernel(const __grid_constant__ OwnGemm::Maps maps, const __grid_constant__ Params p)
{
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    extern __shared__ std::uint8_t raw[];
    const Shared<BN> s = carve<P, E, BN>(raw);
    constexpr int kStages = stages_of(P, E, BN);
    prepare<P, kStages>(s, p, 2);
    const int group = static_cast<int>(threadIdx.x) / 128;
    if (group == 0) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(P == Prologue::None ? 40 : 32));
        if (threadIdx.x == 0)
            copy_operands<T, P, kStages>(maps, p, s);
        if constexpr (inputs_of(E) > 0) {
            if (threadIdx.x == 32)
                copy_inputs<E, BN>(maps, p, s);
        }
        if constexpr (P != Prologue::None) {
            if (threadIdx.x == 64)
                store_made<P, kStages>(maps, p, s);
        }
    } else if (group == 3) {
        if constexpr (P != Prologue::None) {
            asm volatile("setmaxnreg.dec.sync.aligned.u32 96;");
            make_factor<T, P, kStages>(p, s);
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(P == Prologue::None ? 232 : 192));
        Consumer<T, P, E, BN> consumer{p, s, group - 1, static_cast<int>(threadIdx.x) / 32 % 4,
                                       static_cast<int>(threadIdx.x) % 32};
        consumer.run(maps);
    }
#endif
}

} // namespace

} // namespace sbtrain::cuda
