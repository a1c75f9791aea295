// SPDX-License-Identifier: Apache-2.0

// y = dropout(layer_norm(token[id] + position[t] + segment[s])) and its backward pass into three tables.

#include "layer_norm.h"

#include <algorithm>

namespace sbtrain::cpu {

namespace {

class EmbeddingLayer : public Layer {
public:
    EmbeddingLayer(Build &build, const Embedding &node)
        : m_node(node)
        , m_rows(build.graph.tensors[node.y.index].n)
        , m_columns(build.graph.tensors[node.y.index].c)
        , m_token_count(build.graph.parameters[node.token.index].count)
        , m_position_count(build.graph.parameters[node.position.index].count)
        , m_dropout(build, node.dropout)
        , m_xhat(build.planner.take(m_rows * m_columns))
        , m_istd(build.planner.take(m_rows))
    {
    }

    void plan_backward(BackwardPlan &plan) override
    {
        m_dy = plan.take(m_node.y);
        m_clear_tokens = plan.first_write(m_node.token); // false if a tied decoder has written already
        m_partial = plan.scratch(kNormBlocks * 2 * m_columns);
        plan.release(m_partial);
        for (const BufferPlanner::Id id : m_dy)
            plan.release(id);
    }
    void bind(const Memory &memory) override { m_memory = &memory; }
    void forward(PassState &state) override;
    void backward(PassState &state) override;

private:
    void drop_rows(const PassState &state, float *rows) const;
    void scatter(const Batch &batch, const float *dz);

    Embedding m_node;
    std::int64_t m_rows, m_columns, m_token_count, m_position_count;
    Dropout m_dropout;
    BufferPlanner::Id m_xhat, m_istd, m_partial;
    std::vector<BufferPlanner::Id> m_dy;
    bool m_clear_tokens = true;
    const Memory *m_memory = nullptr;
};

void EmbeddingLayer::forward(PassState &state)
{
    const Batch &batch = *state.batch;
    const float *token = m_memory->parameter(m_node.token);
    const float *position = m_memory->parameter(m_node.position);
    const float *segment = m_memory->parameter(m_node.segment);
    const Affine affine{m_memory->parameter(m_node.gamma), m_memory->parameter(m_node.beta)};
    float *xhat = m_memory->buffer(m_xhat);
    float *istd = m_memory->buffer(m_istd);
    float *y = m_memory->activation(m_node.y);
    const std::int64_t n = m_columns;
#pragma omp parallel for schedule(static)
    for (std::int64_t row = 0; row < m_rows; ++row) {
        const auto at = static_cast<std::size_t>(row);
        const float *t = token + batch.tokens[at] * n;
        const float *p = position + row % m_node.sequence_length * n;
        const float *s = segment + batch.segments[at] * n;
        float *z = xhat + row * n;
#pragma omp simd
        for (std::int64_t i = 0; i < n; ++i)
            z[i] = t[i] + p[i] + s[i];
        istd[row] = normalise_row(z, n, m_node.eps);
        affine_row(z, affine, y + row * n, n);
    }
    drop_rows(state, y);
}

void EmbeddingLayer::drop_rows(const PassState &state, float *rows) const
{
    if (!m_dropout.active())
        return;
#pragma omp parallel for schedule(static)
    for (std::int64_t row = 0; row < m_rows; ++row) {
        float *at = rows + row * m_columns;
        dropout_row({m_dropout.stream(state.pass), m_dropout.rate(), row}, at, at, m_columns);
    }
}

void EmbeddingLayer::backward(PassState &state)
{
    add_contributions(*m_memory, m_dy, m_rows * m_columns);
    LayerNormBackward args;
    args.xhat = m_memory->buffer(m_xhat);
    args.istd = m_memory->buffer(m_istd);
    args.dy = m_memory->buffer(m_dy[0]);
    args.gamma = m_memory->parameter(m_node.gamma);
    args.dgamma = m_memory->gradient(m_node.gamma);
    args.dbeta = m_memory->gradient(m_node.beta);
    args.partial = m_memory->buffer(m_partial);
    args.rows = m_rows;
    args.n = m_columns;
    drop_rows(state, args.dy);
    layer_norm_backward(args);
    scatter(*state.batch, args.dy);
}

// Several rows may hit one row of a table: a thread owns a strip of columns, so additions never race and
// always come in the same order.
void EmbeddingLayer::scatter(const Batch &batch, const float *dz)
{
    float *dtoken = m_memory->gradient(m_node.token);
    float *dposition = m_memory->gradient(m_node.position);
    float *dsegment = m_memory->gradient(m_node.segment);
    if (m_clear_tokens)
        std::fill_n(dtoken, m_token_count, 0.0F);
    std::fill_n(dposition, m_position_count, 0.0F);
    std::fill_n(dsegment, 2 * m_columns, 0.0F);
    constexpr std::int64_t kStrip = 64;
    const std::int64_t n = m_columns;
#pragma omp parallel for schedule(static)
    for (std::int64_t begin = 0; begin < n; begin += kStrip) {
        const std::int64_t end = std::min(begin + kStrip, n);
        for (std::int64_t row = 0; row < m_rows; ++row) {
            const auto at = static_cast<std::size_t>(row);
            float *t = dtoken + batch.tokens[at] * n;
            float *p = dposition + row % m_node.sequence_length * n;
            float *s = dsegment + batch.segments[at] * n;
            for (std::int64_t i = begin; i < end; ++i) {
                const float gradient = dz[row * n + i];
                t[i] += gradient;
                p[i] += gradient;
                s[i] += gradient;
            }
        }
    }
}

} // namespace

std::unique_ptr<Layer> make_layer(Build &build, const Embedding &node)
{
    return std::make_unique<EmbeddingLayer>(build, node);
}

} // namespace sbtrain::cpu
