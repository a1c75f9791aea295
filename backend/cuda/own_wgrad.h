// SPDX-License-Identifier: Apache-2.0
#pragma once

// The own weight gradient in tf32 for Hopper (sm_90a), of 3x3 convolutions of stride 1 or 2 with a border of
// 1: dw(co, ky, kx, ci) = sum over images and pixels (y, x) of dy(y, x, co) x(stride y + ky - 1,
// stride x + kx - 1, ci); and of 1x1 convolutions of stride 1. Factors are rounded to tf32, sums are fp32.
//
// 3x3: channels of both sides are multiples of 64; rows of dy are cut into runs of seven pixels, so widths of
// 7, 14, 28 and multiples of 56 waste nothing. 1x1: channels of one side are a multiple of 256, of the other
// 64 or a multiple of 128.
//
// Deterministic: pixels are dealt out over blocks by the shape alone, and the blocks' sums added in order.

#include <cstddef>
#include <cstdint>
#include <cuda_runtime.h>

namespace sbtrain::cuda {

struct OwnWgradProblem {
    std::int64_t n = 0, h = 0, w = 0; // images, size of dy; x has stride times as many rows and columns
    std::int64_t c = 0, k = 0;        // channels of x, of dy
    int kernel = 3;                   // or 1
    int stride = 1;                   // or 2
};

class OwnWgrad {
public:
    static bool available(int capability); // built in, and this device can
    static bool fits(const OwnWgradProblem &problem);

    // Of a problem that fits.
    OwnWgrad(const OwnWgradProblem &problem, int multiprocessors);
    std::size_t workspace_bytes() const;
    // dw (k, kernel, kernel, c) from x (n, h, w, c) and dy (n, h, w, k), all of them and workspace,
    // workspace_bytes() on the device, aligned to 16 bytes. From any thread. Throws CudaError.
    void run(const float *x, const float *dy, float *dw, void *workspace, cudaStream_t stream) const;

private:
    void run_pointwise(const float *x, const float *dy, float *out, cudaStream_t stream) const;
    void run_windows(const float *x, const float *dy, float *out, cudaStream_t stream) const;

    OwnWgradProblem m_problem;
    int m_tiles = 0;  // of dw
    int m_splits = 1; // blocks that share a tile
};

} // namespace sbtrain::cuda
