// SPDX-License-Identifier: Apache-2.0
#pragma once

// Batch norm of one element in fp32 (cpu/conv_bn.cpp), the rounding of every operation fixed: passes of their
// own (bn_kernels.cu) and products that make these numbers on the way (own_gemm_prologue.cuh) must agree in
// every bit.

namespace sbtrain::cuda {

// a x + b + add
__device__ inline float bn_value(float a, float x, float b, float add)
{
    return __fadd_rn(__fmaf_rn(a, x, b), add);
}

// a x + b + a' x' + b', with both b summed
__device__ inline float bn_sum(float a, float x, float other_a, float other_x, float b)
{
    return __fmaf_rn(a, x, __fmaf_rn(other_a, other_x, b));
}

// a dz + p x + q
__device__ inline float bn_gradient(float a, float dz, float p, float x, float q)
{
    return __fadd_rn(__fmaf_rn(a, dz, __fmul_rn(p, x)), q);
}

} // namespace sbtrain::cuda
