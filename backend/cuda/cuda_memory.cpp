// SPDX-License-Identifier: Apache-2.0

// CudaProgram's memory: where parameters, gradients and the optimizer's state lie, and in which order
// gradients get final.

#include "check.h"
#include "cuda_program.h"

#include <algorithm>

namespace sbtrain::cuda {

namespace {

// The parameters whose gradient a node writes.
std::vector<ParameterId> parameters_of(const Node &node)
{
    return std::visit(
        [](const auto &spec) -> std::vector<ParameterId> {
            using Spec = std::decay_t<decltype(spec)>;
            if constexpr (std::is_same_v<Spec, ConvBn>)
                return {spec.weight, spec.gamma, spec.beta};
            else if constexpr (std::is_same_v<Spec, Linear>)
                return {spec.weight, spec.bias};
            else if constexpr (std::is_same_v<Spec, Embedding>)
                return {spec.token, spec.position, spec.segment, spec.gamma, spec.beta};
            else if constexpr (std::is_same_v<Spec, DropoutAddNorm>)
                return {spec.gamma, spec.beta};
            else
                return {};
        },
        node);
}

} // namespace

// A gradient is final after the first of the nodes that write it, the last in backward order.
void CudaProgram::plan_order()
{
    std::vector<std::size_t> final_after(m_graph.parameters.size(), m_graph.nodes.size());
    for (std::size_t i = m_graph.nodes.size(); i-- > 0;) {
        for (const ParameterId id : parameters_of(m_graph.nodes[i]))
            final_after[id.index] = i;
    }
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        // From the end of the arenas down to the first gradient that is still to come.
        Boundary boundary{m_gradients.bytes() / 2, m_full_gradients.bytes() / 4};
        bool typed_open = true;
        bool full_open = true;
        for (std::size_t p = m_memory.slots.size(); p-- > 0;) {
            const ParameterSlot &slot = m_memory.slots[p];
            const bool final = i == 0 || final_after[p] >= m_layers[i]->first_node;
            bool &open = slot.full_gradient ? full_open : typed_open;
            open = open && final;
            if (!open)
                continue;
            if (slot.full_gradient)
                boundary.full = static_cast<std::size_t>(static_cast<const float *>(slot.gradient) -
                                                         m_full_gradients.as<float>());
            else
                boundary.typed = static_cast<std::size_t>(static_cast<const std::byte *>(slot.gradient) -
                                                          m_gradients.as<std::byte>()) /
                                 2;
        }
        m_boundaries.push_back(boundary);
    }
}

// Slots follow each other in the order of the parameters, so that backward finishes gradients from the end
// of the arena.
void CudaProgram::place_parameters()
{
    for (ParameterSlot &slot : m_memory.slots) {
        if (slot.count % 8 != 0)
            throw CudaError(ExitCode::Unsupported,
                            "the CUDA device needs parameters of a multiple of 8 elements");
        if (m_context.type == Type::F32)
            slot.full_gradient = true;
        slot.offset = m_arena;
        m_arena += (slot.count + 63) / 64 * 64;
    }
}

void CudaProgram::make_memory(const DeviceFacts &device)
{
    const auto arena = static_cast<std::size_t>(m_arena);
    std::size_t typed = 0;
    std::size_t full = 0;
    for (const ParameterSlot &slot : m_memory.slots)
        (slot.full_gradient ? full : typed) += static_cast<std::size_t>((slot.count + 63) / 64 * 64);
    const bool moments = m_settings.optimizer.kind != OptimizerKind::Sgd;
    const bool sums = m_settings.micro_batches > 1;
    const std::size_t copies = m_context.sixteen_bit() ? arena * 2 : 0;
    const std::size_t fixed =
        arena * (8U + (moments ? 4U : 0U) + (sums ? 4U : 0U)) + copies + typed * 2 + full * 4;
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    check(cudaMemGetInfo(&free_bytes, &total_bytes), "ask for free memory");
    const std::size_t needed = fixed + m_plan.total() + m_context.workspace_limit;
    if (needed > free_bytes) {
        const std::size_t room = free_bytes - std::min(free_bytes, fixed + m_context.workspace_limit);
        const std::size_t fitting = room / std::max<std::size_t>(m_plan.total() / m_graph.batch_size, 1);
        throw CudaError(ExitCode::OutOfMemory,
                        "this model with --batch-size " + std::to_string(m_graph.batch_size) + " needs " +
                            std::to_string(needed / 1000000) + " MB and " +
                            std::to_string(free_bytes / 1000000) + " MB are free on " + device.name +
                            ": about --batch-size " + std::to_string(fitting) + " would fit");
    }
    m_values = DeviceBlock(arena * 4);
    m_copy = DeviceBlock(copies);
    m_gradients = DeviceBlock(typed * 2);
    m_full_gradients = DeviceBlock(full * 4);
    m_buffers = DeviceBlock(m_plan.total());
    std::size_t typed_at = 0;
    std::size_t full_at = 0;
    for (ParameterSlot &slot : m_memory.slots) {
        const auto padded = static_cast<std::size_t>((slot.count + 63) / 64 * 64);
        if (slot.full_gradient)
            slot.gradient = m_full_gradients.as<float>() + std::exchange(full_at, full_at + padded);
        else
            slot.gradient = m_gradients.as<std::byte>() + 2 * std::exchange(typed_at, typed_at + padded);
    }
    m_memory.plan = &m_plan;
    m_memory.base = m_buffers.as<std::byte>();
    m_memory.values = m_values.as<float>();
    m_memory.copy = m_copy.as();
    m_memory.type = m_context.type;
    for (std::size_t i = 0; i < m_row_losses.size(); ++i)
        m_losses.at[i].row_loss = m_memory.at<float>(m_row_losses[i]);
}

