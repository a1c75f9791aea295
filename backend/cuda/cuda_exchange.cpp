// SPDX-License-Identifier: Apache-2.0

// CudaProgram's part in a job of several processes: gradients over NCCL, in buckets, while backward goes on.

#include "check.h"
#include "cuda_program.h"
#ifdef SBTRAIN_WITH_NCCL
#include "../comm/nccl_communicator.h"
#endif

#include <algorithm>

namespace sbtrain::cuda {

#ifdef SBTRAIN_WITH_NCCL

namespace {

constexpr std::size_t kBucketBytes = std::size_t{32} << 20;

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
void CudaProgram::plan_buckets()
{
    m_nccl = dynamic_cast<NcclCommunicator *>(m_settings.communicator);
    if (m_nccl == nullptr)
        return;
    check(cudaStreamCreateWithFlags(&m_exchange_stream, cudaStreamNonBlocking), "make a stream");
    check(cudaEventCreateWithFlags(&m_ready, cudaEventDisableTiming), "make an event");
    check(cudaEventCreateWithFlags(&m_exchanged, cudaEventDisableTiming), "make an event");
    std::vector<std::size_t> final_after(m_graph.parameters.size(), m_graph.nodes.size());
    for (std::size_t i = m_graph.nodes.size(); i-- > 0;) {
        for (const ParameterId id : parameters_of(m_graph.nodes[i]))
            final_after[id.index] = i;
    }
    for (const auto &layer : m_layers) {
        Boundary boundary{m_gradients.bytes() / 2, m_full_gradients.bytes() / 4};
        // From the end of the arenas down to the first gradient that is still to come.
        bool typed_open = true;
        bool full_open = true;
        for (std::size_t p = m_memory.slots.size(); p-- > 0;) {
            const ParameterSlot &slot = m_memory.slots[p];
            const bool final = final_after[p] >= layer->first_node;
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

// Called while a step is recorded, after layer i's backward pass.
void CudaProgram::exchange_bucket(std::size_t layer)
{
    if (m_nccl == nullptr)
        return;
    const Boundary now = m_boundaries[layer];
    const std::size_t bytes = (m_sent.typed - now.typed) * 2 + (m_sent.full - now.full) * 4;
    if (bytes < kBucketBytes && layer > 0)
        return;
    check(cudaEventRecord(m_ready, m_context.stream), "order the exchange");
    check(cudaStreamWaitEvent(m_exchange_stream, m_ready, 0), "order the exchange");
    const auto average = [&](void *data, std::size_t count, Type type) {
        if (count == 0)
            return;
        const Result<void> done = m_nccl->average(data, count, type, m_exchange_stream);
        if (!done)
            throw CudaError(done.error().code, done.error().message);
    };
    average(m_gradients.as<std::byte>() + 2 * now.typed, m_sent.typed - now.typed, m_context.type);
    average(m_full_gradients.as<float>() + now.full, m_sent.full - now.full, Type::F32);
    m_sent = now;
    if (layer == 0)
        check(cudaEventRecord(m_exchanged, m_exchange_stream), "order the exchange");
}

Result<void> CudaProgram::exchange_on_device()
{
    if (m_gradients.bytes() > 0) {
        const Result<void> done =
            m_nccl->average(m_gradients.as(), m_gradients.bytes() / 2, m_context.type, m_context.stream);
        if (!done)
            return done;
    }
    if (m_full_gradients.bytes() == 0)
        return {};
    return m_nccl->average(m_full_gradients.as(), m_full_gradients.bytes() / 4, Type::F32, m_context.stream);
}

Result<void> CudaProgram::health() const
{
    return m_nccl != nullptr ? m_nccl->health() : Result<void>{};
}

#else

void CudaProgram::plan_buckets() {}

void CudaProgram::exchange_bucket(std::size_t) {}

Result<void> CudaProgram::exchange_on_device()
{
    return {};
}

Result<void> CudaProgram::health() const
{
    return {};
}

#endif

} // namespace sbtrain::cuda
