// SPDX-License-Identifier: Apache-2.0
#include "optimizer.h"

#include "simd.h"

#include <algorithm>
#include <cmath>

namespace sbtrain::cpu {

namespace {

struct SgdConstants {
    float learning_rate, momentum, decay, scale;
};

SBTRAIN_CLONES void sgd(float *p, const float *g, float *m, std::int64_t n, const SgdConstants &k)
{
    const SgdConstants c = k;
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) {
        const float velocity = c.momentum * m[i] + (c.scale * g[i] + c.decay * p[i]);
        m[i] = velocity;
        p[i] -= c.learning_rate * velocity;
    }
}

struct AdamConstants {
    float beta1, beta2, eps, scale;
    float keep;        // 1 - lr * decay
    float step;        // lr / (1 - beta1^t)
    float correction2; // 1 / sqrt(1 - beta2^t)
};

struct AdamPointers {
    float *p;
    const float *g;
    float *m;
    float *v;
};

struct LambConstants {
    float beta1, beta2, eps, scale, decay;
    float correction1; // 1 / (1 - beta1^t)
    float correction2; // 1 / sqrt(1 - beta2^t)
};

SBTRAIN_CLONES void adamw(const AdamPointers &at, std::int64_t n, const AdamConstants &k)
{
    const AdamConstants c = k;
    float *p = at.p;
    const float *g = at.g;
    float *m = at.m;
    float *v = at.v;
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) {
        const float gradient = c.scale * g[i];
        const float first = c.beta1 * m[i] + (1.0F - c.beta1) * gradient;
        const float second = c.beta2 * v[i] + (1.0F - c.beta2) * gradient * gradient;
        m[i] = first;
        v[i] = second;
        p[i] = c.keep * p[i] - c.step * first / (std::sqrt(second) * c.correction2 + c.eps);
    }
}

// Moments; squared norms of the parameters and of the update before it is scaled.
SBTRAIN_CLONES void lamb_moments(const AdamPointers &at, std::int64_t n, const LambConstants &k,
                                 double *norms)
{
    const LambConstants c = k;
    const float *p = at.p;
    const float *g = at.g;
    float *m = at.m;
    float *v = at.v;
    float values = 0.0F;
    float updates = 0.0F;
#pragma omp simd reduction(+ : values, updates)
    for (std::int64_t i = 0; i < n; ++i) {
        const float gradient = c.scale * g[i];
        const float first = c.beta1 * m[i] + (1.0F - c.beta1) * gradient;
        const float second = c.beta2 * v[i] + (1.0F - c.beta2) * gradient * gradient;
        m[i] = first;
        v[i] = second;
        const float u = c.correction1 * first / (std::sqrt(second) * c.correction2 + c.eps) + c.decay * p[i];
        values += p[i] * p[i];
        updates += u * u;
    }
    norms[0] = values;
    norms[1] = updates;
}

SBTRAIN_CLONES void lamb_apply(const AdamPointers &at, std::int64_t n, const LambConstants &k, float step)
{
    const LambConstants c = k;
    float *p = at.p;
    const float *m = at.m;
    const float *v = at.v;
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i)
        p[i] -= step * (c.correction1 * m[i] / (std::sqrt(v[i]) * c.correction2 + c.eps) + c.decay * p[i]);
}

SBTRAIN_CLONES float sum_of_squares(const float *g, std::int64_t n)
{
    float sum = 0.0F;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t i = 0; i < n; ++i)
        sum += g[i] * g[i];
    return sum;
}

constexpr std::int64_t kChunk = 16384; // four arrays of it fit into a second-level cache

} // namespace

Optimizer::Optimizer(const OptimizerSettings &settings, const Graph &graph,
                     const std::vector<ParameterSlot> &slots)
    : m_settings(settings)
{
    for (std::size_t i = 0; i < slots.size(); ++i) {
        for (std::int64_t begin = 0; begin < slots[i].count; begin += kChunk) {
            m_chunks.push_back({slots[i].offset + begin, std::min(kChunk, slots[i].count - begin),
                                graph.parameters[i].decay, i});
        }
    }
    if (settings.kind == OptimizerKind::Lamb)
        m_norms.resize(2 * m_chunks.size());
}

std::int64_t Optimizer::state_floats(std::int64_t count) const
{
    return m_settings.kind == OptimizerKind::Sgd ? count : 2 * count;
}

