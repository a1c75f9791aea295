// SPDX-License-Identifier: Apache-2.0
#pragma once

// GELU in its tanh form (Hendrycks and Gimpel, arXiv:1606.08415), as BERT's own code has it and cuBLASLt's
// epilogues compute it: z s with s = (1 + tanh u) / 2 = 1 / (1 + e^(-2u)), u = sqrt(2 / pi) (z + 0.044715
// z^3).

namespace sbtrain::cuda {

constexpr float kGeluLinear = 1.5957691F; // 2 sqrt(2 / pi): 2u = linear z + cubic z^3
constexpr float kGeluCubic = kGeluLinear * 0.044715F;

struct GeluTerms {
    float s;
    float change; // s (1 - s) = ds / d(2u)
};

__device__ inline GeluTerms gelu_terms(float z)
{
    const float twice_u = z * (kGeluLinear + kGeluCubic * z * z);
    const float e = exp2f(-1.44269504F * fabsf(twice_u));
    const float part = __fdividef(1.0F, 1.0F + e);
    const float tail = e * part;
    return {z >= 0.0F ? part : tail, part * tail};
}

__device__ inline float gelu(float z)
{
    return z * gelu_terms(z).s;
}

__device__ inline float gelu_slope(float z)
{
    const GeluTerms terms = gelu_terms(z);
    return terms.s + z * terms.change * (kGeluLinear + 3.0F * kGeluCubic * z * z);
}

} // namespace sbtrain::cuda
