// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rearrangements that make another pass, or a matrix product, of an fp32 convolution in NHWC. Channel counts
// are multiples of 4.

#include <cstdint>
#include <cuda_runtime.h>

namespace sbtrain::cuda {

// x (n, h, w, c), of which every stride-th pixel of every stride-th row: (n, p, q, c).
struct StridedPixels {
    std::int64_t n = 0, h = 0, w = 0, p = 0, q = 0, c = 0;
    int stride = 1;
};

// compact = those pixels of x, all that a 1x1 convolution without padding reads.
void gather_pixels(const StridedPixels &shape, const float *x, float *compact, cudaStream_t stream);

// The reverse: pixels of x between them become zero.
void scatter_pixels(const StridedPixels &shape, const float *compact, float *x, cudaStream_t stream);

struct Window {
    std::int64_t k = 0, c = 0;
    int kernel = 1;
};

// turned (c, kernel, kernel, k) = w (k, kernel, kernel, c) with its window turned by half a circle.
void turn_weights(const Window &shape, const float *w, float *turned, cudaStream_t stream);

} // namespace sbtrain::cuda
