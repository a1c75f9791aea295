// SPDX-License-Identifier: Apache-2.0

// Gradients of the embedding tables. Rows are sorted by token first, so that every sum is taken in the same
// order each time and no addition is atomic.

#include "embedding_kernels.h"
#include "vec.cuh"

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>

namespace sbtrain::cuda {

namespace {

constexpr int kChunk = 16;      // sorted rows a block adds up
constexpr int kRowsAtOnce = 4;  // of them, on their way to a thread
constexpr int kPieceGroups = 8; // groups of threads that share the pieces of a long run
constexpr int kSequenceGroups = 4;

std::size_t aligned(std::size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

std::size_t sort_bytes(int rows)
{
    std::size_t bytes = 0;
    check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, static_cast<const std::int32_t *>(nullptr),
                                          static_cast<std::int32_t *>(nullptr),
                                          static_cast<const std::int32_t *>(nullptr),
                                          static_cast<std::int32_t *>(nullptr), rows),
          "size a sort");
    return bytes;
}

int chunks_of(std::int64_t rows)
{
    return static_cast<int>((rows + kChunk - 1) / kChunk);
}

// What sort_tokens() leaves behind, and its scratch.
struct Sorted {
    std::int32_t *keys, *rows; // tokens in order, and where they were
    std::int32_t *iota;
    void *scratch;

