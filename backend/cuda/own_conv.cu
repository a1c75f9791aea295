// SPDX-License-Identifier: Apache-2.0

// The host's side of own_conv_kernel.cuh: maps of the tensors, launch.

#include "own_conv.h"

#include "check.h"
#include "own_conv_kernel.cuh"
#include "tensor_map.h"

#include <algorithm>

namespace sbtrain::cuda {

namespace {

template <int Width>
void launch(const OwnConvProblem &of, const float *x, const float *w, float *y, int multiprocessors,
            cudaStream_t stream)
{
    using Tile = ConvTile<Width>;
    constexpr int kChannels = ConvSizes<Width>::kChannels, kShared = ConvSizes<Width>::kShared;
    static_assert(kShared <= 227 * 1024 && Width % Tile::rows == 0);
    const ConvMaps maps{describe_tensor(CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, x, {of.c, Width, Width, of.n},
                                        {of.c * 4, Width * of.c * 4, Width * Width * of.c * 4},
                                        {32, Width + 1, Tile::rows + 2, Tile::images},
                                        CU_TENSOR_MAP_SWIZZLE_128B),
                        describe_tensor(CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, w, {9 * of.c, of.k}, {9 * of.c * 4},
                                        {32, kChannels}, CU_TENSOR_MAP_SWIZZLE_128B)};
    ConvParams p;
    p.n = static_cast<int>(of.n);
    p.c = static_cast<int>(of.c);
    p.k = static_cast<int>(of.k);
    p.tiles_k = p.k / kChannels;
    p.tiles = p.tiles_k * (Width / Tile::rows) * ((p.n + Tile::images - 1) / Tile::images);
    p.y = y;
    static const cudaError_t allowed =
        cudaFuncSetAttribute(own_conv_kernel<Width>, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
    check(allowed, "reserve shared memory");
    own_conv_kernel<Width>
        <<<static_cast<unsigned>(std::min(p.tiles, multiprocessors)), 384, kShared, stream>>>(maps, p);
    check(cudaGetLastError(), "convolve");
}

} // namespace

bool OwnConv::available(int capability)
{
    return capability == 90;
}

bool OwnConv::fits(const OwnConvProblem &p)
{
    const bool sized = p.size == 56 || p.size == 28 || p.size == 14 || p.size == 7;
    return sized && p.c % 32 == 0 && p.k % (p.size == 56 ? 64 : 128) == 0 &&
           p.n * p.size * p.size < std::int64_t{1} << 31;
}

OwnConv::OwnConv(const OwnConvProblem &problem, int multiprocessors)
    : m_problem(problem)
    , m_multiprocessors(multiprocessors)
{
}

void OwnConv::run(const float *x, const float *w, float *y, cudaStream_t stream) const
{
    if (m_problem.size == 56)
        launch<56>(m_problem, x, w, y, m_multiprocessors, stream);
    else if (m_problem.size == 28)
        launch<28>(m_problem, x, w, y, m_multiprocessors, stream);
    else if (m_problem.size == 14)
        launch<14>(m_problem, x, w, y, m_multiprocessors, stream);
    else
        launch<7>(m_problem, x, w, y, m_multiprocessors, stream);
}

} // namespace sbtrain::cuda
