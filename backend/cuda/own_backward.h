// SPDX-License-Identifier: Apache-2.0
#pragma once

// The backward pass of a 1x1 convolution of 64 to 256 channels and its batch norm in one kernel, for Hopper
// (sm_90a), 16 bit. dy = a dz + p x + q is needed twice, by the input and by the weight gradient; here it is
// made for both and never leaves the chip. The output of the ReLU before is made again as well. So of the
// 256 channels two tensors are read and none is written, where kernels apart read four and write one.
// It is OwnGemm with Prologue::Apply and Epilogue::MaskFromX, and a weight gradient.

#include "own_gemm.h"

namespace sbtrain::cuda {

class OwnBackward {
public:
    // The product of the input gradient: m pixels, n = 64, k = 256.
    static bool fits(const OwnGemmProblem &problem);

    // Pointers as OwnGemm wants them, but for sources.made and bits, which there are not. The same number of
    // partial rows. Without scale, shift, mean and partial x is the ReLU's output, and nothing is summed.
    // Addresses are fixed from here on.
    OwnBackward(const OwnGemmProblem &problem, const OwnGemmPointers &at, int multiprocessors);
    std::size_t workspace_bytes() const;
    // dw (k, n), of the same type. workspace: on the device, aligned to 16 bytes. Throws CudaError.
    void run(void *dw, void *workspace, cudaStream_t stream) const;

private:
    OwnGemmProblem m_problem;
    OwnGemmPointers m_at;
    int m_blocks = 0;
    OwnGemm::Maps m_maps;
};

} // namespace sbtrain::cuda
