// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kernel of the own fp32 product. Three warpgroups a block, on a tile of 128 x BN. The first reads b,
// splits it and puts its three parts into shared memory, 32 of k a stage. The other two have 64 rows each:
// they read a straight into the registers that the tensor cores take it from, split it there, multiply, and
// add the sums of a stage to those of the stages before it. While one splits and adds, the other multiplies.
//
// Rows, columns and k may come in any order as long as all sides agree. Ours lets every thread read and write
// vectors of four:
// - k of a step (16): what the tensor cores take for columns 2 t, 2 t + 1, 2 t + 8, 2 t + 9 is 4 t to 4 t
// + 3.
// - columns of 16: likewise, and a thread ends with c's columns 4 t to 4 t + 3.
// - rows of a warp (16): r and r + 8 are 2 r and 2 r + 1.
//
// Included by own_split_gemm.cu only.

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

// The other two warpgroups' work. KMajor: a is stored (m, k).
template <int BN, bool KMajor>
struct Multiplier {
    static constexpr int kSteps = kDepth / 16;
    static constexpr int kQuads = BN / 8; // vectors of four of a thread's sums

    const SplitParams &p;
    int group, warp, lane;
    int offset[KMajor ? 2 : 1];
    float value[kSteps][2][4];          // [step][row][k] of a
    std::uint32_t a[kParts][kSteps][4]; // as the tensor cores take it
    float d[BN / 2];                    // a stage's sums
    float sum[BN / 2];

    __device__ Multiplier(const SplitParams &params)
        : p(params)
        , group(static_cast<int>(threadIdx.x) / 128 - 1)
        , warp(static_cast<int>(threadIdx.x) / 32 % 4)
        , lane(static_cast<int>(threadIdx.x) % 32)
    {
#pragma unroll
        for (float &value_of_d : d)
            value_of_d = 0.0F;
    }

    // The first of this thread's two rows of a tile.
    __device__ int own_row() const
    {
        return group * 64 + warp * 16 + lane / 4 * 2;
    }

    // As Splitter::aim().
    __device__ void aim(int row)
    {
        const int first = row + own_row();
        if constexpr (KMajor) {
            offset[0] = min(first, p.m - 1) * p.lda;
            offset[1] = min(first + 1, p.m - 1) * p.lda;
        } else {
            offset[0] = min(first, p.m - 2);
        }
    }

    __device__ __forceinline__ void load(int k, int limit)
    {
#pragma unroll
        for (int step = 0; step < kSteps; ++step) {
            const int at = k + step * 16 + lane % 4 * 4;
            const bool wanted = at < limit;
            if constexpr (KMajor) {
#pragma unroll
                for (int row = 0; row < 2; ++row) {
                    const auto v = load_if<float4>(wanted, p.a + offset[row] + at);
                    value[step][row][0] = v.x;
                    value[step][row][1] = v.y;
                    value[step][row][2] = v.z;
                    value[step][row][3] = v.w;
                }
            } else {
#pragma unroll
                for (int i = 0; i < 4; ++i) {
                    const auto v =
                        load_if<float2>(wanted, p.a + static_cast<std::int64_t>(at + i) * p.lda + offset[0]);
                    value[step][0][i] = v.x;
                    value[step][1][i] = v.y;
                }
            }
        }
    }

