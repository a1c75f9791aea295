// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../result.h"

#include <string_view>

namespace sbtrain::cuda {

// See bench.h; the kind is one of the four.
Result<void> run_bench(std::string_view kind);

} // namespace sbtrain::cuda
