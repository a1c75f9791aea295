// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace sbtrain {

// Logical shape of an activation. Images are (N, C, H, W); a matrix of n rows and c columns is the
// image (n, c, 1, 1), so that a pooled image *is* the matrix the classifier reads. Token activations
// are matrices of batch * sequence_length rows: row b * T + t belongs to token t of sequence b.
// The shape says nothing about the order of the numbers in memory: that is the device's business.
struct Shape {
    std::int64_t n = 0;
    std::int64_t c = 0;
    std::int64_t h = 1;
    std::int64_t w = 1;

    std::int64_t count() const { return n * c * h * w; }
    bool operator==(const Shape &) const = default;
};

// Index of an activation in Graph::tensors, of a parameter in Graph::parameters.
struct TensorId {
    std::size_t index = 0;
    bool operator==(const TensorId &) const = default;
};
struct ParameterId {
    std::size_t index = 0;
    bool operator==(const ParameterId &) const = default;
};

} // namespace sbtrain
