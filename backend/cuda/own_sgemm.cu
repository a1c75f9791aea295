// SPDX-License-Identifier: Apache-2.0

// A warp makes 64 x 64 of c; a lane 8 rows (4 r and 32 + 4 r on, r = lane % 8) by 16 columns (4 q + 16 j on,
// q = lane / 8). Operands lie in shared memory by k, 8 of k a stage, two stages; the next stage's values
// wait in registers while this one is used. Positions in a row of shared memory are swizzled by k, so that an
// operand that is contiguous in k is turned on its way without bank conflicts.

#include "check.h"
#include "own_sgemm.h"

#include <algorithm>

namespace sbtrain::cuda {

namespace {

constexpr int kDepth = 8; // of k a stage: a loop of 16 no longer fits the instruction cache

struct SgemmParams {
    const float *a = nullptr;
    const float *b = nullptr;
    float *c = nullptr;
    const float *bias = nullptr;
    float *parts = nullptr; // a tile for each block
    int *flags = nullptr;   // set when the block's part is written
    int m = 0, n = 0, k = 0;
    int lda = 0, ldb = 0, ldc = 0;
    bool accumulate = false;
};

template <int WM, int WN>
struct TileShape {
    static constexpr int kRows = 64 * WM;
    static constexpr int kColumns = 64 * WN;
    static constexpr int kThreads = 32 * WM * WN;
    static constexpr int kPerBlock = kThreads == 256 ? 1 : 2; // blocks a multiprocessor holds
};

__device__ constexpr int swizzle(int k)
{
    return k / 4 * 16;
}

// Copies Rows x kDepth of an operand. KMajor: it is contiguous in k, element (i, k) at i ld + k; otherwise at
// k ld + i. Rows beyond the matrix read its last ones: what comes of them is never stored.
template <int Rows, int Threads, bool KMajor>
struct OperandCopy {
    static constexpr int kChunks = Rows * kDepth / 4 / Threads;
    const float *base;
    int step; // from one stage to the next
    int offset[kChunks];
    float4 value[kChunks];

    __device__ OperandCopy(const float *matrix, int ld, int first, int count)
        : base(matrix)
        , step(KMajor ? kDepth : kDepth * ld)
    {
        const int thread = static_cast<int>(threadIdx.x);
#pragma unroll
        for (int i = 0; i < kChunks; ++i) {
            const int chunk = thread + i * Threads;
            if constexpr (KMajor)
                offset[i] = min(first + chunk / 2, count - 1) * ld + chunk % 2 * 4;
            else
                offset[i] = chunk / (Rows / 4) * ld + min(first + chunk % (Rows / 4) * 4, count - 4);
        }
    }
    __device__ void load(int stage)
    {
        const float *from = base + static_cast<std::int64_t>(stage) * step;
#pragma unroll
        for (int i = 0; i < kChunks; ++i)
            value[i] = __ldg(reinterpret_cast<const float4 *>(from + offset[i]));
    }
    __device__ void store(float *shared) const
    {
        const int thread = static_cast<int>(threadIdx.x);
#pragma unroll
        for (int i = 0; i < kChunks; ++i) {
            const int chunk = thread + i * Threads;
            if constexpr (KMajor) {
                const int k = chunk % 2 * 4;
                float *to = shared + k * Rows + (chunk / 2 ^ swizzle(k));
                to[0] = value[i].x;
                to[Rows] = value[i].y;
                to[2 * Rows] = value[i].z;
                to[3 * Rows] = value[i].w;
            } else {
                const int k = chunk / (Rows / 4);
                *reinterpret_cast<float4 *>(shared + k * Rows + (chunk % (Rows / 4) * 4 ^ swizzle(k))) =
                    value[i];
            }
        }
    }
};

struct Fragments {
    float a[8];
    float b[16];
};

__device__ void put4(float *to, const float *from)
{
    const float4 v = *reinterpret_cast<const float4 *>(from);
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    to[3] = v.w;
}

// What one block does of one tile: [begin, end) of its stages.
struct Segment {
    int tile, begin, end;
};

template <int WM, int WN, bool AK, bool BK>
struct SgemmBlock {
    using Tile = TileShape<WM, WN>;
    const SgemmParams &p;
    float *shared_a; // [2][kDepth][kRows]
    float *shared_b; // [2][kDepth][kColumns]
    int stages;      // of a whole tile
    int lane, warp_row, warp_column;
    float sum[8][16];

    __device__ SgemmBlock(const SgemmParams &params, float *shared)
        : p(params)
        , shared_a(shared)
        , shared_b(shared + 2 * kDepth * Tile::kRows)
        , stages(params.k / kDepth)
        , lane(static_cast<int>(threadIdx.x) % 32)
        , warp_row(static_cast<int>(threadIdx.x) / 32 / WN * 64)
        , warp_column(static_cast<int>(threadIdx.x) / 32 % WN * 64)
    {
    }

