// SPDX-License-Identifier: Apache-2.0
#include "memory_plan.h"

#include <algorithm>
#include <numeric>

namespace sbtrain::cuda {

namespace {

constexpr std::size_t kAlignment = 1024; // tensor maps need 128 with swizzle, libraries 256

} // namespace

MemoryPlan::Id MemoryPlan::add(std::size_t bytes)
{
    const std::size_t rounded = (std::max<std::size_t>(bytes, 1) + kAlignment - 1) / kAlignment * kAlignment;
    m_buffers.push_back({rounded, m_now, m_now, false, 0});
    return Id{m_buffers.size() - 1};
}

void MemoryPlan::use(Id id, int later)
{
    m_buffers[id.index].last = std::max(m_buffers[id.index].last, m_now + later);
}

MemoryPlan::Id MemoryPlan::keep(std::size_t bytes)
{
    const Id id = add(bytes);
    m_buffers[id.index].forever = true;
    return id;
}

bool MemoryPlan::overlap(const Buffer &a, const Buffer &b)
{
    return a.forever || b.forever || (a.first <= b.last && b.first <= a.last);
}

// Largest first, each at the lowest address that is free for its whole life.
void MemoryPlan::layout()
{
    std::vector<std::size_t> order(m_buffers.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
        return m_buffers[a].bytes > m_buffers[b].bytes;
    });
    std::vector<const Buffer *> placed; // by offset
    for (const std::size_t index : order) {
        Buffer &buffer = m_buffers[index];
        std::size_t offset = 0;
        for (const Buffer *other : placed) {
            if (!overlap(buffer, *other))
                continue;
            if (offset + buffer.bytes <= other->offset)
                break;
            offset = std::max(offset, other->offset + other->bytes);
        }
        buffer.offset = offset;
        m_total = std::max(m_total, offset + buffer.bytes);
        placed.insert(
            std::upper_bound(placed.begin(), placed.end(), &buffer,
                             [](const Buffer *a, const Buffer *b) { return a->offset < b->offset; }),
            &buffer);
    }
}

} // namespace sbtrain::cuda
