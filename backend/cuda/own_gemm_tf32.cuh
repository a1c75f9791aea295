// SPDX-License-Identifier: Apache-2.0
#pragma once

// The own matrix product of fp32 matrices in tf32: the copy engine rounds a and b on their way in, c, x and g
// stay as they are. Whole tiles of fp32 would not fit twice, so the epilogue works in slices of 32 columns
// that pass through a ring of slots, which both groups use in the order of the tiles.
//
// Included by own_gemm.cu only.

#include "own_gemm_tiles.cuh"

namespace sbtrain::cuda {

namespace {

constexpr int kSliceColumns = 32;
constexpr int kSlots = 4;

struct Tf32Sizes {
    int stages = 0, slot = 0, shared = 0; // slot, shared: bytes
};
constexpr Tf32Sizes tf32_sizes(Epilogue e, int bn)
{
    Tf32Sizes sizes;
    sizes.slot = tiles_of(e) * kSlice;
    const int fixed = 1024 + kSlots * sizes.slot + 3 * bn * 4 + 256; // alignment, slots, table, barriers
    sizes.stages = std::min((227 * 1024 - fixed) / stage_bytes(Prologue::None, bn), 6);
    sizes.shared = fixed + sizes.stages * stage_bytes(Prologue::None, bn);
    return sizes;
}

template <Epilogue E, int BN>
__device__ Shared<BN> carve_tf32(std::uint8_t *raw)
{
    constexpr Tf32Sizes kSizes = tf32_sizes(E, BN);
    const auto address = reinterpret_cast<std::uintptr_t>(raw);
    raw += (1024 - address % 1024) % 1024;
    Shared<BN> s;
    s.stages = raw;
    s.tiles = raw + kSizes.stages * stage_bytes(Prologue::None, BN);
    s.table = reinterpret_cast<float *>(s.tiles + kSlots * kSizes.slot);
    s.full = reinterpret_cast<std::uint64_t *>(s.table + 3 * BN);
    s.ready = s.full;
    s.empty = s.full + kSizes.stages;
    s.turn = s.empty + kSizes.stages;
    s.aux_full = s.turn + 2;
    s.aux_empty = s.aux_full + kSlots;
    return s;
}

// A slice's place in the ring.
struct Slot {
    int index, parity; // parity of the phase that fills it
    __device__ explicit Slot(int slice)
        : index(slice % kSlots)
        , parity(slice / kSlots & 1)
    {
    }
};

template <Epilogue E, int BN>
__device__ void copy_slices(const OwnGemm::Maps &maps, const Params &p, const Shared<BN> &s)
{
    const Share share(p, BN);
    int slice = 0;
    for (int tile = share.first; tile < share.tiles; tile += share.step) {
        for (int column = 0; column < BN; column += kSliceColumns, ++slice) {
            const Slot slot(slice);
            barrier_wait(s.aux_empty + slot.index, slot.parity ^ 1);
            barrier_expect(s.aux_full + slot.index, inputs_of(E) * kSlice);
            std::uint8_t *to = s.tiles + slot.index * tf32_sizes(E, BN).slot;
            const int x = share.column * BN + column;
            // What is written back comes first: g where there is one.
            tile_load(E == Epilogue::AddMaskBits ? &maps.g : &maps.x, s.aux_full + slot.index, to, x,
                      tile * kRows);
            if constexpr (E == Epilogue::AddMaskBits)
                tile_load(&maps.x, s.aux_full + slot.index, to + kSlice, x, tile * kRows);
        }
    }
}

template <Epilogue E, int BN>
struct Tf32Consumer {
    static constexpr int kSlices = BN / kSliceColumns;
    static constexpr int kStages = tf32_sizes(E, BN).stages;

    const Params &p;
    const Shared<BN> &s;
    int group, warp, lane;
    float sum1[kSlices] = {};
    float sum2[kSlices] = {};

