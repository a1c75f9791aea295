// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace sbtrain {

// Monotonic time; only differences mean something.
inline double monotonic_s()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace sbtrain
