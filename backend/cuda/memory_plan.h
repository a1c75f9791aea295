// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace sbtrain::cuda {

// Plans device addresses by lifetime over the whole step. The step is a list of operations; the plan walks
// through it once before anything is allocated. A buffer lives from the operation that added it to the last
// one that used it, and buffers whose lives do not overlap may share memory.
class MemoryPlan {
public:
    struct Id {
        std::size_t index = static_cast<std::size_t>(-1);
        bool valid() const { return index != static_cast<std::size_t>(-1); }
    };

    Id add(std::size_t bytes); // used by the present operation
    // Used by the present operation as well, or as late as `later` operations after it.
    void use(Id id, int later = 0);
    Id keep(std::size_t bytes); // lives from the first step to the last
    void advance() { ++m_now; } // on to the next operation

    void layout();
    std::size_t offset(Id id) const { return m_buffers[id.index].offset; }
    std::size_t bytes(Id id) const { return m_buffers[id.index].bytes; }
    std::size_t total() const { return m_total; }

private:
    struct Buffer {
        std::size_t bytes = 0;
        int first = 0;
        int last = 0;
        bool forever = false;
        std::size_t offset = 0;
    };
    static bool overlap(const Buffer &a, const Buffer &b);

    std::vector<Buffer> m_buffers;
    int m_now = 0;
    std::size_t m_total = 0;
};

} // namespace sbtrain::cuda