    // The mask bits of this thread's four rows, fetched before the product so that nobody waits for them.
    struct Bits {
        std::uint32_t word[4][kSlices];
    };
    __device__ int row(int r) const { return r / 2 * 64 + warp * 16 + r % 2 * 8 + lane / 4; }
    __device__ Bits load_bits(int tile, int column) const
    {
        Bits bits;
#pragma unroll
        for (int r = 0; r < 4; ++r) {
            const std::int64_t at = static_cast<std::int64_t>(tile) * kRows + row(r);
            const auto *from = reinterpret_cast<const std::uint32_t *>(p.at.bits + (at * p.n + column) / 8);
#pragma unroll
            for (int slice = 0; slice < kSlices; ++slice)
                bits.word[r][slice] = at < p.m ? from[slice] : 0;
        }
        return bits;
    }

    // What the epilogue knows of two neighbouring columns.
    struct Columns {
        float2 scale, shift, mean;
    };

    // Two neighbours of c: masked, stored at `own`, added to sums (of both, of both times the factor).
    __device__ void finish_pair(float2 c, float2 *own, const Columns &columns, std::uint32_t mask,
                                float4 &sums) const
    {
        float2 factor = c;
        if constexpr (E != Epilogue::Stats) {
            const float2 x = own[(tiles_of(E) - 1) * kSlice / static_cast<int>(sizeof(float2))];
            factor = {x.x - columns.mean.x, x.y - columns.mean.y};
            if constexpr (E == Epilogue::MaskFromX) {
                c.x = columns.scale.x * x.x + columns.shift.x > 0.0F ? c.x : 0.0F;
                c.y = columns.scale.y * x.y + columns.shift.y > 0.0F ? c.y : 0.0F;
            } else {
                const float2 g = *own;
                c.x = mask & 1U ? c.x + g.x : 0.0F;
                c.y = mask & 2U ? c.y + g.y : 0.0F;
            }
        }
        *own = c;
        sums.x += c.x;
        sums.y += c.y;
        sums.z += c.x * factor.x;
        sums.w += c.y * factor.y;
    }

    // Eight columns at a time. Rows of odd number take them in another order, or two rows of a quarter of a
    // warp would meet in the same banks.
    __device__ __forceinline__ void finish_slice(const float (&d)[2][BN / 2], const Bits &bits,
                                                 std::uint8_t *slot, int slice)
    {
        const bool odd = lane & 4;
        float v1[8];
        float v2[8];
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int place = odd ? j ^ 2 : j;
            const int column = place * 8 + lane % 4 * 2;
            const int chunk = (place * 2 + lane % 4 / 2) ^ (lane / 4);
            const auto *table = reinterpret_cast<const float2 *>(s.table + slice * kSliceColumns + column);
            const Columns columns{table[0], table[BN / 2], table[BN]};
            float4 sums{0.0F, 0.0F, 0.0F, 0.0F};
#pragma unroll
            for (int r = 0; r < 4; ++r) {
                const int even = (slice * 4 + j) * 4 + r % 2 * 2;
                const int other = (slice * 4 + (j ^ 2)) * 4 + r % 2 * 2;
                const float2 c{odd ? d[r / 2][other] : d[r / 2][even],
                               odd ? d[r / 2][other + 1] : d[r / 2][even + 1]};
                std::uint8_t *own = slot + row(r) * 128 + chunk * 16 + lane % 2 * 8;
                std::uint32_t mask = 0;
                if constexpr (E == Epilogue::AddMaskBits)
                    mask = bits.word[r][slice] >> column;
                finish_pair(c, reinterpret_cast<float2 *>(own), columns, mask, sums);
            }
            v1[2 * j] = sums.x;
            v1[2 * j + 1] = sums.y;
            v2[2 * j] = sums.z;
            v2[2 * j + 1] = sums.w;
        }
        sum1[slice] += spread(v1);
        sum2[slice] += spread(v2);
    }

    // Sums v over the eight lanes that share lane % 4 and keeps one, see write_sums(). Rows of odd number
    // have the halves of v exchanged already.
    __device__ float spread(float (&v)[8]) const
    {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            v[i] += __shfl_xor_sync(0xFFFFFFFFU, v[i + 4], 4);
        spread_half<2, 16>(v, lane);
        spread_half<1, 8>(v, lane);
        return v[0];
    }

