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

    // Milliseconds of one run: the best of three after one to warm up. Infinite if run() says false. A first
    // run of more than three times `best_ms`, the best alternative so far, is its only one.
    float time_ms(const std::function<bool()> &run, float best_ms = std::numeric_limits<float>::infinity());

    // Milliseconds of one run among many in a row, each of about `about_ms`: what counts where power limits
    // the clock. Infinite if run() says false.
    float sustained_ms(const std::function<bool()> &run, float about_ms);

private:
    float once_ms(const std::function<bool()> &run);

    cudaStream_t m_stream;
    cudaEvent_t m_begin = nullptr, m_end = nullptr;
};

} // namespace sbtrain::cuda
