// SPDX-License-Identifier: Apache-2.0

// In place of own_gemm.cu where the compiler does not know sm_90a (CUDA before 12).

#include "own_gemm.h"

#include "check.h"

namespace sbtrain::cuda {

bool OwnGemm::available(int)
{
    return false;
}

bool OwnGemm::fits(const OwnGemmProblem &)
{
    return false;
}

int OwnGemm::partial_rows(const OwnGemmProblem &, int)
{
    return 0;
}

OwnGemm::OwnGemm(const OwnGemmProblem &, const OwnGemmPointers &, int)
{
    throw CudaError(ExitCode::Internal, "the own matrix product is not built in");
}

void OwnGemm::run(cudaStream_t) const {}

} // namespace sbtrain::cuda
