// SPDX-License-Identifier: Apache-2.0

// The host's side of own_gemm_kernel.cuh and own_gemm_tf32.cuh: maps of the tiles, choice of the instance,
// launch.

#include "own_gemm.h"

#include "check.h"
#include "own_gemm_kernel.cuh"
#include "own_gemm_tf32.cuh"
#include "tensor_map.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace sbtrain::cuda {

namespace {

OwnGemm::Map encode(CUtensorMapDataType data, const void *base, const std::vector<std::int64_t> &sizes,
                    const std::vector<std::int64_t> &strides, const std::vector<std::int64_t> &box)
{
    const CUtensorMap map = describe_tensor(data, base, sizes, strides, box, CU_TENSOR_MAP_SWIZZLE_128B);
    OwnGemm::Map out;
    static_assert(sizeof out == sizeof map);
    std::memcpy(&out, &map, sizeof out);
    return out;
}

bool is_single(CUtensorMapDataType data)
{
    return data == CU_TENSOR_MAP_DATA_TYPE_FLOAT32 || data == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
}

// A row-major matrix, read or written in boxes of 128 bytes a row. Factors of fp32 are rounded to tf32 as
// they are read; the tensor cores would cut them off, which makes every product smaller.
OwnGemm::Map describe(CUtensorMapDataType data, const void *base, std::int64_t rows, std::int64_t columns,
                      int box_rows)
{
    return encode(data, base, {columns, rows}, {columns * (is_single(data) ? 4 : 2)},
                  {is_single(data) ? 32 : 64, box_rows});
}

// Pixels of `channels` numbers that lie `step` numbers apart: more channels than step makes overlapping
// windows.
OwnGemm::Map describe_pixels(CUtensorMapDataType data, const void *base,
                             const std::vector<std::int64_t> &size, std::int64_t step, std::int64_t row_step)
{
    // size: images, rows, pixels a row; rows of an image lie row_step numbers apart, images size[3] numbers.
    const std::int64_t bytes = is_single(data) ? 4 : 2;
    return encode(data, base, {64, size[2], size[1], size[0]},
                  {step * bytes, row_step * bytes, size[3] * bytes}, {is_single(data) ? 32 : 64, 16, 8, 1});
}

CUtensorMapDataType data_type(Type type, bool factor)
{
    if (type == Type::F16)
        return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    if (type == Type::BF16)
        return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    return factor ? CU_TENSOR_MAP_DATA_TYPE_TFLOAT32 : CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
}

int tile_columns(const OwnGemmProblem &problem)
{
    return problem.n % 128 == 0 ? 128 : 64;
}

int blocks_of(const OwnGemmProblem &problem, int multiprocessors)
{
    const int columns = static_cast<int>(problem.n) / tile_columns(problem);
    const int rows = static_cast<int>((problem.m + kRows - 1) / kRows);
    return columns * std::max(std::min(multiprocessors / columns, rows), 1);
}

template <typename T, Prologue P, Epilogue E, int BN>
void launch(int blocks, const OwnGemm::Maps &maps, const Params &p, cudaStream_t stream)
{
    constexpr bool kSingle = std::is_same_v<T, float>;
    constexpr int kShared = kSingle ? tf32_sizes(E, BN).shared : shared_bytes(P, E, BN);
    static_assert((kSingle ? tf32_sizes(E, BN).stages : stages_of(P, E, BN)) >= 2 && kShared <= 227 * 1024);
    constexpr auto kernel = [] {
        if constexpr (kSingle)
            return own_gemm_tf32_kernel<E, BN>;
        else
            return own_gemm_kernel<T, P, E, BN>;
    }();
    static const cudaError_t allowed =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
    check(allowed, "reserve shared memory");
    kernel<<<blocks, 128 * groups_of(P), kShared, stream>>>(maps, p);
    check(cudaGetLastError(), "multiply");
}

template <typename T, Prologue P, Epilogue E>
void launch_columns(int bn, int blocks, const OwnGemm::Maps &maps, const Params &p, cudaStream_t stream)
{
    if (bn == 128)
        launch<T, P, E, 128>(blocks, maps, p, stream);
    else
        launch<T, P, E, 64>(blocks, maps, p, stream);
}

template <typename T>
void launch_variant(const OwnGemmProblem &problem, int blocks, const OwnGemm::Maps &maps, const Params &p,
                    cudaStream_t stream)
{
    const int bn = tile_columns(problem);
    if constexpr (!std::is_same_v<T, float>) {
        if (problem.prologue == Prologue::Normalise)
            return launch_columns<T, Prologue::Normalise, Epilogue::Stats>(bn, blocks, maps, p, stream);
        if (problem.prologue == Prologue::NormaliseBoth)
            return launch_columns<T, Prologue::NormaliseBoth, Epilogue::Stats>(bn, blocks, maps, p, stream);
        if (problem.prologue == Prologue::Apply)
            return launch_columns<T, Prologue::Apply, Epilogue::MaskFromX>(bn, blocks, maps, p, stream);
        if (problem.epilogue == Epilogue::AddEvenMaskBits)
            return launch_columns<T, Prologue::None, Epilogue::AddEvenMaskBits>(bn, blocks, maps, p, stream);
    }
    switch (problem.epilogue) {
    case Epilogue::Stats:
        return launch_columns<T, Prologue::None, Epilogue::Stats>(bn, blocks, maps, p, stream);
    case Epilogue::MaskFromX:
        return launch_columns<T, Prologue::None, Epilogue::MaskFromX>(bn, blocks, maps, p, stream);
    case Epilogue::AddMaskBits:
        return launch_columns<T, Prologue::None, Epilogue::AddMaskBits>(bn, blocks, maps, p, stream);
    case Epilogue::AddEvenMaskBits: // above
        return;
    }
}

} // namespace

