// SPDX-License-Identifier: Apache-2.0
#pragma once

// The own weight gradient for Hopper (sm_90a) of
//   3x3 convolutions with a border of 1, tf32 of stride 1 or 2, 16 bit of stride 1;
//   1x1 convolutions of stride 1 in tf32;
//   4x4 convolutions of stride 1 without a border, which the stem is over blocks of pixels, tf32 and 16 bit.
// dw(co, ky, kx, ci) = sum over images and pixels (y, x) of dy(y, x, co) x(stride y + ky - border,
// stride x + kx - border, ci). Factors of fp32 are rounded to tf32, sums are fp32.
//
// 3x3: channels of both sides are multiples of 64. tf32: rows of dy are cut into runs of seven pixels, so
// widths of 7, 14, 28 and multiples of 56 waste nothing; 16 bit: a row has at most 63 pixels, an eighth of
// the work is wasted at those widths. 1x1: channels of one side are a multiple of 256, of the other 64 or a
// multiple of 128. 4x4: 16 channels to 64, at most 112 pixels a row.
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
    // A single split's sums are dw.
    bool in_place() const { return m_splits == 1 && m_problem.type == Type::F32; }
    void run_pointwise(const void *x, const void *dy, float *out, cudaStream_t stream) const;
    void run_stem(const void *x, const void *dy, float *out, cudaStream_t stream) const;
    void run_windows(const void *x, const void *dy, float *out, cudaStream_t stream) const;

    OwnWgradProblem m_problem;
    int m_tiles = 0;  // of dw
    int m_splits = 1; // blocks, or groups of warps, that share a tile
};

} // namespace sbtrain::cuda