    __device__ int first_row(int tile) const { return tile % row_tiles() * Tile::kRows; }
    __device__ int first_column(int tile) const { return tile / row_tiles() * Tile::kColumns; }
    __device__ int row_tiles() const { return (p.m + Tile::kRows - 1) / Tile::kRows; }

    __device__ void fetch(Fragments &f, const float *a, const float *b, int k) const
    {
        const int s = swizzle(k);
        const float *from_a = a + k * Tile::kRows + warp_row + (lane % 8 * 4 ^ s);
        put4(f.a, from_a);
        put4(f.a + 4, from_a + 32);
        const float *from_b = b + k * Tile::kColumns + warp_column + lane / 8 * 4;
#pragma unroll
        for (int j = 0; j < 4; ++j)
            put4(f.b + 4 * j, from_b + (16 * j ^ s));
    }

    __device__ void multiply(int stage)
    {
        const float *a = shared_a + stage * kDepth * Tile::kRows;
        const float *b = shared_b + stage * kDepth * Tile::kColumns;
        Fragments f[2];
        fetch(f[0], a, b, 0);
#pragma unroll
        for (int k = 0; k < kDepth; ++k) {
            if (k + 1 < kDepth)
                fetch(f[(k + 1) % 2], a, b, k + 1);
#pragma unroll
            for (int i = 0; i < 8; ++i) {
#pragma unroll
                for (int j = 0; j < 16; ++j)
                    sum[i][j] = fmaf(f[k % 2].a[i], f[k % 2].b[j], sum[i][j]);
            }
        }
    }

    __device__ void run(const Segment &segment)
    {
#pragma unroll
        for (int i = 0; i < 8; ++i) {
#pragma unroll
            for (int j = 0; j < 16; ++j)
                sum[i][j] = 0.0F;
        }
        OperandCopy<Tile::kRows, Tile::kThreads, AK> copy_a(p.a, p.lda, first_row(segment.tile), p.m);
        OperandCopy<Tile::kColumns, Tile::kThreads, BK> copy_b(p.b, p.ldb, first_column(segment.tile), p.n);
        copy_a.load(segment.begin);
        copy_b.load(segment.begin);
        __syncthreads(); // the segment before this one has read its last stage
        copy_a.store(shared_a);
        copy_b.store(shared_b);
        __syncthreads();
        int stage = 0;
        for (int s = segment.begin + 1; s < segment.end; ++s) {
            copy_a.load(s);
            copy_b.load(s);
            multiply(stage);
            stage ^= 1;
            copy_a.store(shared_a + stage * kDepth * Tile::kRows);
            copy_b.store(shared_b + stage * kDepth * Tile::kColumns);
            __syncthreads();
        }
        multiply(stage);
    }

    // A block's part of a tile that another block finishes: [32][kThreads] vectors of four.
    __device__ float4 *part(int block) const
    {
        return reinterpret_cast<float4 *>(p.parts) + static_cast<std::int64_t>(block) * 32 * Tile::kThreads +
               threadIdx.x;
    }
    __device__ void leave_part(int block) const
    {
        float4 *to = part(block);
#pragma unroll
        for (int v = 0; v < 32; ++v)
            to[v * Tile::kThreads] = make_float4(sum[v / 4][v % 4 * 4], sum[v / 4][v % 4 * 4 + 1],
                                                 sum[v / 4][v % 4 * 4 + 2], sum[v / 4][v % 4 * 4 + 3]);
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            atomicExch(p.flags + block, 1);
    }
    // Block `block` has begun before this one, or will as soon as a block ends: it waits for nobody with a
    // lower number.
    __device__ void add_part(int block)
    {
        if (threadIdx.x == 0) {
            while (atomicCAS(p.flags + block, 1, 0) != 1)
                __nanosleep(100);
            __threadfence();
        }
        __syncthreads();
        const float4 *from = part(block);
#pragma unroll
        for (int v = 0; v < 32; ++v) {
            const float4 other = __ldcg(from + v * Tile::kThreads);
            sum[v / 4][v % 4 * 4] += other.x;
            sum[v / 4][v % 4 * 4 + 1] += other.y;
            sum[v / 4][v % 4 * 4 + 2] += other.z;
            sum[v / 4][v % 4 * 4 + 3] += other.w;
        }
    }

