// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <utility>
#include <vector>

namespace sb {

// The places where a widget writes its translated texts, so that a change of language can write them again.
// add() runs the writer at once and keeps it; call refresh() on QEvent::LanguageChange.
class Texts {
public:
    void add(std::function<void()> write)
    {
        write();
        m_writers.push_back(std::move(write));
    }
    void refresh() const
    {
        for (const auto &write : m_writers)
            write();
    }

private:
    std::vector<std::function<void()>> m_writers;
};

} // namespace sb
