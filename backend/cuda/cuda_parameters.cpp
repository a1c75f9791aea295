// SPDX-License-Identifier: Apache-2.0

// CudaProgram's part that brings parameters in and out, and shows gradients and activations to tests.

#include "../comm/communicator.h"
#include "check.h"
#include "cuda_program.h"

#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace sbtrain::cuda {

std::int64_t CudaProgram::physical_index(const Parameter &parameter, const ParameterSlot &slot,
                                         std::int64_t i) const
{
    if (slot.order == ParameterOrder::Rows)
        return i;
    const std::int64_t channels = parameter.shape[1];
    const std::int64_t kernel = parameter.shape[2];
    const std::int64_t s = i % kernel;
    const std::int64_t r = i / kernel % kernel;
    const std::int64_t c = i / (kernel * kernel) % channels;
    const std::int64_t k = i / (kernel * kernel * channels);
    if (slot.order == ParameterOrder::Krsc)
        return ((k * kernel + r) * kernel + s) * slot.channels + c;
    return ((k * 4 + r / 2) * 4 + s / 2) * 16 + (r % 2 * 2 + s % 2) * 3 + c;
}

void CudaProgram::write_parameter(ParameterId id, std::span<const float> values)
{
    const Parameter &parameter = m_graph.parameters[id.index];
    const ParameterSlot &slot = m_memory.slots[id.index];
    std::vector<float> physical(static_cast<std::size_t>(slot.count), 0.0F);
    for (std::int64_t i = 0; i < parameter.count; ++i)
        physical[static_cast<std::size_t>(physical_index(parameter, slot, i))] =
            values[static_cast<std::size_t>(i)];
    check(cudaMemcpy(m_memory.value(id), physical.data(), physical.size() * 4, cudaMemcpyHostToDevice),
          "write a parameter");
    m_copies_stale = true;
}

std::vector<float> CudaProgram::read_values(const void *from, Type type, std::int64_t count) const
{
    check(cudaStreamSynchronize(m_context.stream), "wait for the device");
    const auto n = static_cast<std::size_t>(count);
    std::vector<std::byte> raw(n * size_of(type));
    check(cudaMemcpy(raw.data(), from, raw.size(), cudaMemcpyDeviceToHost), "read device memory");
    std::vector<float> out(n);
    for (std::size_t i = 0; i < n; ++i) {
        if (type == Type::F32)
            std::memcpy(&out[i], raw.data() + 4 * i, 4);
        else if (type == Type::F16)
            out[i] = __half2float(reinterpret_cast<const __half *>(raw.data())[i]);
        else
            out[i] = __bfloat162float(reinterpret_cast<const __nv_bfloat16 *>(raw.data())[i]);
    }
    return out;
}

void CudaProgram::read_parameter(ParameterId id, std::span<float> values)
{
    const Parameter &parameter = m_graph.parameters[id.index];
    const ParameterSlot &slot = m_memory.slots[id.index];
    const std::vector<float> physical = read_values(m_memory.value(id), Type::F32, slot.count);
    for (std::int64_t i = 0; i < parameter.count; ++i)
        values[static_cast<std::size_t>(i)] =
            physical[static_cast<std::size_t>(physical_index(parameter, slot, i))];
}

void CudaProgram::read_gradient(ParameterId id, std::span<float> values)
{
    const Parameter &parameter = m_graph.parameters[id.index];
    const ParameterSlot &slot = m_memory.slots[id.index];
    const std::vector<float> physical =
        read_values(slot.gradient, slot.full_gradient ? Type::F32 : m_context.type, slot.count);
    StepState state;
    check(cudaMemcpy(&state, m_memory.state, sizeof state, cudaMemcpyDeviceToHost), "read the loss scale");
    for (std::int64_t i = 0; i < parameter.count; ++i)
        values[static_cast<std::size_t>(i)] =
            physical[static_cast<std::size_t>(physical_index(parameter, slot, i))] / state.loss_scale;
}

// Only what backward still needs is still there after forward().
void CudaProgram::read_tensor(TensorId id, std::span<float> values)
{
    const MemoryPlan::Id buffer = m_activations[id.index];
    if (!buffer.valid())
        throw CudaError(ExitCode::Unsupported, "this activation is never stored");
    const Shape shape = m_graph.tensors[id.index];
    const std::int64_t pixels = shape.h * shape.w;
    const std::int64_t ld = pixels == 1 ? padded_columns(shape.c) : shape.c;
    const std::vector<float> physical =
        read_values(m_memory.at(buffer), m_context.type, shape.n * pixels * ld);
    for (std::int64_t i = 0; i < shape.count(); ++i) {
        const std::int64_t pixel = i % pixels;
        const std::int64_t c = i / pixels % shape.c;
        const std::int64_t n = i / pixels / shape.c;
        values[static_cast<std::size_t>(i)] =
            physical[static_cast<std::size_t>((n * pixels + pixel) * ld + c)];
    }
}

Result<void> CudaProgram::broadcast_parameters()
{
    if (m_settings.communicator == nullptr)
        return {};
    std::vector<float> values = read_values(m_values.as(), Type::F32, m_arena);
    const Result<void> done = m_settings.communicator->broadcast(values);
    check(cudaMemcpy(m_values.as(), values.data(), values.size() * 4, cudaMemcpyHostToDevice),
          "write parameters");
    m_copies_stale = true;
    return done;
}

} // namespace sbtrain::cuda
