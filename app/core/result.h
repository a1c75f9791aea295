// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace sb {

// What kind of failure, so that code can decide; the message is for people.
enum class ErrorCode {
    BadInput,    // a file, option or value that the user wrote is wrong
    NotFound,    // something named does not exist
    Newer,       // data written by a newer version of this program
    Io,          // reading or writing failed (full disk, permissions)
    Unavailable, // a node, program or service cannot be reached or is missing
    Failed,      // work was tried and did not succeed
    Cancelled,   // the user stopped it
};

// One sentence: what was attempted, where (file and place, or node), what to do.
struct Error {
    ErrorCode code = ErrorCode::Failed;
    std::string message;
};

// A value or the reason why there is none. Check with `if (result)` before `*result`.
template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value)
        : m_state(std::move(value))
    {
    }
    Result(Error error)
        : m_state(std::move(error))
    {
    }

    explicit operator bool() const { return m_state.index() == 0; }
    bool ok() const { return m_state.index() == 0; }

    T &value() { return std::get<0>(m_state); }
    const T &value() const { return std::get<0>(m_state); }
    T &operator*() { return value(); }
    const T &operator*() const { return value(); }
    T *operator->() { return &value(); }
    const T *operator->() const { return &value(); }

    const Error &error() const { return std::get<1>(m_state); }

private:
    std::variant<T, Error> m_state;
};

// Success, or the reason why not.
template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error)
        : m_error(std::move(error))
    {
    }

    explicit operator bool() const { return !m_error; }
    bool ok() const { return !m_error; }
    const Error &error() const { return *m_error; }

private:
    std::optional<Error> m_error;
};

} // namespace sb
