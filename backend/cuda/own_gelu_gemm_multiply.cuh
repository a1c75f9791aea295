// SPDX-License-Identifier: Apache-2.0
#pragma once

// The warpgroups of the own product with GELU or its slope that multiply. Their first thread copies operands
// between: registers do for twelve warps, and all of the third group are needed to take.

#include "attention_tiles.cuh"
#include "own_gelu_gemm_tiles.cuh"

namespace sbtrain::cuda {

namespace {

// Copies operands, from one thread: stage after stage of tile after tile.
template <GeluEpilogue E, bool Pair>
struct GeluCopier {
    static constexpr int kBlocks = Pair ? 2 : 1;

    const GeluMaps &maps;
    const GeluParams &p;
    const GeluShared &s;
    GeluTile<Pair> tile;
    int k = 0;

    // What is next, to a stage that nobody reads any more.
    __device__ __forceinline__ void copy(int stage)
    {
        if (!tile.there())
            return;
        std::uint64_t *full = s.full(stage);
        barrier_expect(full, kStage);
        std::uint8_t *to = s.stage(stage);
        tile_load(&maps.a, full, to, k, tile.row);
        to += kLeft;
        if constexpr (E == GeluEpilogue::Forward) {
            constexpr int kShare = kColumns / kBlocks; // rows of b
            load_right(full, to + tile.rank * kShare * 128, k, tile.column + tile.rank * kShare);
        } else {
            constexpr int kShare = kDepth / kBlocks; // of k
            to += tile.rank * kShare * 128;
#pragma unroll
            for (int slice = 0; slice < kColumns / 64; ++slice, to += kSlice)
                load_right(full, to, tile.column + slice * 64, k + tile.rank * kShare);
        }
        k += kDepth;
        if (k == p.k) {
            k = 0;
            tile.advance();
        }
    }

private:
    __device__ __forceinline__ void load_right(std::uint64_t *full, std::uint8_t *to, int x, int y) const
    {
        if constexpr (Pair)
            tile_load_to(&maps.b, full, to, x, y, 3);
        else
            tile_load(&maps.b, full, to, x, y);
    }
};

// A warpgroup that multiplies.
template <typename T, GeluEpilogue E, bool Pair>
struct GeluMultiplier {
    static constexpr int kAcross = E == GeluEpilogue::Slope;

    const GeluParams &p;
    const GeluShared &s;
    GeluCopier<E, Pair> &copier;
    int group, warp, lane;

    // This warp has read the stage; the first one fills it again when all have. Its products go on meanwhile.
    __device__ __forceinline__ void renew(int stage, int phase) const
    {
        release(stage);
        if (group == 0 && warp == 0 && lane == 0) {
            barrier_wait(s.empty(stage), phase);
            copier.copy(stage);
        }
    }

    // To whoever fills it: both blocks fill each other's stages.
    __device__ __forceinline__ void release(int stage) const
    {
        if constexpr (Pair) {
            if (lane < 2)
                barrier_arrive_at(s.empty(stage), lane);
        } else {
            if (lane == 0)
                barrier_arrive(s.empty(stage));
        }
    }

    // A tile's sums, and its bias, fetched while the last stage is multiplied: four bytes of every eight
    // columns, as sums have them.
    __device__ __forceinline__ void multiply(float (&d)[kColumns / 2], std::uint32_t (&bias)[kColumns / 8],
                                             int column, StageCount &stage) const
    {
        StageCount previous;
        for (int k = 0; k < p.k; k += kDepth, stage.advance()) {
            barrier_wait(s.full(stage.index), stage.phase);
            const std::uint8_t *from = s.stage(stage.index);
            const std::uint64_t left = tile_descriptor(from + group * kGroupRows * 128);
            const std::uint64_t right =
                kAcross ? across_descriptor(from + kLeft, kSlice) : tile_descriptor(from + kLeft);
            product_fence();
#pragma unroll
            for (int part = 0; part < kDepth / 16; ++part)
                wide_product<T, kAcross>(d, left + kSixteenColumns * part,
                                         right + (kAcross ? kSixteenRows : kSixteenColumns) * part,
                                         k > 0 || part > 0);
            product_commit();
            product_wait<1>();
            if (k > 0)
                renew(previous.index, previous.phase);
            previous = stage;
        }
        if constexpr (E == GeluEpilogue::Forward) {
            const auto *from = static_cast<const std::uint32_t *>(p.at.bias) + column / 2 + lane % 4;
#pragma unroll
            for (int i = 0; i < kColumns / 8; ++i)
                bias[i] = __ldg(from + 4 * i);
            pin(bias);
        }
        product_wait<0>();
        pin(d);
        renew(previous.index, previous.phase);
    }

    // This group's rows of the tile, rounded, to shared memory.
    __device__ __forceinline__ void leave(const float (&d)[kColumns / 2],
                                          const std::uint32_t (&bias)[kColumns / 8]) const
    {
        const std::uint32_t to = shared_address(s.sums()) +
                                 static_cast<std::uint32_t>(
                                     (group * kGroupRows + warp * 16 + lane % 16) * kPitch + lane / 16 * 16);
#pragma unroll
        for (int i = 0; i < kColumns / 16; ++i) {
            float v[8];
#pragma unroll
            for (int e = 0; e < 8; ++e)
                v[e] = d[8 * i + e];
            if constexpr (E == GeluEpilogue::Forward) {
                const float2 low = unpack_pair<T>(bias[2 * i]);
                const float2 high = unpack_pair<T>(bias[2 * i + 1]);
#pragma unroll
                for (int e = 0; e < 4; ++e) {
                    v[e] += e % 2 == 0 ? low.x : low.y;
                    v[4 + e] += e % 2 == 0 ? high.x : high.y;
                }
            }
            const std::uint32_t fragments[4] = {pack2<T>(v[0], v[1]), pack2<T>(v[2], v[3]),
                                                pack2<T>(v[4], v[5]), pack2<T>(v[6], v[7])};
            store_block(to + static_cast<std::uint32_t>(i * 32), fragments);
        }
    }

    __device__ void run() const
    {
        StageCount stage;
        int parity = 1;
        for (GeluTile<Pair> tile(p); tile.there(); tile.advance(), parity ^= 1) {
            float d[kColumns / 2];
            product_start(d);
            std::uint32_t bias[kColumns / 8];
            multiply(d, bias, tile.column, stage);
            barrier_wait(s.taken(), parity);
            leave(d, bias);
            __syncwarp();
            if (lane == 0)
                barrier_arrive(s.left(group));
        }
    }
};

} // namespace

} // namespace sbtrain::cuda