    __device__ void finish(int tile) const
    {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int column = first_column(tile) + warp_column + 16 * j + lane / 8 * 4;
            if (column >= p.n)
                continue;
            float4 bias = make_float4(0.0F, 0.0F, 0.0F, 0.0F);
            if (p.bias != nullptr)
                bias = *reinterpret_cast<const float4 *>(p.bias + column);
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                const int row = first_row(tile) + warp_row + i / 4 * 32 + lane % 8 * 4 + i % 4;
                if (row >= p.m)
                    continue;
                auto *to = reinterpret_cast<float4 *>(p.c + static_cast<std::int64_t>(row) * p.ldc + column);
                float4 v = make_float4(sum[i][4 * j] + bias.x, sum[i][4 * j + 1] + bias.y,
                                       sum[i][4 * j + 2] + bias.z, sum[i][4 * j + 3] + bias.w);
                if (p.accumulate) {
                    const float4 old = *to;
                    v = make_float4(v.x + old.x, v.y + old.y, v.z + old.z, v.w + old.w);
                }
                *to = v;
            }
        }
    }
};

// Whole tiles in turn while two or more rounds are left; the rest is dealt out by stages of k.
template <int WM, int WN, bool AK, bool BK>
__global__ void __launch_bounds__(TileShape<WM, WN>::kThreads, TileShape<WM, WN>::kPerBlock)
    sgemm_kernel(const __grid_constant__ SgemmParams p)
{
    using Tile = TileShape<WM, WN>;
    __shared__ alignas(16) float shared[2 * kDepth * (Tile::kRows + Tile::kColumns)];
    SgemmBlock<WM, WN, AK, BK> block(p, shared);
    const int blocks = static_cast<int>(gridDim.x);
    const int self = static_cast<int>(blockIdx.x);
    const int tiles = block.row_tiles() * ((p.n + Tile::kColumns - 1) / Tile::kColumns);
    const int whole = max(tiles / blocks - 1, 0) * blocks;
    for (int tile = self; tile < whole; tile += blocks) {
        block.run({tile, 0, block.stages});
        block.finish(tile);
    }
    const std::int64_t shared_stages = static_cast<std::int64_t>(tiles - whole) * block.stages;
    const auto share_end = [&](int number) { return shared_stages * (number + 1) / blocks; };
    std::int64_t at = self == 0 ? 0 : share_end(self - 1);
    const std::int64_t end = share_end(self);
    while (at < end) {
        const int tile = static_cast<int>(at / block.stages);
        const std::int64_t tile_at = static_cast<std::int64_t>(tile) * block.stages;
        const std::int64_t until = min(end, tile_at + block.stages);
        block.run({whole + tile, static_cast<int>(at - tile_at), static_cast<int>(until - tile_at)});
        if (at > tile_at) {
            block.leave_part(self);
        } else {
            std::int64_t have = until;
            for (int other = self + 1; have < tile_at + block.stages; ++other) {
                if (share_end(other) > have) // some have nothing to do where there is little
                    block.add_part(other);
                have = share_end(other);
            }
            block.finish(whole + tile);
        }
        at = until;
    }
}

// blockIdx.x: which product; blockIdx.y: which tile of it.
template <int WM, int WN, bool AK, bool BK>
__global__ void __launch_bounds__(TileShape<WM, WN>::kThreads, TileShape<WM, WN>::kPerBlock)
    small_kernel(const __grid_constant__ SgemmParams shape, float *const *a, float *const *b, float *const *c)
{
    using Tile = TileShape<WM, WN>;
    __shared__ alignas(16) float shared[2 * kDepth * (Tile::kRows + Tile::kColumns)];
    SgemmParams p = shape;
    p.a = a[blockIdx.x];
    p.b = b[blockIdx.x];
    p.c = c[blockIdx.x];
    SgemmBlock<WM, WN, AK, BK> block(p, shared);
    block.run({static_cast<int>(blockIdx.y), 0, block.stages});
    block.finish(static_cast<int>(blockIdx.y));
}

template <int WM, int WN>
void launch_small(const SmallProducts &s, const SgemmParams &p, cudaStream_t stream)
{
    using Tile = TileShape<WM, WN>;
    const auto tiles = (s.m + Tile::kRows - 1) / Tile::kRows * ((s.n + Tile::kColumns - 1) / Tile::kColumns);
    const dim3 blocks(static_cast<unsigned>(s.count), static_cast<unsigned>(tiles));
    const auto start = [&](auto kernel) {
        kernel<<<blocks, Tile::kThreads, 0, stream>>>(p, reinterpret_cast<float *const *>(s.a),
                                                      reinterpret_cast<float *const *>(s.b),
                                                      reinterpret_cast<float *const *>(s.c));
    };
    if (!s.transpose_a && s.transpose_b)
        start(small_kernel<WM, WN, true, true>);
    else if (!s.transpose_a)
        start(small_kernel<WM, WN, true, false>);
    else if (!s.transpose_b)
        start(small_kernel<WM, WN, false, false>);
    else
        start(small_kernel<WM, WN, false, true>);
    check(cudaGetLastError(), "multiply heads");
}

