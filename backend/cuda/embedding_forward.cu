// SPDX-License-Identifier: Apache-2.0
#include "embedding_kernels.h"

#include "dropout.cuh"

namespace sbtrain::cuda {

namespace {

constexpr int kRowsABlock = 4;

// A warp a row of at most 256 V columns: lane l has the vectors l, l + 32, ...
template <typename T, bool DropOut, int V>
__global__ void __launch_bounds__(32 * kRowsABlock) embedding_kernel(EmbeddingForward args, NormShape shape)
{
    const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * kRowsABlock + threadIdx.x / 32;
    if (row >= shape.rows)
        return;
    const int lane = static_cast<int>(threadIdx.x % 32);
    const int vectors = shape.c / 8;
    const auto table_row = [&](const void *table, std::int64_t number) {
        return static_cast<const T *>(table) + number * shape.c;
    };
    const T *token = table_row(args.token, args.tokens[row]);
    const T *position = table_row(args.position, row % args.sequence_length);
    const T *segment = table_row(args.segment, args.segments[row]);
    Raw8<T> parts[V][3];
#pragma unroll
    for (int v = 0; v < V; ++v) {
        const int at = lane + 32 * v;
        if (at < vectors) {
            parts[v][0] = load_raw8(token, at);
            parts[v][1] = load_raw8(position, at);
            parts[v][2] = load_raw8(segment, at);
        }
    }
    Float8 z[V];
    float sum = 0.0F;
#pragma unroll
    for (int v = 0; v < V; ++v) {
        z[v] = Float8{};
        const int at = lane + 32 * v;
        if (at >= vectors)
            continue;
        const Float8 a = parts[v][0].values();
        const Float8 b = parts[v][1].values();
        const Float8 c = parts[v][2].values();
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            // What is stored is what is normalised, so that backward sees the same numbers.
            z[v].v[i] = to_float(from_float<T>(a.v[i] + b.v[i] + c.v[i]));
            sum += z[v].v[i];
        }
        store8(static_cast<T *>(args.norm.z), row * vectors + at, z[v]);
    }
    const float per_column = 1.0F / static_cast<float>(shape.c);
    const float mean = warp_sum(sum) * per_column;
    float squares = 0.0F;
#pragma unroll
    for (int i = 0; i < 8 * V; ++i) {
        const float deviation = z[i / 8].v[i % 8] - mean;
        squares += lane + 32 * (i / 8) < vectors ? deviation * deviation : 0.0F;
    }
    const float istd = rsqrtf(warp_sum(squares) * per_column + args.norm.eps);
    DropoutMask mask;
    if constexpr (DropOut)
        mask = dropout_mask(args.norm.dropout);
#pragma unroll
    for (int v = 0; v < V; ++v) {
        const int at = lane + 32 * v;
        if (at >= vectors)
            continue;
        const Float8 gamma = load8(args.norm.gamma, at);
        const Float8 beta = load8(args.norm.beta, at);
        Float8 y;
#pragma unroll
        for (int i = 0; i < 8; ++i)
            y.v[i] = gamma.v[i] * ((z[v].v[i] - mean) * istd) + beta.v[i];
        if constexpr (DropOut)
            args.norm.kept[row * vectors + at] =
                static_cast<std::uint8_t>(mask.drop8(static_cast<std::uint64_t>(row * vectors + at), y));
        store8(static_cast<T *>(args.norm.y), row * vectors + at, y);
    }
    if (lane == 0) {
        args.norm.mean[row] = mean;
        args.norm.istd[row] = istd;
    }
}

template <typename T, bool DropOut>
void embed(const NormShape &shape, const EmbeddingForward &args, cudaStream_t stream)
{
    const auto blocks = static_cast<unsigned>((shape.rows + kRowsABlock - 1) / kRowsABlock);
    constexpr int kThreads = 32 * kRowsABlock;
    if (shape.c <= 256)
        embedding_kernel<T, DropOut, 1><<<blocks, kThreads, 0, stream>>>(args, shape);
    else if (shape.c <= 768)
        embedding_kernel<T, DropOut, 3><<<blocks, kThreads, 0, stream>>>(args, shape);
    else
        embedding_kernel<T, DropOut, 4><<<blocks, kThreads, 0, stream>>>(args, shape);
}

} // namespace

void embedding_forward(const NormShape &shape, const EmbeddingForward &args, cudaStream_t stream)
{
    static_assert(kMostEmbedded == 256 * 4, "a lane has at most four vectors");
    dispatch(shape.type, [&](auto tag) {
        using T = decltype(tag);
        if (args.norm.dropout.rate.drops())
            embed<T, true>(shape, args, stream);
        else
            embed<T, false>(shape, args, stream);
    });
    check_launch("embed tokens");
}

} // namespace sbtrain::cuda
