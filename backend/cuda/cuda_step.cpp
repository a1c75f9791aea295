// SPDX-License-Identifier: Apache-2.0

// CudaProgram's running half: steps recorded and replayed, reports out.

#include "../clock.h"
#include "../comm/communicator.h"
#include "check.h"
#include "cuda_program.h"

#include <algorithm>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_profiler_api.h>
#include <thread>

namespace sbtrain::cuda {

void CudaProgram::refresh_copies()
{
    if (m_copies_stale && m_context.sixteen_bit())
        copy_values(update_args(), m_context.stream);
    m_copies_stale = false;
}

void CudaProgram::forward()
{
    refresh_copies();
    refresh_transposes();
    for (const auto &layer : m_layers)
        layer->forward();
}

void CudaProgram::backward()
{
    for (std::size_t i = m_layers.size(); i-- > 0;)
        backward_of(i);
}

void CudaProgram::backward_of(std::size_t layer)
{
    m_layers[layer]->backward();
    if (layer % kLayersBetweenSums == 0)
        m_column_sums->flush();
}

// Over the host: for communicators that know nothing of device memory.
Result<void> CudaProgram::exchange()
{
    if (m_settings.communicator == nullptr)
        return {};
    if (m_nccl != nullptr)
        return exchange_on_device();
    const auto average = [&](const DeviceBlock &block, Type type) -> Result<void> {
        if (block.bytes() == 0)
            return {};
        std::vector<float> values =
            read_values(block.as(), type, static_cast<std::int64_t>(block.bytes() / size_of(type)));
        const Result<void> done = m_settings.communicator->all_reduce_mean(values);
        if (!done)
            return done;
        std::vector<std::byte> raw(block.bytes());
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (type == Type::F32)
                std::memcpy(raw.data() + 4 * i, &values[i], 4);
            else if (type == Type::F16)
                reinterpret_cast<__half *>(raw.data())[i] = __float2half(values[i]);
            else
                reinterpret_cast<__nv_bfloat16 *>(raw.data())[i] = __float2bfloat16(values[i]);
        }
        check(cudaMemcpyAsync(block.as(), raw.data(), raw.size(), cudaMemcpyHostToDevice, m_context.stream),
              "write gradients");
        check(cudaStreamSynchronize(m_context.stream), "write gradients");
        return {};
    };
    if (const Result<void> done = average(m_gradients, m_context.type); !done)
        return done;
    return average(m_full_gradients, Type::F32);
}

UpdateArgs CudaProgram::update_args() const
{
    UpdateArgs args;
    args.chunks = m_chunk_block.as<Chunk>();
    args.count = m_chunks;
    args.values = m_values.as<float>();
    args.first = m_first.as<float>();
    args.second = m_second.as<float>();
    args.copy = m_copy.as();
    args.state = m_memory.state;
    args.partial = m_partial.as<double>();
    args.type = m_context.type;
    const OptimizerSettings &optimizer = m_settings.optimizer;
    args.sums = m_sums.as<float>();
    args.passes = m_settings.micro_batches;
    args.lamb_norms = m_lamb.as<double>();
    args.ranges = m_range_block.as<ChunkRange>();
    args.ratios = reinterpret_cast<float *>(args.lamb_norms + 2 * m_chunks);
    args.parameters = static_cast<int>(m_memory.slots.size());
    args.rule = {optimizer.kind == OptimizerKind::Sgd     ? Rule::Sgd
                 : optimizer.kind == OptimizerKind::AdamW ? Rule::AdamW
                                                          : Rule::Lamb,
                 optimizer.learning_rate,
                 optimizer.momentum,
                 optimizer.weight_decay,
                 optimizer.beta1,
                 optimizer.beta2,
                 optimizer.eps,
                 optimizer.clip_norm.value_or(0.0)};
    args.scaling = m_context.precision == Precision::Fp16;
    return args;
}

void CudaProgram::update()
{
    take_norms(update_args(), 0, m_chunks, m_context.stream);
    prepare_update(update_args(), m_context.stream);
    cuda::update(update_args(), m_context.stream);
}

double CudaProgram::loss()
{
    sum_losses(m_losses, m_partial.as<double>(), m_context.stream);
    double loss = 0.0;
    check(cudaMemcpyAsync(&loss, m_partial.as(), sizeof loss, cudaMemcpyDeviceToHost, m_context.stream),
          "read the loss");
    check(cudaStreamSynchronize(m_context.stream), "read the loss");
    return loss;
}

