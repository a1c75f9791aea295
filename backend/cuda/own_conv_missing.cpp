// SPDX-License-Identifier: Apache-2.0

// In place of own_conv.cu where the compiler does not know sm_90a (CUDA before 12).

#include "own_conv.h"

#include "check.h"

namespace sbtrain::cuda {

bool OwnConv::available(int)
{
    return false;
}

bool OwnConv::fits(const OwnConvProblem &)
{
    return false;
}

OwnConv::OwnConv(const OwnConvProblem &, int)
{
    throw CudaError(ExitCode::Internal, "the own convolution is not built in");
}

void OwnConv::run(const float *, const float *, float *, cudaStream_t) const {}

} // namespace sbtrain::cuda
