// SPDX-License-Identifier: Apache-2.0

// The host's side of own_wgrad_kernel.cuh, own_wgrad_pointwise.cuh and own_wgrad_stem.cuh: maps of the rows,
// shares of the blocks, launch.

#include "own_wgrad.h"

#include "check.h"
#include "own_wgrad_kernel.cuh"
#include "own_wgrad_pointwise.cuh"
#include "own_wgrad_stem.cuh"
#include "own_wgrad_sums.h"
#include "tensor_map.h"

#include <algorithm>

namespace sbtrain::cuda {

namespace {

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b)
{
    return (a + b - 1) / b;
}

// How the rows of a 3x3 convolution make steps.
struct RowSteps {
    int shift = 0; // tf32: log2 of the runs a row
    std::int64_t width = 0, x_width = 0, images = 0, strips = 0, units = 0;

    explicit RowSteps(const OwnWgradProblem &p)
    {
        const bool single = p.type == Type::F32;
        const std::int64_t least = single ? kRun : 8;
        while (shift < 3 && least << shift < (single ? p.w : p.w + 1))
            ++shift;
        width = least << shift;
        x_width = single ? p.stride * (width - 1) + 3 : width;
        images = (single ? 8 : kPixels / 8) >> shift;
        strips = ceil_div(p.w, width);
        units = ceil_div(p.n, images) * strips;
    }
};

std::size_t floats_of(const OwnWgradProblem &p)
{
    return static_cast<std::size_t>(p.k * p.kernel * p.kernel * p.c);
}

CUtensorMapDataType data_type(Type type)
{
    return type == Type::F32   ? CU_TENSOR_MAP_DATA_TYPE_TFLOAT32
           : type == Type::F16 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16
                               : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
}

// (images, h, w, channels) in boxes of one row.
CUtensorMap describe_rows(Type type, const void *base, const std::vector<std::int64_t> &sizes,
                          const std::vector<std::int64_t> &box, CUtensorMapSwizzle swizzle)
{
    const std::int64_t pixel = sizes[0] * static_cast<std::int64_t>(size_of(type)), row = sizes[1] * pixel;
    return describe_tensor(data_type(type), base, sizes, {pixel, row, sizes[2] * row}, box, swizzle);
}

// The larger side's channels are the rows of a tile of a 1x1 convolution.
std::int64_t pointwise_rows(const OwnWgradProblem &p)
{
    return std::max(p.c, p.k);
}
std::int64_t pointwise_columns(const OwnWgradProblem &p)
{
    return std::min(p.c, p.k);
}
int pointwise_tile(const OwnWgradProblem &p)
{
    return pointwise_columns(p) == 64 ? 64 : 128;
}

// What is dealt out over the blocks of a tile.
std::int64_t shares_of(const OwnWgradProblem &p)
{
    if (p.kernel == 4)
        return p.n;
    return p.kernel == 1 ? ceil_div(p.n * p.h * p.w, kPointwisePixels) : RowSteps(p).units;
}

std::int64_t tiles_of(const OwnWgradProblem &p)
{
    if (p.kernel == 4)
        return 1;
    return p.kernel == 1 ? pointwise_rows(p) / kPointwiseRows * (pointwise_columns(p) / pointwise_tile(p))
                         : p.k / kChannels * (p.c / kChannels);
}

template <typename T, int Stride>
void launch_windows(int blocks, const WgradMaps &maps, const WgradParams &p, cudaStream_t stream)
{
    constexpr int kShared = WgradSizes<T, Stride>::kShared;
    static_assert(kShared <= 227 * 1024);
    static const cudaError_t allowed = cudaFuncSetAttribute(
        own_wgrad_kernel<T, Stride>, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
    check(allowed, "reserve shared memory");
    own_wgrad_kernel<T, Stride><<<static_cast<unsigned>(blocks), 512, kShared, stream>>>(maps, p);
    check(cudaGetLastError(), "make a weight gradient");
}

template <int N>
void launch_pointwise(int blocks, const PointwiseMaps &maps, const PointwiseParams &p, cudaStream_t stream)
{
    constexpr int kShared = PointwiseSizes<N>::kShared;
    static_assert(kShared <= 227 * 1024);
    static const cudaError_t allowed = cudaFuncSetAttribute(
        own_wgrad_pointwise_kernel<N>, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
    check(allowed, "reserve shared memory");
    own_wgrad_pointwise_kernel<N>
        <<<static_cast<unsigned>(blocks), kPointwiseThreads, kShared, stream>>>(maps, p);
    check(cudaGetLastError(), "make a weight gradient");
}

template <typename T>
void launch_stem(int blocks, const WgradMaps &maps, const StemParams &p, cudaStream_t stream)
{
    constexpr int kShared = StemSizes<T>::kShared;
    static_assert(kShared <= 227 * 1024);
    static const cudaError_t allowed =
        cudaFuncSetAttribute(own_wgrad_stem_kernel<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
    check(allowed, "reserve shared memory");
    own_wgrad_stem_kernel<T><<<static_cast<unsigned>(blocks), 384, kShared, stream>>>(maps, p);
    check(cudaGetLastError(), "make a weight gradient");
}

} // namespace

bool OwnWgrad::available(int capability)
{
    return capability == 90;
}

bool OwnWgrad::fits(const OwnWgradProblem &p)
{
    if (p.n * p.h * p.w * 4 >= std::int64_t{1} << 31)
        return false;
    if (p.kernel == 4)
        return p.stride == 1 && p.c == 16 && p.k == 64 && p.w <= kStemPixels;
    if (p.kernel == 1)
        return p.type == Type::F32 && p.stride == 1 && pointwise_rows(p) % kPointwiseRows == 0 &&
               (pointwise_columns(p) == 64 || pointwise_columns(p) % 128 == 0);
    return p.kernel == 3 && p.c % kChannels == 0 && p.k % kChannels == 0 &&
           (p.type == Type::F32 ? p.stride == 1 || p.stride == 2 : p.stride == 1 && p.w < 64);
}

OwnWgrad::OwnWgrad(const OwnWgradProblem &problem, int multiprocessors)
    : m_problem(problem)
    , m_tiles(static_cast<int>(tiles_of(problem)))
{
    // No more splits than the longest share needs.
    const std::int64_t shares = shares_of(problem);
    const std::int64_t most = std::clamp<std::int64_t>(multiprocessors / m_tiles, 1, shares);
    m_splits = static_cast<int>(ceil_div(shares, ceil_div(shares, most))) * (problem.kernel == 4 ? 2 : 1);
}

std::size_t OwnWgrad::workspace_bytes() const
{
    return in_place() ? 0 : static_cast<std::size_t>(m_splits) * floats_of(m_problem) * 4;
}

void OwnWgrad::run(const void *x, const void *dy, void *dw, void *workspace, cudaStream_t stream) const
{
    auto *out = static_cast<float *>(in_place() ? dw : workspace);
    if (m_problem.kernel == 4)
        run_stem(x, dy, out, stream);
    else if (m_problem.kernel == 1)
        run_pointwise(x, dy, out, stream);
    else
        run_windows(x, dy, out, stream);
    if (!in_place())
        sum_splits(m_problem.type, out, m_splits, floats_of(m_problem), dw, stream);
}

void OwnWgrad::run_stem(const void *x, const void *dy, float *out, cudaStream_t stream) const
{
    const OwnWgradProblem &of = m_problem;
    const CUtensorMapDataType type = data_type(of.type);
    const auto size = static_cast<std::int64_t>(size_of(of.type));
    const std::int64_t pixel = 16 * size, x_row = (of.w + 3) * pixel, dy_row = of.w * 64 * size;
    // 16 bit: windows of four pixels in place of pixels.
    const bool single = of.type == Type::F32;
    const WgradMaps maps{describe_tensor(type, x,
                                         {single ? 16 : 64, single ? of.w + 3 : of.w, of.h + 3, of.n},
                                         {pixel, x_row, (of.h + 3) * x_row},
                                         {single ? 16 : 64, single ? kStemPixels + 3 : kStemPixels, 1, 1},
                                         single ? CU_TENSOR_MAP_SWIZZLE_NONE : CU_TENSOR_MAP_SWIZZLE_128B),
                         describe_tensor(type, dy, {64, of.w, of.h, of.n}, {64 * size, dy_row, of.h * dy_row},
                                         {single ? 32 : 64, kStemPixels, 1, 1}, CU_TENSOR_MAP_SWIZZLE_128B)};
    StemParams p;
    p.rows = static_cast<int>(of.h);
    p.images = static_cast<int>(of.n);
    p.out = out;
    if (single)
        launch_stem<float>(m_splits / 2, maps, p, stream);
    else if (of.type == Type::F16)
        launch_stem<__half>(m_splits / 2, maps, p, stream);
    else
        launch_stem<__nv_bfloat16>(m_splits / 2, maps, p, stream);
}

void OwnWgrad::run_windows(const void *x, const void *dy, float *out, cudaStream_t stream) const
{
    const OwnWgradProblem &of = m_problem;
    const RowSteps steps(of);
    const bool single = of.type == Type::F32;
    const WgradMaps maps{describe_rows(of.type, x, {of.c, of.stride * of.w, of.stride * of.h, of.n},
                                       {kChannels, steps.x_width, 1, steps.images},
                                       single ? CU_TENSOR_MAP_SWIZZLE_NONE : CU_TENSOR_MAP_SWIZZLE_128B),
                         describe_rows(of.type, dy, {of.k, of.w, of.h, of.n},
                                       {single ? 32 : kChannels, steps.width, 1, steps.images},
                                       CU_TENSOR_MAP_SWIZZLE_128B)};
    WgradParams p;
    p.height = static_cast<int>(of.h);
    p.images = static_cast<int>(steps.images);
    p.width = static_cast<int>(steps.width);
    p.x_width = static_cast<int>(steps.x_width);
    p.runs_shift = steps.shift;
    p.strips = static_cast<int>(steps.strips);
    p.units = static_cast<int>(steps.units);
    p.splits = m_splits;
    p.tiles_ci = static_cast<int>(of.c / kChannels);
    p.ci = static_cast<int>(of.c);
    p.split_stride = static_cast<std::int64_t>(floats_of(of));
    p.out = out;
    const int blocks = m_tiles * m_splits;
    if (of.type == Type::F16)
        launch_windows<__half, 1>(blocks, maps, p, stream);
    else if (of.type == Type::BF16)
        launch_windows<__nv_bfloat16, 1>(blocks, maps, p, stream);
    else if (of.stride == 1)
        launch_windows<float, 1>(blocks, maps, p, stream);
    else
        launch_windows<float, 2>(blocks, maps, p, stream);
}

void OwnWgrad::run_pointwise(const void *x, const void *dy, float *out, cudaStream_t stream) const
{
    const OwnWgradProblem &of = m_problem;
    const std::int64_t pixels = of.n * of.h * of.w, rows = pointwise_rows(of),
                       columns = pointwise_columns(of);
    const bool transposed = of.c > of.k;
    const int tile = pointwise_tile(of);
    // a in blocks of 32 channels, which makes a step one copy.
    const PointwiseMaps maps{
        describe_tensor(CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, transposed ? x : dy, {32, pixels, rows / 32, 1},
                        {rows * 4, 128, pixels * rows * 4}, {32, kPointwisePixels, kPointwiseRows / 32, 1},
                        CU_TENSOR_MAP_SWIZZLE_128B),
        describe_tensor(CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, transposed ? dy : x, {columns, pixels},
                        {columns * 4}, {tile, kPointwisePixels}, CU_TENSOR_MAP_SWIZZLE_NONE)};
    PointwiseParams p;
    p.steps = static_cast<int>(shares_of(of));
    p.splits = m_splits;
    p.tiles_n = static_cast<int>(columns / tile);
    p.columns = static_cast<int>(of.c);
    p.transposed = transposed;
    p.split_stride = static_cast<std::int64_t>(floats_of(of));
    p.out = out;
    if (tile == 64)
        launch_pointwise<64>(m_tiles * m_splits, maps, p, stream);
    else
        launch_pointwise<128>(m_tiles * m_splits, maps, p, stream);
}

} // namespace sbtrain::cuda
