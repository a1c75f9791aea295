// SPDX-License-Identifier: Apache-2.0
#pragma once

// Batch norm over NHWC activations, one pass over memory a call (formulas: cpu/conv_bn.cpp). C is a power of
// two from 8 to 4096, rows are N * H * W. Sums over rows go through partial rows of fp32 and are put
// together in a fixed order, so the same input gives the same output.

#include "precision.h"

#include <cstdint>
#include <cuda_runtime.h>

namespace sbtrain::cuda {

struct BnShape {
    std::int64_t rows = 0;
    int c = 0;
    Type type = Type::F32;
};

// Partial rows that a pass over this shape writes at most; each is 2 * c floats.
int bn_partial_rows(const BnShape &shape);
bool bn_supported(int c);

// partial[row][0][c] = sum (x - shift), partial[row][1][c] = sum (x - shift)^2; shift is x's first row.
// Returns the number of partial rows.
int bn_statistics(const BnShape &shape, const void *x, float *partial, cudaStream_t stream);

struct BnForward {
    const float *partial = nullptr;
    int partial_rows = 0;
    const void *shift = nullptr; // x, if the sums are shifted by its first row; null otherwise
    const float *gamma = nullptr;
    const float *beta = nullptr;
    float eps = 0.0F;
    float momentum = 0.0F;
    bool freeze = false; // take mean and variance from the running ones
    float *mean = nullptr;
    float *istd = nullptr;
    float *a = nullptr;
    float *b = nullptr;
    float *running_mean = nullptr;
    float *running_var = nullptr;
};
void bn_forward_finish(const BnShape &shape, const BnForward &args, cudaStream_t stream);

// y = act(a x + b [+ residual]); bits: one bit an element, set where y > 0, may be null. With vectors of its
// own the residual is an x that is still to be normalised: residual_a residual + residual_b is added.
struct BnNormalise {
    const void *x = nullptr;
    const void *residual = nullptr;
    void *y = nullptr;
    std::uint8_t *bits = nullptr;
    const float *a = nullptr;
    const float *b = nullptr;
    bool relu = false;
    const float *residual_a = nullptr;
    const float *residual_b = nullptr;
};
void bn_normalise(const BnShape &shape, const BnNormalise &args, cudaStream_t stream);

enum class BnMask { None, FromX, FromBits };

// dz = mask(dy [+ dy2]); partial[row][0] = sum dz, partial[row][1] = sum dz (x - mean). dz is stored unless
// it is null. Returns the number of partial rows.
struct BnSums {
    const void *x = nullptr;
    const void *dy = nullptr;
    const void *dy2 = nullptr;
    void *dz = nullptr;
    const std::uint8_t *bits = nullptr;
    const float *a = nullptr;
    const float *b = nullptr;
    const float *mean = nullptr;
    BnMask mask = BnMask::None;
    float *partial = nullptr;
};
int bn_backward_sums(const BnShape &shape, const BnSums &args, cudaStream_t stream);

struct BnBackward {
    const float *partial = nullptr;
    int partial_rows = 0;
    const float *mean = nullptr;
    const float *istd = nullptr;
    const float *a = nullptr;
    float *dgamma = nullptr;
    float *dbeta = nullptr;
    float *p = nullptr;
    float *q = nullptr;
    bool freeze = false;
};
void bn_backward_finish(const BnShape &shape, const BnBackward &args, cudaStream_t stream);

// dx = a dz + p x + q, where dz is masked from x on the way if asked.
struct BnApply {
    const void *x = nullptr;
    const void *dz = nullptr;
    void *dx = nullptr;
    const float *a = nullptr;
    const float *b = nullptr;
    const float *p = nullptr;
    const float *q = nullptr;
    bool mask_from_x = false;
};
void bn_backward_apply(const BnShape &shape, const BnApply &args, cudaStream_t stream);

// Stem: batch norm, ReLU and 3x3 stride 2 max-pool in one; the image before the pool is never stored. Only
// the winners of the windows have a gradient, so the sums of backward are those of bn_backward_sums over the
// pooled image with x = winner.
struct StemShape {
    int n = 0, h = 0, w = 0, c = 0; // before the pool; h and w even
    Type type = Type::F32;
};
struct StemPool {
    const void *x = nullptr; // (n, h, w, c) before the norm
    const float *a = nullptr;
    const float *b = nullptr;
    void *y = nullptr;             // (n, h / 2, w / 2, c)
    void *winner = nullptr;        // x where the window's largest value was, any of equal ones
    std::uint8_t *index = nullptr; // which of the nine won
};
bool stem_supported(const StemShape &shape);
void stem_pool_forward(const StemShape &shape, const StemPool &args, cudaStream_t stream);

// dx = a dz + p x + q, dz gathered from the windows.
struct StemBackward {
    const void *x = nullptr;
    const void *dy = nullptr; // of the pool's output, masked by ReLU
    const std::uint8_t *index = nullptr;
    const float *a = nullptr;
    const float *p = nullptr;
    const float *q = nullptr;
    void *dx = nullptr;
};
void stem_backward_apply(const StemShape &shape, const StemBackward &args, cudaStream_t stream);

} // namespace sbtrain::cuda
