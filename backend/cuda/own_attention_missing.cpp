// SPDX-License-Identifier: Apache-2.0

// In place of own_attention.cu where the compiler does not know sm_90a (CUDA before 12).

#include "own_attention.h"

#include "check.h"

namespace sbtrain::cuda {

namespace {

[[noreturn]] void missing()
{
    throw CudaError(ExitCode::Internal, "the own attention is not built in");
}

} // namespace

bool own_attention_available(int)
{
    return false;
}

bool own_attention_fits(const OwnAttentionProblem &)
{
    return false;
}

void own_attention_forward(const OwnAttentionProblem &, const DropoutSpec &, const OwnAttentionPointers &,
                           cudaStream_t)
{
    missing();
}

void own_attention_backward(const OwnAttentionProblem &, const DropoutSpec &, const OwnAttentionPointers &,
                            cudaStream_t)
{
    missing();
}

} // namespace sbtrain::cuda
