// SPDX-License-Identifier: Apache-2.0

// The host's side of the own attention: choice of the instance, launch.

#include "own_attention.h"

#include "check.h"
#include "own_attention_backward.cuh"
#include "token_kernels.h"

namespace sbtrain::cuda {

namespace {

template <typename T>
AttentionParams<T> params(const OwnAttentionProblem &problem, const DropoutSpec &draw,
                          const OwnAttentionPointers &at)
{
    AttentionParams<T> p;
    p.qkv = static_cast<const T *>(at.qkv);
    p.y = static_cast<T *>(at.y);
    p.stats = at.stats;
    p.kept = at.kept;
    p.lengths = at.lengths;
    p.dy = static_cast<const T *>(at.dy);
    p.dqkv = static_cast<T *>(at.dqkv);
    p.partial = at.partial;
    p.t = static_cast<int>(problem.t);
    p.heads = static_cast<int>(problem.heads);
    p.draw = draw;
    return p;
}

template <typename T, typename Kernel>
void launch(Kernel kernel, int threads, int bytes, const OwnAttentionProblem &problem,
            const AttentionParams<T> &p, cudaStream_t stream)
{
    kernel<<<static_cast<unsigned>(problem.n * problem.heads), threads, bytes, stream>>>(p);
    check_launch("compute attention");
}

// More than 48 KiB of shared memory has to be asked for, once.
template <typename Kernel>
cudaError_t allow(Kernel kernel, int bytes)
{
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}

template <typename T, bool DropOut>
void forward(const OwnAttentionProblem &problem, const AttentionParams<T> &p, cudaStream_t stream)
{
    static const cudaError_t allowed = allow(attention_forward_kernel<T, DropOut>, kForwardShared);
    check(allowed, "reserve shared memory");
    launch(attention_forward_kernel<T, DropOut>, kForwardThreads, kForwardShared, problem, p, stream);
}

template <typename T, bool DropOut>
void backward(const OwnAttentionProblem &problem, const AttentionParams<T> &p, cudaStream_t stream)
{
    static const cudaError_t allowed = allow(attention_backward_kernel<T, DropOut>, kBackwardShared);
    check(allowed, "reserve shared memory");
    launch(attention_backward_kernel<T, DropOut>, kBackwardThreads, kBackwardShared, problem, p, stream);
}

template <typename Body>
void dispatch16(Type type, Body body)
{
    if (type == Type::F16)
        body(__half{});
    else
        body(__nv_bfloat16{});
}

} // namespace

bool own_attention_available(int capability)
{
    return capability == 90;
}

bool own_attention_fits(const OwnAttentionProblem &problem)
{
    return problem.type != Type::F32 && problem.d == kHeadWidth && problem.t >= 1 && problem.t <= kTileRows &&
           problem.n * problem.heads < (std::int64_t{1} << 31);
}

void own_attention_forward(const OwnAttentionProblem &problem, const DropoutSpec &draw,
                           const OwnAttentionPointers &at, cudaStream_t stream)
{
    dispatch16(problem.type, [&](auto tag) {
        using T = decltype(tag);
        const AttentionParams<T> p = params<T>(problem, draw, at);
        if (draw.rate.drops())
            forward<T, true>(problem, p, stream);
        else
            forward<T, false>(problem, p, stream);
    });
}

void own_attention_backward(const OwnAttentionProblem &problem, const DropoutSpec &draw,
                            const OwnAttentionPointers &at, cudaStream_t stream)
{
    dispatch16(problem.type, [&](auto tag) {
        using T = decltype(tag);
        const AttentionParams<T> p = params<T>(problem, draw, at);
        if (draw.rate.drops())
            backward<T, true>(problem, p, stream);
        else
            backward<T, false>(problem, p, stream);
    });
}

} // namespace sbtrain::cuda
