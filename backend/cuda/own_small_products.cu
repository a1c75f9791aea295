// SPDX-License-Identifier: Apache-2.0

// A warp makes 64 x 64 of c; a lane 8 rows (4 r and 32 + 4 r on, r = lane % 8) by 16 columns (4 q + 16 j on,
// q = lane / 8). Operands lie in shared memory by k, 8 of k a stage, two stages; the next stage's values
// wait in registers while this one is used. Positions in a row of shared memory are swizzled by k, so that an
// operand that is contiguous in k is turned on its way without bank conflicts.

#include "check.h"
#include "own_small_products.h"

namespace sbtrain::cuda {

namespace {

constexpr int kDepth = 8; // of k a stage: a loop of 16 no longer fits the instruction cache

struct SmallParams {
    const float *a = nullptr;
    const float *b = nullptr;
    float *c = nullptr;
    int m = 0, n = 0, k = 0;
    int lda = 0, ldb = 0, ldc = 0;
};

template <int WM, int WN>
struct TileShape {
    static constexpr int kRows = 64 * WM;
    static constexpr int kColumns = 64 * WN;
    static constexpr int kThreads = 32 * WM * WN;
    static constexpr int kPerProcessor = 2; // blocks
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

template <int WM, int WN, bool AK, bool BK>
struct SmallBlock {
    using Tile = TileShape<WM, WN>;
    const SmallParams &p;
    float *shared_a; // [2][kDepth][kRows]
    float *shared_b; // [2][kDepth][kColumns]
    int lane, warp_row, warp_column;
    float sum[8][16];

    __device__ SmallBlock(const SmallParams &params, float *shared)
        : p(params)
        , shared_a(shared)
        , shared_b(shared + 2 * kDepth * Tile::kRows)
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

    __device__ void run(int tile)
    {
#pragma unroll
        for (int i = 0; i < 8; ++i) {
#pragma unroll
            for (int j = 0; j < 16; ++j)
                sum[i][j] = 0.0F;
        }
        OperandCopy<Tile::kRows, Tile::kThreads, AK> copy_a(p.a, p.lda, first_row(tile), p.m);
        OperandCopy<Tile::kColumns, Tile::kThreads, BK> copy_b(p.b, p.ldb, first_column(tile), p.n);
        copy_a.load(0);
        copy_b.load(0);
        copy_a.store(shared_a);
        copy_b.store(shared_b);
        __syncthreads();
        int half = 0;
        for (int stage = 1; stage < p.k / kDepth; ++stage) {
            copy_a.load(stage);
            copy_b.load(stage);
            multiply(half);
            half ^= 1;
            copy_a.store(shared_a + half * kDepth * Tile::kRows);
            copy_b.store(shared_b + half * kDepth * Tile::kColumns);
            __syncthreads();
        }
        multiply(half);
    }

    __device__ void finish(int tile) const
    {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int column = first_column(tile) + warp_column + 16 * j + lane / 8 * 4;
            if (column >= p.n)
                continue;
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                const int row = first_row(tile) + warp_row + i / 4 * 32 + lane % 8 * 4 + i % 4;
                if (row >= p.m)
                    continue;
                auto *to = reinterpret_cast<float4 *>(p.c + static_cast<std::int64_t>(row) * p.ldc + column);
                *to = make_float4(sum[i][4 * j], sum[i][4 * j + 1], sum[i][4 * j + 2], sum[i][4 * j + 3]);
            }
        }
    }
};

// blockIdx.x: which product; blockIdx.y: which tile of it.
template <int WM, int WN, bool AK, bool BK>
__global__ void __launch_bounds__(TileShape<WM, WN>::kThreads, TileShape<WM, WN>::kPerProcessor)
    small_kernel(const __grid_constant__ SmallParams shape, float *const *a, float *const *b, float *const *c)
{
    using Tile = TileShape<WM, WN>;
    __shared__ alignas(16) float shared[2 * kDepth * (Tile::kRows + Tile::kColumns)];
    SmallParams p = shape;
    p.a = a[blockIdx.x];
    p.b = b[blockIdx.x];
    p.c = c[blockIdx.x];
    SmallBlock<WM, WN, AK, BK> block(p, shared);
    block.run(static_cast<int>(blockIdx.y));
    block.finish(static_cast<int>(blockIdx.y));
}

template <int WM, int WN>
void launch_small(const SmallProducts &s, const SmallParams &p, cudaStream_t stream)
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

} // namespace

bool own_small_products_fit(const SmallProducts &s)
{
    constexpr std::int64_t kLargest = std::int64_t{1} << 31;
    const auto small = [](std::int64_t rows, std::int64_t ld) { return rows * ld < kLargest; };
    return s.k % kDepth == 0 && (s.m | s.n | s.lda | s.ldb | s.ldc) % 4 == 0 && s.m <= 1024 && s.n <= 1024 &&
           small(s.transpose_a ? s.k : s.m, s.lda) && small(s.transpose_b ? s.n : s.k, s.ldb);
}

void multiply_small(const SmallProducts &s, cudaStream_t stream)
{
    SmallParams p;
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

} // namespace sbtrain::cuda