    // Called by one thread of the group: sends a slice, and frees the slot of the one before it.
    __device__ void send(const OwnGemm::Maps &maps, const Share &share, int tile, int slice) const
    {
        const Slot slot(slice);
        const std::uint8_t *from = s.tiles + slot.index * tf32_sizes(E, BN).slot;
        const int x = share.column * BN + slice % kSlices * kSliceColumns;
        if (E == Epilogue::Stats && BN == 64 && p.tiles_x > 0) {
            const WindowTile window(p, tile);
            tile_store(&maps.c, from, x, window.x, window.y, window.image);
        } else {
            tile_store(&maps.c, from, x, tile * kRows);
        }
        stores_commit();
        if (slice % kSlices > 0) {
            stores_wait_read<1>();
            barrier_arrive(s.aux_empty + Slot(slice - 1).index);
        }
        if (slice % kSlices == kSlices - 1) {
            stores_wait_read();
            barrier_arrive(s.aux_empty + slot.index);
        }
    }

    __device__ void finish(const OwnGemm::Maps &maps, const float (&d)[2][BN / 2], const Bits &bits,
                           const Share &share, int use)
    {
#pragma unroll
        for (int i = 0; i < kSlices; ++i) {
            const int slice = use * kSlices + i;
            const Slot slot(slice);
            // The slot's last slice is often the other group's, which may still wait for it to be filled.
            // Then the slot is one phase behind and its parity, of two phases ago, would look like this
            // slice's.
            barrier_wait(s.aux_empty + slot.index, slot.parity ^ 1);
            if constexpr (inputs_of(E) > 0)
                barrier_wait(s.aux_full + slot.index, slot.parity);
            finish_slice(d, bits, s.tiles + slot.index * tf32_sizes(E, BN).slot, i);
            fence_for_copies();
            warpgroup_sync(1 + group);
            if (warp == 0 && lane == 0)
                send(maps, share, share.first + use * share.step, slice);
            __syncwarp();
        }
    }

    __device__ void run(const OwnGemm::Maps &maps)
    {
        const Share share(p, BN);
        int use = group;
        for (int tile = share.first + group * share.step; tile < share.tiles;
             tile += 2 * share.step, use += 2) {
            Bits bits;
            if constexpr (E == Epilogue::AddMaskBits)
                bits = load_bits(tile, share.column * BN);
            float d[2][BN / 2];
            product_start(d[0]);
            product_start(d[1]);
            wait_for_turn(s, group, use / 2);
            multiply<float, Prologue::None, kStages>(d, s, p.k, use, {group, warp, lane});
            finish(maps, d, bits, share, use);
        }
        if (warp == 0 && lane == 0)
            stores_wait();
        __syncwarp();
        write_sums(share);
    }

    // The slots are free once both groups are here.
    __device__ void write_sums(const Share &share) const
    {
        auto *sums = reinterpret_cast<float *>(s.tiles); // [8][2][BN]
        const int kept = lane / 4 % 2 * 4 + lane / 16 * 2 + lane / 8 % 2;
        const int column = kept / 2 * 8 + lane % 4 * 2 + kept % 2;
        groups_sync();
#pragma unroll
        for (int slice = 0; slice < kSlices; ++slice) {
            float *to = sums + (group * 4 + warp) * 2 * BN + slice * kSliceColumns + column;
            to[0] = sum1[slice];
            to[BN] = sum2[slice];
        }
        groups_sync();
        write_block_sums<BN>(p, share, sums, group * 128 + warp * 32 + lane);
    }
};

template <Epilogue E, int BN>
__global__ void __launch_bounds__(384, 1)
    own_gemm_tf32_kernel(const __grid_constant__ OwnGemm::Maps maps, const __grid_constant__ Params p)
{
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    extern __shared__ std::uint8_t raw[];
    const Shared<BN> s = carve_tf32<E, BN>(raw);
    constexpr int kStages = tf32_sizes(E, BN).stages;
    prepare<Prologue::None, kStages>(s, p, kSlots);
    const int group = static_cast<int>(threadIdx.x) / 128;
    if (group == 0) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 0)
            copy_operands<float, Prologue::None, kStages>(maps, p, s);
        if constexpr (inputs_of(E) > 0) {
            if (threadIdx.x == 32)
                copy_slices<E, BN>(maps, p, s);
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        Tf32Consumer<E, BN> consumer{p, s, group - 1, static_cast<int>(threadIdx.x) / 32 % 4,
                                     static_cast<int>(threadIdx.x) % 32};
        consumer.run(maps);
    }
#endif
}

} // namespace

} // namespace sbtrain::cuda
