// SPDX-License-Identifier: Apache-2.0
#include "counters.h"

#include "check.h"

#include <map>
#include <vector>

namespace sbtrain::cuda {

namespace {

constexpr std::size_t kSlice = 256;  // what cuBLASLt aligns to; more than a counter
constexpr std::size_t kSlices = 512; // BERT-large has 300 products

// List(nodes or null, &count) as all of the runtime's lists.
template <typename List>
std::vector<cudaGraphNode_t> nodes(const List &list)
{
    std::size_t count = 0;
    check(list(nullptr, &count), "read a graph");
    std::vector<cudaGraphNode_t> found(count);
    if (count > 0)
        check(list(found.data(), &count), "read a graph");
    return found;
}

std::vector<cudaGraphNode_t> before(cudaGraphNode_t node)
{
    return nodes([&](cudaGraphNode_t *list, std::size_t *count) {
#if CUDART_VERSION >= 13000
        return cudaGraphNodeGetDependencies(node, list, nullptr, count);
#else
        return cudaGraphNodeGetDependencies(node, list, count);
#endif
    });
}

std::vector<cudaGraphNode_t> after(cudaGraphNode_t node)
{
    return nodes([&](cudaGraphNode_t *list, std::size_t *count) {
#if CUDART_VERSION >= 13000
        return cudaGraphNodeGetDependentNodes(node, list, nullptr, count);
#else
        return cudaGraphNodeGetDependentNodes(node, list, count);
#endif
    });
}

void connect(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to)
{
#if CUDART_VERSION >= 13000
    check(cudaGraphAddDependencies(graph, &from, &to, nullptr, 1), "edit a graph");
#else
    check(cudaGraphAddDependencies(graph, &from, &to, 1), "edit a graph");
#endif
}

// What waits for a node waits for what it waited for.
void take_out(cudaGraph_t graph, cudaGraphNode_t node)
{
    const std::vector<cudaGraphNode_t> earlier = before(node);
    for (const cudaGraphNode_t later : after(node)) {
        for (const cudaGraphNode_t first : earlier)
            connect(graph, first, later);
    }
    check(cudaGraphDestroyNode(node), "edit a graph");
}

} // namespace

Counters::Counters()
    : m_memory(kSlices * kSlice)
    , m_taken(m_memory.bytes())
{
}

void Counters::begin()
{
    m_taken = 0;
}

void *Counters::take(std::size_t bytes, void *shared)
{
    if (bytes == 0 || bytes > kSlice || m_taken == m_memory.bytes())
        return shared;
    std::byte *slice = m_memory.as<std::byte>() + m_taken;
    m_taken += kSlice;
    return slice;
}

void Counters::end(cudaGraph_t graph)
{
    m_taken = m_memory.bytes();
    std::map<const void *, std::vector<cudaGraphNode_t>> clears;
    for (const cudaGraphNode_t node : nodes([&](cudaGraphNode_t *list, std::size_t *count) {
             return cudaGraphGetNodes(graph, list, count);
         })) {
        if (const void *slice = cleared_by(node))
            clears[slice].push_back(node);
    }
    for (const auto &[slice, memsets] : clears) {
        if (memsets.size() == 1) // a call that clears again what it has used needs that
            take_out(graph, memsets[0]);
    }
}

const void *Counters::cleared_by(cudaGraphNode_t node) const
{
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    check(cudaGraphNodeGetType(node, &type), "read a graph");
    if (type != cudaGraphNodeTypeMemset)
        return nullptr;
    cudaMemsetParams params;
    check(cudaGraphMemsetNodeGetParams(node, &params), "read a graph");
    const auto *first = m_memory.as<const std::byte>();
    const auto *at = static_cast<const std::byte *>(params.dst);
    if (params.value != 0 || at < first || at >= first + m_memory.bytes())
        return nullptr;
    return first + static_cast<std::size_t>(at - first) / kSlice * kSlice;
}

} // namespace sbtrain::cuda
