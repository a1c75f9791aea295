// SPDX-License-Identifier: Apache-2.0
#pragma once

// Descriptions of tensors from which Hopper's copy engine takes boxes (CUtensorMap).

#include <cstdint>
#include <cuda.h>
#include <vector>

namespace sbtrain::cuda {

// A tensor at `base`, innermost dimension first: its sizes in elements, distances in bytes of all dimensions
// but the innermost, and the box of one copy. Outside the tensor boxes read zeros. TFLOAT32 is rounded as it
// is read. Throws CudaError.
CUtensorMap describe_tensor(CUtensorMapDataType type, const void *base,
                            const std::vector<std::int64_t> &sizes, const std::vector<std::int64_t> &strides,
                            const std::vector<std::int64_t> &box, CUtensorMapSwizzle swizzle);

} // namespace sbtrain::cuda
