// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace sbtrain::cpu {

// A column: `width` neighbouring channels (16 or 8) of all pixels of one image, `stride` floats from pixel
// to pixel. Per-channel arguments point to the column's first channel. Every pointer is aligned to width
// floats. Not thread-safe with itself on the same output; columns are independent.
struct Column {
    std::int64_t stride = 0;
    std::int64_t pixels = 0;
};

// y = relu?(a x + b [+ residual])
struct NormaliseArgs {
    const float *x = nullptr;
    const float *residual = nullptr; // may be null
    float *y = nullptr;
    const float *a = nullptr;
    const float *b = nullptr;
    bool relu = false;
};

// dz = (dy + dy2) * mask; S1 = sum dz, S2 = sum dz (x - mean). With store, dz overwrites dy.
// The mask is 1, or y > 0 (blocks' ends, where y has the residual in it), or a x + b > 0 (elsewhere: saves
// reading y).
enum class Mask { None, FromY, FromX };
struct SumsArgs {
    const float *x = nullptr;
    const float *y = nullptr;
    float *dy = nullptr;
    const float *dy2 = nullptr; // may be null
    const float *a = nullptr;
    const float *b = nullptr;
    const float *mean = nullptr;
    float *s1 = nullptr;
    float *s2 = nullptr;
    Mask mask = Mask::None;
    bool store = false;
};

// dx = a dz + p x + q; dz is masked with a x + b > 0 on the way if mask_from_x. dx may be dz.
struct ApplyArgs {
    const float *x = nullptr;
    const float *dz = nullptr;
    float *dx = nullptr;
    const float *a = nullptr;
    const float *b = nullptr;
    const float *p = nullptr;
    const float *q = nullptr;
    bool mask_from_x = false;
};

struct BnKernels {
    // Mean and sum of squared distances from it, a lane each.
    void (*moments)(const float *x, Column column, float *mean, float *m2);
    void (*normalise)(const NormaliseArgs &args, Column column);
    void (*sums)(const SumsArgs &args, Column column);
    void (*apply)(const ApplyArgs &args, Column column);
};

const BnKernels &bn_kernels(int width);

} // namespace sbtrain::cpu
