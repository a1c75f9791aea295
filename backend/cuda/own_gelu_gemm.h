// SPDX-License-Identifier: Apache-2.0
#pragma once

// The own 16-bit matrix product for Hopper (sm_90a) of a feed-forward layer, with GELU (tanh form, gelu.cuh)
// or its slope and the bias gradient behind it. For products that arithmetic bounds: two warpgroups multiply
// all the time, a third one does the rest of the tile before. What reaches GELU or its slope is rounded to 16
// bit first, as where they are passes of their own. The same input gives the same bits.

#include "precision.h"

#include <cstddef>
#include <cstdint>
#include <cuda_runtime.h>

namespace sbtrain::cuda {

enum class GeluEpilogue {
    Forward, // z = a b^T + bias, c = gelu(z); b is (n, k)
    Slope    // c = (a b) gelu'(z), and its column sums; b is (k, n)
};

struct OwnGeluProblem {
    std::int64_t m = 0, n = 0, k = 0;
    Type type = Type::BF16;
    GeluEpilogue epilogue = GeluEpilogue::Forward;
};

// Row-major matrices without gaps, at multiples of 16 bytes: a (m, k), b, c and z (m, n).
struct OwnGeluPointers {
    const void *a = nullptr;
    const void *b = nullptr;
    void *c = nullptr;
    void *z = nullptr;          // Forward writes it, Slope reads it
    const void *bias = nullptr; // Forward: n, of the problem's type
    float *partial = nullptr;   // Slope: partial_rows() rows of n sums
};

class OwnGeluGemm {
public:
    static constexpr int kMostBlocks = 2; // of a cluster

    static bool available(int capability); // built in, and this device can
    // 16 bit, n a multiple of 256, k of 64.
    static bool fits(const OwnGeluProblem &problem);
    static std::int64_t partial_rows(const OwnGeluProblem &problem);

    // Blocks of a cluster: 1, or 2, which fetch b once. Either can be the faster one.
    OwnGeluGemm(const OwnGeluProblem &problem, int blocks);
    // Throws CudaError.
    void run(const OwnGeluPointers &at, cudaStream_t stream) const;

private:
    OwnGeluProblem m_problem;
    int m_blocks = 1;
    int m_multiprocessors = 0;
};

} // namespace sbtrain::cuda
