// SPDX-License-Identifier: Apache-2.0
#include "arena.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <sys/mman.h>
#include <utility>

namespace sbtrain {

PageBlock::PageBlock(std::size_t bytes)
{
    if (bytes == 0)
        return;
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return;
    madvise(memory, bytes, MADV_HUGEPAGE); // fewer page faults and TLB misses; harmless where unknown
    m_data = static_cast<std::byte *>(memory);
    m_bytes = bytes;
}

PageBlock::PageBlock(PageBlock &&other) noexcept
    : m_data(std::exchange(other.m_data, nullptr))
    , m_bytes(std::exchange(other.m_bytes, 0))
{
}

PageBlock &PageBlock::operator=(PageBlock &&other) noexcept
{
    std::swap(m_data, other.m_data);
    std::swap(m_bytes, other.m_bytes);
    return *this;
}

PageBlock::~PageBlock()
{
    if (m_data != nullptr)
        munmap(m_data, m_bytes);
}

BufferPlanner::Id BufferPlanner::take(std::int64_t count)
{
    count = round_up_floats(count);
    // The smallest free slot that is large enough; failing that the largest free one, which then grows.
    std::size_t best = m_slots.size();
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        if (!m_slots[i].free)
            continue;
        if (best == m_slots.size()) {
            best = i;
            continue;
        }
        const bool fits = m_slots[i].capacity >= count;
        const bool best_fits = m_slots[best].capacity >= count;
        if (fits != best_fits ? fits : (m_slots[i].capacity < m_slots[best].capacity) == fits)
            best = i;
    }
    if (best == m_slots.size())
        m_slots.emplace_back();
    Slot &slot = m_slots[best];
    slot.capacity = std::max(slot.capacity, count);
    slot.free = false;
    m_buffers.push_back(best);
    return Id{m_buffers.size() - 1};
}

void BufferPlanner::release(Id id)
{
    m_slots[m_buffers[id.index]].free = true;
}

void BufferPlanner::layout()
{
    m_total = 0;
    for (Slot &slot : m_slots) {
        slot.offset = m_total;
        m_total += slot.capacity;
    }
}

namespace {

// The number in a file of one line; "max" or no file: nothing to say.
std::uint64_t read_number(const std::string &path)
{
    std::ifstream file(path);
    std::uint64_t value = 0;
    return file >> value ? value : 0;
}

std::uint64_t free_memory_bytes()
{
    std::ifstream file("/proc/meminfo");
    std::string key;
    std::uint64_t kib = 0;
    std::string unit;
    while (file >> key >> kib) {
        if (key == "MemAvailable:")
            return kib * 1024;
        std::getline(file, unit);
    }
    return 0;
}

} // namespace

std::uint64_t available_memory_bytes()
{
    std::uint64_t available = free_memory_bytes();
    // Control groups, version 2 and version 1, as a container sees its own.
    constexpr std::pair<const char *, const char *> kGroups[] = {
        {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
        {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"},
    };
    for (const auto &[limit_path, used_path] : kGroups) {
        const std::uint64_t limit = read_number(limit_path);
        if (limit == 0)
            continue;
        const std::uint64_t used = read_number(used_path);
        const std::uint64_t left = limit > used ? limit - used : 1;
        available = available == 0 ? left : std::min(available, left);
    }
    return available;
}

} // namespace sbtrain
