// SPDX-License-Identifier: Apache-2.0

// The host's side of own_split_gemm_kernel.cuh: choice of the instance, launch.

#include "own_split_gemm.h"

#include "check.h"
#include "own_split_gemm_kernel.cuh"

namespace sbtrain::cuda {

namespace {

constexpr int kTileColumns[OwnSplitGemm::kTiles] = {128, 64};

int ask(cudaDeviceAttr attribute)
{
    int device = 0;
    int value = 0;
    check(cudaGetDevice(&device), "ask for the device");
    check(cudaDeviceGetAttribute(&value, attribute, device), "ask the device");
    return value;
}

template <int BN, bool AK, bool BK>
void launch(const SplitParams &p, int blocks, cudaStream_t stream)
{
    constexpr auto kernel = own_split_gemm_kernel<BN, AK, BK>;
    static const cudaError_t allowed =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, split_shared_bytes(BN));
    check(allowed, "reserve shared memory");
    kernel<<<blocks, kThreads, split_shared_bytes(BN), stream>>>(p);
    check(cudaGetLastError(), "multiply");
}

template <int BN>
void launch_layout(const GemmProblem &problem, const SplitParams &p, int blocks, cudaStream_t stream)
{
    if (problem.transpose_a && problem.transpose_b)
        launch<BN, false, true>(p, blocks, stream);
    else if (problem.transpose_a)
        launch<BN, false, false>(p, blocks, stream);
    else if (problem.transpose_b)
        launch<BN, true, true>(p, blocks, stream);
    else
        launch<BN, true, false>(p, blocks, stream);
}

} // namespace

bool OwnSplitGemm::available()
{
    return ask(cudaDevAttrComputeCapabilityMajor) == 9 && ask(cudaDevAttrComputeCapabilityMinor) == 0;
}

bool OwnSplitGemm::fits(const GemmProblem &p)
{
    constexpr std::int64_t kLargest = std::int64_t{1} << 31;
    const auto small = [](std::int64_t rows, std::int64_t ld) { return rows * ld < kLargest; };
    const auto fours = [](std::int64_t x, std::int64_t y, std::int64_t z) { return (x | y | z) % 4 == 0; };
    return p.type == Type::F32 && p.out == Type::F32 && !p.tf32 && !p.gelu && fours(p.m, p.n, p.k) &&
           fours(p.lda, p.ldb, p.ldc) && small(p.transpose_a ? p.k : p.m, p.lda) &&
           small(p.transpose_b ? p.n : p.k, p.ldb) && p.m > 0 && p.n > 0 && p.k > 0;
}

OwnSplitGemm::OwnSplitGemm(const GemmProblem &problem, int tile)
    : m_problem(problem)
    , m_tile(tile)
    , m_blocks(ask(cudaDevAttrMultiProcessorCount))
{
    const std::size_t bytes = 2 * sizeof(int) * static_cast<std::size_t>(m_blocks);
    check(cudaMalloc(&m_flags, bytes), "allocate flags");
    check(cudaMemset(m_flags, 0, bytes), "clear flags");
    check(cudaStreamSynchronize(nullptr), "clear flags"); // runs may be on other streams
}

OwnSplitGemm::~OwnSplitGemm()
{
    cudaFree(m_flags);
}

std::size_t OwnSplitGemm::workspace_bytes() const
{
    return sizeof(float) * static_cast<std::size_t>(kRows * kTileColumns[m_tile]) *
           static_cast<std::size_t>(m_blocks);
}

void OwnSplitGemm::run(const GemmPointers &at, void *workspace, cudaStream_t stream) const
{
    const auto number = [](std::int64_t value) { return static_cast<int>(value); };
    SplitParams p;
    p.a = static_cast<const float *>(at.a);
    p.b = static_cast<const float *>(at.b);
    p.c = static_cast<float *>(at.c);
    p.bias = m_problem.bias ? static_cast<const float *>(at.bias) : nullptr;
    p.parts = static_cast<float4 *>(workspace);
    p.flags = m_flags;
    p.m = number(m_problem.m);
    p.n = number(m_problem.n);
    p.k = number(m_problem.k);
    p.lda = number(m_problem.lda);
    p.ldb = number(m_problem.ldb);
    p.ldc = number(m_problem.ldc);
    p.accumulate = m_problem.accumulate;
    if (m_tile == 0)
        launch_layout<128>(m_problem, p, m_blocks, stream);
    else
        launch_layout<64>(m_problem, p, m_blocks, stream);
}

} // namespace sbtrain::cuda
