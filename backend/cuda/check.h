// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../exit_codes.h"

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <stdexcept>
#include <string>

namespace sbtrain::cuda {

// Thrown inside the CUDA device only; its public calls turn it into an Error.
class CudaError : public std::runtime_error {
public:
    CudaError(ExitCode code, const std::string &message)
        : std::runtime_error(message)
        , m_code(code)
    {
    }
    ExitCode code() const { return m_code; }

private:
    ExitCode m_code;
};

// `what` completes the sentence "cannot ...", e.g. "start a kernel".
void check(cudaError_t status, const char *what);
void check(cublasStatus_t status, const char *what);

} // namespace sbtrain::cuda
