// SPDX-License-Identifier: Apache-2.0

// y = act(x W^T + b): one matrix product and one pass over the rows; the gradient of the activation and of
// the bias in one pass, then two products.

#include "gemm.h"
#include "layer.h"
#include "simd.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sbtrain::cpu {

void gemm(const GemmArgs &args)
{
    const dnnl_status_t status =
        dnnl_sgemm(args.transpose_a ? 'T' : 'N', args.transpose_b ? 'T' : 'N', args.m, args.n, args.k,
                   args.alpha, args.a, args.lda, args.b, args.ldb, args.beta, args.c, args.ldc);
    if (status == dnnl_out_of_memory)
        throw std::bad_alloc();
    if (status != dnnl_success)
        throw std::logic_error("a matrix product was refused");
}

namespace {

// GELU in its tanh form (Hendrycks and Gimpel, arXiv:1606.08415): z s with s = 1 / (1 + e^(-2u)),
// u = sqrt(2 / pi) (z + 0.044715 z^3).
constexpr float kGeluLinear = 1.5957691F; // 2 sqrt(2 / pi): 2u = linear z + cubic z^3
constexpr float kGeluCubic = kGeluLinear * 0.044715F;

// z += bias, y = z s
SBTRAIN_CLONES void bias_gelu(float *z, const float *bias, float *y, std::int64_t n)
{
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) {
        const float v = z[i] + bias[i];
        z[i] = v;
        const float twice_u = v * (kGeluLinear + kGeluCubic * v * v);
        const float e = fast_exp(-std::fabs(twice_u));
        y[i] = (v < 0.0F ? v * e : v) / (1.0F + e);
    }
}

// dz = dy (s + z s (1 - s) d(2u)/dz), in place
SBTRAIN_CLONES void gelu_backward(const float *z, float *dy, std::int64_t n)
{
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) {
        const float v = z[i];
        const float twice_u = v * (kGeluLinear + kGeluCubic * v * v);
        const float e = fast_exp(-std::fabs(twice_u));
        const float part = 1.0F / (1.0F + e);
        const float s = v < 0.0F ? e * part : part;
        dy[i] *= s + v * part * (e * part) * (kGeluLinear + 3.0F * kGeluCubic * v * v);
    }
}

SBTRAIN_CLONES void add_row(float *sum, const float *row, std::int64_t n)
{
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i)
        sum[i] += row[i];
}

class LinearLayer : public Layer {
public:
    LinearLayer(Build &build, const Linear &node)
        : m_node(node)
        , m_rows(build.graph.tensors[node.y.index].n)
        , m_in(build.graph.tensors[node.x.index].c)
        , m_out(build.graph.tensors[node.y.index].c)
    {
        if (m_node.activation == Activation::Gelu)
            m_z = build.planner.take(m_rows * m_out);
    }

    void plan_backward(BackwardPlan &plan) override
    {
        m_dy = plan.take(m_node.y);
        m_first = plan.first_write(m_node.weight);
        if (const auto existing = plan.existing(m_node.x)) {
            m_dx = *existing; // the product adds to it for nothing
            m_add = true;
        } else {
            m_dx = plan.give(m_node.x);
        }
        for (const BufferPlanner::Id id : m_dy)
            plan.release(id);
    }
    void bind(const Memory &memory) override { m_memory = &memory; }
    void forward(PassState &state) override;
    void backward(PassState &state) override;

private:
    void activate(float *y, const float *bias);
    void activation_backward(float *dy);
    void bias_gradient(const float *dy);

    Linear m_node;
    std::int64_t m_rows, m_in, m_out;
    bool m_first = true;   // this layer overwrites dW; a tied weight's second writer adds
    bool m_add = false;    // dx has another reader's part in it already
    BufferPlanner::Id m_z; // (rows, out) before GELU
    std::vector<BufferPlanner::Id> m_dy;
    BufferPlanner::Id m_dx;
    const Memory *m_memory = nullptr;
};