// A pass whose gradient waits for others of its step.
void CudaProgram::record_pass()
{
    begin_pass(m_memory.state, m_settings.micro_batches, m_counters.memory(), m_context.stream);
    forward();
    backward();
    accumulate(update_args(), m_context.stream);
    add_loss(m_memory.state, m_losses, m_context.stream);
}

void CudaProgram::record_compute()
{
    begin_pass(m_memory.state, m_settings.micro_batches, m_counters.memory(), m_context.stream);
    forward();
    m_sent = {m_gradients.bytes() / 2, m_full_gradients.bytes() / 4};
    for (std::size_t i = m_layers.size(); i-- > 0;) {
        backward_of(i);
        exchange_bucket(i);
    }
    if (m_nccl == nullptr && m_settings.micro_batches > 1)
        take_mean(update_args(), 0, m_chunks, m_context.stream);
    stamp(m_memory.state, 0, m_context.stream);
    if (m_nccl != nullptr)
        check(cudaStreamWaitEvent(m_context.stream, m_exchanged, 0), "wait for gradients");
}

void CudaProgram::record_update()
{
    stamp(m_memory.state, 1, m_context.stream);
    if (m_nccl == nullptr)
        take_norms(update_args(), 0, m_chunks, m_context.stream); // else each bucket's came with it
    prepare_update(update_args(), m_context.stream);
    cuda::update(update_args(), m_context.stream);
    report(m_memory.state, m_losses, m_settings.micro_batches, m_slots, m_context.stream);
}

// One graph a step; two if the exchange runs on the host between them.
void CudaProgram::capture()
{
    const auto record = [&](cudaGraphExec_t *out, auto body) {
        cudaGraph_t graph = nullptr;
        check(cudaStreamBeginCapture(m_context.stream, cudaStreamCaptureModeThreadLocal), "record a step");
        m_counters.begin();
        body();
        check(cudaStreamEndCapture(m_context.stream, &graph), "record a step");
        m_counters.end(graph);
        check(cudaGraphInstantiateWithFlags(out, graph, 0), "build a step's graph");
        check(cudaGraphDestroy(graph), "record a step");
        check(cudaGraphUpload(*out, m_context.stream), "send a step's graph to the device");
    };
    if (m_settings.micro_batches > 1)
        record(&m_pass, [&] { record_pass(); });
    if (m_settings.communicator == nullptr || m_nccl != nullptr) {
        record(&m_compute, [&] {
            record_compute();
            record_update();
        });
    } else {
        record(&m_compute, [&] { record_compute(); });
        record(&m_update, [&] { record_update(); });
    }
}

// Modules load and libraries allocate on their first call, which recording forbids: run once before, with a
// learning rate of 0. What changes beside the parameters starts again afterwards.
void CudaProgram::warm_up(const Batch &batch)
{
    load(batch);
    if (m_compute != nullptr || m_submitted > 0)
        return;
    cudaProfilerStart(); // a profiler that was told to wait sees exactly this pass, kernel by kernel
    forward();
    backward();
    if (m_settings.micro_batches > 1) {
        accumulate(update_args(), m_context.stream);
        add_loss(m_memory.state, m_losses, m_context.stream);
        take_mean(update_args(), 0, m_chunks, m_context.stream);
    }
    UpdateArgs still = update_args();
    still.rule.learning_rate = 0.0; // parameters stay, state is cleared below
    take_norms(still, 0, m_chunks, m_context.stream);
    prepare_update(still, m_context.stream);
    cuda::update(still, m_context.stream);
    check(cudaStreamSynchronize(m_context.stream), "run the model once");
    cudaProfilerStop();
    for (const DeviceBlock *block : {&m_first, &m_second}) {
        if (block->bytes() > 0)
            check(cudaMemset(block->as(), 0, block->bytes()), "clear the optimizer's state");
    }
    reset_state();
    if (m_nccl != nullptr) { // connections are made on the first exchange
        if (const Result<void> done = exchange_on_device(); !done)
            throw CudaError(done.error().code, done.error().message);
        check(cudaStreamSynchronize(m_context.stream), "exchange gradients once");
    }
    for (const auto &layer : m_layers)
        layer->reset();
    check(cudaDeviceSynchronize(), "run the model once");
    capture();
    stamp(m_memory.state, 0, m_context.stream);
    check(cudaStreamSynchronize(m_context.stream), "read the device's clock");
    const double host_s = monotonic_s();
    StepState state;
    check(cudaMemcpy(&state, m_memory.state, sizeof state, cudaMemcpyDeviceToHost),
          "read the device's clock");
    m_clock_offset_s = host_s - 1e-9 * static_cast<double>(state.computed_ns);
}

