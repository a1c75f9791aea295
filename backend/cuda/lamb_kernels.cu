// SPDX-License-Identifier: Apache-2.0

// LAMB: moments and norms, the ratio of norms of every parameter, the step.

#include "update_kernels.cuh"

namespace sbtrain::cuda {

namespace {

__device__ Float8 lamb_update(const Float8 &p, const Float8 &m, const Float8 &s, const Moments &t,
                              const Constants &k, float decay)
{
    Float8 u;
#pragma unroll
    for (int j = 0; j < 8; ++j)
        u.v[j] = t.step * m.v[j] / (sqrtf(s.v[j]) * t.correction2 + k.eps) + decay * p.v[j];
    return u;
}

// Moments, and squared norms of a chunk's parameters and update. A block a chunk at a time.
template <typename T>
__global__ void __launch_bounds__(256) lamb_moments_kernel(UpdateArgs args, Constants k)
{
    if (args.state->found_inf != 0.0F)
        return;
    __shared__ Moments shared;
    if (threadIdx.x == 0)
        shared = bias_corrections(args, k);
    __syncthreads();
    const float factor = args.state->gradient_factor;
    for (int i = static_cast<int>(blockIdx.x); i < args.count; i += static_cast<int>(gridDim.x)) {
        const Chunk chunk = args.chunks[i];
        float values = 0.0F;
        float updates = 0.0F;
        with_gradient<T>(chunk, [&](const auto *gradients) {
            for (int v = static_cast<int>(threadIdx.x); v < chunk.count / 8; v += 256) {
                const std::int64_t at = chunk.offset / 8 + v;
                const Float8 g = load8(gradients, v);
                const Float8 p = load8(args.values, at);
                Float8 m = load8(args.first, at);
                Float8 s = load8(args.second, at);
#pragma unroll
                for (int j = 0; j < 8; ++j) {
                    const float gradient = factor * g.v[j];
                    m.v[j] = k.beta1 * m.v[j] + (1.0F - k.beta1) * gradient;
                    s.v[j] = k.beta2 * s.v[j] + (1.0F - k.beta2) * gradient * gradient;
                }
                store8(args.first, at, m);
                store8(args.second, at, s);
                const Float8 u = lamb_update(p, m, s, shared, k, chunk.decay ? k.decay : 0.0F);
#pragma unroll
                for (int j = 0; j < 8; ++j) {
                    values += p.v[j] * p.v[j];
                    updates += u.v[j] * u.v[j];
                }
            }
        });
        const double value_sum = block_sum(values);
        const double update_sum = block_sum(updates);
        if (threadIdx.x == 0) {
            args.lamb_norms[2 * i] = value_sum;
            args.lamb_norms[2 * i + 1] = update_sum;
        }
    }
}

// A block a parameter.
__global__ void __launch_bounds__(256) lamb_ratio_kernel(UpdateArgs args)
{
    const ChunkRange range = args.ranges[blockIdx.x];
    double values = 0.0;
    double updates = 0.0;
    for (int i = static_cast<int>(threadIdx.x); i < range.count; i += 256) {
        values += args.lamb_norms[2 * (range.first + i)];
        updates += args.lamb_norms[2 * (range.first + i) + 1];
    }
    values = block_sum(values);
    updates = block_sum(updates);
    const bool scaled = args.chunks[range.first].decay != 0 && values > 0.0 && updates > 0.0;
    if (threadIdx.x == 0)
        args.ratios[blockIdx.x] = scaled ? static_cast<float>(sqrt(values / updates)) : 1.0F;
}

template <typename T>
__global__ void __launch_bounds__(256) lamb_apply_kernel(UpdateArgs args, Constants k)
{
    if (args.state->found_inf != 0.0F)
        return;
    __shared__ Moments shared;
    if (threadIdx.x == 0)
        shared = bias_corrections(args, k);
    __syncthreads();
    for (int i = static_cast<int>(blockIdx.x); i < args.count; i += static_cast<int>(gridDim.x)) {
        const Chunk chunk = args.chunks[i];
        const float step = args.ratios[chunk.parameter] * k.learning_rate;
        for (int v = static_cast<int>(threadIdx.x); v < chunk.count / 8; v += 256) {
            const std::int64_t at = chunk.offset / 8 + v;
            Float8 p = load8(args.values, at);
            const Float8 u = lamb_update(p, load8(args.first, at), load8(args.second, at), shared, k,
                                         chunk.decay ? k.decay : 0.0F);
#pragma unroll
            for (int j = 0; j < 8; ++j)
                p.v[j] -= step * u.v[j];
            store8(args.values, at, p);
            store_copy<T>(args, at, p);
        }
    }
}

} // namespace

void update_by_lamb(const UpdateArgs &args, cudaStream_t stream)
{
    const Constants k = constants_of(args.rule);
    dispatch(args.type, [&](auto tag) {
        using T = decltype(tag);
        lamb_moments_kernel<T><<<kUpdateBlocks, 256, 0, stream>>>(args, k);
        lamb_ratio_kernel<<<static_cast<unsigned>(args.parameters), 256, 0, stream>>>(args);
        lamb_apply_kernel<T><<<kUpdateBlocks, 256, 0, stream>>>(args, k);
    });
    check_launch("update the parameters");
}

} // namespace sbtrain::cuda
