// SPDX-License-Identifier: Apache-2.0
#pragma once

// The own matrix product in strict fp32, on the ordinary arithmetic units. A thread keeps 8 x 16 sums, so
// that shared memory is not what limits it, and the work of all tiles is dealt out evenly over the
// multiprocessors along k (stream-K, Osama et al., PPoPP 2023), so that no last wave of tiles runs half
// empty. Sums of a tile that several blocks share are put together in a fixed order: the same input gives the
// same output.

#include "gemm.h"

namespace sbtrain::cuda {

class OwnSgemm {
public:
    static constexpr int kTiles = 3; // choices of tile

    // fp32 without tf32; k a multiple of 8; m, n and leading dimensions multiples of 4.
    static bool fits(const GemmProblem &problem);
    // A tile from 0 to kTiles - 1: 256 x 128, 128 x 128, 256 x 64.
    OwnSgemm(const GemmProblem &problem, int tile);
    ~OwnSgemm();
    OwnSgemm(const OwnSgemm &) = delete;
    OwnSgemm &operator=(const OwnSgemm &) = delete;

    // Of kGemmWorkspace, how much the parts of shared tiles take.
    std::size_t workspace_bytes() const;
    void run(const GemmPointers &at, void *workspace, cudaStream_t stream) const;

private:
    GemmProblem m_problem;
    int m_tile = 0;
    int m_blocks = 0;
    int *m_flags = nullptr; // a block each, zero between runs
};

// Many small products of one shape, c[i] = op(a[i]) op(b[i]), as attention's heads are: a block a tile, so
// that a product of 128 x 128 x 64 does not cost a launch's worth of waiting.
struct SmallProducts {
    bool transpose_a = false, transpose_b = false;
    std::int64_t m = 0, n = 0, k = 0;
    std::int64_t lda = 0, ldb = 0, ldc = 0;
    void **a = nullptr, **b = nullptr, **c = nullptr; // `count` addresses each, on the device
    std::int64_t count = 0;
};
bool own_small_products_fit(const SmallProducts &products);
void multiply_small(const SmallProducts &products, cudaStream_t stream);

} // namespace sbtrain::cuda
