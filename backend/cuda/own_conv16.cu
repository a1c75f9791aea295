// SPDX-License-Identifier: Apache-2.0

// The host's side of own_conv16_kernel.cuh: maps of the tensors, choice of the instance, launch.

#include "own_conv16.h"

#include "check.h"
#include "own_conv16_kernel.cuh"
#include "tensor_map.h"

#include <cstring>
#include <vector>

namespace sbtrain::cuda {

namespace {

CUtensorMapDataType data_type(Type type)
{
    return type == Type::F16 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16 : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
}

OwnGemm::Map encode(Type type, const void *base, const std::vector<std::int64_t> &sizes,
                    const std::vector<std::int64_t> &strides, const std::vector<std::int64_t> &box)
{
    const CUtensorMap map =
        describe_tensor(data_type(type), base, sizes, strides, box, CU_TENSOR_MAP_SWIZZLE_128B);
    OwnGemm::Map out;
    static_assert(sizeof out == sizeof map);
    std::memcpy(&out, &map, sizeof out);
    return out;
}

// Pixels of images in boxes of 64 channels, a row and one more pixel, `rows` rows of `images` images; images
// are in front of rows if a box has several.
OwnGemm::Map describe_images(const OwnConv16Problem &of, const void *base, std::int64_t channels,
                             std::int64_t rows, std::int64_t images)
{
    const std::int64_t width = of.size, row = width * channels * 2;
    if (images > 1)
        return encode(of.type, base, {channels, width, of.n, width}, {channels * 2, width * row, row},
                      {64, width + 1, images, rows});
    return encode(of.type, base, {channels, width, width, of.n}, {channels * 2, row, width * row},
                  {64, width + 1, rows, 1});
}

int channels_of_tile(const OwnConv16Problem &problem)
{
    return problem.size == 56 ? 64 : 128;
}

// Calls with(width of images, a constant).
template <typename With>
auto with_width(std::int64_t size, const With &with)
{
    if (size == 56)
        return with(std::integral_constant<int, 56>());
    if (size == 28)
        return with(std::integral_constant<int, 28>());
    if (size == 14)
        return with(std::integral_constant<int, 14>());
    return with(std::integral_constant<int, 7>());
}

int tiles_of(const OwnConv16Problem &problem)
{
    return with_width(problem.size, [&](auto width) {
        using Sizes = Conv16Sizes<width>;
        return static_cast<int>((problem.n + Sizes::images - 1) / Sizes::images) * Sizes::kDown;
    });
}

// Blocks that share a tile of channels.
int blocks_of_column(const OwnConv16Problem &problem, int multiprocessors)
{
    const int columns = static_cast<int>(problem.k) / channels_of_tile(problem);
    return std::max(std::min(multiprocessors / columns, tiles_of(problem)), 1);
}

template <typename T, Epilogue E, int Width>
void launch(int blocks, const OwnConv16::Maps &maps, const Conv16Params &p, cudaStream_t stream)
{
    constexpr bool kResident = Width == 56;
    constexpr int kShared = Conv16Layout<Width, kResident>::kShared;
    constexpr auto kernel = own_conv16_kernel<T, E, Width, kResident>;
    static const cudaError_t allowed =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
    check(allowed, "reserve shared memory");
    kernel<<<static_cast<unsigned>(blocks), 384, kShared, stream>>>(maps, p);
    check(cudaGetLastError(), "convolve");
}

template <typename T, Epilogue E>
void launch_width(std::int64_t size, int blocks, const OwnConv16::Maps &maps, const Conv16Params &p,
                  cudaStream_t stream)
{
    with_width(size, [&](auto width) { launch<T, E, width>(blocks, maps, p, stream); });
}

template <typename T>
void launch_epilogue(const OwnConv16Problem &problem, int blocks, const OwnConv16::Maps &maps,
                     const Conv16Params &p, cudaStream_t stream)
{
    if (problem.epilogue == Epilogue::Stats)
        launch_width<T, Epilogue::Stats>(problem.size, blocks, maps, p, stream);
    else
        launch_width<T, Epilogue::MaskFromX>(problem.size, blocks, maps, p, stream);
}

} // namespace

bool OwnConv16::available(int capability)
{
    return capability == 90;
}

bool OwnConv16::fits(const OwnConv16Problem &p)
{
    const bool sized = p.size == 56 || p.size == 28 || p.size == 14 || p.size == 7;
    return sized && p.type != Type::F32 &&
           (p.epilogue == Epilogue::Stats || p.epilogue == Epilogue::MaskFromX) && p.n > 0 && p.k <= 8192 &&
           (p.size == 56 ? p.c == 64 : p.c % 64 == 0) && p.k % channels_of_tile(p) == 0 &&
           p.n * p.size * p.size < std::int64_t{1} << 31;
}

int OwnConv16::partial_rows(const OwnConv16Problem &problem, int multiprocessors)
{
    return blocks_of_column(problem, multiprocessors) * (problem.size == 56 ? 2 : 1);
}

OwnConv16::OwnConv16(const OwnConv16Problem &problem, const OwnConv16Pointers &at, int multiprocessors)
    : m_problem(problem)
    , m_at(at)
    , m_blocks(blocks_of_column(problem, multiprocessors) *
               (static_cast<int>(problem.k) / channels_of_tile(problem)))
    , m_partial_rows(partial_rows(problem, multiprocessors))
{
    with_width(problem.size, [&](auto width) {
        using Tile = Conv16Tile<width>;
        m_maps.x = describe_images(problem, at.x, problem.c, Tile::rows + 2, Tile::images);
        m_maps.y = describe_images(problem, at.y, problem.k, Tile::rows, Tile::images);
        m_maps.other = at.other == nullptr
                           ? m_maps.y
                           : describe_images(problem, at.other, problem.k, Tile::rows, Tile::images);
    });
    const std::int64_t box = channels_of_tile(problem);
    if (problem.turned)
        m_maps.w = encode(problem.type, at.w, {problem.c, 9 * problem.k}, {problem.c * 2}, {64, box});
    else
        m_maps.w = encode(problem.type, at.w, {9 * problem.c, problem.k}, {9 * problem.c * 2}, {64, box});
}

void OwnConv16::run(cudaStream_t stream) const
{
    Conv16Params p;
    p.c = static_cast<int>(m_problem.c);
    p.k = static_cast<int>(m_problem.k);
    p.tiles = tiles_of(m_problem);
    p.columns = p.k / channels_of_tile(m_problem);
    p.turned = m_problem.turned;
    p.at = m_at;
    if (m_problem.type == Type::F16)
        launch_epilogue<__half>(m_problem, m_blocks, m_maps, p, stream);
    else
        launch_epilogue<__nv_bfloat16>(m_problem, m_blocks, m_maps, p, stream);
}

} // namespace sbtrain::cuda
