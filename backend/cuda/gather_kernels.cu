// SPDX-License-Identifier: Apache-2.0

// Rows of a sequence by position, and back.

#include "token_kernels.h"
#include "vec.cuh"

namespace sbtrain::cuda {

namespace {

constexpr int kRowThreads = 128;
constexpr int kClearThreads = 256;
constexpr int kClearBlocks = 1056;

template <typename T>
__global__ void gather_kernel(GatherArgs args)
{
    const std::int64_t row = blockIdx.x;
    const std::int64_t position = args.positions ? args.positions[row] : 0;
    const std::int64_t from = row / args.per_sequence * args.length + position;
    const int vectors = args.c / 8;
    for (int i = static_cast<int>(threadIdx.x); i < vectors; i += static_cast<int>(blockDim.x))
        store8(static_cast<T *>(args.out), row * vectors + i,
               load8(static_cast<const T *>(args.in), from * vectors + i));
}

template <typename T>
__global__ void clear_kernel(T *out, std::int64_t vectors)
{
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; at < vectors;
         at += stride)
        store8(out, at, Float8{});
}

// A block a row, or several that go to one place: then the first of them adds up all, in order.
template <typename T>
__global__ void scatter_kernel(GatherArgs args)
{
    const std::int64_t sequence = blockIdx.x / args.per_sequence;
    const auto first = static_cast<int>(blockIdx.x % args.per_sequence);
    const auto count = static_cast<int>(args.per_sequence);
    const auto position = [&](int p) {
        return args.positions ? args.positions[sequence * args.per_sequence + p] : 0;
    };
    const std::int32_t place = position(first);
    bool later = false;
    for (int p = 0; p < first; ++p)
        later = later || position(p) == place;
    if (later)
        return;
    const int vectors = args.c / 8;
    T *out = static_cast<T *>(args.out);
    for (int i = static_cast<int>(threadIdx.x); i < vectors; i += static_cast<int>(blockDim.x)) {
        const std::int64_t to = (sequence * args.length + place) * vectors + i;
        Float8 sum = load8(out, to);
        for (int p = first; p < count; ++p) {
            if (position(p) != place)
                continue;
            const Float8 more =
                load8(static_cast<const T *>(args.in), (sequence * args.per_sequence + p) * vectors + i);
#pragma unroll
            for (int k = 0; k < 8; ++k)
                sum.v[k] += more.v[k];
        }
        store8(out, to, sum);
    }
}

} // namespace

void gather_rows(const GatherArgs &args, cudaStream_t stream)
{
    dispatch(args.type, [&](auto tag) {
        gather_kernel<decltype(tag)>
            <<<static_cast<unsigned>(args.sequences * args.per_sequence), kRowThreads, 0, stream>>>(args);
    });
    check_launch("gather rows");
}

void scatter_rows(const GatherArgs &args, cudaStream_t stream)
{
    dispatch(args.type, [&](auto tag) {
        using T = decltype(tag);
        const std::int64_t vectors = args.sequences * args.length * args.c / 8;
        if (args.clear)
            clear_kernel<T><<<kClearBlocks, kClearThreads, 0, stream>>>(static_cast<T *>(args.out), vectors);
        scatter_kernel<T>
            <<<static_cast<unsigned>(args.sequences * args.per_sequence), kRowThreads, 0, stream>>>(args);
    });
    check_launch("scatter rows");
}

} // namespace sbtrain::cuda
