// SPDX-License-Identifier: Apache-2.0
#pragma once

// Two numbers of 16 bit in a register, and in fp32.

#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <type_traits>

namespace sbtrain::cuda {

template <typename T>
__device__ inline float2 unpack2(std::uint32_t raw)
{
    if constexpr (std::is_same_v<T, __half>)
        return __half22float2(*reinterpret_cast<const __half2 *>(&raw));
    else
        return __bfloat1622float2(*reinterpret_cast<const __nv_bfloat162 *>(&raw));
}

template <typename T>
__device__ inline std::uint32_t pack2(float first, float second)
{
    if constexpr (std::is_same_v<T, __half>) {
        const __half2 both = __floats2half2_rn(first, second);
        return *reinterpret_cast<const std::uint32_t *>(&both);
    } else {
        const __nv_bfloat162 both = __floats2bfloat162_rn(first, second);
        return *reinterpret_cast<const std::uint32_t *>(&both);
    }
}

} // namespace sbtrain::cuda
