// SPDX-License-Identifier: Apache-2.0

// The host's side of own_gelu_gemm_kernel.cuh: maps of the operands, choice of the instance, launch.

#include "own_gelu_gemm.h"

#include "check.h"
#include "own_gelu_gemm_kernel.cuh"
#include "tensor_map.h"

#include <algorithm>

namespace sbtrain::cuda {

namespace {

int ask(cudaDeviceAttr attribute)
{
    int device = 0;
    int value = 0;
    check(cudaGetDevice(&device), "ask for the device");
    check(cudaDeviceGetAttribute(&value, attribute, device), "ask the device");
    return value;
}

// A row-major matrix, read in boxes of 64 columns.
CUtensorMap describe(Type type, const void *base, std::int64_t rows, std::int64_t columns, int box_rows)
{
    const CUtensorMapDataType data =
        type == Type::F16 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16 : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    return describe_tensor(data, base, {columns, rows}, {columns * 2}, {64, box_rows},
                           CU_TENSOR_MAP_SWIZZLE_128B);
}

struct Launch {
    GeluMaps maps;
    GeluParams params;
    int blocks = 0;
    cudaStream_t stream = nullptr;
};

template <typename T, GeluEpilogue E, bool Pair>
void launch(const Launch &of)
{
    constexpr auto kernel = own_gelu_gemm_kernel<T, E, Pair>;
    static const cudaError_t allowed =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kGeluShared);
    check(allowed, "reserve shared memory");
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = Pair ? 2 : 1;
    cluster.val.clusterDim.y = 1;
    cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(of.blocks));
    config.blockDim = dim3(kGeluThreads);
    config.dynamicSmemBytes = kGeluShared;
    config.stream = of.stream;
    config.attrs = &cluster;
    config.numAttrs = 1;
    check(cudaLaunchKernelEx(&config, kernel, of.maps, of.params), "multiply");
}

template <typename T, GeluEpilogue E>
void launch_epilogue(bool pair, const Launch &of)
{
    if (pair)
        launch<T, E, true>(of);
    else
        launch<T, E, false>(of);
}

template <typename T>
void launch_type(GeluEpilogue epilogue, bool pair, const Launch &of)
{
    if (epilogue == GeluEpilogue::Forward)
        launch_epilogue<T, GeluEpilogue::Forward>(pair, of);
    else
        launch_epilogue<T, GeluEpilogue::Slope>(pair, of);
}

} // namespace

bool OwnGeluGemm::available(int capability)
{
    return capability == 90;
}

bool OwnGeluGemm::fits(const OwnGeluProblem &p)
{
    constexpr std::int64_t kLargest = (std::int64_t{1} << 31) - 256;
    return p.type != Type::F32 && p.n % kColumns == 0 && p.k % kDepth == 0 && p.m > 0 && p.n > 0 && p.k > 0 &&
           p.m < kLargest && p.n < kLargest && p.k < kLargest;
}

std::int64_t OwnGeluGemm::partial_rows(const OwnGeluProblem &problem)
{
    return (problem.m + kRows - 1) / kRows;
}

OwnGeluGemm::OwnGeluGemm(const OwnGeluProblem &problem, int blocks)
    : m_problem(problem)
    , m_blocks(blocks)
    , m_multiprocessors(ask(cudaDevAttrMultiProcessorCount))
{
}

void OwnGeluGemm::run(const OwnGeluPointers &at, cudaStream_t stream) const
{
    const OwnGeluProblem &p = m_problem;
    Launch of;
    of.maps.a = describe(p.type, at.a, p.m, p.k, kRows);
    of.maps.b = p.epilogue == GeluEpilogue::Forward ? describe(p.type, at.b, p.n, p.k, kColumns / m_blocks)
                                                    : describe(p.type, at.b, p.k, p.n, kDepth / m_blocks);
    of.params = {static_cast<int>(p.m), static_cast<int>(p.n), static_cast<int>(p.k), at};
    const std::int64_t rows = static_cast<std::int64_t>(kRows) * m_blocks;
    const std::int64_t tiles = (p.m + rows - 1) / rows * (p.n / kColumns);
    of.blocks = m_blocks * static_cast<int>(std::min<std::int64_t>(tiles, m_multiprocessors / m_blocks));
    of.stream = stream;
    if (p.type == Type::F16)
        launch_type<__half>(p.epilogue, m_blocks == 2, of);
    else
        launch_type<__nv_bfloat16>(p.epilogue, m_blocks == 2, of);
}

} // namespace sbtrain::cuda
