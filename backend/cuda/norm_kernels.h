// SPDX-License-Identifier: Apache-2.0
#pragma once

// Layer norm with dropout and residual before it. C is a multiple of 8, at most 4096.

#include "../random.h"
#include "column_sums.h"
#include "precision.h"

#include <cstdint>
#include <cuda_runtime.h>

namespace sbtrain::cuda {

// Which dropout mask (random.h): seed, node and rank are fixed, the step is read on the device.
struct DropoutSpec {
    std::uint64_t seed = 0;
    std::uint64_t node = 0;
    std::uint64_t rank = 0;
    DropoutRate rate;
    const std::int64_t *pass = nullptr;
};

struct NormShape {
    std::int64_t rows = 0;
    int c = 0;
    Type type = Type::F32;
};
bool norm_supported(std::int64_t c);

// z = dropout(x) [+ residual], y = layer_norm(z). z may be x's buffer.
struct NormForward {
    const void *x = nullptr;
    const void *residual = nullptr;
    void *z = nullptr;
    void *y = nullptr;
    float *mean = nullptr;
    float *istd = nullptr;
    const float *gamma = nullptr;
    const float *beta = nullptr;
    float eps = 0.0F;
    DropoutSpec dropout;
    std::uint8_t *kept = nullptr; // one bit an element of what dropout kept, for backward; with dropout only
};
void norm_forward(const NormShape &shape, const NormForward &args, cudaStream_t stream);

// dz = the gradient at z, dx = dropout(dz) (null if there is no dropout: dx is dz). Parameter gradients are
// there once `sums` are. dbias: column sums of dx, may be null. partial: norm_partial_floats(shape). With
// drop_dy (embedding), dropout applies to dy instead.
struct NormBackward {
    const void *dy = nullptr;
    const void *dy2 = nullptr; // a second contribution to dy; may be null
    const void *z = nullptr;
    const float *mean = nullptr;
    const float *istd = nullptr;
    const float *gamma = nullptr;
    void *dz = nullptr;
    void *dx = nullptr;
    float *dgamma = nullptr;
    float *dbeta = nullptr;
    float *dbias = nullptr;
    float *partial = nullptr;
    bool drop_dy = false;
    DropoutRate dropout;
    const std::uint8_t *kept = nullptr;
};
std::int64_t norm_partial_floats(const NormShape &shape);
void norm_backward(const NormShape &shape, const NormBackward &args, ColumnSums &sums, cudaStream_t stream);

} // namespace sbtrain::cuda
