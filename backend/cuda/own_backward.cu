// SPDX-License-Identifier: Apache-2.0

// The host's side of own_backward_kernel.cuh: maps, launch, and the sum of the blocks' weight gradients.

#include "own_backward.h"

#include "check.h"
#include "own_backward_kernel.cuh"
#include "own_wgrad_sums.h"
#include "tensor_map.h"

#include <cstring>

namespace sbtrain::cuda {

namespace {

// A row-major matrix, read or written in boxes of 64 columns.
OwnGemm::Map describe(Type type, const void *base, std::int64_t rows, std::int64_t columns, int box_rows)
{
    const CUtensorMap map = describe_tensor(
        type == Type::F16 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16 : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, base,
        {columns, rows}, {columns * 2}, {64, box_rows}, CU_TENSOR_MAP_SWIZZLE_128B);
    OwnGemm::Map out;
    static_assert(sizeof out == sizeof map);
    std::memcpy(&out, &map, sizeof out);
    return out;
}

template <typename T>
void launch(int blocks, const OwnGemm::Maps &maps, const Params &p, float *weight_gradient,
            cudaStream_t stream)
{
    static const cudaError_t allowed = cudaFuncSetAttribute(
        own_backward_kernel<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, kBackwardShared);
    check(allowed, "reserve shared memory");
    own_backward_kernel<T><<<static_cast<unsigned>(blocks), kBackwardThreads, kBackwardShared, stream>>>(
        maps, p, weight_gradient);
    check(cudaGetLastError(), "make the gradients of a convolution");
}

} // namespace

bool OwnBackward::fits(const OwnGemmProblem &problem)
{
    return OwnGemm::fits(problem) && problem.prologue == Prologue::Apply && problem.n == kBackwardN &&
           problem.k == kBackwardK;
}

OwnBackward::OwnBackward(const OwnGemmProblem &problem, const OwnGemmPointers &at, int multiprocessors)
    : m_problem(problem)
    , m_at(at)
    , m_blocks(OwnGemm::partial_rows(problem, multiprocessors))
{
    m_maps.a = describe(problem.type, at.sources.x, problem.m, kBackwardK, kRows);
    m_maps.other = describe(problem.type, at.sources.other, problem.m, kBackwardK, kRows);
    m_maps.b = describe(problem.type, at.b, kBackwardN, kBackwardK, kBackwardN);
    m_maps.c = describe(problem.type, at.c, problem.m, kBackwardN, kRows);
    m_maps.x = describe(problem.type, at.x, problem.m, kBackwardN, kRows);
}

std::size_t OwnBackward::workspace_bytes() const
{
    return static_cast<std::size_t>(m_blocks) * kBackwardK * kBackwardN * 4;
}

void OwnBackward::run(void *dw, void *workspace, cudaStream_t stream) const
{
    Params p;
    p.m = static_cast<int>(m_problem.m);
    p.n = kBackwardN;
    p.k = kBackwardK;
    p.at = m_at;
    auto *partial = static_cast<float *>(workspace);
    if (m_problem.type == Type::F16)
        launch<__half>(m_blocks, m_maps, p, partial, stream);
    else
        launch<__nv_bfloat16>(m_blocks, m_maps, p, partial, stream);
    sum_splits(m_problem.type, partial, m_blocks, kBackwardK * kBackwardN, dw, stream);
}

} // namespace sbtrain::cuda
