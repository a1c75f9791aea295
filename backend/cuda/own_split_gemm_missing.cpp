// SPDX-License-Identifier: Apache-2.0

// In place of own_split_gemm.cu where the compiler does not know sm_90a (CUDA before 12).

#include "own_split_gemm.h"

#include "check.h"

namespace sbtrain::cuda {

bool OwnSplitGemm::available()
{
    return false;
}

bool OwnSplitGemm::fits(const GemmProblem &)
{
    return false;
}

OwnSplitGemm::OwnSplitGemm(const GemmProblem &, int)
{
    throw CudaError(ExitCode::Internal, "the own fp32 product is not built in");
}

OwnSplitGemm::~OwnSplitGemm() = default;

std::size_t OwnSplitGemm::workspace_bytes() const
{
    return 0;
}

void OwnSplitGemm::run(const GemmPointers &, void *, cudaStream_t) const {}

} // namespace sbtrain::cuda
