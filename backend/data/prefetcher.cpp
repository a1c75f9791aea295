// SPDX-License-Identifier: Apache-2.0
#include "prefetcher.h"

#include "../clock.h"

namespace sbtrain {

Prefetcher::Prefetcher(DataSource &source, FirstSample first_sample)
    : m_source(source)
    , m_first_sample(std::move(first_sample))
    , m_thread([this] { work(); })
{
}

Prefetcher::~Prefetcher()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_changed.notify_all();
    m_thread.join();
    for (const Batch &batch : m_batches) {
        if (batch.rest.valid())
            batch.rest.wait();
    }
}

Result<Batch *> Prefetcher::take()
{
    const double begin_s = monotonic_s();
    std::unique_lock lock(m_mutex);
    ++m_taken; // gives the batch before back
    m_changed.notify_all();
    m_changed.wait(lock, [this] { return m_made >= m_taken || !m_result; });
    if (m_made < m_taken)
        return m_result.error();
    Batch &batch = m_batches[static_cast<std::size_t>(m_taken - 1) % kBatches];
    lock.unlock();
    if (batch.rest.valid()) {
        if (const Result<void> &done = batch.rest.get(); !done)
            return done.error();
    }
    batch.fill_ms = 1e3 * (monotonic_s() - begin_s);
    return &batch;
}

void Prefetcher::work()
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(
            lock, [this] { return m_stop || m_made - m_taken < static_cast<std::int64_t>(kBatches) - 1; });
        if (m_stop)
            return;
        Batch &batch = m_batches[static_cast<std::size_t>(m_made) % kBatches];
        const std::int64_t first = m_first_sample(m_made);
        lock.unlock();
        Result<void> done = m_source.fill(batch, first);
        lock.lock();
        if (!done) {
            m_result = std::move(done);
            m_changed.notify_all();
            return;
        }
        ++m_made;
        m_changed.notify_all();
    }
}

} // namespace sbtrain
