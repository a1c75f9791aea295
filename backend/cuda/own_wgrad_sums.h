// SPDX-License-Identifier: Apache-2.0
#pragma once

// The sum of what several blocks made of the same weight gradient.

#include "precision.h"

#include <cstddef>
#include <cuda_runtime.h>

namespace sbtrain::cuda {

// partial (splits, count) in fp32 into out (count) of `type`, added in order of the splits. count is a
// multiple of 128, addresses of 16 bytes. Throws CudaError.
void sum_splits(Type type, const float *partial, int splits, std::size_t count, void *out,
                cudaStream_t stream);

} // namespace sbtrain::cuda
