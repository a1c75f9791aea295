// SPDX-License-Identifier: Apache-2.0

// In place of own_conv16.cu where the compiler does not know sm_90a (CUDA before 12).

#include "own_conv16.h"

#include "check.h"

namespace sbtrain::cuda {

bool OwnConv16::available(int)
{
    return false;
}

bool OwnConv16::fits(const OwnConv16Problem &)
{
    return false;
}

int OwnConv16::partial_rows(const OwnConv16Problem &, int)
{
    return 0;
}

OwnConv16::OwnConv16(const OwnConv16Problem &, const OwnConv16Pointers &, int)
{
    throw CudaError(ExitCode::Internal, "the own convolution is not built in");
}

void OwnConv16::run(cudaStream_t) const {}

} // namespace sbtrain::cuda