// After algorithms were chosen, which takes a large workspace for a while.
void CudaProgram::make_moments()
{
    const auto bytes = static_cast<std::size_t>(m_arena) * 4;
    m_first = DeviceBlock(bytes);
    if (m_settings.optimizer.kind != OptimizerKind::Sgd)
        m_second = DeviceBlock(bytes);
    if (m_settings.micro_batches > 1)
        m_sums = DeviceBlock(bytes);
}

// In the order in which backward makes gradients final, so that a bucket is a range of the table.
void CudaProgram::make_chunks()
{
    const auto final_at = [&](std::size_t layer, const ParameterSlot &slot) {
        const Boundary &boundary = m_boundaries[layer];
        return slot.full_gradient
                   ? static_cast<const float *>(slot.gradient) >= m_full_gradients.as<float>() + boundary.full
                   : static_cast<const std::byte *>(slot.gradient) >=
                         m_gradients.as<std::byte>() + 2 * boundary.typed;
    };
    std::vector<Chunk> chunks;
    std::vector<ChunkRange> ranges(m_memory.slots.size());
    std::vector<bool> placed(m_memory.slots.size());
    for (std::size_t layer = m_boundaries.size(); layer-- > 0;) {
        for (std::size_t i = 0; i < m_memory.slots.size(); ++i) {
            const ParameterSlot &slot = m_memory.slots[i];
            if (placed[i] || !final_at(layer, slot))
                continue;
            placed[i] = true;
            ranges[i].first = static_cast<std::int32_t>(chunks.size());
            add_chunks(chunks, i, m_graph.parameters[i].decay);
            ranges[i].count = static_cast<std::int32_t>(chunks.size()) - ranges[i].first;
        }
        m_boundaries[layer].chunks = static_cast<int>(chunks.size());
    }
    m_chunks = static_cast<int>(chunks.size());
    const auto upload = [](DeviceBlock &block, const auto &list) {
        block = DeviceBlock(list.size() * sizeof(list[0]));
        check(cudaMemcpy(block.as(), list.data(), block.bytes(), cudaMemcpyHostToDevice),
              "copy the parameter table");
    };
    upload(m_chunk_block, chunks);
    m_partial = DeviceBlock(chunks.size() * sizeof(double));
    if (m_settings.optimizer.kind == OptimizerKind::Lamb) {
        upload(m_range_block, ranges);
        m_lamb = DeviceBlock(2 * chunks.size() * sizeof(double) + ranges.size() * sizeof(float));
    }
    reset_state();
}

void CudaProgram::add_chunks(std::vector<Chunk> &chunks, std::size_t parameter, bool decay) const
{
    const ParameterSlot &slot = m_memory.slots[parameter];
    const std::size_t element = slot.full_gradient ? 4 : size_of(m_context.type);
    for (std::int64_t begin = 0; begin < slot.count; begin += kChunkElements) {
        Chunk chunk;
        chunk.offset = slot.offset + begin;
        chunk.gradient = static_cast<std::byte *>(slot.gradient) + static_cast<std::size_t>(begin) * element;
        chunk.count = static_cast<std::int32_t>(std::min<std::int64_t>(kChunkElements, slot.count - begin));
        chunk.parameter = static_cast<std::int32_t>(parameter);
        chunk.full = slot.full_gradient;
        chunk.decay = decay;
        chunks.push_back(chunk);
    }
}

} // namespace sbtrain::cuda
