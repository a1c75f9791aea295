// SPDX-License-Identifier: Apache-2.0

// Multi-head attention on packed rows [3][heads][d]. One task is one head of one sequence; its products run
// on the task's own thread.
//   forward   P = softmax(Q K^T / sqrt(d)) over the keys before the length,  D = dropout(P),  O = D V
//   backward  dV = D^T dO,  dD = dO V^T,  dP = dropout(dD),  dS = P (dP - rowsum(dP P)),
//             dQ = dS K / sqrt(d),  dK = dS^T Q / sqrt(d)

#include "gemm.h"
#include "layer_norm.h"
#include "simd.h"

#include <algorithm>
#include <cmath>

namespace sbtrain::cpu {

namespace {

// Softmax of scale * x over the first `valid` of n, zeros behind; in place.
struct SoftmaxShape {
    std::int64_t n, valid;
    float scale;
};

SBTRAIN_CLONES void softmax_row(float *x, const SoftmaxShape &shape)
{
    const std::int64_t valid = shape.valid;
    const float scale = shape.scale;
    float best = x[0];
#pragma omp simd reduction(max : best)
    for (std::int64_t i = 0; i < valid; ++i)
        best = x[i] > best ? x[i] : best;
    float sum = 0.0F;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t i = 0; i < valid; ++i) {
        const float e = fast_exp(scale * (x[i] - best));
        x[i] = e;
        sum += e;
    }
    const float factor = 1.0F / sum;
#pragma omp simd
    for (std::int64_t i = 0; i < valid; ++i)
        x[i] *= factor;
    for (std::int64_t i = valid; i < shape.n; ++i)
        x[i] = 0.0F;
}

// dS = scale * P (dP - sum(dP P)), in place of dP
SBTRAIN_CLONES void softmax_backward_row(const float *p, float *dp, std::int64_t n, float scale)
{
    float dot = 0.0F;
#pragma omp simd reduction(+ : dot)
    for (std::int64_t i = 0; i < n; ++i)
        dot += p[i] * dp[i];
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i)
        dp[i] = scale * p[i] * (dp[i] - dot);
}

class AttentionLayer : public Layer {
public:
    AttentionLayer(Build &build, const Attention &node)
        : m_node(node)
        , m_length(node.sequence_length)
        , m_width(build.graph.tensors[node.y.index].c)
        , m_batch(build.graph.tensors[node.y.index].n / m_length)
        , m_dropout(build, node.dropout)
        , m_probabilities(build.planner.take(m_batch * node.heads * m_length * m_length))
        , m_dropped(build.planner.take(m_batch * node.heads * m_length * m_length))
    {
    }

    void plan_backward(BackwardPlan &plan) override
    {
        m_dy = plan.take(m_node.y);
        m_dp = plan.scratch(m_batch * m_node.heads * m_length * m_length);
        m_dqkv = plan.give(m_node.qkv);
        plan.release(m_dp);
        for (const BufferPlanner::Id id : m_dy)
            plan.release(id);
    }
    void bind(const Memory &memory) override { m_memory = &memory; }
    void forward(PassState &state) override;
    void backward(PassState &state) override;

private:
    // Where one head of one sequence finds its matrices; rows of q, k and v are 3 * width apart.
    struct Head {
        std::int64_t qkv, y, row; // row: of the squares' (N heads T, T)
        std::int64_t valid;
    };
    Head head(const PassState &state, std::int64_t index) const;
    void drop_square(const PassState &state, const Head &at, const float *in, float *out) const;
    void forward_head(const PassState &state, const Head &at);
    void backward_head(const PassState &state, const Head &at);
    std::int64_t head_width() const { return m_width / m_node.heads; }
    float scale() const { return 1.0F / std::sqrt(static_cast<float>(head_width())); }

    Attention m_node;
    std::int64_t m_length, m_width, m_batch; // T, C, N
    Dropout m_dropout;
    BufferPlanner::Id m_probabilities, m_dropped; // (N, heads, T, T)
    BufferPlanner::Id m_dp, m_dqkv;
    std::vector<BufferPlanner::Id> m_dy;
    const Memory *m_memory = nullptr;
};

