// SPDX-License-Identifier: Apache-2.0
#pragma once

// Many small matrix products of one shape in strict fp32, on the ordinary arithmetic units, as attention's
// heads are: a block a tile, so that a product of 128 x 128 x 64 does not cost a launch's worth of waiting. A
// thread keeps 8 x 16 sums, so that shared memory is not what limits it.

#include <cstdint>
#include <cuda_runtime.h>

namespace sbtrain::cuda {

// c[i] (m, n) = op(a[i]) op(b[i]), row-major; op(a) is (m, k), op(b) is (k, n). ld in elements.
struct SmallProducts {
    bool transpose_a = false, transpose_b = false;
    std::int64_t m = 0, n = 0, k = 0;
    std::int64_t lda = 0, ldb = 0, ldc = 0;
    void **a = nullptr, **b = nullptr, **c = nullptr; // `count` addresses each, on the device
    std::int64_t count = 0;
};

// k a multiple of 8; m, n and leading dimensions multiples of 4; m and n at most 1024.
bool own_small_products_fit(const SmallProducts &products);
void multiply_small(const SmallProducts &products, cudaStream_t stream);

} // namespace sbtrain::cuda
