// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sbtrain {

inline constexpr std::string_view kVersion = SBTRAIN_VERSION; // from CMake

} // namespace sbtrain