Result<void> CudaProgram::enqueue_micro_batch(const Batch &batch)
{
    try {
        if (m_compute == nullptr)
            warm_up(batch);
        refresh_copies();
        load_timed(batch);
        check(cudaGraphLaunch(m_pass, m_context.stream), "launch a pass");
    } catch (const CudaError &error) {
        return Error{error.code(), error.what()};
    }
    return {};
}

Result<void> CudaProgram::enqueue_step(const Batch &batch)
{
    try {
        if (m_compute == nullptr)
            warm_up(batch);
        refresh_copies();
        while (m_submitted - m_collected >= kInFlight) {
            collect();
            if (m_submitted - m_collected >= kInFlight) {
                if (const Result<void> fine = health(); !fine)
                    return fine;
                check(cudaStreamQuery(m_context.stream) == cudaErrorNotReady ? cudaSuccess
                                                                             : cudaGetLastError(),
                      "run a step");
                std::this_thread::sleep_for(std::chrono::microseconds(200));
            }
        }
        load_timed(batch);
        m_data_ms.push_back(std::exchange(m_pass_data_ms, 0.0));
        check(cudaGraphLaunch(m_compute, m_context.stream), "launch a step");
        if (m_update != nullptr) {
            if (const Result<void> done = exchange(); !done)
                return done;
            check(cudaGraphLaunch(m_update, m_context.stream), "launch an update");
        }
        ++m_submitted;
        collect();
    } catch (const CudaError &error) {
        return Error{error.code(), error.what()};
    }
    return {};
}

// Moves finished steps from the mapped slots to the queue.
void CudaProgram::collect()
{
    while (m_collected < m_submitted) {
        const volatile ReportSlot &slot = m_slots[(m_collected + 1) % kReportSlots];
        if (slot.serial != m_collected + 1)
            return;
        ++m_collected;
        StepReport report;
        report.step = m_collected;
        report.end_time_s =
            m_clock_offset_s + 1e-9 * static_cast<double>(slot.end_ns) - m_settings.start_time_s;
        report.loss = slot.loss;
        report.data_ms = m_data_ms.front();
        m_data_ms.pop_front();
        report.comm_ms = 1e-6 * static_cast<double>(slot.averaged_ns - slot.computed_ns);
        report.compute_ms = 1e-6 * static_cast<double>(slot.end_ns - slot.begin_ns) - report.comm_ms;
        if (m_settings.communicator == nullptr)
            report.comm_ms = 0.0;
        if (m_settings.optimizer.clip_norm || m_context.precision == Precision::Fp16)
            report.grad_norm = slot.gradient_norm;
        m_reports.push_back(report);
    }
}

std::optional<StepReport> CudaProgram::next_report(bool wait)
{
    collect();
    while (wait && m_reports.empty() && m_collected < m_submitted) {
        if (cudaStreamQuery(m_context.stream) != cudaErrorNotReady) {
            check(cudaStreamSynchronize(m_context.stream), "run a step"); // throws if the device gave up
            collect();
            if (m_reports.empty())
                throw CudaError(ExitCode::Internal, "the device finished without a report");
            break;
        }
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        collect();
    }
    if (m_reports.empty())
        return std::nullopt;
    const StepReport report = m_reports.front();
    m_reports.pop_front();
    return report;
}

std::size_t CudaProgram::held_bytes() const
{
    std::size_t bytes = 0;
    for (const DeviceBlock *block : {&m_state_block, &m_values, &m_first, &m_second, &m_copy, &m_gradients,
                                     &m_full_gradients, &m_buffers, &m_workspace, &m_chunk_block, &m_partial,
                                     &m_staging, &m_narrowed, &m_sums, &m_lamb, &m_counters.memory()})
        bytes += block->bytes();
    return bytes;
}

std::int64_t CudaProgram::device_memory_bytes() const
{
    return static_cast<std::int64_t>(std::max(m_peak_bytes, held_bytes()));
}

} // namespace sbtrain::cuda
