// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sbtrain {

// Zeroed memory straight from the operating system, aligned to a page. Move only.
class PageBlock {
public:
    PageBlock() = default;
    // Address space is reserved here; pages come with the first touch. data() is null on failure.
    explicit PageBlock(std::size_t bytes);
    PageBlock(PageBlock &&other) noexcept;
    PageBlock &operator=(PageBlock &&other) noexcept;
    PageBlock(const PageBlock &) = delete;
    PageBlock &operator=(const PageBlock &) = delete;
    ~PageBlock();

    std::byte *data() const { return m_data; }
    std::size_t bytes() const { return m_bytes; }

private:
    std::byte *m_data = nullptr;
    std::size_t m_bytes = 0;
};

// Plans float buffers whose lifetimes are known before the first step. take() hands out a buffer, release()
// says that the step is done with it, so that a later take() may reuse the memory. After layout() every
// buffer has a fixed offset in one block of total() floats.
class BufferPlanner {
public:
    struct Id {
        std::size_t index = 0;
    };

    Id take(std::int64_t count);
    void release(Id id);

    void layout();
    std::int64_t offset(Id id) const { return m_slots[m_buffers[id.index]].offset; }
    std::int64_t total() const { return m_total; }

private:
    struct Slot {
        std::int64_t capacity = 0;
        std::int64_t offset = 0;
        bool free = false;
    };
    std::vector<Slot> m_slots;
    std::vector<std::size_t> m_buffers; // buffer -> slot
    std::int64_t m_total = 0;
};

// Rounds up to whole cache lines of floats.
constexpr std::int64_t round_up_floats(std::int64_t count)
{
    return (count + 15) / 16 * 16;
}

// What a process may still use before the kernel would have to kill someone: the least of free memory and
// the control groups' limits. 0 if the system does not say.
std::uint64_t available_memory_bytes();

} // namespace sbtrain
