// SPDX-License-Identifier: Apache-2.0
#pragma once

// GELU with the error function by formula 7.1.26 of Abramowitz and Stegun (error 1.5e-7, below that of fp32
// sums around it): one reciprocal and one exponential, which the derivative shares.

namespace sbtrain::cuda {

struct GeluTerms {
    float cdf;     // Phi(z)
    float density; // phi(z)
};

__device__ inline GeluTerms gelu_terms(float z)
{
    const float x = fabsf(z) * 0.70710678F;
    const float t = __fdividef(1.0F, 1.0F + 0.3275911F * x);
    const float gauss = exp2f(-1.44269504F * x * x); // e^(-z^2 / 2)
    const float series =
        t *
        (0.254829592F + t * (-0.284496736F + t * (1.421413741F + t * (-1.453152027F + t * 1.061405429F))));
    const float tail = 0.5F * series * gauss; // Phi(-|z|)
    return {z >= 0.0F ? 1.0F - tail : tail, 0.39894228F * gauss};
}

__device__ inline float gelu(float z)
{
    return z * gelu_terms(z).cdf;
}

__device__ inline float gelu_slope(float z)
{
    const GeluTerms terms = gelu_terms(z);
    return terms.cdf + z * terms.density;
}

} // namespace sbtrain::cuda
