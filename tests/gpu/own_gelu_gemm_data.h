// SPDX-License-Identifier: Apache-2.0
#pragma once

// Matrices of 16 bit for the check and the bench of the own product with GELU, on the host as floats.

#include "cuda/precision.h"
#include "device_vector.h"

#include <algorithm>
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <random>
#include <vector>

using HostMatrix = std::vector<float>;

inline std::uint16_t narrow(sbtrain::cuda::Type type, float value)
{
    return type == sbtrain::cuda::Type::F16 ? static_cast<__half_raw>(__float2half(value)).x
                                            : static_cast<__nv_bfloat16_raw>(__float2bfloat16(value)).x;
}

inline float widen(sbtrain::cuda::Type type, std::uint16_t raw)
{
    return type == sbtrain::cuda::Type::F16 ? __half2float(__half_raw{raw})
                                            : __bfloat162float(__nv_bfloat16_raw{raw});
}

// Normal numbers of standard deviation `scale`, each of which `type` holds exactly.
inline HostMatrix random_matrix(std::mt19937 &random, sbtrain::cuda::Type type, std::int64_t count,
                                float scale)
{
    // Large matrices repeat a prime number of values, so that no two rows are the same.
    constexpr std::size_t kPeriod = 999983;
    std::normal_distribution<float> distribution(0.0F, scale);
    HostMatrix values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = i < kPeriod ? widen(type, narrow(type, distribution(random))) : values[i - kPeriod];
    return values;
}

inline DeviceVector on_device(sbtrain::cuda::Type type, const HostMatrix &values)
{
    std::vector<std::uint16_t> raw(values.size());
    std::transform(values.begin(), values.end(), raw.begin(), [&](float v) { return narrow(type, v); });
    DeviceVector to(raw.size() * 2);
    upload(to, raw.data(), raw.size() * 2);
    return to;
}
