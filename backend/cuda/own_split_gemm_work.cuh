// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the warpgroups of the own fp32 product have in common: sizes of tiles, which parts of the product a
// block computes, and the ring of stages in shared memory between them.

#include "hopper.cuh"

namespace sbtrain::cuda {

namespace {

constexpr int kRows = 128; // of a tile
constexpr int kDepth = 32; // of k a stage
constexpr int kParts = 3;  // of a number
constexpr int kSlots = 6;  // stages in shared memory, two to a tile of 128 bytes a row
constexpr int kThreads = 384;

struct SplitParams {
    const float *a = nullptr;
    const float *b = nullptr;
    float *c = nullptr;
    const float *bias = nullptr;
    float4 *parts = nullptr; // a tile for each block
    int *flags = nullptr;    // of a block's two halves: set when its part is written
    int m = 0, n = 0, k = 0;
    int lda = 0, ldb = 0, ldc = 0;
    bool accumulate = false;
};

constexpr int part_bytes(int bn)
{
    return bn * 128;
}
constexpr int tile_bytes(int bn)
{
    return kParts * part_bytes(bn);
}
constexpr int split_shared_bytes(int bn)
{
    return 1024 + kSlots / 2 * tile_bytes(bn) + 2 * kSlots * 8; // alignment, tiles, barriers
}

// What a block does of one tile: [begin, end) of its stages.
struct Segment {
    int tile = 0, begin = 0, end = 0;
};

// This block's segments: whole tiles in turn while two or more rounds are left, then its share of the rest,
// which is dealt out evenly by stages (stream-K, Osama et al., PPoPP 2023).
class Deal {
public:
    int stages; // of a whole tile

    __device__ Deal(const SplitParams &p, int bn)
        : stages((p.k + kDepth - 1) / kDepth)
        , m_tile(static_cast<int>(blockIdx.x))
    {
        const int tiles = (p.m + kRows - 1) / kRows * ((p.n + bn - 1) / bn);
        m_whole = max(tiles / blocks() - 1, 0) * blocks();
        m_rest = (tiles - m_whole) * stages;
        m_at = m_tile == 0 ? 0 : share_end(m_tile - 1);
        m_end = share_end(m_tile);
    }
    __device__ static int blocks() { return static_cast<int>(gridDim.x); }
    // Where the share of block `number` ends, in stages of the rest.
    __device__ int share_end(int number) const
    {
        return static_cast<int>(static_cast<std::int64_t>(m_rest) * (number + 1) / blocks());
    }
    // A stage of a tile of the rest, in stages of the rest.
    __device__ int place(int tile, int stage) const { return (tile - m_whole) * stages + stage; }

    __device__ bool next(Segment &s)
    {
        if (m_tile < m_whole) {
            s = {m_tile, 0, stages};
            m_tile += blocks();
            return true;
        }
        if (m_at >= m_end)
            return false;
        const int tile = m_at / stages;
        const int until = min(m_end, (tile + 1) * stages);
        s = {m_whole + tile, m_at - tile * stages, until - tile * stages};
        m_at = until;
        return true;
    }

private:
    int m_tile, m_whole, m_rest, m_at, m_end;
};

struct TilePlace {
    int row, column;
    __device__ TilePlace(const SplitParams &p, int bn, int tile)
    {
        const int rows = (p.m + kRows - 1) / kRows;
        row = tile % rows * kRows;
        column = tile / rows * bn;
    }
};

// A place in the ring of slots and how often it came around.
struct SplitSlot {
    int index = 0, phase = 0;
    __device__ void advance()
    {
        if (++index == kSlots) {
            index = 0;
            phase ^= 1;
        }
    }
};

} // namespace

} // namespace sbtrain::cuda
