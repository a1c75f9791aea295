// SPDX-License-Identifier: Apache-2.0
#pragma once

// Eight neighbouring elements at a time: one or two 16-byte accesses a thread, fp32 in registers.

#include "check.h"
#include "precision.h"

#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace sbtrain::cuda {

struct Float8 {
    float v[8];
};

template <typename T>
__device__ inline float to_float(T value)
{
    return static_cast<float>(value);
}

template <typename T>
__device__ inline T from_float(float value)
{
    if constexpr (sizeof(T) == 4)
        return value;
    else if constexpr (std::is_same_v<T, __half>)
        return __float2half_rn(value);
    else
        return __float2bfloat16_rn(value);
}

template <typename T>
__device__ inline Float8 unpack8(const uint4 &raw)
{
    Float8 out;
    const T *elements = reinterpret_cast<const T *>(&raw);
#pragma unroll
    for (int i = 0; i < 8; ++i)
        out.v[i] = to_float(elements[i]);
    return out;
}

template <typename T>
__device__ inline uint4 pack8(const Float8 &values)
{
    uint4 raw;
    T *elements = reinterpret_cast<T *>(&raw);
#pragma unroll
    for (int i = 0; i < 8; ++i)
        elements[i] = from_float<T>(values.v[i]);
    return raw;
}

// Eight elements as they lie in memory: several can be on their way in few registers.
template <typename T>
struct Raw8 {
    uint4 word[sizeof(T) / 2];

    __device__ Float8 values() const
    {
        if constexpr (sizeof(T) == 2)
            return unpack8<T>(word[0]);
        else
            return *reinterpret_cast<const Float8 *>(word);
    }
};

template <typename T>
__device__ inline Raw8<T> load_raw8(const T *base, std::int64_t vector)
{
    Raw8<T> raw;
#pragma unroll
    for (int i = 0; i < static_cast<int>(sizeof(T) / 2); ++i)
        raw.word[i] = reinterpret_cast<const uint4 *>(base)[vector * (sizeof(T) / 2) + i];
    return raw;
}

// `vector` counts groups of eight elements from `base`.
template <typename T>
__device__ inline Float8 load8(const T *base, std::int64_t vector)
{
    if constexpr (sizeof(T) == 2) {
        return unpack8<T>(reinterpret_cast<const uint4 *>(base)[vector]);
    } else {
        const float4 low = reinterpret_cast<const float4 *>(base)[2 * vector];
        const float4 high = reinterpret_cast<const float4 *>(base)[2 * vector + 1];
        return {{low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w}};
    }
}

template <typename T>
__device__ inline void store8(T *base, std::int64_t vector, const Float8 &x)
{
    if constexpr (sizeof(T) == 2) {
        reinterpret_cast<uint4 *>(base)[vector] = pack8<T>(x);
    } else {
        reinterpret_cast<float4 *>(base)[2 * vector] = make_float4(x.v[0], x.v[1], x.v[2], x.v[3]);
        reinterpret_cast<float4 *>(base)[2 * vector + 1] = make_float4(x.v[4], x.v[5], x.v[6], x.v[7]);
    }
}

__device__ inline float warp_sum(float value)
{
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_xor_sync(0xFFFFFFFFU, value, offset);
    return value;
}

// Calls body(T{}) with the C++ type of `type`.
template <typename Body>
void dispatch(Type type, Body body)
{
    switch (type) {
    case Type::F32:
        body(float{});
        break;
    case Type::F16:
        body(__half{});
        break;
    case Type::BF16:
        body(__nv_bfloat16{});
        break;
    }
}

inline void check_launch(const char *what)
{
    check(cudaGetLastError(), what);
}

} // namespace sbtrain::cuda
