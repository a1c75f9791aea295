// SPDX-License-Identifier: Apache-2.0
#pragma once

// Batch norm's formulas (cpu/conv_bn.cpp) for passes of their own (bn_kernels.cu) and for products that do
// them on the way (own_gemm_prologue.cuh, own_gemm_finish.cuh). Of elements the rounding of every operation
// is fixed: both ways must agree in every bit.

#include "bn_kernels.h"

namespace sbtrain::cuda {

// a x + b + add
__device__ inline float bn_value(float a, float x, float b, float add)
{
    return __fadd_rn(__fmaf_rn(a, x, b), add);
}

// a dz + p x + q
__device__ inline float bn_gradient(float a, float dz, float p, float x, float q)
{
    return __fadd_rn(__fmaf_rn(a, dz, __fmul_rn(p, x)), q);
}

// Mean, variance and coefficients of a channel from the sums of x - shift and of its square over `rows` rows.
__device__ inline void bn_finish(const BnForward &args, int channel, double sum, double square, double rows,
                                 double shift)
{
    double mean = args.running_mean[channel];
    double var = args.running_var[channel];
    if (!args.freeze) {
        const double offset = sum / rows;
        mean = shift + offset;
        var = fmax(square / rows - offset * offset, 0.0);
        const double unbiased = var * rows / fmax(rows - 1.0, 1.0);
        args.running_mean[channel] += args.momentum * (static_cast<float>(mean) - args.running_mean[channel]);
        args.running_var[channel] +=
            args.momentum * (static_cast<float>(unbiased) - args.running_var[channel]);
    }
    const float istd = static_cast<float>(1.0 / sqrt(var + args.eps));
    const float a = args.gamma[channel] * istd;
    args.mean[channel] = static_cast<float>(mean);
    args.istd[channel] = istd;
    args.a[channel] = a;
    args.b[channel] = args.beta[channel] - a * static_cast<float>(mean);
}

// Gradients and coefficients of a channel from the sums of dz and of dz (x - mean) over `rows` rows.
__device__ inline void bn_finish(const BnBackward &args, int channel, double sum, double product, double rows)
{
    const double istd = args.istd[channel];
    const double a = args.a[channel];
    args.dbeta[channel] = static_cast<float>(sum);
    args.dgamma[channel] = static_cast<float>(istd * product);
    // Frozen statistics do not depend on x: only the first term of dx is left.
    const double p = args.freeze ? 0.0 : -a * istd * istd * product / rows;
    const double q = args.freeze ? 0.0 : -a * sum / rows - p * args.mean[channel];
    args.p[channel] = static_cast<float>(p);
    args.q[channel] = static_cast<float>(q);
}

} // namespace sbtrain::cuda
