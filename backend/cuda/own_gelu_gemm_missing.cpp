// SPDX-License-Identifier: Apache-2.0

// In place of own_gelu_gemm.cu where the compiler does not know sm_90a (CUDA before 12).

#include "own_gelu_gemm.h"

#include "check.h"

namespace sbtrain::cuda {

bool OwnGeluGemm::available(int)
{
    return false;
}

bool OwnGeluGemm::fits(const OwnGeluProblem &)
{
    return false;
}

std::int64_t OwnGeluGemm::partial_rows(const OwnGeluProblem &)
{
    return 0;
}

OwnGeluGemm::OwnGeluGemm(const OwnGeluProblem &, int)
{
    throw CudaError(ExitCode::Internal, "the own product with GELU is not built in");
}

void OwnGeluGemm::run(const OwnGeluPointers &, cudaStream_t) const {}

} // namespace sbtrain::cuda
