// SPDX-License-Identifier: Apache-2.0

// The host's side of own_gelu_gemm_kernel.cuh: maps of the operands, choice of the instance, launch.

#include "own_gelu_gemm.h"

#include "check.h"
#include "own_gelu_gemm_kernel.cuh"
#include "tensor_map.h"

#include <algorithm>

namespace sbtrain::cuda {

namespace {

struct TileChoice {
    int columns;
    int blocks; // of a cluster
    bool apart;
};
constexpr TileChoice kChoices[OwnGeluGemm::kTiles] = {{256, 2, false}, {192, 2, false}, {256, 2, true},
                                                      {192, 2, true},  {256, 1, false}, {192, 1, false}};

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

template <typename T, GeluEpilogue E, int BN, bool Pair>
void launch(const Launch &of)
{
    constexpr auto kernel = own_gelu_gemm_kernel<T, E, BN, Pair>;
    constexpr int kShared = GeluSizes<BN>::kShared;
    static const cudaError_t allowed =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
    check(allowed, "reserve shared memory");
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = Pair ? 2 : 1;
    cluster.val.clusterDim.y = 1;
    cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(of.blocks));
    config.blockDim = dim3(kGeluThreads);
    config.dynamicSmemBytes = kShared;
    config.stream = of.stream;
    config.attrs = &cluster;
    config.numAttrs = 1;
    check(cudaLaunchKernelEx(&config, kernel, of.maps, of.params), "multiply");
}

template <typename T, GeluEpilogue E>
void launch_tile(const TileChoice &choice, const Launch &of)
{
    if (choice.columns == 256 && choice.blocks == 2)
        launch<T, E, 256, true>(of);
    else if (choice.columns == 256)
        launch<T, E, 256, false>(of);
    else if (choice.blocks == 2)
        launch<T, E, 192, true>(of);
    else
        launch<T, E, 192, false>(of);
}

template <typename T>
void launch_epilogue(GeluEpilogue epilogue, const TileChoice &choice, const Launch &of)
{
    if (epilogue == GeluEpilogue::Forward)
        launch_tile<T, GeluEpilogue::Forward>(choice, of);
    else
        launch_tile<T, GeluEpilogue::Slope>(choice, of);
}

} // namespace

bool OwnGeluGemm::available(int capability)
{
    return capability == 90;
}

bool OwnGeluGemm::fits(const OwnGeluProblem &p, int tile)
{
    constexpr std::int64_t kLargest = (std::int64_t{1} << 31) - 256;
    return p.type != Type::F32 && p.n % kChoices[tile].columns == 0 && p.k % kDepth == 0 && p.m > 0 &&
           p.n > 0 && p.k > 0 && p.m < kLargest && p.n < kLargest && p.k < kLargest;
}

std::int64_t OwnGeluGemm::partial_rows(const OwnGeluProblem &problem)
{
    return (problem.m + kRows - 1) / kRows;
}

OwnGeluGemm::OwnGeluGemm(const OwnGeluProblem &problem, int tile)
    : m_problem(problem)
    , m_tile(tile)
    , m_multiprocessors(ask(cudaDevAttrMultiProcessorCount))
{
}

void OwnGeluGemm::run(const OwnGeluPointers &at, cudaStream_t stream) const
{
    const OwnGeluProblem &p = m_problem;
    const TileChoice &choice = kChoices[m_tile];
    const int columns = choice.columns;
    const int blocks = choice.blocks;
    Launch of;
    of.maps.a = describe(p.type, at.a, p.m, p.k, kRows);
    of.maps.b = p.epilogue == GeluEpilogue::Forward ? describe(p.type, at.b, p.n, p.k, columns / blocks)
                                                    : describe(p.type, at.b, p.k, p.n, kDepth / blocks);
    of.params = {static_cast<int>(p.m), static_cast<int>(p.n), static_cast<int>(p.k), choice.apart, at};
    const std::int64_t rows = static_cast<std::int64_t>(kRows) * blocks;
    const std::int64_t tiles = (p.m + rows - 1) / rows * (p.n / columns);
    of.blocks = blocks * static_cast<int>(std::min<std::int64_t>(tiles, m_multiprocessors / blocks));
    of.stream = stream;
    if (p.type == Type::F16)
        launch_epilogue<__half>(p.epilogue, choice, of);
    else
        launch_epilogue<__nv_bfloat16>(p.epilogue, choice, of);
}

} // namespace sbtrain::cuda
