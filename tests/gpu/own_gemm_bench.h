// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/own_gemm.h"

// Prints the time of every 1x1 convolution of ResNet-50 that the own product does, and of all together.
// Throws CudaError.
void bench_own_gemm(sbtrain::cuda::Type type, std::int64_t batch, int multiprocessors);
