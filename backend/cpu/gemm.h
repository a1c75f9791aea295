// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace sbtrain::cpu {

// Row-major C (m, n) = alpha * op(A) (m, k) * op(B) (k, n) + beta * C. Leading dimensions are those of the
// stored matrices. Runs on all threads, or on one when called from inside a parallel region.
struct GemmArgs {
    bool transpose_a = false;
    bool transpose_b = false;
    std::int64_t m = 0, n = 0, k = 0;
    const float *a = nullptr;
    std::int64_t lda = 0;
    const float *b = nullptr;
    std::int64_t ldb = 0;
    float *c = nullptr;
    std::int64_t ldc = 0;
    float alpha = 1.0F;
    float beta = 0.0F;
};
void gemm(const GemmArgs &args);

} // namespace sbtrain::cpu
