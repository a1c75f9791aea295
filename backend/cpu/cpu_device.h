// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../device.h"

namespace sbtrain::cpu {

// The processor through oneDNN and OpenMP, in float32. `threads` is set for the whole process.
std::unique_ptr<Device> make_cpu_device(int threads);

// Cores this process may run on.
int usable_cores();

} // namespace sbtrain::cpu