    Sorted(std::int64_t count, void *base)
    {
        const std::size_t bytes = aligned(static_cast<std::size_t>(count) * 4);
        auto *at = static_cast<std::byte *>(base);
        keys = reinterpret_cast<std::int32_t *>(at);
        rows = reinterpret_cast<std::int32_t *>(at + bytes);
        iota = reinterpret_cast<std::int32_t *>(at + 2 * bytes);
        scratch = at + 3 * bytes;
    }
};

__global__ void iota_kernel(std::int32_t *out, int n)
{
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        out[i] = i;
}

struct TokenSums {
    const std::int32_t *keys, *rows;
    float *dtoken;
    float *runs; // (chunks, 2, c): sums of runs that cross a chunk's border
    int n, c;
};

// Runs of a token that lie wholly inside a chunk are added to their table row at once; a run that touches the
// chunk's border goes to `runs` (slot 0: begins at the left border, slot 1: only touches the right one).
template <typename T>
__global__ void chunk_kernel(const T *dz, TokenSums sums)
{
    __shared__ std::int32_t keys[kChunk + 2]; // the chunk's, and its neighbours'
    __shared__ std::int32_t rows[kChunk];
    const int begin = static_cast<int>(blockIdx.x) * kChunk;
    const int count = min(kChunk, sums.n - begin);
    const int thread = static_cast<int>(threadIdx.x);
    if (thread < count + 2) {
        const int at = begin - 1 + thread;
        keys[thread] = at >= 0 && at < sums.n ? sums.keys[at] : -1;
    }
    if (thread < count)
        rows[thread] = sums.rows[begin + thread];
    __syncthreads();
    const int vectors = sums.c / 8;
    const auto ends = [&](int i) { return i + 1 == count || keys[i + 2] != keys[i + 1]; };
    for (int vector = thread; vector < vectors; vector += static_cast<int>(blockDim.x)) {
        Float8 sum{};
        bool left = keys[0] == keys[1]; // the run began in a chunk before
        for (int first = 0; first < count; first += kRowsAtOnce) {
            Raw8<T> raw[kRowsAtOnce];
            Float8 old[kRowsAtOnce]; // of table rows that are added to: fetched before anything is stored
#pragma unroll
            for (int k = 0; k < kRowsAtOnce; ++k) {
                const int i = first + k;
                if (i >= count)
                    break;
                raw[k] = load_raw8(dz, static_cast<std::int64_t>(rows[i]) * vectors + vector);
                if (ends(i))
                    old[k] = load8(sums.dtoken, static_cast<std::int64_t>(keys[i + 1]) * vectors + vector);
            }
#pragma unroll
            for (int k = 0; k < kRowsAtOnce; ++k) {
                const int i = first + k;
                if (i >= count)
                    break;
                const Float8 value = raw[k].values();
#pragma unroll
                for (int j = 0; j < 8; ++j)
                    sum.v[j] += value.v[j];
                if (!ends(i))
                    continue;
                const bool right = i + 1 == count && keys[i + 2] == keys[i + 1];
                if (left || right) {
                    const std::int64_t slot = static_cast<std::int64_t>(blockIdx.x) * 2 + (left ? 0 : 1);
                    store8(sums.runs, slot * vectors + vector, sum);
                } else {
#pragma unroll
                    for (int j = 0; j < 8; ++j)
                        old[k].v[j] += sum.v[j];
                    store8(sums.dtoken, static_cast<std::int64_t>(keys[i + 1]) * vectors + vector, old[k]);
                }
                sum = Float8{};
                left = false;
            }
        }
    }
}

// Adds up what the groups of threads (threadIdx.y) have of one vector, in their order; group 0 gets the sum.
template <int Groups>
__device__ Float8 over_groups(const Float8 &own, int vectors)
{
    extern __shared__ float4 parts[]; // (Groups, 2, vectors)
    const int vector = static_cast<int>(threadIdx.x);
    if (vector < vectors)
        store8(reinterpret_cast<float *>(parts), threadIdx.y * vectors + vector, own);
    __syncthreads();
    Float8 sum{};
    if (threadIdx.y == 0 && vector < vectors) {
#pragma unroll
        for (int group = 0; group < Groups; ++group) {
            const Float8 part = load8(reinterpret_cast<const float *>(parts), group * vectors + vector);
#pragma unroll
            for (int j = 0; j < 8; ++j)
                sum.v[j] += part.v[j];
        }
    }
    __syncthreads();
    return sum;
}

// The chunk in which a long run begins adds up its pieces.
__global__ void border_kernel(TokenSums sums)
{
    const int begin = static_cast<int>(blockIdx.x) * kChunk;
    const int end = begin + kChunk;
    if (end >= sums.n)
        return;
    const std::int32_t token = sums.keys[end - 1];
    if (sums.keys[end] != token)
        return;
    if (begin > 0 && sums.keys[begin] == token && sums.keys[begin - 1] == token)
        return; // began earlier
    const int threads = static_cast<int>(blockDim.x * blockDim.y);
    const int thread = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
    const int next = static_cast<int>(blockIdx.x) + 1;
    int pieces = 0; // in the chunks after this one
    for (int more = threads; more == threads; pieces += more) {
        const int at = (next + pieces + thread) * kChunk;
        more = __syncthreads_count(at < sums.n && sums.keys[at] == token);
    }
    const int vectors = sums.c / 8;
    const int vector = static_cast<int>(threadIdx.x);
    const auto piece = [&](int chunk, int slot) {
        return load8(sums.runs, (static_cast<std::int64_t>(chunk) * 2 + slot) * vectors + vector);
    };
    Float8 sum{};
    if (vector < vectors) {
        if (threadIdx.y == 0)
            sum = piece(next - 1, 1);
#pragma unroll 4
        for (int i = static_cast<int>(threadIdx.y); i < pieces; i += kPieceGroups) {
            const Float8 part = piece(next + i, 0);
#pragma unroll
            for (int j = 0; j < 8; ++j)
                sum.v[j] += part.v[j];
        }
    }
    sum = over_groups<kPieceGroups>(sum, vectors);
    if (threadIdx.y != 0 || vector >= vectors)
        return;
    const std::int64_t to = static_cast<std::int64_t>(token) * vectors + vector;
    Float8 total = load8(sums.dtoken, to);
#pragma unroll
    for (int j = 0; j < 8; ++j)
        total.v[j] += sum.v[j];
    store8(sums.dtoken, to, total);
}

// A block a position: sums over sequences, and of them the part of each segment.
template <typename T>
__global__ void position_kernel(EmbeddingBackward args, int c, std::int64_t sequences)
{
    const std::int64_t position = blockIdx.x;
    const int vectors = c / 8;
    const int vector = static_cast<int>(threadIdx.x);
    const bool used = position < args.sequence_length;
    Float8 sum{};
    Float8 second{};
    if (used && vector < vectors) {
#pragma unroll 4
        for (std::int64_t n = threadIdx.y; n < sequences; n += kSequenceGroups) {
            const std::int64_t row = n * args.sequence_length + position;
            const Float8 value = load8(static_cast<const T *>(args.dz), row * vectors + vector);
            const bool of_second = args.segments[row] != 0;
#pragma unroll
            for (int j = 0; j < 8; ++j) {
                sum.v[j] += value.v[j];
                second.v[j] += of_second ? value.v[j] : 0.0F;
            }
        }
    }
    if (used) {
        sum = over_groups<kSequenceGroups>(sum, vectors);
        second = over_groups<kSequenceGroups>(second, vectors);
    }
    if (threadIdx.y != 0 || vector >= vectors)
        return;
    store8(args.dposition, position * vectors + vector, sum);
    if (!used)
        return;
#pragma unroll
    for (int j = 0; j < 8; ++j)
        sum.v[j] -= second.v[j];
    store8(args.segment_partial, position * 2 * vectors + vector, sum);
    store8(args.segment_partial, (position * 2 + 1) * vectors + vector, second);
}

} // namespace

