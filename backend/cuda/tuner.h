// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>
#include <functional>
#include <limits>

namespace sbtrain::cuda {

// Times alternatives on a stream with events and keeps the best.
class Tuner {
public:
    explicit Tuner(cudaStream_t stream);
    ~Tuner();
    Tuner(const Tuner &) = delete;
    Tuner &operator=(const Tuner &) = delete;

    // Milliseconds of one run: the best of `repeats` after one to warm up. Infinite if run() says false.
    float time_ms(const std::function<bool()> &run, int repeats = 3);

private:
    cudaStream_t m_stream;
    cudaEvent_t m_begin = nullptr, m_end = nullptr;
};

} // namespace sbtrain::cuda
