// SPDX-License-Identifier: Apache-2.0
#pragma once

// The own 3x3 convolution of stride 1 with a border of 1 in tf32 for Hopper (sm_90a):
// y(image, y, x, k) = sum over ky, kx, c of x(image, y + ky - 1, x + kx - 1, c) w(k, ky, kx, c), factors
// rounded to tf32, sums in fp32. The input gradient is the same of dy and turned weights.
//
// Square images of 56, 28, 14 or 7 pixels a row; c a multiple of 32, k of 64, or of 128 below 56.

#include <cstdint>
#include <cuda_runtime.h>

namespace sbtrain::cuda {

struct OwnConvProblem {
    std::int64_t n = 0, size = 0; // images, rows and columns
    std::int64_t c = 0, k = 0;    // channels of x, of y
};

class OwnConv {
public:
    static bool available(int capability); // built in, and this device can
    static bool fits(const OwnConvProblem &problem);

    // Of a problem that fits.
    OwnConv(const OwnConvProblem &problem, int multiprocessors);
    // All tensors NHWC (w KRSC), aligned to 16 bytes. From any thread. Throws CudaError.
    void run(const float *x, const float *w, float *y, cudaStream_t stream) const;

private:
    OwnConvProblem m_problem;
    int m_multiprocessors = 0;
};

} // namespace sbtrain::cuda