std::size_t token_sort_bytes(std::int64_t rows)
{
    return 3 * aligned(static_cast<std::size_t>(rows) * 4) + sort_bytes(static_cast<int>(rows));
}

void sort_tokens(const std::int32_t *tokens, std::int64_t rows, std::int64_t vocabulary, void *work,
                 cudaStream_t stream)
{
    const Sorted sorted(rows, work);
    const int n = static_cast<int>(rows);
    int bits = 1;
    while (std::int64_t{1} << bits < vocabulary)
        ++bits;
    iota_kernel<<<(n + 255) / 256, 256, 0, stream>>>(sorted.iota, n);
    check_launch("number rows");
    std::size_t bytes = sort_bytes(n);
    check(cub::DeviceRadixSort::SortPairs(sorted.scratch, bytes, tokens, sorted.keys, sorted.iota,
                                          sorted.rows, n, 0, bits, stream),
          "sort tokens");
}

std::size_t embedding_work_bytes(const NormShape &shape)
{
    return static_cast<std::size_t>(chunks_of(shape.rows)) * 2 * static_cast<std::size_t>(shape.c) * 4;
}

void embedding_backward(const NormShape &shape, const EmbeddingBackward &args, ColumnSums &sums,
                        cudaStream_t stream)
{
    const Sorted sorted(shape.rows, const_cast<void *>(args.sorted));
    const int c = shape.c;
    const TokenSums tokens{sorted.keys,
                           sorted.rows,
                           args.dtoken,
                           static_cast<float *>(args.work),
                           static_cast<int>(shape.rows),
                           c};
    const int threads = (c / 8 + 31) / 32 * 32;
    const auto group_bytes = [c](int groups) { return static_cast<std::size_t>(groups) * c * 4; };
    dispatch(shape.type, [&](auto tag) {
        using T = decltype(tag);
        chunk_kernel<T>
            <<<chunks_of(shape.rows), threads, 0, stream>>>(static_cast<const T *>(args.dz), tokens);
        position_kernel<T>
            <<<static_cast<unsigned>(args.positions), dim3(threads, kSequenceGroups),
               group_bytes(kSequenceGroups), stream>>>(args, c, shape.rows / args.sequence_length);
    });
    border_kernel<<<chunks_of(shape.rows), dim3(threads, kPieceGroups), group_bytes(kPieceGroups), stream>>>(
        tokens);
    check_launch("add up embedding gradients");
    sums.add({args.segment_partial, static_cast<int>(args.sequence_length), std::int64_t{2} * c,
              std::int64_t{2} * c, args.dsegment});
}

} // namespace sbtrain::cuda
