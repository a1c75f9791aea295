// SPDX-License-Identifier: Apache-2.0
#include "check.h"

namespace sbtrain::cuda {

void check(cudaError_t status, const char *what)
{
    if (status == cudaSuccess)
        return;
    const ExitCode code = status == cudaErrorMemoryAllocation ? ExitCode::OutOfMemory : ExitCode::Internal;
    throw CudaError(code, std::string("cannot ") + what + ": " + cudaGetErrorString(status));
}

void check(cublasStatus_t status, const char *what)
{
    if (status == CUBLAS_STATUS_SUCCESS)
        return;
    const ExitCode code = status == CUBLAS_STATUS_ALLOC_FAILED    ? ExitCode::OutOfMemory
                          : status == CUBLAS_STATUS_NOT_SUPPORTED ? ExitCode::Unsupported
                                                                  : ExitCode::Internal;
    throw CudaError(code, std::string("cannot ") + what + ": cuBLAS status " + std::to_string(int(status)));
}

} // namespace sbtrain::cuda
