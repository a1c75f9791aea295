// SPDX-License-Identifier: Apache-2.0
#pragma once

// Layer norm of cuda/norm_kernels.h in double precision, with the dropout of random.h.

#include "cuda/norm_kernels.h"
#include "random.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector>

namespace sbtrain::cuda {

constexpr float kEps = 1e-12F;
constexpr std::uint64_t kSeed = 1234;
constexpr std::uint64_t kNode = 17;
constexpr std::int64_t kPass = 5;

inline std::vector<double> to_doubles(Type type, const std::vector<std::uint8_t> &raw)
{
    std::vector<double> values(raw.size() / size_of(type));
    for (std::size_t i = 0; i < values.size(); ++i) {
        float value = 0.0F;
        std::uint16_t bits = 0;
        if (type == Type::F32)
            std::memcpy(&value, raw.data() + 4 * i, 4);
        else
            std::memcpy(&bits, raw.data() + 2 * i, 2);
        if (type == Type::F16)
            value = __half2float(__half(__half_raw{bits}));
        else if (type == Type::BF16)
            value = __bfloat162float(__nv_bfloat16(__nv_bfloat16_raw{bits}));
        values[i] = static_cast<double>(value);
    }
    return values;
}

// About uniform around `middle`, as bytes of the type.
inline std::vector<std::uint8_t> uniform(Type type, std::size_t count, std::uint64_t stream, float middle)
{
    const Stream random(99, stream);
    std::vector<std::uint8_t> bytes(count * size_of(type));
    for (std::size_t i = 0; i < count; ++i) {
        const float value = middle + 2.0F * random.unit(i) - 1.0F;
        std::uint16_t bits = 0;
        if (type == Type::F16)
            bits = static_cast<__half_raw>(__float2half(value)).x;
        else
            bits = static_cast<__nv_bfloat16_raw>(__float2bfloat16(value)).x;
        if (type == Type::F32)
            std::memcpy(bytes.data() + 4 * i, &value, 4);
        else
            std::memcpy(bytes.data() + 2 * i, &bits, 2);
    }
    return bytes;
}

struct NormInputs {
    NormShape shape;
    std::vector<std::uint8_t> x, residual, dy, dy2, gamma, beta;

    explicit NormInputs(const NormShape &s)
        : shape(s)
    {
        const auto c = static_cast<std::size_t>(s.c);
        const std::size_t count = static_cast<std::size_t>(s.rows) * c;
        x = uniform(s.type, count, 1, 0.3F);
        residual = uniform(s.type, count, 2, 0.0F);
        dy = uniform(s.type, count, 3, 0.1F);
        dy2 = uniform(s.type, count, 4, 0.0F);
        gamma = uniform(Type::F32, c, 5, 1.5F);
        beta = uniform(Type::F32, c, 6, 0.0F);
    }
};

struct NormChoice {
    float dropout = 0.0F;
    bool residual = false; // and a second dy
    bool drop_dy = false;
};

struct NormReference {
    std::vector<double> z, y, dz, dx, dgamma, dbeta, dbias;
    std::vector<std::uint8_t> kept;
};

// Everything but z from the given, rounded z.
inline NormReference compute_norm(const NormInputs &in, const NormChoice &choice,
                                  const std::vector<double> &given)
{
    const auto c = static_cast<std::size_t>(in.shape.c);
    const auto rows = static_cast<std::size_t>(in.shape.rows);
    const std::vector<double> x = to_doubles(in.shape.type, in.x),
                              residual = to_doubles(in.shape.type, in.residual),
                              dy = to_doubles(in.shape.type, in.dy), dy2 = to_doubles(in.shape.type, in.dy2),
                              gamma = to_doubles(Type::F32, in.gamma), beta = to_doubles(Type::F32, in.beta);
    NormReference out;
    for (std::vector<double> *matrix : {&out.z, &out.y, &out.dz, &out.dx})
        matrix->resize(rows * c);
    for (std::vector<double> *sums : {&out.dgamma, &out.dbeta, &out.dbias})
        sums->resize(c);
    out.kept.resize(rows * c / 8);
    const Stream draw(kSeed, kDropoutStream + (static_cast<std::uint64_t>(kPass) * 1024 + kNode) * 65536);
    const DropoutRate rate(choice.dropout);
    const double columns = static_cast<double>(c);
    const auto factor = [&](std::size_t i) {
        return draw.draw(i) >= rate.threshold ? static_cast<double>(rate.scale) : 0.0; // C is a multiple of 4
    };
    for (std::size_t row = 0; row < rows; ++row) {
        double mean = 0.0, variance = 0.0;
        for (std::size_t i = row * c; i < (row + 1) * c; ++i) {
            out.z[i] = x[i] * factor(i) + (choice.residual ? residual[i] : 0.0);
            if (factor(i) > 0.0)
                out.kept[i / 8] = static_cast<std::uint8_t>(out.kept[i / 8] | 1U << i % 8);
            mean += given[i] / columns;
        }
        for (std::size_t i = row * c; i < (row + 1) * c; ++i)
            variance += (given[i] - mean) * (given[i] - mean) / columns;
        const double istd = 1.0 / std::sqrt(variance + static_cast<double>(kEps));
        double sum = 0.0, dot = 0.0;
        std::vector<double> g(c), h(c);
        for (std::size_t k = 0; k < c; ++k) {
            const std::size_t i = row * c + k;
            h[k] = (given[i] - mean) * istd;
            out.y[i] = gamma[k] * h[k] + beta[k];
            const double d = (dy[i] + (choice.residual ? dy2[i] : 0.0)) * (choice.drop_dy ? factor(i) : 1.0);
            out.dgamma[k] += d * h[k];
            out.dbeta[k] += d;
            g[k] = d * gamma[k];
            sum += g[k] / columns;
            dot += g[k] * h[k] / columns;
        }
        for (std::size_t k = 0; k < c; ++k) {
            const std::size_t i = row * c + k;
            out.dz[i] = istd * (g[k] - sum - h[k] * dot);
            out.dx[i] = choice.drop_dy ? out.dz[i] : out.dz[i] * factor(i);
            out.dbias[k] += out.dx[i];
        }
    }
    return out;
}

inline double worse(double a, double b)
{
    return b <= a ? a : b; // keeps NaN
}

} // namespace sbtrain::cuda
