// SPDX-License-Identifier: GPL-3.0-or-later
// Work of the thread pool whose result is asked for later, without ever waiting. Private to ui/report.
#pragma once

#include "core/result.h"

#include <QThreadPool>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

namespace sb {

// Starts at once. Values go in and out; what the function captures lives until it ends, also when nobody
// asks any more.
template <typename T>
class Background {
public:
    // The function should look at the flag now and then and give up when it is set.
    explicit Background(std::function<Result<T>(const std::atomic<bool> &)> work)
        : m_state(std::make_shared<State>())
    {
        QThreadPool::globalInstance()->start([state = m_state, work = std::move(work)] {
            state->result.emplace(work(state->stop));
            state->done.store(true, std::memory_order_release);
        });
    }
    ~Background() { m_state->stop = true; }
    Background(const Background &) = delete;
    Background &operator=(const Background &) = delete;

    bool done() const { return m_state->done.load(std::memory_order_acquire); }
    // Only when done.
    Result<T> take() { return std::move(*m_state->result); }

private:
    struct State {
        std::atomic<bool> stop = false;
        std::atomic<bool> done = false;
        std::optional<Result<T>> result;
    };
    std::shared_ptr<State> m_state;
};

} // namespace sb
