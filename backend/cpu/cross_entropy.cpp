// SPDX-License-Identifier: Apache-2.0

// loss = mean over rows of  log sum_k e^(x_k)  -  (1 - s) x_label  -  s / K sum_k x_k
// dx_k = (softmax_k - (1 - s) [k = label] - s / K) / rows

#include "layer.h"
#include "simd.h"

#include <cmath>

namespace sbtrain::cpu {

namespace {

SBTRAIN_CLONES float row_max(const float *x, std::int64_t n)
{
    float best = x[0];
#pragma omp simd reduction(max : best)
    for (std::int64_t i = 0; i < n; ++i)
        best = x[i] > best ? x[i] : best;
    return best;
}

SBTRAIN_CLONES void row_sums(const float *x, std::int64_t n, float shift, float *exp_sum, float *sum)
{
    float exps = 0.0F;
    float plain = 0.0F;
#pragma omp simd reduction(+ : exps, plain)
    for (std::int64_t i = 0; i < n; ++i) {
        exps += fast_exp(x[i] - shift);
        plain += x[i] - shift;
    }
    *exp_sum = exps;
    *sum = plain;
}

// dx = scale * e^(x - shift) - floor
SBTRAIN_CLONES void row_gradient(const float *x, float *dx, std::int64_t n, const float (&k)[3])
{
    const float shift = k[0];
    const float scale = k[1];
    const float floor = k[2];
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i)
        dx[i] = scale * fast_exp(x[i] - shift) - floor;
}

class CrossEntropyLayer : public Layer {
public:
    CrossEntropyLayer(Build &build, const CrossEntropy &node)
        : m_node(node)
        , m_rows(build.graph.tensors[node.logits.index].n)
        , m_classes(build.graph.tensors[node.logits.index].c)
        , m_max(build.planner.take(m_rows))
        , m_sum(build.planner.take(m_rows))
    {
    }

    void plan_backward(BackwardPlan &plan) override { m_dx = plan.give(m_node.logits); }
    void bind(const Memory &memory) override { m_memory = &memory; }

    void forward(PassState &state) override
    {
        const float *logits = m_memory->activation(m_node.logits);
        const std::int32_t *labels = batch_input(*state.batch, m_node.labels);
        const double smoothing = m_node.smoothing;
        double loss = 0.0;
#pragma omp parallel for schedule(static) reduction(+ : loss)
        for (std::int64_t row = 0; row < m_rows; ++row) {
            const float *x = logits + row * m_classes;
            const float max = row_max(x, m_classes);
            float exps = 0.0F;
            float plain = 0.0F;
            row_sums(x, m_classes, max, &exps, &plain);
            m_memory->buffer(m_max)[row] = max;
            m_memory->buffer(m_sum)[row] = exps;
            loss += std::log(static_cast<double>(exps)) -
                    (1.0 - smoothing) * static_cast<double>(x[labels[row]] - max) -
                    smoothing / static_cast<double>(m_classes) * plain;
        }
        state.loss += loss / static_cast<double>(m_rows);
    }

    void backward(PassState &state) override
    {
        const float *logits = m_memory->activation(m_node.logits);
        const std::int32_t *labels = batch_input(*state.batch, m_node.labels);
        float *dx = m_memory->buffer(m_dx);
        const float per_row = 1.0F / static_cast<float>(m_rows);
#pragma omp parallel for schedule(static)
        for (std::int64_t row = 0; row < m_rows; ++row) {
            const float constants[3] = {m_memory->buffer(m_max)[row], per_row / m_memory->buffer(m_sum)[row],
                                        per_row * m_node.smoothing / static_cast<float>(m_classes)};
            row_gradient(logits + row * m_classes, dx + row * m_classes, m_classes, constants);
            dx[row * m_classes + labels[row]] -= per_row * (1.0F - m_node.smoothing);
        }
    }

private:
    CrossEntropy m_node;
    std::int64_t m_rows, m_classes;
    BufferPlanner::Id m_max, m_sum, m_dx;
    const Memory *m_memory = nullptr;
};

} // namespace

std::unique_ptr<Layer> make_layer(Build &build, const CrossEntropy &node)
{
    return std::make_unique<CrossEntropyLayer>(build, node);
}

} // namespace sbtrain::cpu
