// SPDX-License-Identifier: Apache-2.0
#include "step_kernels.h"

#include "vec.cuh"

namespace sbtrain::cuda {

namespace {

__device__ unsigned long long now_ns()
{
    unsigned long long time;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
    return time;
}

__global__ void begin_kernel(StepState *state)
{
    state->begin_ns = now_ns();
    ++state->step;
    state->dropout_offset += 1 << 20; // far beyond what one step's attention draws a thread
    state->found_inf = 0.0F;
}

__global__ void stamp_kernel(StepState *state, int which)
{
    (which == 0 ? state->computed_ns : state->averaged_ns) = now_ns();
}

// Thread sums in fixed order, then a tree: 256 threads.
__device__ double block_sum(double value)
{
    __shared__ double shared[256];
    shared[threadIdx.x] = value;
    __syncthreads();
    for (unsigned half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half)
            shared[threadIdx.x] += shared[threadIdx.x + half];
        __syncthreads();
    }
    const double sum = shared[0];
    __syncthreads();
    return sum;
}

__device__ double total_loss(const LossSources &losses)
{
    double total = 0.0;
    for (int i = 0; i < losses.count; ++i) {
        double sum = 0.0;
        for (std::int64_t row = threadIdx.x; row < losses.at[i].rows; row += 256)
            sum += losses.at[i].row_loss[row];
        total += block_sum(sum) / static_cast<double>(losses.at[i].rows);
    }
    return total;
}

__global__ void loss_kernel(LossSources losses, double *out)
{
    const double loss = total_loss(losses);
    if (threadIdx.x == 0)
        *out = loss;
}

__global__ void report_kernel(const StepState *state, LossSources losses, ReportSlot *slots)
{
    const double loss = total_loss(losses);
    if (threadIdx.x != 0)
        return;
    volatile ReportSlot *slot = slots + state->step % kReportSlots;
    slot->loss = loss;
    slot->gradient_norm = state->gradient_norm;
    slot->loss_scale = state->loss_scale;
    slot->begin_ns = state->begin_ns;
    slot->computed_ns = state->computed_ns;
    slot->averaged_ns = state->averaged_ns;
    slot->end_ns = now_ns();
    __threadfence_system();
    slot->serial = state->step;
}

__device__ Float8 load_gradient(const Chunk &chunk, Type type, int vector)
{
    if (chunk.full || type == Type::F32)
        return load8(static_cast<const float *>(chunk.gradient), vector);
    if (type == Type::F16)
        return load8(static_cast<const __half *>(chunk.gradient), vector);
    return load8(static_cast<const __nv_bfloat16 *>(chunk.gradient), vector);
}

__global__ void __launch_bounds__(256) norm_kernel(const Chunk *chunks, int count, Type type, double *partial)
{
    for (int i = static_cast<int>(blockIdx.x); i < count; i += static_cast<int>(gridDim.x)) {
        const Chunk chunk = chunks[i];
        float sum = 0.0F;
#pragma unroll 4
        for (int v = static_cast<int>(threadIdx.x); v < chunk.count / 8; v += 256) {
            const Float8 g = load_gradient(chunk, type, v);
#pragma unroll
            for (int k = 0; k < 8; ++k)
                sum += g.v[k] * g.v[k];
        }
        __shared__ float shared[8];
        sum = warp_sum(sum);
        if (threadIdx.x % 32 == 0)
            shared[threadIdx.x / 32] = sum;
        __syncthreads();
        if (threadIdx.x == 0) {
            double total = 0.0;
            for (int w = 0; w < 8; ++w)
                total += shared[w];
            partial[i] = total;
        }
        __syncthreads();
    }
}

constexpr float kMaxScale = 16777216.0F;
constexpr int kGrowthSteps = 2000;

// One block: norm, inf flag, factor for the optimizer, next loss scale.
__global__ void prepare_kernel(UpdateArgs args)
{
    double sum = 0.0;
    for (int i = static_cast<int>(threadIdx.x); i < args.count; i += 256)
        sum += args.partial[i];
    sum = block_sum(sum);
    if (threadIdx.x != 0)
        return;
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

__global__ void count_update_kernel(StepState *state)
{
    if (state->found_inf == 0.0F)
        ++state->updates;
}

struct Constants {
    float learning_rate, momentum, decay, beta1, beta2, eps;
};

template <typename T>
__device__ void store_copy(const UpdateArgs &args, std::int64_t vector, const Float8 &p)
{
    if constexpr (sizeof(T) == 2)
        store8(static_cast<T *>(args.copy), vector, p);
}

template <typename T>
__global__ void __launch_bounds__(256) sgd_kernel(UpdateArgs args, Constants k)
{
    if (args.state->found_inf != 0.0F)
        return;
    const float factor = args.state->gradient_factor;
    for (int i = static_cast<int>(blockIdx.x); i < args.count; i += static_cast<int>(gridDim.x)) {
        const Chunk chunk = args.chunks[i];
        const float decay = chunk.decay ? k.decay : 0.0F;
#pragma unroll 2
        for (int v = static_cast<int>(threadIdx.x); v < chunk.count / 8; v += 256) {
            const std::int64_t at = chunk.offset / 8 + v;
            const Float8 g = load_gradient(chunk, args.type, v);
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
    }
}

struct Moments {
    float step, correction2;
};
__device__ Moments bias_corrections(const UpdateArgs &args, const Constants &k)
{
    const auto t = static_cast<double>(args.state->updates);
    const double correction1 = 1.0 - pow(args.rule.beta1, t);
    const double correction2 = 1.0 - pow(args.rule.beta2, t);
    return {static_cast<float>(k.learning_rate / correction1), static_cast<float>(1.0 / sqrt(correction2))};
}

template <typename T>
__global__ void __launch_bounds__(256) adamw_kernel(UpdateArgs args, Constants k)
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
        const float keep = 1.0F - k.learning_rate * (chunk.decay ? k.decay : 0.0F);
#pragma unroll 2
        for (int v = static_cast<int>(threadIdx.x); v < chunk.count / 8; v += 256) {
            const std::int64_t at = chunk.offset / 8 + v;
            const Float8 g = load_gradient(chunk, args.type, v);
            Float8 p = load8(args.values, at);
            Float8 m = load8(args.first, at);
            Float8 s = load8(args.second, at);
#pragma unroll
            for (int j = 0; j < 8; ++j) {
                const float gradient = factor * g.v[j];
                m.v[j] = k.beta1 * m.v[j] + (1.0F - k.beta1) * gradient;
                s.v[j] = k.beta2 * s.v[j] + (1.0F - k.beta2) * gradient * gradient;
                p.v[j] = keep * p.v[j] - shared.step * m.v[j] / (sqrtf(s.v[j]) * shared.correction2 + k.eps);
            }
            store8(args.first, at, m);
            store8(args.second, at, s);
            store8(args.values, at, p);
            store_copy<T>(args, at, p);
        }
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

constexpr int kUpdateBlocks = 132 * 8;

} // namespace

void begin_step(StepState *state, cudaStream_t stream)
{
    begin_kernel<<<1, 1, 0, stream>>>(state);
    check_launch("begin a step");
}

void stamp(StepState *state, int which, cudaStream_t stream)
{
    stamp_kernel<<<1, 1, 0, stream>>>(state, which);
    check_launch("take the time");
}

void report(const StepState *state, const LossSources &losses, ReportSlot *slots, cudaStream_t stream)
{
    report_kernel<<<1, 256, 0, stream>>>(state, losses, slots);
    check_launch("report a step");
}

void sum_losses(const LossSources &losses, double *out, cudaStream_t stream)
{
    loss_kernel<<<1, 256, 0, stream>>>(losses, out);
    check_launch("sum the loss");
}

void prepare_update(const UpdateArgs &args, cudaStream_t stream)
{
    if (args.rule.clip_norm > 0.0 || args.scaling) {
        norm_kernel<<<kUpdateBlocks, 256, 0, stream>>>(args.chunks, args.count, args.type, args.partial);
        prepare_kernel<<<1, 256, 0, stream>>>(args);
    }
    count_update_kernel<<<1, 1, 0, stream>>>(args.state);
    check_launch("prepare the update");
}

void update(const UpdateArgs &args, cudaStream_t stream)
{
    const auto number = [](double value) { return static_cast<float>(value); };
    const UpdateRule &s = args.rule;
    const Constants k{number(s.learning_rate), number(s.momentum), number(s.decay),
                      number(s.beta1),         number(s.beta2),    number(s.eps)};
    dispatch(args.type, [&](auto tag) {
        using T = decltype(tag);
        if (s.adam)
            adamw_kernel<T><<<kUpdateBlocks, 256, 0, stream>>>(args, k);
        else
            sgd_kernel<T><<<kUpdateBlocks, 256, 0, stream>>>(args, k);
    });
    check_launch("update the parameters");
}

void copy_values(const UpdateArgs &args, cudaStream_t stream)
{
    dispatch(args.type,
             [&](auto tag) { copy_kernel<decltype(tag)><<<kUpdateBlocks, 256, 0, stream>>>(args); });
    check_launch("copy the parameters");
}

} // namespace sbtrain::cuda
