// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../device.h"
#include "precision.h"

#include <string>
#include <vector>

namespace sbtrain::cuda {

struct DeviceFacts {
    int ordinal = 0;
    std::string name;
    int capability = 0; // 90 for 9.0
    std::uint64_t memory_bytes = 0;
};

// Failure: ExitCode::Unsupported and a sentence (no driver, an old one, no device).
Result<std::vector<DeviceFacts>> list_cuda_devices();

// The device `ordinal` among those this process sees; with `beside_pictures` set up to decode pictures while
// it trains (before the process's first call of CUDA). Failure as above.
Result<std::unique_ptr<Device>> make_cuda_device(int ordinal, Precision precision,
                                                 bool beside_pictures = false);

} // namespace sbtrain::cuda
