// SPDX-License-Identifier: Apache-2.0
#pragma once

// The own matrix product in fp32 on Hopper's tensor cores (sm_90a), as exact as one on the ordinary
// arithmetic units. Each factor is the sum of three bf16 numbers, x = hi + mid + lo, which hold all its 24
// bits; of the nine products of such parts the six are taken that are larger than 2^-24 of x y (Henry, Tang
// and Heinecke, "Leveraging the bfloat16 artificial intelligence datatype for higher-precision computations",
// ARITH 2019). The tensor cores cut their sums off where fp32 rounds, so that errors of long sums are of one
// sign: here they add at most 32 of k, the small products first, and ordinary fp32 additions do the rest.
//
// Root of the mean square error in 2^-24 of sum |a b|, and SGEMM's (tests/gpu/own_split_gemm_check.cpp), at k
// = 64, 768, 3072: normal numbers 0.23 (0.47), 0.10 (0.47), 0.08 (0.17); positive ones 1.1 (2.0), 1.4
// (6.3), 2.1 (1.7, as cuBLAS divides that k among blocks); magnitudes from 2^-30 to 2^30 1.13 (0.91), 1.16
// (1.74), 1.27 (0.93).
//
// Where a factor is infinite or nan, the rows or columns of c that it reaches are nan.

#include "gemm.h"

namespace sbtrain::cuda {

class OwnSplitGemm {
public:
    static constexpr int kTiles = 2; // choices of tile

    // Built in, and the current device can.
    static bool available();
    // fp32 without tf32 and GELU; m, n, k and leading dimensions multiples of 4.
    static bool fits(const GemmProblem &problem);
    // A tile from 0 to kTiles - 1: 128 x 128, 128 x 64.
    OwnSplitGemm(const GemmProblem &problem, int tile);
    ~OwnSplitGemm();
    OwnSplitGemm(const OwnSplitGemm &) = delete;
    OwnSplitGemm &operator=(const OwnSplitGemm &) = delete;

    // Of kGemmWorkspace, how much the parts of shared tiles take.
    std::size_t workspace_bytes() const;
    // a, b, c and bias at multiples of 16 bytes. The same input gives the same bits.
    void run(const GemmPointers &at, void *workspace, cudaStream_t stream) const;

private:
    GemmProblem m_problem;
    int m_tile = 0;
    int m_blocks = 0;
    int *m_flags = nullptr; // two a block, zero between runs
};

} // namespace sbtrain::cuda
