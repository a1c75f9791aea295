// SPDX-License-Identifier: Apache-2.0

// In place of own_wgrad.cu where the compiler does not know sm_90a (CUDA before 12).

#include "own_wgrad.h"

#include "check.h"

namespace sbtrain::cuda {

bool OwnWgrad::available(int)
{
    return false;
}

bool OwnWgrad::fits(const OwnWgradProblem &)
{
    return false;
}

OwnWgrad::OwnWgrad(const OwnWgradProblem &, int)
{
    throw CudaError(ExitCode::Internal, "the own weight gradient is not built in");
}

std::size_t OwnWgrad::workspace_bytes() const
{
    return 0;
}

void OwnWgrad::run(const void *, const void *, void *, void *, cudaStream_t) const {}

} // namespace sbtrain::cuda
