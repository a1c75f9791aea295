// SPDX-License-Identifier: Apache-2.0
#include "tensor_map.h"

#include "check.h"

#include <cuda_runtime.h>

namespace sbtrain::cuda {

namespace {

using Encode = CUresult (*)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *,
                            const cuuint64_t *, const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave,
                            CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

// The driver's library is not linked: machines without a GPU have none.
Encode find_encode()
{
    void *function = nullptr;
    cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12050
    const cudaError_t status = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                                                cudaEnableDefault, &result);
#else
    const cudaError_t status =
        cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &result);
#endif
    if (status != cudaSuccess || result != cudaDriverEntryPointSuccess || function == nullptr)
        throw CudaError(ExitCode::Unsupported, "the driver cannot describe tiles: update it");
    return reinterpret_cast<Encode>(function);
}

} // namespace

CUtensorMap describe_tensor(CUtensorMapDataType type, const void *base,
                            const std::vector<std::int64_t> &sizes, const std::vector<std::int64_t> &strides,
                            const std::vector<std::int64_t> &box, CUtensorMapSwizzle swizzle)
{
    static const Encode encode = find_encode();
    const std::vector<cuuint64_t> wide_sizes(sizes.begin(), sizes.end());
    const std::vector<cuuint64_t> wide_strides(strides.begin(), strides.end());
    const std::vector<cuuint32_t> box_sizes(box.begin(), box.end());
    const std::vector<cuuint32_t> steps(sizes.size(), 1);
    CUtensorMap map{};
    const CUresult status =
        encode(&map, type, static_cast<cuuint32_t>(sizes.size()), const_cast<void *>(base), wide_sizes.data(),
               wide_strides.data(), box_sizes.data(), steps.data(), CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
               CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (status != CUDA_SUCCESS)
        throw CudaError(ExitCode::Internal,
                        "cannot describe a tile: driver status " + std::to_string(status));
    return map;
}

} // namespace sbtrain::cuda
