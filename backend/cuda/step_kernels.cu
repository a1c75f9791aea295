// SPDX-License-Identifier: Apache-2.0
#include "step_kernels.h"

#include "block_sum.cuh"
#include "vec.cuh"

namespace sbtrain::cuda {

namespace {

__device__ unsigned long long now_ns()
{
    unsigned long long time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

constexpr int kClearThreads = 1024;

__global__ void begin_kernel(StepState *state, int passes, uint4 *cleared, std::size_t vectors)
{
    const std::size_t at = std::size_t{blockIdx.x} * kClearThreads + threadIdx.x;
    if (at < vectors)
        cleared[at] = uint4{0, 0, 0, 0};
    if (at > 0)
        return;
    if (state->pass_of_step == 0) {
        state->begin_ns = now_ns();
        ++state->step;
        state->found_inf = 0.0F;
        state->loss_sum = 0.0;
    }
    state->pass_of_step = (state->pass_of_step + 1) % passes;
    ++state->pass;
    state->dropout_offset += 1 << 20; // far beyond what one pass's attention draws a thread
}

__global__ void stamp_kernel(StepState *state, int which)
{
    (which == 0 ? state->computed_ns : state->averaged_ns) = now_ns();
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

__global__ void add_loss_kernel(StepState *state, LossSources losses)
{
    const double loss = total_loss(losses);
    if (threadIdx.x == 0)
        state->loss_sum += loss;
}

__global__ void report_kernel(const StepState *state, LossSources losses, int passes, ReportSlot *slots)
{
    const double loss = (state->loss_sum + total_loss(losses)) / passes;
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

} // namespace

void begin_pass(StepState *state, int passes, const DeviceBlock &cleared, cudaStream_t stream)
{
    const std::size_t vectors = cleared.bytes() / sizeof(uint4);
    const auto blocks = static_cast<unsigned>((vectors + kClearThreads - 1) / kClearThreads);
    begin_kernel<<<blocks, kClearThreads, 0, stream>>>(state, passes, cleared.as<uint4>(), vectors);
    check_launch("begin a pass");
}

void add_loss(StepState *state, const LossSources &losses, cudaStream_t stream)
{
    add_loss_kernel<<<1, 256, 0, stream>>>(state, losses);
    check_launch("add the loss");
}

void stamp(StepState *state, int which, cudaStream_t stream)
{
    stamp_kernel<<<1, 1, 0, stream>>>(state, which);
    check_launch("take the time");
}

void report(const StepState *state, const LossSources &losses, int passes, ReportSlot *slots,
            cudaStream_t stream)
{
    report_kernel<<<1, 256, 0, stream>>>(state, losses, passes, slots);
    check_launch("report a step");
}

void sum_losses(const LossSources &losses, double *out, cudaStream_t stream)
{
    loss_kernel<<<1, 256, 0, stream>>>(losses, out);
    check_launch("sum the loss");
}

} // namespace sbtrain::cuda
