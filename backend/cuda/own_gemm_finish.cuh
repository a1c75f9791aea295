// SPDX-License-Identifier: Apache-2.0
#pragma once

// The last step of the own matrix product: a block's column sums become a row of partial; the block whose row
// is the last of its columns adds up all rows, in a fixed order, and computes what batch norm makes of them.
// That saves a launch which would do little but wait for memory.
//
// Included by own_gemm_kernel.cuh and own_gemm_tf32.cuh only.

#include "bn_formulas.cuh"
#include "own_gemm_tiles.cuh"

namespace sbtrain::cuda {

namespace {

constexpr int kFinishThreads = 256; // of the two multiplying groups

__device__ inline void finish_sync()
{
    asm volatile("bar.sync 3, %0;" ::"n"(kFinishThreads) : "memory");
}

// A block's eight warps' sums, [8][2][BN], become one row of partial.
template <int BN>
__device__ void write_row(const Params &p, const Share &share, const float *sums, int at)
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

// True in the block that is the last to get here of those with these columns. `flag` is in shared memory.
__device__ inline bool is_last(const OwnGemmFinish &finish, const Share &share, int *flag, int at)
{
    __threadfence(); // this thread's part of the row, before the ticket
    finish_sync();
    if (at == 0) {
        unsigned *ticket = finish.tickets + share.column;
        const bool last = atomicAdd(ticket, 1U) + 1 == static_cast<unsigned>(share.step);
        if (last)
            *ticket = 0;
        *flag = last;
    }
    finish_sync();
    __threadfence();
    return *flag;
}

// Adds up the rows of partial: four neighbours a thread, rows dealt out to parts of the block. all:
// [parts][2][BN].
template <int BN>
__device__ void add_rows(const Params &p, const Share &share, double *all, int at)
{
    constexpr int kVectors = 2 * BN / 4;
    constexpr int kParts = kFinishThreads / kVectors;
    constexpr int kBatch = 17; // loads at once: all rows in one or two batches
    const int index = at % kVectors * 4;
    const float *from = p.at.partial + index / BN * p.n + share.column * BN + index % BN;
    double sums[4] = {};
    for (int begin = at / kVectors; begin < share.step; begin += kBatch * kParts) {
        float4 row[kBatch];
#pragma unroll
        for (int i = 0; i < kBatch; ++i) {
            const int r = begin + i * kParts;
            row[i] =
                r < share.step ? __ldcg(reinterpret_cast<const float4 *>(from + 2LL * r * p.n)) : float4{};
        }
#pragma unroll
        for (int i = 0; i < kBatch; ++i) {
            sums[0] += row[i].x;
            sums[1] += row[i].y;
            sums[2] += row[i].z;
            sums[3] += row[i].w;
        }
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
        all[at / kVectors * 2 * BN + index + i] = sums[i];
}

// Called by the 256 threads of the groups, numbered `at`, once all sums are in shared memory. Writes over
// them.
template <Epilogue E, int BN>
__device__ void finish_sums(const Params &p, const Share &share, float *sums, int at)
{
    write_row<BN>(p, share, sums, at);
    const OwnGemmFinish &finish = p.at.finish;
    if (finish.tickets == nullptr)
        return;
    constexpr int kParts = kFinishThreads / (2 * BN / 4);
    auto *all = reinterpret_cast<double *>(sums);
    static_assert(kParts * 2 * BN * sizeof(double) <= 16384 && stage_bytes(Prologue::None, 64) > 16384);
    if (!is_last(finish, share, reinterpret_cast<int *>(all + kParts * 2 * BN), at))
        return;
    add_rows<BN>(p, share, all, at);
    finish_sync();
    if (at >= BN)
        return;
    double first = 0.0, second = 0.0;
#pragma unroll
    for (int part = 0; part < kParts; ++part) {
        first += all[part * 2 * BN + at];
        second += all[part * 2 * BN + BN + at];
    }
    const int channel = share.column * BN + at;
    if constexpr (E == Epilogue::Stats)
        bn_finish(finish.forward, channel, first, second, p.m, 0.0);
    else
        bn_finish(finish.backward, channel, first, second, p.m);
}

} // namespace

} // namespace sbtrain::cuda