bool OwnGemm::available(int capability)
{
    return capability == 90;
}

bool OwnGemm::fits(const OwnGemmProblem &problem)
{
    const WindowRows &v = problem.windows;
    if (v.images > 0 && (problem.n != 64 || problem.k != 256 || v.p % 8 != 0 || v.q % 16 != 0 ||
                         v.p + 3 != v.h || v.q + 3 != v.w || problem.epilogue != Epilogue::Stats))
        return false;
    const Epilogue before = problem.prologue == Prologue::Apply ? Epilogue::MaskFromX : Epilogue::Stats;
    if (problem.prologue != Prologue::None &&
        (problem.type == Type::F32 || v.images > 0 || problem.epilogue != before ||
         problem.n != tile_columns(problem)))
        return false;
    if (problem.epilogue == Epilogue::AddEvenMaskBits &&
        (problem.type == Type::F32 || problem.width <= 0 || problem.width % 2 != 0 ||
         problem.m % (2 * problem.width) != 0))
        return false;
    return problem.n % 64 == 0 && problem.k % 64 == 0 && problem.m < (std::int64_t{1} << 31) - 128 &&
           problem.n <= 8192;
}

int OwnGemm::partial_rows(const OwnGemmProblem &problem, int multiprocessors)
{
    return blocks_of(problem, multiprocessors) / (static_cast<int>(problem.n) / tile_columns(problem));
}

OwnGemm::OwnGemm(const OwnGemmProblem &problem, const OwnGemmPointers &at, int multiprocessors)
    : m_problem(problem)
    , m_at(at)
    , m_blocks(blocks_of(problem, multiprocessors))
    , m_partial_rows(partial_rows(problem, multiprocessors))
{
    const CUtensorMapDataType factor = data_type(problem.type, true);
    const auto tile = [&](const void *base) {
        return describe(data_type(problem.type, false), base, problem.m, problem.n, kRows);
    };
    const WindowRows &v = problem.windows;
    if (v.images > 0) {
        m_maps.a = describe_pixels(factor, at.a, {v.images, v.h, v.q, v.h * v.w * 16}, 16, v.w * 16);
        m_maps.c = describe_pixels(factor, at.c, {v.images, v.p, v.q, v.p * v.q * 64}, 64, v.q * 64);
    } else {
        const bool made = problem.prologue != Prologue::None;
        const auto left = [&](const void *base) {
            return describe(factor, base, problem.m, problem.k, kRows);
        };
        m_maps.a = left(made ? at.sources.x : at.a);
        m_maps.other = made ? left(at.sources.other) : m_maps.a;
        m_maps.made = made ? left(at.sources.made) : m_maps.a;
        m_maps.c = tile(at.c);
    }
    m_maps.b = describe(factor, at.b, problem.n, problem.k, tile_columns(problem));
    m_maps.x = tile(at.x != nullptr ? at.x : at.c);
    if (problem.epilogue == Epilogue::AddEvenMaskBits)
        m_maps.g = describe(data_type(problem.type, false), at.g, problem.m / 4, problem.n, kEvenRows);
    else
        m_maps.g = tile(at.g != nullptr ? at.g : at.c);
}

void OwnGemm::run(cudaStream_t stream) const
{
    const Params p{static_cast<int>(m_problem.m),
                   static_cast<int>(m_problem.n),
                   static_cast<int>(m_problem.k),
                   static_cast<int>(m_problem.windows.q / 16),
                   static_cast<int>(m_problem.windows.p / 8),
                   static_cast<int>(m_problem.width),
                   m_at};
    if (m_problem.type == Type::F32)
        launch_variant<float>(m_problem, m_blocks, m_maps, p, stream);
    else if (m_problem.type == Type::F16)
        launch_variant<__half>(m_problem, m_blocks, m_maps, p, stream);
    else
        launch_variant<__nv_bfloat16>(m_problem, m_blocks, m_maps, p, stream);
}

} // namespace sbtrain::cuda
