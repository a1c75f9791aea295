// SPDX-License-Identifier: Apache-2.0
#include "layer_norm.h"

#include "simd.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace sbtrain::cpu {

namespace {

struct BackwardRow {
    const float *xhat;
    float *dy;
    const float *gamma;
    float *dgamma;
    float *dbeta;
    float istd;
};

SBTRAIN_CLONES void backward_row(const BackwardRow &row, std::int64_t n)
{
    const BackwardRow r = row;
    float sum = 0.0F;
    float dot = 0.0F;
#pragma omp simd reduction(+ : sum, dot)
    for (std::int64_t i = 0; i < n; ++i) {
        const float dy = r.dy[i];
        r.dgamma[i] += dy * r.xhat[i];
        r.dbeta[i] += dy;
        const float dxhat = dy * r.gamma[i];
        sum += dxhat;
        dot += dxhat * r.xhat[i];
    }
    const float mean = sum / static_cast<float>(n);
    const float mean_dot = dot / static_cast<float>(n);
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i)
        r.dy[i] = r.istd * (r.dy[i] * r.gamma[i] - mean - r.xhat[i] * mean_dot);
}

} // namespace

// Hashes of a stretch of the row come first, and then lie in memory as draws do: each loop has elements of
// one width.
SBTRAIN_CLONES void dropout_row(const DropoutRow &dropout, const float *x, float *y, std::int64_t n)
{
    static_assert(std::endian::native == std::endian::little);
    constexpr std::int64_t kHashes = 64;
    const DropoutRow d = dropout;
    auto group = static_cast<std::uint64_t>(d.row * draws_of_row(n) / 4);
    for (std::int64_t first = 0; first < n; first += 4 * kHashes, group += kHashes) {
        const std::int64_t count = std::min(n - first, 4 * kHashes);
        const std::int64_t groups = (count + 3) / 4;
        std::uint64_t hashes[kHashes];
#pragma omp simd
        for (std::int64_t i = 0; i < groups; ++i)
            hashes[i] = d.stream.hash(group + static_cast<std::uint64_t>(i));
        std::uint16_t draws[4 * kHashes];
        std::memcpy(draws, hashes, static_cast<std::size_t>(groups) * sizeof(std::uint64_t));
#pragma omp simd
        for (std::int64_t i = 0; i < count; ++i)
            y[first + i] = draws[i] >= d.rate.threshold ? x[first + i] * d.rate.scale : 0.0F;
    }
}

SBTRAIN_CLONES float normalise_row(float *z, std::int64_t n, float eps)
{
    float sum = 0.0F;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t i = 0; i < n; ++i)
        sum += z[i];
    const float mean = sum / static_cast<float>(n);
    float squares = 0.0F;
#pragma omp simd reduction(+ : squares)
    for (std::int64_t i = 0; i < n; ++i) {
        z[i] -= mean;
        squares += z[i] * z[i];
    }
    const float istd = 1.0F / std::sqrt(squares / static_cast<float>(n) + eps);
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i)
        z[i] *= istd;
    return istd;
}

SBTRAIN_CLONES void affine_row(const float *xhat, const Affine &affine, float *y, std::int64_t n)
{
    const Affine a = affine;
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i)
        y[i] = a.gamma[i] * xhat[i] + a.beta[i];
}

void layer_norm_backward(const LayerNormBackward &args)
{
    const std::int64_t n = args.n;
    const std::int64_t per_block = (args.rows + kNormBlocks - 1) / kNormBlocks;
#pragma omp parallel for schedule(static)
    for (std::int64_t block = 0; block < kNormBlocks; ++block) {
        float *dgamma = args.partial + block * 2 * n;
        float *dbeta = dgamma + n;
        std::fill_n(dgamma, 2 * n, 0.0F);
        const std::int64_t end = std::min((block + 1) * per_block, args.rows);
        for (std::int64_t row = block * per_block; row < end; ++row)
            backward_row({args.xhat + row * n, args.dy + row * n, args.gamma, dgamma, dbeta, args.istd[row]},
                         n);
    }
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < n; ++i) {
        float dgamma = 0.0F;
        float dbeta = 0.0F;
        for (std::int64_t block = 0; block < kNormBlocks; ++block) {
            dgamma += args.partial[block * 2 * n + i];
            dbeta += args.partial[block * 2 * n + n + i];
        }
        args.dgamma[i] = dgamma;
        args.dbeta[i] = dbeta;
    }
}

} // namespace sbtrain::cpu
