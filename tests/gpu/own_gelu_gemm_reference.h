// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the own product with GELU or its slope is checked against: matrices of 16 bit, on the host as floats,
// and their product in double precision.

#include "cuda/own_gelu_gemm.h"
#include "device_vector.h"

#include <algorithm>
#include <array>
#include <cmath>
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

// The largest relative error of one rounding.
inline double rounding(sbtrain::cuda::Type type)
{
    return type == sbtrain::cuda::Type::F16 ? 0x1p-11 : 0x1p-8;
}

inline double share(double z)
{
    return 0.5 * (1.0 + std::tanh(std::sqrt(2.0 / 3.14159265358979323846) * (z + 0.044715 * z * z * z)));
}
inline double gelu(double z)
{
    return z * share(z);
}
inline double slope(double z)
{
    const double s = share(z);
    const double steep = 2.0 * std::sqrt(2.0 / 3.14159265358979323846) * (1.0 + 3.0 * 0.044715 * z * z);
    return s + z * s * (1.0 - s) * steep;
}

struct Inputs {
    sbtrain::cuda::OwnGeluProblem p;
    HostMatrix a, b, bias, z;
};

inline Inputs make_inputs(const sbtrain::cuda::OwnGeluProblem &p)
{
    std::mt19937 random(5);
    Inputs in{p, {}, {}, {}, {}};
    in.a = random_matrix(random, p.type, p.m * p.k, 1.0F);
    in.b = random_matrix(random, p.type, p.n * p.k, 1.0F / std::sqrt(static_cast<float>(p.k)));
    in.bias = random_matrix(random, p.type, p.n, 0.5F);
    in.z = random_matrix(random, p.type, p.m * p.n, 1.5F);
    // Where GELU is about nothing or the identity.
    for (std::size_t i = 0; i < in.z.size(); i += 101)
        in.z[i] = i % 2 == 0 ? -30.0F : 30.0F;
    return in;
}

// Columns that are compared: all, or of products with many rows some of each part of a tile.
inline bool is_compared(const sbtrain::cuda::OwnGeluProblem &p, std::int64_t column)
{
    return p.m <= 2000 || column % 8 == 3 || column % 64 > 61;
}

// a b in double, where it is compared.
inline std::vector<double> multiply(const Inputs &in)
{
    const auto [m, n, k] = std::array{in.p.m, in.p.n, in.p.k};
    const bool forward = in.p.epilogue == sbtrain::cuda::GeluEpilogue::Forward;
    std::vector<double> out(static_cast<std::size_t>(m * n));
    std::vector<double> column(static_cast<std::size_t>(k));
    for (std::int64_t j = 0; j < n; ++j) {
        if (!is_compared(in.p, j))
            continue;
        for (std::int64_t l = 0; l < k; ++l)
            column[static_cast<std::size_t>(l)] =
                static_cast<double>(in.b[static_cast<std::size_t>(forward ? j * k + l : l * n + j)]);
        for (std::int64_t i = 0; i < m; ++i) {
            const float *row = in.a.data() + i * k;
            double sum = 0.0;
            for (std::int64_t l = 0; l < k; ++l)
                sum += static_cast<double>(row[l]) * column[static_cast<std::size_t>(l)];
            out[static_cast<std::size_t>(i * n + j)] = sum;
        }
    }
    return out;
}
