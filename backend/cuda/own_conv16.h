// SPDX-License-Identifier: Apache-2.0
#pragma once

// The own 3x3 convolution of stride 1 with a border of 1 in 16 bit for Hopper (sm_90a), with fp32 sums and
// the memory pass of batch norm that would follow done in its epilogue: y(image, y, x, k) = sum over ky, kx,
// c of x(image, y + ky - 1, x + kx - 1, c) w(k, ky, kx, c)
//
//   Stats      y;                            sums of y and y^2 by channel
//   MaskFromX  y where scale other + shift > 0; sums of y and y (other - mean)
//
// The second is the input gradient, of dy and turned weights, together with the first half of the backward
// pass of the layer that made x of the forward convolution (cpu/conv_bn.cpp has the formulas).
//
// Square images of 56, 28, 14 or 7 pixels a row. At 56 c is 64 and k a multiple of 64; below, c is a multiple
// of 64 and k of 128.

#include "own_gemm.h"

namespace sbtrain::cuda {

struct OwnConv16Problem {
    std::int64_t n = 0, size = 0; // images, rows and columns
    std::int64_t c = 0, k = 0;    // channels of x, of y
    Type type = Type::BF16;
    Epilogue epilogue = Epilogue::Stats; // or MaskFromX
    // w is (3, 3, k, c) instead of (k, 3, 3, c), and its taps are those of the opposite pass, the first last:
    // the transposed copy of the weights (c, 3, 3, k) of the convolution whose input gradient this is.
    bool turned = false;
};

// All tensors NHWC, aligned to 16 bytes.
struct OwnConv16Pointers {
    const void *x = nullptr;
    const void *w = nullptr;
    void *y = nullptr;
    const void *other = nullptr; // MaskFromX, as y
    const float *scale = nullptr, *shift = nullptr, *mean = nullptr;
    float *partial = nullptr; // partial_rows() rows of 2 k floats: both sums
};

class OwnConv16 {
public:
    static bool available(int capability); // built in, and this device can
    static bool fits(const OwnConv16Problem &problem);
    // What partial_rows() will be, for planning.
    static int partial_rows(const OwnConv16Problem &problem, int multiprocessors);

    // Of a problem that fits. Addresses are fixed from here on. Throws CudaError.
    OwnConv16(const OwnConv16Problem &problem, const OwnConv16Pointers &at, int multiprocessors);
    void run(cudaStream_t stream) const; // from any thread; throws CudaError
    int partial_rows() const { return m_partial_rows; }

    struct Maps {
        OwnGemm::Map x, w, y, other;
    };

private:
    OwnConv16Problem m_problem;
    OwnConv16Pointers m_at;
    int m_blocks = 0;
    int m_partial_rows = 0;
    Maps m_maps;
};

} // namespace sbtrain::cuda
