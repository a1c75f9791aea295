// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exit_codes.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace sbtrain {

// Why something did not work: the exit status it leads to, and one sentence for people.
struct Error {
    ExitCode code = ExitCode::Internal;
    std::string message;
};

// A value or an Error.
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

    explicit operator bool() const { return std::holds_alternative<T>(m_state); }
    T &operator*() { return std::get<T>(m_state); }
    const T &operator*() const { return std::get<T>(m_state); }
    T *operator->() { return &std::get<T>(m_state); }
    const T *operator->() const { return &std::get<T>(m_state); }
    const Error &error() const { return std::get<Error>(m_state); }

private:
    std::variant<T, Error> m_state;
};

// Done, or an Error.
template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error)
        : m_error(std::move(error))
    {
    }

    explicit operator bool() const { return !m_error.has_value(); }
    const Error &error() const { return *m_error; }

private:
    std::optional<Error> m_error;
};

} // namespace sbtrain
