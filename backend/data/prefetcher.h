// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "data_source.h"

#include <array>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace sbtrain {

// Makes batches on a thread of its own, a few ahead of training.
class Prefetcher {
public:
    using FirstSample = std::function<std::int64_t(std::int64_t batch)>; // of the batch-th batch from 0

    Prefetcher(DataSource &source, FirstSample first_sample);
    ~Prefetcher();
    Prefetcher(const Prefetcher &) = delete;
    Prefetcher &operator=(const Prefetcher &) = delete;

    // The next batch, with how long it had to be waited for in fill_ms. Valid until the next call.
    Result<Batch *> take();

private:
    void work();

    static constexpr std::size_t kBatches = 3; // one in use, two ahead

    DataSource &m_source;
    FirstSample m_first_sample;
    std::array<Batch, kBatches> m_batches;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::int64_t m_made = 0;  // batches
    std::int64_t m_taken = 0; // the last of them is in use
    Result<void> m_result;
    bool m_stop = false;
    std::thread m_thread;
};

} // namespace sbtrain
