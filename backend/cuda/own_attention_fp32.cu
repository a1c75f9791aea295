// SPDX-License-Identifier: Apache-2.0

// The host's side of the own attention of fp32 matrices: choice of the instance, launch.

#include "own_attention_fp32.h"

#include "check.h"
#include "own_attention_fp32_backward.cuh"

namespace sbtrain::cuda {

namespace {

AttentionFp32Params params(const OwnAttentionProblem &problem, const DropoutSpec &draw,
                           const OwnAttentionPointers &at)
{
    AttentionFp32Params p;
    p.qkv = static_cast<const float *>(at.qkv);
    p.y = static_cast<float *>(at.y);
    p.stats = at.stats;
    p.kept = at.kept;
    p.lengths = at.lengths;
    p.dy = static_cast<const float *>(at.dy);
    p.dqkv = static_cast<float *>(at.dqkv);
    p.partial = at.partial;
    p.t = static_cast<int>(problem.t);
    p.heads = static_cast<int>(problem.heads);
    p.draw = draw;
    return p;
}

// Of one kernel: more than 48 KiB of shared memory has to be asked for, once.
template <auto Kernel, int Threads, int Bytes>
void launch(const OwnAttentionProblem &problem, const AttentionFp32Params &p, cudaStream_t stream)
{
    static const cudaError_t allowed =
        cudaFuncSetAttribute(Kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Bytes);
    check(allowed, "reserve shared memory");
    Kernel<<<static_cast<unsigned>(problem.n * problem.heads), Threads, Bytes, stream>>>(p);
    check_launch("compute attention");
}

template <Products P, bool DropOut>
void forward(const OwnAttentionProblem &problem, const AttentionFp32Params &p, cudaStream_t stream)
{
    launch<attention_fp32_forward_kernel<P, DropOut>, kForwardLanes, kForwardBytes>(problem, p, stream);
}

template <Products P, bool DropOut>
void backward(const OwnAttentionProblem &problem, const AttentionFp32Params &p, cudaStream_t stream)
{
    launch<attention_fp32_backward_kernel<P, DropOut>, kBackwardLanes, kBackwardBytes>(problem, p, stream);
}

} // namespace

bool own_attention_fp32_available()
{
    int device = 0;
    int major = 0;
    int shared = 0;
    check(cudaGetDevice(&device), "find the device");
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "ask the device");
    check(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "ask the device");
    return major >= 8 && shared >= kBackwardBytes;
}

bool own_attention_fp32_fits(const OwnAttentionProblem &problem)
{
    return problem.type == Type::F32 && problem.d == kHead && problem.t >= 1 && problem.t <= kTokens &&
           problem.n * problem.heads < (std::int64_t{1} << 31);
}

void own_attention_fp32_forward(const OwnAttentionProblem &problem, Precision precision,
                                const DropoutSpec &draw, const OwnAttentionPointers &at, cudaStream_t stream)
{
    const AttentionFp32Params p = params(problem, draw, at);
    const bool drops = draw.rate.drops();
    if (precision == Precision::Tf32 && drops)
        forward<Products::Tf32, true>(problem, p, stream);
    else if (precision == Precision::Tf32)
        forward<Products::Tf32, false>(problem, p, stream);
    else if (drops)
        forward<Products::Split, true>(problem, p, stream);
    else
        forward<Products::Split, false>(problem, p, stream);
}

void own_attention_fp32_backward(const OwnAttentionProblem &problem, Precision precision,
                                 const DropoutSpec &draw, const OwnAttentionPointers &at, cudaStream_t stream)
{
    const AttentionFp32Params p = params(problem, draw, at);
    const bool drops = draw.rate.drops();
    if (precision == Precision::Tf32 && drops)
        backward<Products::Tf32, true>(problem, p, stream);
    else if (precision == Precision::Tf32)
        backward<Products::Tf32, false>(problem, p, stream);
    else if (drops)
        backward<Products::Split, true>(problem, p, stream);
    else
        backward<Products::Split, false>(problem, p, stream);
}

} // namespace sbtrain::cuda
