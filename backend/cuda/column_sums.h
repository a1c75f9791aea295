// SPDX-License-Identifier: Apache-2.0
#pragma once

// The last step of gradients that are sums over rows: of biases and of norms' parameters. Kernels leave
// partial sums behind, and those of several layers are put together in one launch, as a launch costs more
// than the sums. In fixed order: the same input gives the same output.

#include <cstdint>
#include <cuda_runtime.h>
#include <vector>

namespace sbtrain::cuda {

// out[column] = sum over rows of partial, which are ld floats apart.
struct ColumnSum {
    const float *partial = nullptr;
    int rows = 0;
    std::int64_t columns = 0;
    std::int64_t ld = 0;
    float *out = nullptr;
};

// Partial sums must stay where they are for as many layers as this.
constexpr int kLayersBetweenSums = 14; // two blocks of BERT's encoder

class ColumnSums {
public:
    explicit ColumnSums(cudaStream_t stream)
        : m_stream(stream)
    {
    }
    void add(const ColumnSum &sum) { m_waiting.push_back(sum); }
    void flush(); // sums what was added since

private:
    cudaStream_t m_stream;
    std::vector<ColumnSum> m_waiting;
};

} // namespace sbtrain::cuda
