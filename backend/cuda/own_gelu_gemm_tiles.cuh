// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sizes, shared memory and order of tiles of the own product with GELU or its slope.

#include "hopper_pair.cuh"
#include "own_gelu_gemm.h"

#include <cuda.h>

namespace sbtrain::cuda {

namespace {

constexpr int kRows = 128; // of a tile
constexpr int kColumns = 256;
constexpr int kDepth = 64; // of k a stage
constexpr int kGroups = 2; // that multiply
constexpr int kGroupRows = kRows / kGroups;
constexpr int kGeluThreads = 128 * (kGroups + 1);
constexpr int kTakers = 4; // warps of the third group

// Of shared memory, in bytes.
constexpr int kSharedLimit = 227 * 1024;
constexpr int kLeft = kRows * 128;   // a in a stage
constexpr int kSlice = kDepth * 128; // 64 columns of b in a stage, where b lies across
constexpr int kStage = kLeft + kColumns * 128;
constexpr int kPitch = 2 * kColumns + 16; // a row of sums; odd in 16 bytes, so that rows share no banks
constexpr int kSums = kRows * kPitch;
constexpr int kColumnSums = kTakers * kColumns * 4;
constexpr int kFixed = 1024 + kSums + kColumnSums + 256; // with alignment and barriers
constexpr int kStages = (kSharedLimit - kFixed) / kStage;
constexpr int kSumsPlace = kStages * kStage;
constexpr int kColumnSumsPlace = kSumsPlace + kSums;
constexpr int kBarriersPlace = kColumnSumsPlace + kColumnSums;
constexpr int kGeluShared = kFixed + kStages * kStage;
static_assert(kStages >= 3 && (2 * kStages + kGroups + 1) * 8 <= 256);

struct GeluParams {
    int m = 0, n = 0, k = 0;
    OwnGeluPointers at;
};

struct GeluMaps {
    CUtensorMap a, b;
};

struct GeluShared {
    std::uint8_t *base;

    __device__ std::uint8_t *stage(int i) const { return base + i * kStage; }
    __device__ std::uint8_t *sums() const { return base + kSumsPlace; }
    __device__ float *column_sums() const { return reinterpret_cast<float *>(base + kColumnSumsPlace); }
    __device__ std::uint64_t *barrier(int i) const
    {
        return reinterpret_cast<std::uint64_t *>(base + kBarriersPlace) + i;
    }
    __device__ std::uint64_t *full(int stage) const { return barrier(stage); }
    __device__ std::uint64_t *empty(int stage) const { return barrier(kStages + stage); }
    // Of a group's rows of sums.
    __device__ std::uint64_t *left(int group) const { return barrier(2 * kStages + group); }
    __device__ std::uint64_t *taken() const { return barrier(2 * kStages + kGroups); }
};

// Which stage is next, and the parity of its use.
struct StageCount {
    int index = 0;
    int phase = 0;
    __device__ void advance()
    {
        ++index;
        if (index == kStages) {
            index = 0;
            phase ^= 1;
        }
    }
};

// The tiles of this block, one after the other: neighbours in time share rows of a. Blocks of a pair agree on
// everything but their row.
template <bool Pair>
struct GeluTile {
    static constexpr int kBlocks = Pair ? 2 : 1;
    int tile, step, tiles, columns, rank;
    int row, column; // where it begins

    __device__ explicit GeluTile(const GeluParams &p)
        : tile(static_cast<int>(blockIdx.x) / kBlocks)
        , step(static_cast<int>(gridDim.x) / kBlocks)
        , columns(p.n / kColumns)
        , rank(static_cast<int>(blockIdx.x) % kBlocks)
    {
        tiles = (p.m + kBlocks * kRows - 1) / (kBlocks * kRows) * columns;
        settle();
    }
    __device__ bool there() const { return tile < tiles; }
    __device__ void advance()
    {
        tile += step;
        settle();
    }

private:
    __device__ void settle()
    {
        row = (tile / columns * kBlocks + rank) * kRows;
        column = tile % columns * kColumns;
    }
};

// Not unpack2(): nvcc 13.0 makes other, longer code of its bfloat16 here.
template <typename T>
__device__ __forceinline__ float2 unpack_pair(std::uint32_t pair)
{
    if constexpr (std::is_same_v<T, __half>)
        return __half22float2(*reinterpret_cast<const __half2 *>(&pair));
    else // bfloat16 is the upper half of a float
        return {__uint_as_float(pair << 16), __uint_as_float(pair & 0xFFFF0000U)};
}

} // namespace

} // namespace sbtrain::cuda
