// SPDX-License-Identifier: Apache-2.0
#pragma once

// Attention of one head in double precision, from the same inputs and with the same dropout as the own
// attention; on request with its roundings. Formulas: backend/cpu/attention.cpp; the draw:
// backend/cuda/own_attention.h and, of fp32 matrices, softmax_forward's.

#include "cuda/own_attention.h"
#include "random.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <memory>
#include <vector>

namespace sbtrain::cuda {

inline double to_double(Type type, std::uint16_t raw)
{
    if (type == Type::F16)
        return static_cast<double>(__half2float(__half(__half_raw{raw})));
    return static_cast<double>(__bfloat162float(__nv_bfloat16(__nv_bfloat16_raw{raw})));
}

inline std::uint16_t to_raw(Type type, float value)
{
    if (type == Type::F16)
        return static_cast<__half_raw>(__float2half(value)).x;
    return static_cast<__nv_bfloat16_raw>(__float2bfloat16(value)).x;
}

// To the nearest number of the type, ties of fp32 aside.
inline double to_type(Type type, double value)
{
    return type == Type::F32 ? value : to_double(type, to_raw(type, static_cast<float>(value)));
}

// To the nearest of 11 bits, ties away from zero, as the kernels do.
inline double to_tf32(double value)
{
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    return std::ldexp(std::round(std::ldexp(fraction, 11)), exponent - 11);
}

struct AttentionInputs {
    OwnAttentionProblem problem;
    Precision precision = Precision::Bf16;
    std::vector<float> qkv, dy; // numbers of the type
    std::vector<std::int32_t> lengths;
    std::int64_t pass = 5;
    DropoutSpec draw; // without the pass
};

// About normal: a sum of four numbers of 16 bits.
inline std::vector<float> noise(Type type, std::size_t count, std::uint64_t stream)
{
    const Stream random(99, stream);
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t hash = random.hash(i);
        const std::uint64_t sum =
            (hash & 0xFFFF) + (hash >> 16 & 0xFFFF) + (hash >> 32 & 0xFFFF) + (hash >> 48);
        const float value = (static_cast<float>(sum) / 65536.0F - 2.0F) * 1.7F;
        values[i] = static_cast<float>(to_type(type, static_cast<double>(value)));
    }
    return values;
}

// padded: sequences of all lengths, one of them of one token.
inline AttentionInputs make_inputs(const OwnAttentionProblem &p, Precision precision, float dropout,
                                   bool padded)
{
    AttentionInputs in;
    in.problem = p;
    in.precision = precision;
    const auto count = static_cast<std::size_t>(p.n * p.t * p.heads * p.d);
    in.qkv = noise(p.type, 3 * count, 1);
    in.dy = noise(p.type, count, 2);
    for (std::int64_t i = 0; i < p.n; ++i)
        in.lengths.push_back(static_cast<std::int32_t>(padded ? 1 + (i * 37 + p.t / 2) % p.t : p.t));
    if (padded)
        in.lengths.back() = 1;
    in.draw = {1234, 17, 0, dropout, nullptr};
    return in;
}

struct HeadReference {
    std::vector<double> y, dq, dk, dv; // (t, d)
    std::vector<double> stats;         // (t)
    std::vector<std::uint32_t> kept;   // (t, 4)
};

// Kernel: what the own attention rounds on its way is rounded. In 16 bit: exponentials, y (and D from it),
// dropped probabilities, dS, and the gradients. In tf32: all factors of products, but neither y nor
// gradients.
enum class Rounding { None, Kernel };

class HeadComputation {
public:
    HeadComputation(const AttentionInputs &in, std::int64_t head, Rounding rounding)
        : m_in(in)
        , m_rounding(rounding)
        , m_head(head)
        , m_t(in.problem.t)
        , m_d(in.problem.d)
        , m_draw(in.draw.seed,
                 kDropoutStream + (static_cast<std::uint64_t>(in.pass) * 1024 + in.draw.node) * 65536)
    {
        m_q = factors_of(in.qkv, 3, 0);
        m_k = factors_of(in.qkv, 3, 1);
        m_v = factors_of(in.qkv, 3, 2);
        m_dy = factors_of(in.dy, 1, 0);
        const auto matrix = static_cast<std::size_t>(m_t * m_d);
        m_out.stats.resize(static_cast<std::size_t>(m_t));
        m_out.kept.resize(static_cast<std::size_t>(m_t * 4));
        for (std::vector<double> *to : {&m_out.y, &m_out.dq, &m_out.dk, &m_out.dv})
            to->resize(matrix);
        for (std::int64_t row = 0; row < m_t; ++row)
            compute_row(row);
        for (std::vector<double> *sums : {&m_out.dq, &m_out.dk, &m_out.dv})
            std::transform(sums->begin(), sums->end(), sums->begin(),
                           [this](double value) { return rounded(value); });
    }
    const HeadReference &result() const { return m_out; }

private:
    // What is stored.
    double rounded(double value) const
    {
        return m_rounding == Rounding::None ? value : to_type(m_in.problem.type, value);
    }
    // What is multiplied.
    double factor(double value) const
    {
        if (m_rounding == Rounding::Kernel && m_in.precision == Precision::Tf32)
            return to_tf32(value);
        return rounded(value);
    }
    // The head's columns of a matrix of `parts` side by side, as factors.
    std::vector<double> factors_of(const std::vector<float> &from, std::int64_t parts,
                                   std::int64_t part) const
    {
        const std::int64_t width = m_in.problem.heads * m_d;
        std::vector<double> to;
        for (std::int64_t row = 0; row < m_t; ++row) {
            const std::int64_t token = m_head / m_in.problem.heads * m_t + row;
            const std::int64_t first = (token * parts + part) * width + m_head % m_in.problem.heads * m_d;
            for (std::int64_t i = first; i < first + m_d; ++i)
                to.push_back(factor(static_cast<double>(from[static_cast<std::size_t>(i)])));
        }
        return to;
    }
    std::size_t at(std::int64_t row, std::int64_t i) const { return static_cast<std::size_t>(row * m_d + i); }

