// SPDX-License-Identifier: Apache-2.0
#include "update_kernels.h"

#include "update_kernels.cuh"

namespace sbtrain::cuda {

namespace {

__host__ __device__ bool takes_norms(const UpdateArgs &args)
{
    return args.rule.clip_norm > 0.0 || args.scaling;
}

// A block a chunk.
template <typename T>
__global__ void __launch_bounds__(256) norm_kernel(const Chunk *chunks, double *partial)
{
    const Chunk chunk = chunks[blockIdx.x];
    float sum = 0.0F;
    with_gradient<T>(chunk, [&](const auto *gradient) {
#pragma unroll 4
        for (int v = static_cast<int>(threadIdx.x); v < chunk.count / 8; v += 256) {
            const Float8 g = load8(gradient, v);
#pragma unroll
            for (int k = 0; k < 8; ++k)
                sum += g.v[k] * g.v[k];
        }
    });
    __shared__ float shared[8];
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0)
        shared[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    double total = 0.0;
    for (int w = 0; w < 8; ++w)
        total += shared[w];
    partial[blockIdx.x] = total;
}

constexpr float kMaxScale = 16777216.0F;
constexpr int kGrowthSteps = 2000;

// From the squared norm: inf flag, factor for the optimizer, next loss scale.
__device__ void take_norm(const UpdateArgs &args, double sum)
{
    StepState &state = *args.state;
    const double unscale = args.share / static_cast<double>(state.loss_scale);
    const bool finite = isfinite(sum);
    const double norm = sqrt(sum) * unscale;
    double clip = 1.0;
    if (args.rule.clip_norm > 0.0)
        clip = fmin(1.0, args.rule.clip_norm / (norm + 1e-6));
    state.gradient_norm = static_cast<float>(norm);
    state.gradient_factor = static_cast<float>(unscale * clip);
    state.found_inf = args.scaling && !finite ? 1.0F : 0.0F;
    if (!args.scaling)
        return;
    if (!finite) {
        state.loss_scale = fmaxf(state.loss_scale * 0.5F, 1.0F);
        state.good_steps = 0;
    } else if (++state.good_steps == kGrowthSteps) {
        state.loss_scale = fminf(state.loss_scale * 2.0F, kMaxScale);
        state.good_steps = 0;
    }
}

constexpr int kPrepareThreads = 1024; // one block alone: latency is all there is

__global__ void __launch_bounds__(kPrepareThreads) prepare_kernel(UpdateArgs args)
{
    if (takes_norms(args)) {
        double sum = 0.0;
#pragma unroll 8
        for (int i = static_cast<int>(threadIdx.x); i < args.count; i += kPrepareThreads)
            sum += args.partial[i];
        sum = block_sum<kPrepareThreads>(sum);
        if (threadIdx.x == 0)
            take_norm(args, sum);
    }
    if (threadIdx.x == 0 && args.state->found_inf == 0.0F)
        ++args.state->updates;
}

// A block a chunk.
template <typename T>
__global__ void __launch_bounds__(256) sgd_kernel(UpdateArgs args, Constants k)
{
    if (args.state->found_inf != 0.0F)
        return;
    const float factor = args.state->gradient_factor;
    const Chunk chunk = args.chunks[blockIdx.x];
    const float decay = chunk.decay ? k.decay : 0.0F;
    with_gradient<T>(chunk, [&](const auto *gradient) {
#pragma unroll 2
        for (int v = static_cast<int>(threadIdx.x); v < chunk.count / 8; v += 256) {
            const std::int64_t at = chunk.offset / 8 + v;
            const Float8 g = load8(gradient, v);
            Float8 p = load8(args.values, at);
            Float8 m = load8(args.first, at);
#pragma unroll
            for (int j = 0; j < 8; ++j) {
                m.v[j] = k.momentum * m.v[j] + (factor * g.v[j] + decay * p.v[j]);
                p.v[j] -= k.learning_rate * m.v[j];
            }
            store8(args.first, at, m);
            store8(args.values, at, p);
            store_copy<T>(args, at, p);
        }
    });
}

// Blocks a multiprocessor: as many as its registers hold, so that all of them run at once.
constexpr int kAdamWAtOnce = 3;

template <typename T>
__global__ void __launch_bounds__(256, kAdamWAtOnce) adamw_kernel(UpdateArgs args, Constants k)
{
    if (args.state->found_inf != 0.0F)
        return;
    __shared__ Moments shared;
    if (threadIdx.x == 0)
        shared = bias_corrections(args, k);
    __syncthreads();
    const float step = k.learning_rate * shared.step;
    const float factor = args.state->gradient_factor;
    for (int i = static_cast<int>(blockIdx.x); i < args.count; i += static_cast<int>(gridDim.x)) {
        const Chunk chunk = args.chunks[i];
        const float keep = 1.0F - k.learning_rate * (chunk.decay ? k.decay : 0.0F);
        with_gradient<T>(chunk, [&](const auto *gradients) {
#pragma unroll 2
            for (int v = static_cast<int>(threadIdx.x); v < chunk.count / 8; v += 256) {
                const std::int64_t at = chunk.offset / 8 + v;
                const Float8 g = load8(gradients, v);
                Float8 p = load8(args.values, at);
                Float8 m = load8(args.first, at);
                Float8 s = load8(args.second, at);
#pragma unroll
                for (int j = 0; j < 8; ++j) {
                    const float gradient = factor * g.v[j];
                    m.v[j] = k.beta1 * m.v[j] + (1.0F - k.beta1) * gradient;
                    s.v[j] = k.beta2 * s.v[j] + (1.0F - k.beta2) * gradient * gradient;
                    p.v[j] = keep * p.v[j] - step * m.v[j] / (sqrtf(s.v[j]) * shared.correction2 + k.eps);
                }
                store8(args.first, at, m);
                store8(args.second, at, s);
                store8(args.values, at, p);
                store_copy<T>(args, at, p);
            }
        });
    }
}

template <typename T>
__global__ void __launch_bounds__(256) accumulate_kernel(UpdateArgs args)
{
    const bool first = args.state->pass_of_step == 1;
    for (int i = static_cast<int>(blockIdx.x); i < args.count; i += static_cast<int>(gridDim.x)) {
        const Chunk chunk = args.chunks[i];
        with_gradient<T>(chunk, [&](const auto *gradient) {
            for (int v = static_cast<int>(threadIdx.x); v < chunk.count / 8; v += 256) {
                const std::int64_t at = chunk.offset / 8 + v;
                Float8 g = load8(gradient, v);
                if (!first) {
                    const Float8 sum = load8(args.sums, at);
#pragma unroll
                    for (int j = 0; j < 8; ++j)
                        g.v[j] += sum.v[j];
                }
                store8(args.sums, at, g);
            }
        });
    }
}

template <typename T>
__global__ void __launch_bounds__(256) mean_kernel(UpdateArgs args, int begin, int end)
{
    const float share = 1.0F / static_cast<float>(args.passes);
    for (int i = begin + static_cast<int>(blockIdx.x); i < end; i += static_cast<int>(gridDim.x)) {
        const Chunk chunk = args.chunks[i];
        with_gradient<T>(chunk, [&](auto *gradient) {
            for (int v = static_cast<int>(threadIdx.x); v < chunk.count / 8; v += 256) {
                Float8 g = load8(gradient, v);
                const Float8 sum = load8(args.sums, chunk.offset / 8 + v);
#pragma unroll
                for (int j = 0; j < 8; ++j)
                    g.v[j] = share * (g.v[j] + sum.v[j]);
                store8(gradient, v, g);
            }
        });
    }
}

template <typename T>
__global__ void __launch_bounds__(256) copy_kernel(UpdateArgs args)
{
    for (int i = static_cast<int>(blockIdx.x); i < args.count; i += static_cast<int>(gridDim.x)) {
        const Chunk chunk = args.chunks[i];
        for (int v = static_cast<int>(threadIdx.x); v < chunk.count / 8; v += 256)
            store_copy<T>(args, chunk.offset / 8 + v, load8(args.values, chunk.offset / 8 + v));
    }
}

template <typename From, typename To>
__global__ void __launch_bounds__(256) convert_kernel(const From *from, To *to, std::int64_t vectors)
{
    for (std::int64_t v = static_cast<std::int64_t>(blockIdx.x) * 256 + threadIdx.x; v < vectors;
         v += static_cast<std::int64_t>(gridDim.x) * 256)
        store8(to, v, load8(from, v));
}

} // namespace

void accumulate(const UpdateArgs &args, cudaStream_t stream)
{
    dispatch(args.type,
             [&](auto tag) { accumulate_kernel<decltype(tag)><<<kUpdateBlocks, 256, 0, stream>>>(args); });
    check_launch("add up gradients");
}

void take_mean(const UpdateArgs &args, int first, int count, cudaStream_t stream)
{
    if (count > 0) {
        dispatch(args.type, [&](auto tag) {
            mean_kernel<decltype(tag)><<<kUpdateBlocks, 256, 0, stream>>>(args, first, first + count);
        });
    }
    check_launch("average gradients over passes");
}

void take_norms(const UpdateArgs &args, int first, int count, cudaStream_t stream)
{
    if (count > 0 && takes_norms(args)) {
        dispatch(args.type, [&](auto tag) {
            norm_kernel<decltype(tag)>
                <<<static_cast<unsigned>(count), 256, 0, stream>>>(args.chunks + first, args.partial + first);
        });
    }
    check_launch("take norms");
}

void prepare_update(const UpdateArgs &args, cudaStream_t stream)
{
    prepare_kernel<<<1, kPrepareThreads, 0, stream>>>(args);
    check_launch("prepare the update");
}

void update(const UpdateArgs &args, cudaStream_t stream)
{
    if (args.rule.kind == Rule::Lamb) {
        update_by_lamb(args, stream);
        return;
    }
    const Constants k = constants_of(args.rule);
    dispatch(args.type, [&](auto tag) {
        using T = decltype(tag);
        if (args.rule.kind == Rule::AdamW) {
            adamw_kernel<T><<<132 * kAdamWAtOnce, 256, 0, stream>>>(args, k);
        } else {
            sgd_kernel<T><<<static_cast<unsigned>(args.count), 256, 0, stream>>>(args, k);
        }
    });
    check_launch("update the parameters");
}

void narrow(Type type, const float *from, void *to, std::int64_t count, cudaStream_t stream)
{
    dispatch(type, [&](auto tag) {
        convert_kernel<<<kUpdateBlocks, 256, 0, stream>>>(from, static_cast<decltype(tag) *>(to), count / 8);
    });
    check_launch("narrow gradients");
}

void widen(Type type, const void *from, float *to, std::int64_t count, cudaStream_t stream)
{
    dispatch(type, [&](auto tag) {
        convert_kernel<<<kUpdateBlocks, 256, 0, stream>>>(static_cast<const decltype(tag) *>(from), to,
                                                          count / 8);
    });
    check_launch("widen gradients");
}

void copy_values(const UpdateArgs &args, cudaStream_t stream)
{
    dispatch(args.type,
             [&](auto tag) { copy_kernel<decltype(tag)><<<kUpdateBlocks, 256, 0, stream>>>(args); });
    check_launch("copy the parameters");
}

} // namespace sbtrain::cuda
