// SPDX-License-Identifier: Apache-2.0
#pragma once

// The own weight gradient for Hopper (sm_90a), in tf32 of 3x3 convolutions of stride 1 or 2 with a border of
// 1: dw(co, ky, kx, ci) = sum over images and pixels (y, x) of dy(y, x, co) x(stride y + ky - 1, stride x +
// kx - 1, ci); and of 1x1 convolutions of stride 1. In tf32 and 16 bit of 4x4 convolutions without a border,
// x(y + ky, x + kx, ci), which the stem is over blocks of pixels. Factors of fp32 are rounded to tf32, sums
// are fp32.
//
// 3x3: channels of both sides are multiples of 64; rows of dy are cut into runs of seven pixels, so widths of
// 7, 14, 28 and multiples of 56 waste nothing. 1x1: channels of one side are a multiple of 256, of the other
// 64 or a multiple of 128.
//
// Deterministic: pixels are dealt out over blocks by the shape alone, and the blocks' sums added in order.

#include "precision.h"

#include <cstddef>
#include <cstdint>
#include <cuda_runtime.h>

namespace sbtrain::cuda {

struct OwnWgradProblem {
    std::int64_t n = 0, h = 0, w = 0; // images, size of dy; x has stride times as many rows and columns, or
                                      // 3 more for 4x4
    std::int64_t c = 0, k = 0;        // channels of x, of dy
    int kernel = 3;                   // or 1, 4
    int stride = 1;                   // or 2
    Type type = Type::F32;            // of x, dy and dw
};

class OwnWgrad {
public:
    static bool available(int capability); // built in, and this device can
    static bool fits(const OwnWgradProblem &problem);

    // Of a problem that fits.
    OwnWgrad(const OwnWgradProblem &problem, int multiprocessors);
    std::size_t workspace_bytes() const;
    // dw (k, kernel, kernel, c) from x and dy (n, h, w, k), all of them and workspace, which is
    // workspace_bytes() on the device, aligned to 16 bytes. From any thread. Throws CudaError.
    void run(const void *x, const void *dy, void *dw, void *workspace, cudaStream_t stream) const;

private:
    void run_pointwise(const void *x, const void *dy, float *out, cudaStream_t stream) const;
    void run_stem(const void *x, const void *dy, float *out, cudaStream_t stream) const;
    void run_windows(const void *x, const void *dy, float *out, cudaStream_t stream) const;

    OwnWgradProblem m_problem;
    int m_tiles = 0;  // of dw
    int m_splits = 1; // blocks, or groups of warps, that share a tile
};

} // namespace sbtrain::cuda
