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

} // namespace sbtrain::cuda
