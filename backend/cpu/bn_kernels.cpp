// SPDX-License-Identifier: Apache-2.0
#include "bn_kernels.h"

#include "simd.h"

#include <algorithm>

namespace sbtrain::cpu {

namespace {

template <int W>
SBTRAIN_INLINE const Vec<W> &load(const float *p)
{
    return *reinterpret_cast<const Vec<W> *>(p);
}

template <int W>
SBTRAIN_INLINE Vec<W> &at(float *p)
{
    return *reinterpret_cast<Vec<W> *>(p);
}

template <int W>
SBTRAIN_INLINE Vec<W> positive(Vec<W> x)
{
    return x > 0.0F ? x : Vec<W>{};
}

// Sums are kept in two levels so that float32 does not lose the small terms of 12,544 pixels.
constexpr std::int64_t kFlush = 256;

template <int W>
SBTRAIN_INLINE void moments(const float *x, Column column, float *mean, float *m2)
{
    // Shifted by the first pixel: sum (x - k) and sum (x - k)^2 do not cancel when the mean is large.
    const Vec<W> shift = load<W>(x);
    Vec<W> sum{};
    Vec<W> squares{};
    for (std::int64_t begin = 0; begin < column.pixels; begin += kFlush) {
        const std::int64_t end = std::min(begin + kFlush, column.pixels);
        Vec<W> s0{}, s1{}, q0{}, q1{};
        std::int64_t i = begin;
        for (; i + 1 < end; i += 2) {
            const Vec<W> d0 = load<W>(x + i * column.stride) - shift;
            const Vec<W> d1 = load<W>(x + (i + 1) * column.stride) - shift;
            s0 += d0;
            s1 += d1;
            q0 += d0 * d0;
            q1 += d1 * d1;
        }
        if (i < end) {
            const Vec<W> d0 = load<W>(x + i * column.stride) - shift;
            s0 += d0;
            q0 += d0 * d0;
        }
        sum += s0 + s1;
        squares += q0 + q1;
    }
    const Vec<W> offset = sum / static_cast<float>(column.pixels);
    at<W>(mean) = shift + offset;
    at<W>(m2) = positive<W>(squares - sum * offset);
}

template <int W>
SBTRAIN_INLINE void normalise(const NormaliseArgs &args, Column column)
{
    const Vec<W> a = load<W>(args.a);
    const Vec<W> b = load<W>(args.b);
    const bool relu = args.relu;
    for (std::int64_t i = 0; i < column.pixels; ++i) {
        const std::int64_t at_pixel = i * column.stride;
        Vec<W> y = a * load<W>(args.x + at_pixel) + b;
        if (args.residual != nullptr)
            y += load<W>(args.residual + at_pixel);
        at<W>(args.y + at_pixel) = relu ? positive<W>(y) : y;
    }
}

template <int W, bool Second, bool Store>
SBTRAIN_INLINE void sums_of(const SumsArgs &args, Column column)
{
    const Vec<W> a = load<W>(args.a);
    const Vec<W> b = load<W>(args.b);
    const Vec<W> mean = load<W>(args.mean);
    Vec<W> s1{};
    Vec<W> s2{};
    for (std::int64_t begin = 0; begin < column.pixels; begin += kFlush) {
        const std::int64_t end = std::min(begin + kFlush, column.pixels);
        Vec<W> t1{};
        Vec<W> t2{};
        for (std::int64_t i = begin; i < end; ++i) {
            const std::int64_t at_pixel = i * column.stride;
            const Vec<W> x = load<W>(args.x + at_pixel);
            Vec<W> dz = load<W>(args.dy + at_pixel);
            if constexpr (Second)
                dz += load<W>(args.dy2 + at_pixel);
            if (args.mask == Mask::FromY)
                dz = load<W>(args.y + at_pixel) > 0.0F ? dz : Vec<W>{};
            else if (args.mask == Mask::FromX)
                dz = a * x + b > 0.0F ? dz : Vec<W>{};
            if constexpr (Store)
                at<W>(args.dy + at_pixel) = dz;
            t1 += dz;
            t2 += dz * (x - mean);
        }
        s1 += t1;
        s2 += t2;
    }
    at<W>(args.s1) = s1;
    at<W>(args.s2) = s2;
}

template <int W>
SBTRAIN_INLINE void sums(const SumsArgs &args, Column column)
{
    if (args.dy2 != nullptr)
        sums_of<W, true, true>(args, column);
    else if (args.store)
        sums_of<W, false, true>(args, column);
    else
        sums_of<W, false, false>(args, column);
}

template <int W>
SBTRAIN_INLINE void apply(const ApplyArgs &args, Column column)
{
    const Vec<W> a = load<W>(args.a);
    const Vec<W> b = load<W>(args.b);
    const Vec<W> p = load<W>(args.p);
    const Vec<W> q = load<W>(args.q);
    for (std::int64_t i = 0; i < column.pixels; ++i) {
        const std::int64_t at_pixel = i * column.stride;
        const Vec<W> x = load<W>(args.x + at_pixel);
        Vec<W> dz = load<W>(args.dz + at_pixel);
        if (args.mask_from_x)
            dz = a * x + b > 0.0F ? dz : Vec<W>{};
        at<W>(args.dx + at_pixel) = a * dz + (p * x + q);
    }
}

SBTRAIN_CLONES void moments16(const float *x, Column column, float *mean, float *m2)
{
    moments<16>(x, column, mean, m2);
}
SBTRAIN_CLONES void moments8(const float *x, Column column, float *mean, float *m2)
{
    moments<8>(x, column, mean, m2);
}
SBTRAIN_CLONES void normalise16(const NormaliseArgs &args, Column column)
{
    normalise<16>(args, column);
}
SBTRAIN_CLONES void normalise8(const NormaliseArgs &args, Column column)
{
    normalise<8>(args, column);
}
SBTRAIN_CLONES void sums16(const SumsArgs &args, Column column)
{
    sums<16>(args, column);
}
SBTRAIN_CLONES void sums8(const SumsArgs &args, Column column)
{
    sums<8>(args, column);
}
SBTRAIN_CLONES void apply16(const ApplyArgs &args, Column column)
{
    apply<16>(args, column);
}
SBTRAIN_CLONES void apply8(const ApplyArgs &args, Column column)
{
    apply<8>(args, column);
}

constexpr BnKernels kKernels16{moments16, normalise16, sums16, apply16};
constexpr BnKernels kKernels8{moments8, normalise8, sums8, apply8};

} // namespace

const BnKernels &bn_kernels(int width)
{
    return width == 16 ? kKernels16 : kKernels8;
}

} // namespace sbtrain::cpu
