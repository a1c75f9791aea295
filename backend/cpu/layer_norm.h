// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "layer.h"

namespace sbtrain::cpu {

// Rows of layer norm and dropout: parts that the embedding and the encoder's norms share.

// Row `row` of a matrix with n columns: y[i] = x[i] kept and scaled as random.h says, else 0. y may be x.
struct DropoutRow {
    Stream stream;
    DropoutRate rate;
    std::int64_t row = 0;
};
void dropout_row(const DropoutRow &dropout, const float *x, float *y, std::int64_t n);

// In place: z becomes (z - mean) / sqrt(variance + eps). Returns the factor 1 / sqrt(variance + eps).
float normalise_row(float *z, std::int64_t n, float eps);
// y = gamma xhat + beta
struct Affine {
    const float *gamma = nullptr;
    const float *beta = nullptr;
};
void affine_row(const float *xhat, const Affine &affine, float *y, std::int64_t n);

// The backward pass of y = gamma * xhat(z) + beta over all rows:
//   dxhat = dy gamma,  dz = istd (dxhat - mean(dxhat) - xhat mean(dxhat xhat)),  written over dy
//   dgamma = sum dy xhat,  dbeta = sum dy
struct LayerNormBackward {
    const float *xhat = nullptr; // (rows, n)
    const float *istd = nullptr; // (rows)
    float *dy = nullptr;         // (rows, n)
    const float *gamma = nullptr;
    float *dgamma = nullptr;
    float *dbeta = nullptr;
    float *partial = nullptr; // (kNormBlocks, 2, n)
    std::int64_t rows = 0;
    std::int64_t n = 0;
};
constexpr std::int64_t kNormBlocks = 64; // fixed, so that the sums do not depend on the number of threads
void layer_norm_backward(const LayerNormBackward &args);

} // namespace sbtrain::cpu
