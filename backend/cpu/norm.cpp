// SPDX-License-Identifier: Apache-2.0

// Dropout + residual + layer norm, and the choice of rows for BERT's heads.

#include "layer_norm.h"

#include <algorithm>

namespace sbtrain::cpu {

namespace {

class DropoutAddNormLayer : public Layer {
public:
    DropoutAddNormLayer(Build &build, const DropoutAddNorm &node)
        : m_node(node)
        , m_rows(build.graph.tensors[node.y.index].n)
        , m_columns(build.graph.tensors[node.y.index].c)
        , m_dropout(build, node.dropout)
        , m_xhat(build.planner.take(m_rows * m_columns))
        , m_istd(build.planner.take(m_rows))
    {
    }

    void plan_backward(BackwardPlan &plan) override
    {
        m_dy = plan.take(m_node.y);
        m_partial = plan.scratch(kNormBlocks * 2 * m_columns);
        plan.release(m_partial);
        for (std::size_t i = 1; i < m_dy.size(); ++i)
            plan.release(m_dy[i]);
        // dz, in place of dy, is the residual's gradient; x gets what dropout lets through.
        if (m_node.residual) {
            m_dx = plan.give(m_node.x);
            plan.pass(m_dy[0], *m_node.residual);
        } else {
            m_dx = m_dy[0];
            plan.pass(m_dy[0], m_node.x);
        }
    }
    void bind(const Memory &memory) override { m_memory = &memory; }

    void forward(PassState &state) override
    {
        const float *x = m_memory->activation(m_node.x);
        const float *residual = m_node.residual ? m_memory->activation(*m_node.residual) : nullptr;
        float *y = m_memory->activation(m_node.y);
        float *xhat = m_memory->buffer(m_xhat);
        float *istd = m_memory->buffer(m_istd);
        const Affine affine{m_memory->parameter(m_node.gamma), m_memory->parameter(m_node.beta)};
        const std::int64_t n = m_columns;
#pragma omp parallel for schedule(static)
        for (std::int64_t row = 0; row < m_rows; ++row) {
            float *z = xhat + row * n;
            drop(state, row, x + row * n, z);
            if (residual != nullptr) {
#pragma omp simd
                for (std::int64_t i = 0; i < n; ++i)
                    z[i] += residual[row * n + i];
            }
            istd[row] = normalise_row(z, n, m_node.eps);
            affine_row(z, affine, y + row * n, n);
        }
    }

    void backward(PassState &state) override
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
        layer_norm_backward(args);
        if (!m_node.residual && !m_dropout.active())
            return;
        float *dx = m_memory->buffer(m_dx);
#pragma omp parallel for schedule(static)
        for (std::int64_t row = 0; row < m_rows; ++row)
            drop(state, row, args.dy + row * m_columns, dx + row * m_columns);
    }

private:
    // The same elements in forward and backward: the mask depends on step, node and place alone.
    void drop(const PassState &state, std::int64_t row, const float *in, float *out) const
    {
        if (!m_dropout.active()) {
            std::copy_n(in, m_columns, out);
            return;
        }
        dropout_row({m_dropout.stream(state.pass), m_dropout.rate(), row}, in, out, m_columns);
    }

    DropoutAddNorm m_node;
    std::int64_t m_rows, m_columns;
    Dropout m_dropout;
    BufferPlanner::Id m_xhat, m_istd, m_partial, m_dx;
    std::vector<BufferPlanner::Id> m_dy;
    const Memory *m_memory = nullptr;
};

class GatherRowsLayer : public Layer {
public:
    GatherRowsLayer(Build &build, const GatherRows &node)
        : m_node(node)
        , m_rows(build.graph.tensors[node.y.index].n)
        , m_columns(build.graph.tensors[node.y.index].c)
        , m_batch(build.graph.tensors[node.x.index].n / node.sequence_length)
    {
    }

    void plan_backward(BackwardPlan &plan) override
    {
        m_dy = plan.take(m_node.y);
        const auto existing = plan.existing(m_node.x);
        m_add = existing.has_value();
        m_dx = m_add ? *existing : plan.give(m_node.x);
        for (const BufferPlanner::Id id : m_dy)
            plan.release(id);
    }
    void bind(const Memory &memory) override { m_memory = &memory; }

    void forward(PassState &state) override
    {
        const float *x = m_memory->activation(m_node.x);
        float *y = m_memory->activation(m_node.y);
        for (std::int64_t row = 0; row < m_rows; ++row)
            std::copy_n(x + source(state, row) * m_columns, m_columns, y + row * m_columns);
    }

    void backward(PassState &state) override
    {
        add_contributions(*m_memory, m_dy, m_rows * m_columns);
        const float *dy = m_memory->buffer(m_dy[0]);
        float *dx = m_memory->buffer(m_dx);
        if (!m_add)
            std::fill_n(dx, m_batch * m_node.sequence_length * m_columns, 0.0F);
        for (std::int64_t row = 0; row < m_rows; ++row) {
            float *sum = dx + source(state, row) * m_columns;
#pragma omp simd
            for (std::int64_t i = 0; i < m_columns; ++i)
                sum[i] += dy[row * m_columns + i];
        }
    }

private:
    std::int64_t source(const PassState &state, std::int64_t row) const
    {
        const std::int64_t per_sequence = m_rows / m_batch;
        const std::int64_t position =
            m_node.positions ? batch_input(*state.batch, *m_node.positions)[row] : 0;
        return row / per_sequence * m_node.sequence_length + position;
    }

    GatherRows m_node;
    std::int64_t m_rows, m_columns, m_batch;
    std::vector<BufferPlanner::Id> m_dy;
    BufferPlanner::Id m_dx;
    bool m_add = false;
    const Memory *m_memory = nullptr;
};

} // namespace

std::unique_ptr<Layer> make_layer(Build &build, const DropoutAddNorm &node)
{
    return std::make_unique<DropoutAddNormLayer>(build, node);
}

std::unique_ptr<Layer> make_layer(Build &build, const GatherRows &node)
{
    return std::make_unique<GatherRowsLayer>(build, node);
}

} // namespace sbtrain::cpu
