// SPDX-License-Identifier: Apache-2.0
#pragma once

// Prints the times of the weight gradients of ResNet-50 that the own kernels do, and of cuDNN's best engines:
// tf32 at batch 128, the stem in 16 bit at batch 256. Throws CudaError.
void bench_own_wgrad(int multiprocessors);