std::optional<double> Optimizer::update(const Arena &arena)
{
    ++m_steps;
    std::optional<double> norm;
    double scale = 1.0;
    if (m_settings.clip_norm) {
        norm = gradient_norm(arena);
        scale = std::min(1.0, *m_settings.clip_norm / (*norm + 1e-6));
    }
    if (m_settings.kind == OptimizerKind::Lamb) {
        update_by_lamb(arena, scale);
        return norm;
    }
    const auto number = [](double value) { return static_cast<float>(value); };
    const double lr = m_settings.learning_rate;
    const auto t = static_cast<double>(m_steps);
    const double correction1 = 1.0 - std::pow(m_settings.beta1, t);
    const double correction2 = 1.0 - std::pow(m_settings.beta2, t);

    const auto chunks = static_cast<std::int64_t>(m_chunks.size());
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < chunks; ++i) {
        const Chunk &chunk = m_chunks[static_cast<std::size_t>(i)];
        const double decay = chunk.decay ? m_settings.weight_decay : 0.0;
        float *p = arena.parameters + chunk.begin;
        const float *g = arena.gradients + chunk.begin;
        float *m = arena.state + chunk.begin;
        if (m_settings.kind == OptimizerKind::Sgd) {
            sgd(p, g, m, chunk.count,
                {number(lr), number(m_settings.momentum), number(decay), number(scale)});
        } else {
            adamw({p, g, m, m + arena.count}, chunk.count,
                  {number(m_settings.beta1), number(m_settings.beta2), number(m_settings.eps), number(scale),
                   number(1.0 - lr * decay), number(lr / correction1), number(1.0 / std::sqrt(correction2))});
        }
    }
    return norm;
}

void Optimizer::update_by_lamb(const Arena &arena, double scale)
{
    const auto number = [](double value) { return static_cast<float>(value); };
    const auto t = static_cast<double>(m_steps);
    const LambConstants all{number(m_settings.beta1),
                            number(m_settings.beta2),
                            number(m_settings.eps),
                            number(scale),
                            number(m_settings.weight_decay),
                            number(1.0 / (1.0 - std::pow(m_settings.beta1, t))),
                            number(1.0 / std::sqrt(1.0 - std::pow(m_settings.beta2, t)))};
    const auto pointers = [&](const Chunk &chunk) {
        float *m = arena.state + chunk.begin;
        return AdamPointers{arena.parameters + chunk.begin, arena.gradients + chunk.begin, m,
                            m + arena.count};
    };
    const auto constants = [&](const Chunk &chunk) {
        LambConstants k = all;
        k.decay = chunk.decay ? all.decay : 0.0F;
        return k;
    };
    const std::size_t chunks = m_chunks.size();
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < chunks; ++i)
        lamb_moments(pointers(m_chunks[i]), m_chunks[i].count, constants(m_chunks[i]), &m_norms[2 * i]);

    // Biases and norms take the step as it is, as in the authors' program.
    std::vector<float> steps(chunks, number(m_settings.learning_rate));
    for (std::size_t begin = 0, end = 0; begin < chunks; begin = end) {
        double values = 0.0;
        double updates = 0.0;
        for (end = begin; end < chunks && m_chunks[end].parameter == m_chunks[begin].parameter; ++end) {
            values += m_norms[2 * end];
            updates += m_norms[2 * end + 1];
        }
        if (!m_chunks[begin].decay || values <= 0.0 || updates <= 0.0)
            continue;
        for (std::size_t i = begin; i < end; ++i)
            steps[i] = number(m_settings.learning_rate * std::sqrt(values / updates));
    }
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < chunks; ++i)
        lamb_apply(pointers(m_chunks[i]), m_chunks[i].count, constants(m_chunks[i]), steps[i]);
}

double Optimizer::gradient_norm(const Arena &arena) const
{
    double sum = 0.0;
    const auto chunks = static_cast<std::int64_t>(m_chunks.size());
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (std::int64_t i = 0; i < chunks; ++i) {
        const Chunk &chunk = m_chunks[static_cast<std::size_t>(i)];
        sum += sum_of_squares(arena.gradients + chunk.begin, chunk.count);
    }
    return std::sqrt(sum);
}

} // namespace sbtrain::cpu
