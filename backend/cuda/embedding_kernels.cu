// SPDX-License-Identifier: Apache-2.0

// Gradients of the embedding tables. Rows are sorted by token first, so that every sum is taken in the same
// order each time and no addition is atomic.

#include "norm_kernels.h"
#include "vec.cuh"

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>

namespace sbtrain::cuda {

namespace {

constexpr int kChunk = 32; // sorted rows a block adds up

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

int chunks_of(const NormShape &shape)
{
    return static_cast<int>((shape.rows + kChunk - 1) / kChunk);
}

// The work memory: sorted tokens, their rows, row numbers, each chunk's first and last run, sort scratch.
struct Work {
    std::int32_t *keys, *rows, *iota;
    float *runs; // (chunks, 2, c)
    void *sort;
    std::size_t sort_size;

    Work(const NormShape &shape, void *base)
    {
        auto *at = static_cast<std::byte *>(base);
        const auto take = [&at](std::size_t bytes) {
            std::byte *here = at;
            at += aligned(bytes);
            return here;
        };
        const auto n = static_cast<std::size_t>(shape.rows);
        keys = reinterpret_cast<std::int32_t *>(take(n * 4));
        rows = reinterpret_cast<std::int32_t *>(take(n * 4));
        iota = reinterpret_cast<std::int32_t *>(take(n * 4));
        runs = reinterpret_cast<float *>(
            take(static_cast<std::size_t>(chunks_of(shape)) * 2 * static_cast<std::size_t>(shape.c) * 4));
        sort_size = sort_bytes(static_cast<int>(shape.rows));
        sort = take(sort_size);
    }
};

__global__ void iota_kernel(std::int32_t *out, int n)
{
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        out[i] = i;
}

// Runs that lie wholly inside a chunk are added to their table row at once; a run that touches the chunk's
// border goes to `runs` (slot 0: begins at the left border, slot 1: only touches the right one).
template <typename T>
__global__ void chunk_kernel(const T *dz, Work work, float *dtoken, int n, int c)
{
    const int begin = static_cast<int>(blockIdx.x) * kChunk;
    const int end = min(begin + kChunk, n);
    for (int column = static_cast<int>(threadIdx.x); column < c; column += static_cast<int>(blockDim.x)) {
        float sum = 0.0F;
        int run_begin = begin;
        for (int i = begin; i < end; ++i) {
            sum += to_float(dz[static_cast<std::int64_t>(work.rows[i]) * c + column]);
            const std::int32_t token = work.keys[i];
            const bool last = i + 1 == end;
            if (!last && work.keys[i + 1] == token)
                continue;
            const bool left = run_begin == begin && begin > 0 && work.keys[begin - 1] == token;
            const bool right = last && end < n && work.keys[end] == token;
            if (left || right)
                work.runs[(static_cast<std::int64_t>(blockIdx.x) * 2 + (left ? 0 : 1)) * c + column] = sum;
            else
                dtoken[static_cast<std::int64_t>(token) * c + column] += sum;
            sum = 0.0F;
            run_begin = i + 1;
        }
    }
}

// The chunk in which a long run begins adds up its pieces.
__global__ void border_kernel(Work work, float *dtoken, int n, int c)
{
    const int begin = static_cast<int>(blockIdx.x) * kChunk;
    const int end = min(begin + kChunk, n);
    if (end == n || work.keys[end] != work.keys[end - 1])
        return;
    const std::int32_t token = work.keys[end - 1];
    if (work.keys[begin] == token && begin > 0 && work.keys[begin - 1] == token)
        return; // began earlier
    for (int column = static_cast<int>(threadIdx.x); column < c; column += static_cast<int>(blockDim.x)) {
        float sum = work.runs[(static_cast<std::int64_t>(blockIdx.x) * 2 + 1) * c + column];
        for (int chunk = static_cast<int>(blockIdx.x) + 1; chunk * kChunk < n; ++chunk) {
            if (work.keys[chunk * kChunk] != token)
                break;
            sum += work.runs[static_cast<std::int64_t>(chunk) * 2 * c + column];
        }
        dtoken[static_cast<std::int64_t>(token) * c + column] += sum;
    }
}

// A block a position: sums over sequences, then the part of each segment.
template <typename T>
__global__ void position_kernel(EmbeddingBackward args, int c, std::int64_t sequences, float *segment_partial)
{
    const std::int64_t position = blockIdx.x;
    const T *dz = static_cast<const T *>(args.dz);
    for (int column = static_cast<int>(threadIdx.x); column < c; column += static_cast<int>(blockDim.x)) {
        float sum = 0.0F;
        float second = 0.0F;
        if (position < args.sequence_length) {
#pragma unroll 8
            for (std::int64_t n = 0; n < sequences; ++n) {
                const std::int64_t row = n * args.sequence_length + position;
                const float value = to_float(dz[row * c + column]);
                sum += value;
                second += args.segments[row] != 0 ? value : 0.0F;
            }
            segment_partial[(position * 2) * c + column] = sum - second;
            segment_partial[(position * 2 + 1) * c + column] = second;
        }
        args.dposition[position * c + column] = sum;
    }
}

__global__ void segment_kernel(const float *partial, std::int64_t length, int c, float *dsegment)
{
    const int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (at >= 2 * c)
        return;
    float sum = 0.0F;
#pragma unroll 8
    for (std::int64_t t = 0; t < length; ++t)
        sum += partial[t * 2 * c + at];
    dsegment[at] = sum;
}

} // namespace

std::size_t embedding_work_bytes(const NormShape &shape)
{
    const auto n = static_cast<std::size_t>(shape.rows);
    const auto c = static_cast<std::size_t>(shape.c);
    const std::size_t runs = static_cast<std::size_t>(chunks_of(shape)) * 2 * c * 4;
    // The segments' partial sums (at most 512 positions) come after the sort's scratch.
    return 3 * aligned(n * 4) + aligned(runs) + aligned(sort_bytes(static_cast<int>(shape.rows))) +
           aligned(std::size_t{512} * 2 * c * 4);
}

void embedding_backward(const NormShape &shape, const EmbeddingBackward &args, cudaStream_t stream)
{
    Work work(shape, args.work);
    const int n = static_cast<int>(shape.rows);
    auto *segment_partial =
        reinterpret_cast<float *>(static_cast<std::byte *>(work.sort) + aligned(work.sort_size));
    iota_kernel<<<(n + 255) / 256, 256, 0, stream>>>(work.iota, n);
    check(cub::DeviceRadixSort::SortPairs(work.sort, work.sort_size, args.tokens, work.keys, work.iota,
                                          work.rows, n, 0, 20, stream),
          "sort tokens");
    const int threads = std::min((shape.c + 31) / 32 * 32, 1024);
    dispatch(shape.type, [&](auto tag) {
        using T = decltype(tag);
        const T *dz = static_cast<const T *>(args.dz);
        chunk_kernel<T><<<chunks_of(shape), threads, 0, stream>>>(dz, work, args.dtoken, n, shape.c);
        position_kernel<T><<<static_cast<unsigned>(args.positions), threads, 0, stream>>>(
            args, shape.c, shape.rows / args.sequence_length, segment_partial);
    });
    border_kernel<<<chunks_of(shape), threads, 0, stream>>>(work, args.dtoken, n, shape.c);
    segment_kernel<<<(2 * shape.c + 127) / 128, 128, 0, stream>>>(segment_partial, args.sequence_length,
                                                                  shape.c, args.dsegment);
    check_launch("add up embedding gradients");
}

} // namespace sbtrain::cuda
