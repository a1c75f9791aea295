// SPDX-License-Identifier: Apache-2.0
#pragma once

// Matrix products by cuBLASLt, row-major; in fp32 by own_split_gemm.h where that is faster.

#include "counters.h"
#include "precision.h"
#include "tuner.h"

#include <cstdint>
#include <cublasLt.h>
#include <memory>
#include <vector>

namespace sbtrain::cuda {

// c (m, n) = op(a) op(b) + beta c [+ bias over columns]; op(a) is (m, k), op(b) is (k, n). ld in elements.
struct GemmProblem {
    bool transpose_a = false; // a is stored (k, m)
    bool transpose_b = false; // b is stored (n, k)
    std::int64_t m = 0, n = 0, k = 0;
    std::int64_t lda = 0, ldb = 0, ldc = 0;
    Type type = Type::F32;
    Type out = Type::F32;
    bool tf32 = false;
    bool accumulate = false; // beta = 1
    bool bias = false;       // added to every row; of the type of c
    bool gelu = false;       // z = the product + bias, c = gelu(z) in its tanh form
};

// What an algorithm may take: enough for those that are good on large devices.
constexpr std::size_t kGemmWorkspace = std::size_t{32} << 20;

// False where the environment says SBTRAIN_OWN_GEMM=0.
bool own_products_wanted();
// Products of fp32 numbers in parts (own_split_gemm.h, own_attention_fp32.h). False with
// SBTRAIN_SPLIT_FP32=0, too.
bool split_products_wanted();

struct ProductLibrary {
    cublasLtHandle_t handle = nullptr;
    Counters *counters = nullptr; // for products of recorded steps, if any are
};

struct GemmPointers {
    const void *a = nullptr;
    const void *b = nullptr;
    void *c = nullptr;
    const void *bias = nullptr;
    void *z = nullptr; // (m, n) as c, with gelu
};

class Gemm {
public:
    // Asks for algorithms, with `widely` for more of them, each of which takes milliseconds to load; throws
    // CudaError if there is none, but for a product with GELU, whose tune() is then infinite.
    Gemm(const ProductLibrary &library, const GemmProblem &problem, bool widely);
    ~Gemm();
    Gemm(const Gemm &) = delete;
    Gemm &operator=(const Gemm &) = delete;

    // The first time: times the algorithms where a product will happen and keeps the best. Returns its
    // milliseconds.
    float tune(Tuner &tuner, const GemmPointers &at, void *workspace, cudaStream_t stream);
    void run(const GemmPointers &at, void *workspace, cudaStream_t stream) const;
    // kGemmWorkspace before tune(), what the chosen algorithm takes after it.
    std::size_t workspace_bytes() const;

private:
    void ask(const GemmProblem &similar, std::size_t workspace);
    bool try_run(std::size_t algorithm, const GemmPointers &at, void *workspace, cudaStream_t stream) const;
    struct State;
    std::unique_ptr<State> m_state;
};

// Products by shape, so that layers of one shape share what was chosen, widely, for them.
class GemmCache {
public:
    std::shared_ptr<Gemm> get(const ProductLibrary &library, const GemmProblem &problem);

private:
    struct Entry {
        GemmProblem problem;
        std::shared_ptr<Gemm> gemm;
    };
    std::vector<Entry> m_entries;
};

} // namespace sbtrain::cuda