    // Factors of dropout for keys 0 to 127 of a row, and the bits kept of them.
    std::vector<double> draw(std::int64_t row)
    {
        std::vector<double> factors(128, 1.0);
        const DropoutRate rate = m_in.draw.rate;
        if (!rate.drops())
            return factors;
        const std::int64_t first = (m_head * m_t + row) * draws_of_row(m_t);
        for (int k = 0; k < 128; ++k) {
            const bool keep = m_draw.draw(static_cast<std::uint64_t>(first + k)) >= rate.threshold;
            factors[static_cast<std::size_t>(k)] = keep ? static_cast<double>(rate.scale) : 0.0;
            if (keep)
                m_out.kept[static_cast<std::size_t>(row * 4 + k % 8 / 2)] |= 1U << (k / 8 + 16 * (k % 2));
        }
        return factors;
    }

    // Exponentials of a row's scores, less the largest; leaves the statistics.
    std::vector<double> exponentials(std::int64_t row, std::int64_t length, double &sum)
    {
        std::vector<double> e(static_cast<std::size_t>(length));
        for (std::int64_t k = 0; k < length; ++k) {
            double s = 0.0;
            for (std::int64_t i = 0; i < m_d; ++i)
                s += m_q[at(row, i)] * m_k[at(k, i)];
            e[static_cast<std::size_t>(k)] = s / std::sqrt(static_cast<double>(m_d));
        }
        const double best = *std::max_element(e.begin(), e.end());
        sum = 0.0;
        for (double &value : e) {
            value = std::exp(value - best);
            sum += value;
        }
        m_out.stats[static_cast<std::size_t>(row)] = -std::log2(sum) - best / std::log(2.0);
        return e;
    }

    void compute_row(std::int64_t row)
    {
        const std::int64_t length = m_in.lengths[static_cast<std::size_t>(m_head / m_in.problem.heads)];
        const double scale = 1.0 / std::sqrt(static_cast<double>(m_d));
        double sum = 0.0;
        const std::vector<double> e = exponentials(row, length, sum);
        const std::vector<double> factors = draw(row);
        double d = 0.0;
        for (std::int64_t i = 0; i < m_d; ++i) {
            double y = 0.0;
            for (std::int64_t k = 0; k < length; ++k) {
                const auto j = static_cast<std::size_t>(k);
                y += factor(e[j]) * factors[j] * m_v[at(k, i)];
            }
            m_out.y[at(row, i)] = rounded(y / sum);
            d += m_out.y[at(row, i)] * m_dy[at(row, i)];
        }
        for (std::int64_t k = 0; k < length; ++k) {
            const auto j = static_cast<std::size_t>(k);
            const double p = e[j] / sum;
            const double dropped = factor(p * factors[j]);
            double dp = 0.0;
            for (std::int64_t i = 0; i < m_d; ++i) {
                m_out.dv[at(k, i)] += dropped * m_dy[at(row, i)];
                dp += factors[j] * m_dy[at(row, i)] * m_v[at(k, i)];
            }
            const double ds = scale * factor(p * (dp - d));
            for (std::int64_t i = 0; i < m_d; ++i) {
                m_out.dq[at(row, i)] += ds * m_k[at(k, i)];
                m_out.dk[at(k, i)] += ds * m_q[at(row, i)];
            }
        }
    }

    const AttentionInputs &m_in;
    Rounding m_rounding;
    std::int64_t m_head, m_t, m_d;
    Stream m_draw;
    std::vector<double> m_q, m_k, m_v, m_dy; // (t, d)
    HeadReference m_out;
};

inline HeadReference compute_head(const AttentionInputs &in, std::int64_t head, Rounding rounding)
{
    return HeadComputation(in, head, rounding).result();
}

// |a - b| / |b|; NaN stays.
struct Distance {
    double difference = 0.0;
    double norm = 0.0;
    void add(double a, double b)
    {
        difference += (a - b) * (a - b);
        norm += b * b;
    }
    double value() const { return std::sqrt(difference / norm); }
};

} // namespace sbtrain::cuda