template <int WM, int WN>
void launch(const GemmProblem &problem, const SgemmParams &p, int blocks, cudaStream_t stream)
{
    constexpr int kThreads = TileShape<WM, WN>::kThreads;
    if (!problem.transpose_a && problem.transpose_b)
        sgemm_kernel<WM, WN, true, true><<<blocks, kThreads, 0, stream>>>(p);
    else if (!problem.transpose_a)
        sgemm_kernel<WM, WN, true, false><<<blocks, kThreads, 0, stream>>>(p);
    else if (!problem.transpose_b)
        sgemm_kernel<WM, WN, false, false><<<blocks, kThreads, 0, stream>>>(p);
    else
        sgemm_kernel<WM, WN, false, true><<<blocks, kThreads, 0, stream>>>(p);
    check(cudaGetLastError(), "multiply in fp32");
}

struct TileSize {
    int rows, columns, threads;
};
constexpr TileSize kTileSizes[OwnSgemm::kTiles] = {{256, 128, 256}, {128, 128, 128}, {256, 64, 128}};

} // namespace

bool OwnSgemm::fits(const GemmProblem &p)
{
    constexpr std::int64_t kLargest = std::int64_t{1} << 31;
    const auto small = [&](std::int64_t rows, std::int64_t ld) { return rows * ld < kLargest; };
    return p.type == Type::F32 && p.out == Type::F32 && !p.tf32 && p.k % kDepth == 0 && p.m % 4 == 0 &&
           p.n % 4 == 0 && p.lda % 4 == 0 && p.ldb % 4 == 0 && p.ldc % 4 == 0 &&
           small(p.transpose_a ? p.k : p.m, p.lda) && small(p.transpose_b ? p.n : p.k, p.ldb) &&
           p.m < (1 << 30) && p.n < (1 << 30);
}

OwnSgemm::OwnSgemm(const GemmProblem &problem, int tile)
    : m_problem(problem)
    , m_tile(tile)
{
    int device = 0;
    int multiprocessors = 0;
    check(cudaGetDevice(&device), "ask for the device");
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), "ask the device");
    m_blocks = multiprocessors * (kTileSizes[tile].threads == 256 ? 1 : 2);
    const std::size_t bytes = sizeof(int) * static_cast<std::size_t>(m_blocks);
    check(cudaMalloc(&m_flags, bytes), "allocate flags");
    check(cudaMemset(m_flags, 0, bytes), "clear flags");
}

OwnSgemm::~OwnSgemm()
{
    cudaFree(m_flags);
}

std::size_t OwnSgemm::workspace_bytes() const
{
    const TileSize &size = kTileSizes[m_tile];
    return sizeof(float) * static_cast<std::size_t>(size.rows * size.columns) *
           static_cast<std::size_t>(m_blocks);
}

bool own_small_products_fit(const SmallProducts &s)
{
    GemmProblem p;
    p.transpose_a = s.transpose_a;
    p.transpose_b = s.transpose_b;
    p.m = s.m;
    p.n = s.n;
    p.k = s.k;
    p.lda = s.lda;
    p.ldb = s.ldb;
    p.ldc = s.ldc;
    return OwnSgemm::fits(p) && s.m <= 1024 && s.n <= 1024;
}

void multiply_small(const SmallProducts &s, cudaStream_t stream)
{
    SgemmParams p;
    p.m = static_cast<int>(s.m);
    p.n = static_cast<int>(s.n);
    p.k = static_cast<int>(s.k);
    p.lda = static_cast<int>(s.lda);
    p.ldb = static_cast<int>(s.ldb);
    p.ldc = static_cast<int>(s.ldc);
    if (s.n > 64)
        launch_small<2, 2>(s, p, stream);
    else
        launch_small<2, 1>(s, p, stream);
}

void OwnSgemm::run(const GemmPointers &at, void *workspace, cudaStream_t stream) const
{
    const auto number = [](std::int64_t value) { return static_cast<int>(value); };
    SgemmParams p;
    p.a = static_cast<const float *>(at.a);
    p.b = static_cast<const float *>(at.b);
    p.c = static_cast<float *>(at.c);
    p.bias = m_problem.bias ? static_cast<const float *>(at.bias) : nullptr;
    p.parts = static_cast<float *>(workspace);
    p.flags = m_flags;
    p.m = number(m_problem.m);
    p.n = number(m_problem.n);
    p.k = number(m_problem.k);
    p.lda = number(m_problem.lda);
    p.ldb = number(m_problem.ldb);
    p.ldc = number(m_problem.ldc);
    p.accumulate = m_problem.accumulate;
    if (m_tile == 0)
        launch<4, 2>(m_problem, p, m_blocks, stream);
    else if (m_tile == 1)
        launch<2, 2>(m_problem, p, m_blocks, stream);
    else
        launch<4, 1>(m_problem, p, m_blocks, stream);
}

} // namespace sbtrain::cuda