    __device__ __forceinline__ void split_values()
    {
#pragma unroll
        for (int step = 0; step < kSteps; ++step) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const float *pair = value[step][i % 2] + i / 2 * 2;
                const SplitPair s = split(pair[0], pair[1]);
#pragma unroll
                for (int part = 0; part < kParts; ++part)
                    a[part][step][i] = s.part[part];
            }
        }
    }

    // d = this stage's sums, the smallest products first: what is cut off a small sum is small.
    __device__ __forceinline__ void multiply(const std::uint8_t *tile, int half)
    {
        const std::uint64_t b = tile_descriptor(tile) + 4 * half;
        constexpr std::uint64_t kPart = part_bytes(BN) / 16;
        product_fence();
#pragma unroll
        for (int step = 0; step < kSteps; ++step) {
            product<__nv_bfloat16, BN>(d, a[2][step], b + 2 * step, step > 0);
            product<__nv_bfloat16, BN>(d, a[0][step], b + 2 * kPart + 2 * step, 1);
            product<__nv_bfloat16, BN>(d, a[1][step], b + kPart + 2 * step, 1);
        }
#pragma unroll
        for (int step = 0; step < kSteps; ++step) {
            product<__nv_bfloat16, BN>(d, a[1][step], b + 2 * step, 1);
            product<__nv_bfloat16, BN>(d, a[0][step], b + kPart + 2 * step, 1);
        }
#pragma unroll
        for (int step = 0; step < kSteps; ++step)
            product<__nv_bfloat16, BN>(d, a[0][step], b + 2 * step, 1);
        product_commit();
    }

    // Neither may d be read before this nor a be written.
    __device__ __forceinline__ void wait_for_product()
    {
        product_wait<0>();
#pragma unroll
        for (float &v : d)
            asm volatile("" : "+f"(v)::"memory");
#pragma unroll
        for (auto &part : a) {
#pragma unroll
            for (auto &step : part)
                asm volatile("" : "+r"(step[0]), "+r"(step[1]), "+r"(step[2]), "+r"(step[3])::"memory");
        }
    }

    // This thread's place in what block `block` leaves of a tile that another one finishes.
    __device__ float4 *part(int block) const
    {
        return p.parts + ((block * 2 + group) * kQuads * 128 + warp * 32 + lane);
    }
    __device__ bool leads() const
    {
        return warp == 0 && lane == 0;
    }
    __device__ void leave_part() const
    {
        const int block = static_cast<int>(blockIdx.x);
        float4 *to = part(block);
#pragma unroll
        for (int v = 0; v < kQuads; ++v)
            to[v * 128] = make_float4(sum[4 * v], sum[4 * v + 1], sum[4 * v + 2], sum[4 * v + 3]);
        __threadfence();
        warpgroup_sync(1 + group);
        if (leads())
            atomicExch(p.flags + block * 2 + group, 1);
    }
    // Block `block` has begun before this one, or will as soon as a block ends: it waits for nobody with a
    // lower number.
    __device__ void add_part(int block)
    {
        if (leads()) {
            while (atomicCAS(p.flags + block * 2 + group, 1, 0) != 1)
                __nanosleep(100);
            __threadfence();
        }
        warpgroup_sync(1 + group);
        const float4 *from = part(block);
#pragma unroll
        for (int v = 0; v < kQuads; ++v) {
            const float4 other = __ldcg(from + v * 128);
            sum[4 * v] += other.x;
            sum[4 * v + 1] += other.y;
            sum[4 * v + 2] += other.z;
            sum[4 * v + 3] += other.w;
        }
    }

    __device__ void finish(TilePlace place) const
    {
#pragma unroll
        for (int j = 0; j < BN / 16; ++j) {
            const int column = place.column + 16 * j + lane % 4 * 4;
            if (column >= p.n)
                continue;
            float4 bias = make_float4(0.0F, 0.0F, 0.0F, 0.0F);
            if (p.bias != nullptr)
                bias = *reinterpret_cast<const float4 *>(p.bias + column);
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                const int row = place.row + own_row() + i;
                if (row >= p.m)
                    continue;
                auto *to = reinterpret_cast<float4 *>(p.c + static_cast<std::int64_t>(row) * p.ldc + column);
                const float *s = sum + 8 * j + 2 * i;
                float4 v = make_float4(s[0] + bias.x, s[1] + bias.y, s[4] + bias.z, s[5] + bias.w);
                if (p.accumulate) {
                    const float4 old = *to;
                    v = make_float4(v.x + old.x, v.y + old.y, v.z + old.z, v.w + old.w);
                }
                *to = v;
            }
        }
    }

    // What other blocks did of the tile of this segment, which is its beginning, then to memory.
    __device__ void complete(const Deal &deal, const Segment &segment)
    {
        int have = segment.end;
        if (have < deal.stages) {
            const int end = deal.place(segment.tile, deal.stages);
            int at = deal.place(segment.tile, have);
            for (int other = static_cast<int>(blockIdx.x) + 1; at < end; ++other) {
                if (deal.share_end(other) > at) // some have nothing to do where there is little
                    add_part(other);
                at = deal.share_end(other);
            }
        }
        finish(TilePlace(p, BN, segment.tile));
    }

    __device__ void run(const std::uint8_t *tiles, std::uint64_t *full, std::uint64_t *empty)
    {
        Deal deal(p, BN);
        Segment segment;
        if (!deal.next(segment))
            return;
        aim(TilePlace(p, BN, segment.tile).row);
        load(segment.begin * kDepth, p.k);
        SplitSlot slot;
        for (bool more = true; more;) {
            Segment following;
            more = deal.next(following);
#pragma unroll
            for (float &v : sum)
                v = 0.0F;
            for (int stage = segment.begin; stage < segment.end; ++stage, slot.advance()) {
                split_values();
                int k = (stage + 1) * kDepth;
                int limit = p.k;
                if (stage + 1 == segment.end) {
                    k = following.begin * kDepth;
                    limit = more ? p.k : 0;
                    aim(TilePlace(p, BN, following.tile).row);
                }
                load(k, limit);
                barrier_wait(full + slot.index, slot.phase);
                multiply(tiles + slot.index / 2 * tile_bytes(BN), slot.index % 2);
                wait_for_product();
                if (lane == 0)
                    barrier_arrive(empty + slot.index);
#pragma unroll
                for (int i = 0; i < BN / 2; ++i)
                    sum[i] += d[i];
            }
            if (segment.begin > 0)
                leave_part();
            else
                complete(deal, segment);
            segment = following;
        }
    }
};

// AK, BK: a is stored (m, k), b is stored (n, k).
template <int BN, bool AK, bool BK>
__global__ void __launch_bounds__(kThreads, 1) own_split_gemm_kernel(const __grid_constant__ SplitParams p)
{
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    extern __shared__ std::uint8_t raw[];
    std::uint8_t *tiles = raw + (1024 - shared_address(raw) % 1024) % 1024;
    auto *full = reinterpret_cast<std::uint64_t *>(tiles + kSlots / 2 * tile_bytes(BN));
    std::uint64_t *empty = full + kSlots;
    if (threadIdx.x == 0) {
        for (int i = 0; i < kSlots; ++i) {
            barrier_init(full + i, 4);  // the splitting warps
            barrier_init(empty + i, 8); // the multiplying ones
        }
    }
    __syncthreads();
    if (threadIdx.x < 128) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 88;");
        Splitter<BN, BK>(p).run(tiles, full, empty);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 208;");
        Multiplier<BN, AK>(p).run(tiles, full, empty);
    }
#endif
}

} // namespace

} // namespace sbtrain::cuda
