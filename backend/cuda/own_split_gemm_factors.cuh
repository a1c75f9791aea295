// SPDX-License-Identifier: Apache-2.0
#pragma once

// How the own fp32 product parts numbers, and the warpgroup that parts b. The order of columns and k is that
// of own_split_gemm_kernel.cuh.

#include "own_split_gemm_work.cuh"

namespace sbtrain::cuda {

namespace {

// Pairs of bf16, the first number in the lower half.
struct SplitPair {
    std::uint32_t part[kParts];
};

// hi cuts x off, so that it never becomes infinite; mid rounds what is left, so that what lo leaves out of
// the product is of no sign. Both differences are exact, and at most 8 bits remain for lo.
__device__ __forceinline__ SplitPair split(float x, float y)
{
    constexpr std::uint32_t kUpper = 0xFFFF0000U;
    constexpr std::uint32_t kUpperHalves = 0x7632;
    SplitPair s;
    const std::uint32_t bits_x = __float_as_uint(x);
    const std::uint32_t bits_y = __float_as_uint(y);
    s.part[0] = __byte_perm(bits_x, bits_y, kUpperHalves);
    const float rest_x = x - __uint_as_float(bits_x & kUpper);
    const float rest_y = y - __uint_as_float(bits_y & kUpper);
    const __nv_bfloat162 mid = __floats2bfloat162_rn(rest_x, rest_y);
    s.part[1] = *reinterpret_cast<const std::uint32_t *>(&mid);
    s.part[2] = __byte_perm(__float_as_uint(rest_x - __uint_as_float(s.part[1] << 16)),
                            __float_as_uint(rest_y - __uint_as_float(s.part[1] & kUpper)), kUpperHalves);
    return s;
}

template <typename V>
__device__ __forceinline__ V load_if(bool wanted, const float *from)
{
    V v{};
    if (wanted)
        v = __ldg(reinterpret_cast<const V *>(from));
    return v;
}

// The first warpgroup's work on b, of which a warp has BN / 4 columns. KMajor: b is stored (n, k).
template <int BN, bool KMajor>
struct Splitter {
    static constexpr int kVectors = BN / 16; // a stage: 32 of k x BN columns over 128 threads
    const SplitParams &p;
    int warp, lane;
    int offset[KMajor ? kVectors : BN / 64];
    float4 value[kVectors];

    __device__ Splitter(const SplitParams &params)
        : p(params)
        , warp(static_cast<int>(threadIdx.x) / 32)
        , lane(static_cast<int>(threadIdx.x) % 32)
    {
    }

    // From here on load() reads the columns of the tile that begins at `column`. Columns beyond the matrix
    // read its last ones: what comes of them is never stored.
    __device__ void aim(int column)
    {
        const int first = column + warp * (BN / 4);
        if constexpr (KMajor) {
#pragma unroll
            for (int v = 0; v < kVectors; ++v)
                offset[v] = min(first + column_of(v), p.n - 1) * p.ldb;
        } else {
#pragma unroll
            for (int group = 0; group < BN / 64; ++group)
                offset[group] = min(first + 16 * group + lane % 4 * 4, p.n - 4);
        }
    }

    // KMajor: a vector is k = 4 (lane % 8) on of a column. Four columns at a time, such that their rows of
    // shared memory do not meet in the same banks.
    __device__ int column_of(int v) const
    {
        return v / 4 * 16 + v % 4 / 2 * 4 + lane / 16 * 8 + v % 2 * 2 + lane / 8 % 2;
    }

    // Vector v of the stage that begins at k; zeros from `limit` on.
    __device__ __forceinline__ void load(int v, int k, int limit)
    {
        if constexpr (KMajor) {
            const int at = k + lane % 8 * 4;
            value[v] = load_if<float4>(at < limit, p.b + offset[v] + at);
        } else {
            constexpr int kGroups = BN / 64;
            const int at = k + v / 2 / kGroups * 16 + lane / 4 * 2 + v % 2;
            value[v] = load_if<float4>(at < limit,
                                       p.b + static_cast<std::int64_t>(at) * p.ldb + offset[v / 2 % kGroups]);
        }
    }

    __device__ static void put(std::uint8_t *to, const SplitPair &s)
    {
#pragma unroll
        for (int part = 0; part < kParts; ++part)
            *reinterpret_cast<std::uint32_t *>(to + part * part_bytes(BN)) = s.part[part];
    }

    // Splits vector v (KMajor), or v and v + 1, two rows of four columns. `tile` holds the first part, of
    // which this stage is the first or second half.
    __device__ __forceinline__ void store(int v, std::uint8_t *tile, int half) const
    {
        std::uint8_t *first = tile + warp * (BN / 4) * 128;
        if constexpr (KMajor) {
            const int row = v / 4 * 16 + v % 2 * 8 + v % 4 / 2 * 2 + lane / 16 * 4 + lane / 8 % 2;
            const int chunk = half * 4 + lane % 8 / 4 * 2;
            std::uint8_t *to = first + row * 128 + lane % 4 * 4;
            put(to + (chunk ^ row % 8) * 16, split(value[v].x, value[v].y));
            put(to + ((chunk + 1) ^ row % 8) * 16, split(value[v].z, value[v].w));
        } else {
            constexpr int kGroups = BN / 64;
            const int chunk = half * 4 + v / 2 / kGroups * 2 + lane / 4 % 2;
            const auto put_column = [&](int i, float x, float y) {
                const int row = v / 2 % kGroups * 16 + i / 2 * 8 + lane % 4 * 2 + i % 2;
                put(first + row * 128 + (chunk ^ row % 8) * 16 + lane / 8 * 4, split(x, y));
            };
            put_column(0, value[v].x, value[v + 1].x);
            put_column(1, value[v].y, value[v + 1].y);
            put_column(2, value[v].z, value[v + 1].z);
            put_column(3, value[v].w, value[v + 1].w);
        }
    }

    // A vector is read again, for the next stage, as soon as it is stored: it has a stage's time to arrive.
    __device__ void run(std::uint8_t *tiles, std::uint64_t *full, std::uint64_t *empty)
    {
        Deal deal(p, BN);
        Segment segment;
        if (!deal.next(segment))
            return;
        aim(TilePlace(p, BN, segment.tile).column);
#pragma unroll
        for (int v = 0; v < kVectors; ++v)
            load(v, segment.begin * kDepth, p.k);
        SplitSlot slot;
        for (bool more = true; more;) {
            Segment following;
            more = deal.next(following);
            for (int stage = segment.begin; stage < segment.end; ++stage, slot.advance()) {
                int k = (stage + 1) * kDepth;
                int limit = p.k;
                if (stage + 1 == segment.end) {
                    k = following.begin * kDepth;
                    limit = more ? p.k : 0;
                    aim(TilePlace(p, BN, following.tile).column);
                }
                barrier_wait(empty + slot.index, slot.phase ^ 1);
                std::uint8_t *tile = tiles + slot.index / 2 * tile_bytes(BN);
                constexpr int kTogether = KMajor ? 1 : 2;
#pragma unroll
                for (int v = 0; v < kVectors; v += kTogether) {
                    store(v, tile, slot.index % 2);
#pragma unroll
                    for (int i = 0; i < kTogether; ++i)
                        load(v + i, k, limit);
                }
                fence_for_copies(); // the tensor cores read as the copy engine does
                __syncwarp();
                if (lane == 0)
                    barrier_arrive(full + slot.index);
            }
            segment = following;
        }
    }
};

} // namespace

} // namespace sbtrain::cuda