void LinearLayer::forward(PassState &)
{
    float *y = m_memory->activation(m_node.y);
    GemmArgs args;
    args.transpose_b = true;
    args.m = m_rows;
    args.n = m_out;
    args.k = m_in;
    args.a = m_memory->activation(m_node.x);
    args.lda = m_in;
    args.b = m_memory->parameter(m_node.weight);
    args.ldb = m_in;
    args.c = m_node.activation == Activation::Gelu ? m_memory->buffer(m_z) : y;
    args.ldc = m_out;
    gemm(args);
    activate(y, m_memory->parameter(m_node.bias));
}

void LinearLayer::activate(float *y, const float *bias)
{
    float *z = m_node.activation == Activation::Gelu ? m_memory->buffer(m_z) : nullptr;
#pragma omp parallel for schedule(static)
    for (std::int64_t row = 0; row < m_rows; ++row) {
        float *y_row = y + row * m_out;
        if (z != nullptr) {
            bias_gelu(z + row * m_out, bias, y_row, m_out);
            continue;
        }
        add_row(y_row, bias, m_out);
        if (m_node.activation == Activation::Tanh) {
            for (std::int64_t i = 0; i < m_out; ++i)
                y_row[i] = std::tanh(y_row[i]);
        }
    }
}

void LinearLayer::backward(PassState &)
{
    add_contributions(*m_memory, m_dy, m_rows * m_out);
    float *dy = m_memory->buffer(m_dy[0]);
    activation_backward(dy);
    bias_gradient(dy);

    GemmArgs weight; // dW (out, in) = dy^T (out, rows) x (rows, in)
    weight.transpose_a = true;
    weight.m = m_out;
    weight.n = m_in;
    weight.k = m_rows;
    weight.a = dy;
    weight.lda = m_out;
    weight.b = m_memory->activation(m_node.x);
    weight.ldb = m_in;
    weight.c = m_memory->gradient(m_node.weight);
    weight.ldc = m_in;
    weight.beta = m_first ? 0.0F : 1.0F;
    gemm(weight);

    GemmArgs input; // dx (rows, in) = dy (rows, out) W (out, in)
    input.m = m_rows;
    input.n = m_in;
    input.k = m_out;
    input.a = dy;
    input.lda = m_out;
    input.b = m_memory->parameter(m_node.weight);
    input.ldb = m_in;
    input.c = m_memory->buffer(m_dx);
    input.ldc = m_in;
    input.beta = m_add ? 1.0F : 0.0F;
    gemm(input);
}

void LinearLayer::activation_backward(float *dy)
{
    if (m_node.activation == Activation::None)
        return;
    const float *y = m_memory->activation(m_node.y);
    const float *z = m_node.activation == Activation::Gelu ? m_memory->buffer(m_z) : nullptr;
#pragma omp parallel for schedule(static)
    for (std::int64_t row = 0; row < m_rows; ++row) {
        float *dy_row = dy + row * m_out;
        if (z != nullptr) {
            gelu_backward(z + row * m_out, dy_row, m_out);
            continue;
        }
        for (std::int64_t i = 0; i < m_out; ++i) {
            const float tanh = y[row * m_out + i];
            dy_row[i] *= 1.0F - tanh * tanh;
        }
    }
}

// Column sums of dy, a strip of columns a task: no partial sums to put together.
void LinearLayer::bias_gradient(const float *dy)
{
    float *dbias = m_memory->gradient(m_node.bias);
    constexpr std::int64_t kStrip = 256;
#pragma omp parallel for schedule(static)
    for (std::int64_t begin = 0; begin < m_out; begin += kStrip) {
        const std::int64_t n = std::min(kStrip, m_out - begin);
        std::fill_n(dbias + begin, n, 0.0F);
        for (std::int64_t row = 0; row < m_rows; ++row)
            add_row(dbias + begin, dy + row * m_out + begin, n);
    }
}

} // namespace

std::unique_ptr<Layer> make_layer(Build &build, const Linear &node)
{
    return std::make_unique<LinearLayer>(build, node);
}

} // namespace sbtrain::cpu
