// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device_block.h"

#include <cuda_runtime.h>

namespace sbtrain::cuda {

// Some kernels of cuBLASLt and cuDNN deal out their tiles by a counter in the workspace, which the library
// clears with a memset before each: 4 to 6 us of a recorded step every time. So while a step is recorded each
// small workspace is one of its own here. What begins the step clears all of them, and the memsets leave the
// graph.
class Counters {
public:
    Counters();

    void begin(); // a recording, which is to clear memory() first
    // A workspace for one call of a library, 256-byte aligned. If nothing is recorded, for many bytes or
    // none, and when all are taken it is the shared one, and the call's memset stays.
    void *take(std::size_t bytes, void *shared);
    void end(cudaGraph_t graph); // what was recorded: takes its memsets of memory() out
    const DeviceBlock &memory() const { return m_memory; }

private:
    const void *cleared_by(cudaGraphNode_t node) const; // the slice; null if it is no memset of one

    DeviceBlock m_memory;
    std::size_t m_taken; // bytes; all of them while nothing is recorded
};

} // namespace sbtrain::cuda
