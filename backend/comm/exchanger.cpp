// SPDX-License-Identifier: Apache-2.0
#include "exchanger.h"

namespace sbtrain {

GradientExchanger::GradientExchanger(Communicator &communicator)
    : m_communicator(communicator)
    , m_thread([this] { work(); })
{
}

GradientExchanger::~GradientExchanger()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

void GradientExchanger::push(std::span<float> values)
{
    {
        const std::lock_guard lock(m_mutex);
        m_queue.push_back(values);
    }
    m_changed.notify_all();
}

Result<void> GradientExchanger::finish()
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_queue.empty(); });
    return m_result;
}

void GradientExchanger::work()
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [this] { return m_stop || !m_queue.empty(); });
        if (m_stop)
            return;
        const std::span<float> values = m_queue.front();
        if (m_result) { // after a failure the communicator is broken: only empty the queue
            lock.unlock();
            Result<void> result = m_communicator.all_reduce_mean(values);
            lock.lock();
            m_result = std::move(result);
        }
        m_queue.pop_front();
        m_changed.notify_all();
    }
}

} // namespace sbtrain
