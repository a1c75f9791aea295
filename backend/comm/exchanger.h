// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "communicator.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace sbtrain {

// Averages pieces of the gradient on a thread of its own while backward is still making the rest. Pieces are
// exchanged in the order in which they are pushed, which must be the same on all ranks. Between push() and
// finish() the communicator belongs to this thread, and so do the pushed values.
class GradientExchanger {
public:
    explicit GradientExchanger(Communicator &communicator);
    ~GradientExchanger();
    GradientExchanger(const GradientExchanger &) = delete;
    GradientExchanger &operator=(const GradientExchanger &) = delete;

    void push(std::span<float> values);
    // Waits until everything pushed is averaged. The first failure, if there was one; it stays.
    Result<void> finish();

private:
    void work();

    Communicator &m_communicator;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<std::span<float>> m_queue; // the front one is being exchanged
    Result<void> m_result;
    bool m_stop = false;
    std::thread m_thread;
};

} // namespace sbtrain
