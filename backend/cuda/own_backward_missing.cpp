// SPDX-License-Identifier: Apache-2.0

// In place of own_backward.cu where the compiler does not know sm_90a (CUDA before 12).

#include "own_backward.h"

#include "check.h"

namespace sbtrain::cuda {

bool OwnBackward::fits(const OwnGemmProblem &)
{
    return false;
}

OwnBackward::OwnBackward(const OwnGemmProblem &, const OwnGemmPointers &, int)
{
    throw CudaError(ExitCode::Internal, "the own backward pass is not built in");
}

std::size_t OwnBackward::workspace_bytes() const
{
    return 0;
}

void OwnBackward::run(void *, void *, cudaStream_t) const {}

} // namespace sbtrain::cuda