AttentionLayer::Head AttentionLayer::head(const PassState &state, std::int64_t index) const
{
    const std::int64_t sequence = index / m_node.heads;
    const std::int64_t column = index % m_node.heads * head_width();
    const std::int64_t token = sequence * m_length;
    const std::int64_t valid = state.batch->lengths[static_cast<std::size_t>(sequence)];
    return {token * 3 * m_width + column, token * m_width + column, index * m_length,
            std::clamp(valid, std::int64_t{1}, m_length)};
}

void AttentionLayer::drop_square(const PassState &state, const Head &at, const float *in, float *out) const
{
    if (!m_dropout.active()) {
        if (in != out)
            std::copy_n(in, m_length * m_length, out);
        return;
    }
    const Stream stream = m_dropout.stream(state.pass);
    for (std::int64_t row = 0; row < m_length; ++row)
        dropout_row({stream, m_dropout.rate(), at.row + row}, in + row * m_length, out + row * m_length,
                    m_length);
}

void AttentionLayer::forward(PassState &state)
{
    const std::int64_t heads = m_batch * m_node.heads;
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < heads; ++i)
        forward_head(state, head(state, i));
}

void AttentionLayer::forward_head(const PassState &state, const Head &at)
{
    const float *q = m_memory->activation(m_node.qkv) + at.qkv;
    const float *k = q + m_width;
    const float *v = k + m_width;
    const std::int64_t t = m_length;
    const std::int64_t d = head_width();
    float *p = m_memory->buffer(m_probabilities) + at.row * m_length;
    float *dropped = m_memory->buffer(m_dropped) + at.row * m_length;
    gemm({.transpose_b = true,
          .m = t,
          .n = t,
          .k = d,
          .a = q,
          .lda = 3 * m_width,
          .b = k,
          .ldb = 3 * m_width,
          .c = p,
          .ldc = t});
    for (std::int64_t row = 0; row < t; ++row)
        softmax_row(p + row * t, {t, at.valid, scale()});
    drop_square(state, at, p, dropped);
    gemm({.m = t,
          .n = d,
          .k = t,
          .a = dropped,
          .lda = t,
          .b = v,
          .ldb = 3 * m_width,
          .c = m_memory->activation(m_node.y) + at.y,
          .ldc = m_width});
}

void AttentionLayer::backward(PassState &state)
{
    add_contributions(*m_memory, m_dy, m_batch * m_length * m_width);
    const std::int64_t heads = m_batch * m_node.heads;
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < heads; ++i)
        backward_head(state, head(state, i));
}

void AttentionLayer::backward_head(const PassState &state, const Head &at)
{
    const float *q = m_memory->activation(m_node.qkv) + at.qkv;
    const float *k = q + m_width;
    const float *v = k + m_width;
    const float *dy = m_memory->buffer(m_dy[0]) + at.y;
    const float *p = m_memory->buffer(m_probabilities) + at.row * m_length;
    const float *dropped = m_memory->buffer(m_dropped) + at.row * m_length;
    float *dp = m_memory->buffer(m_dp) + at.row * m_length;
    float *dq = m_memory->buffer(m_dqkv) + at.qkv;
    float *dk = dq + m_width;
    float *dv = dk + m_width;
    const std::int64_t t = m_length;
    const std::int64_t d = head_width();
    const std::int64_t row_stride = 3 * m_width;
    gemm({.transpose_a = true,
          .m = t,
          .n = d,
          .k = t,
          .a = dropped,
          .lda = t,
          .b = dy,
          .ldb = m_width,
          .c = dv,
          .ldc = row_stride});
    gemm({.transpose_b = true,
          .m = t,
          .n = t,
          .k = d,
          .a = dy,
          .lda = m_width,
          .b = v,
          .ldb = row_stride,
          .c = dp,
          .ldc = t});
    drop_square(state, at, dp, dp);
    for (std::int64_t row = 0; row < t; ++row)
        softmax_backward_row(p + row * t, dp + row * t, t, scale());
    gemm({.m = t, .n = d, .k = t, .a = dp, .lda = t, .b = k, .ldb = row_stride, .c = dq, .ldc = row_stride});
    gemm({.transpose_a = true,
          .m = t,
          .n = d,
          .k = t,
          .a = dp,
          .lda = t,
          .b = q,
          .ldb = row_stride,
          .c = dk,
          .ldc = row_stride});
}

} // namespace

std::unique_ptr<Layer> make_layer(Build &build, const Attention &node)
{
    return std::make_unique<AttentionLayer>(build, node);
}

} // namespace sbtrain::cpu
