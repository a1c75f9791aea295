// SPDX-License-Identifier: Apache-2.0

// Convolution + batch norm (+ residual) (+ ReLU): oneDNN convolves, two own passes do the rest.
//
// Per channel, over the M = N * H * W numbers of the batch:
//   forward   a = gamma * istd,  b = beta - a * mean,   y = relu(a x + b [+ residual])
//   backward  dz = dy where y > 0,  S1 = sum dz,  S2 = sum dz (x - mean)
//             dbeta = S1,  dgamma = istd * S2
//             p = -a istd^2 S2 / M,  q = -a S1 / M - p mean,   dx = a dz + p x + q

#include "bn_kernels.h"
#include "layer.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sbtrain::cpu {

namespace {

using dnnl::memory;

class ConvBnLayer : public Layer {
public:
    ConvBnLayer(Build &build, const ConvBn &node);
    void plan_backward(BackwardPlan &plan) override;
    void bind(const Memory &memory) override;
    void forward(PassState &state) override;
    void backward(PassState &state) override;

private:
    void make_forward(Build &build);
    void make_backward();
    template <typename Body>
    void for_columns(Body body) const;
    void statistics();
    void forward_coefficients();
    void backward_sums();
    void backward_coefficients();
    float *channel(BufferPlanner::Id id) const { return m_memory->buffer(id); }

    ConvBn m_node;
    ImageLayout m_layout; // of y
    int m_width = 16;     // channels of a column
    bool m_freeze = false;
    bool m_input_gradient = false;
    const Memory *m_memory = nullptr;

    dnnl::engine m_engine;
    dnnl::stream m_stream;
    ConvShape m_shape;
    memory::desc m_x_desc, m_y_desc, m_weight_desc, m_weight_gradient_desc, m_weight_backward_desc;
    dnnl::convolution_forward m_conv;
    dnnl::convolution_backward_data m_conv_backward;
    dnnl::convolution_backward_weights m_conv_weights;
    dnnl::reorder m_weight_reorder, m_gradient_reorder; // only where the descs above differ
    memory m_x, m_weight, m_conv_out, m_dconv, m_dx, m_dweight, m_weight_backward, m_dweight_raw;

    // Saved for backward: the convolution's output and per-channel vectors; running statistics.
    BufferPlanner::Id m_conv_id, m_mean, m_istd, m_a, m_b, m_p, m_q, m_running_mean, m_running_var;
    BufferPlanner::Id m_partial1, m_partial2; // (N, C): a row an image
    // Gradients: contributions to dy, the gradient at the convolution's output, scratch.
    std::vector<BufferPlanner::Id> m_dy;
    BufferPlanner::Id m_dconv_id, m_dx_id, m_weight_backward_id, m_dweight_raw_id;
};

ConvBnLayer::ConvBnLayer(Build &build, const ConvBn &node)
    : m_node(node)
    , m_layout(build.image_layout(node.y))
    , m_width(m_layout.lanes % 16 == 0 ? 16 : 8)
    , m_freeze(build.settings.freeze_bn)
    , m_input_gradient(node.x != build.graph.images)
    , m_engine(build.engine)
    , m_stream(build.stream)
{
    make_forward(build);
    make_backward();
    BufferPlanner &planner = build.planner;
    m_conv_id = planner.take(build.graph.tensors[node.y.index].count());
    for (BufferPlanner::Id *id : {&m_mean, &m_istd, &m_a, &m_b, &m_p, &m_q, &m_running_mean, &m_running_var})
        *id = planner.take(m_layout.c);
    m_partial1 = planner.take(m_layout.n * m_layout.c);
    m_partial2 = planner.take(m_layout.n * m_layout.c);
}

void ConvBnLayer::make_forward(Build &build)
{
    const Shape x = build.graph.tensors[m_node.x.index];
    const Shape y = build.graph.tensors[m_node.y.index];
    m_shape = {{x.n, x.c, x.h, x.w},
               {y.c, x.c, m_node.kernel, m_node.kernel},
               {y.n, y.c, y.h, y.w},
               {m_node.stride, m_node.stride},
               {m_node.pad, m_node.pad}};
    m_x_desc = build.image_desc(m_node.x);
    m_y_desc = build.image_desc(m_node.y);
    const memory::desc any(m_shape.weight, memory::data_type::f32, memory::format_tag::any);
    const auto forward = conv_forward_desc(m_engine, m_shape, {m_x_desc, any, m_y_desc});
    m_conv = dnnl::convolution_forward(forward);

    // The arena keeps the weights the way the forward convolution wants them; SGD does not care.
    m_weight_desc = forward.weights_desc();
    ParameterSlot &slot = build.slots[m_node.weight.index];
    slot.desc = m_weight_desc;
    slot.count = static_cast<std::int64_t>(m_weight_desc.get_size() / sizeof(float));
}

void ConvBnLayer::make_backward()
{
    const memory::desc any(m_shape.weight, memory::data_type::f32, memory::format_tag::any);
    const auto forward = conv_forward_desc(m_engine, m_shape, {m_x_desc, any, m_y_desc});
    const auto weights = conv_backward_weights_desc(m_engine, m_shape, {m_x_desc, any, m_y_desc}, forward);
    m_conv_weights = dnnl::convolution_backward_weights(weights);
    m_weight_gradient_desc = weights.diff_weights_desc();
    if (m_weight_gradient_desc != m_weight_desc)
        m_gradient_reorder = dnnl::reorder(
            dnnl::reorder::primitive_desc(m_engine, m_weight_gradient_desc, m_engine, m_weight_desc));
    if (!m_input_gradient)
        return;
    const auto data = conv_backward_data_desc(m_engine, m_shape, {m_x_desc, any, m_y_desc}, forward);
    m_conv_backward = dnnl::convolution_backward_data(data);
    m_weight_backward_desc = data.weights_desc();
    if (m_weight_backward_desc != m_weight_desc)
        m_weight_reorder = dnnl::reorder(
            dnnl::reorder::primitive_desc(m_engine, m_weight_desc, m_engine, m_weight_backward_desc));
}

void ConvBnLayer::plan_backward(BackwardPlan &plan)
{
    m_dy = plan.take(m_node.y);
    if (m_dy.size() > 2)
        throw std::logic_error("an image activation with more than two readers");
    if (m_dy.size() == 2)
        plan.release(m_dy[1]); // read before anything below is written
    // With a residual, the masked dy lives on as the residual's gradient; otherwise dconv replaces it.
    m_dconv_id = m_node.residual ? plan.scratch(m_layout.n * m_layout.c * m_layout.pixels) : m_dy[0];
    if (m_node.residual)
        plan.pass(m_dy[0], *m_node.residual);

    const auto floats = [](const memory::desc &desc) {
        return static_cast<std::int64_t>(desc.get_size() / sizeof(float));
    };
    if (m_gradient_reorder) {
        m_dweight_raw_id = plan.scratch(floats(m_weight_gradient_desc));
        plan.release(m_dweight_raw_id);
    }
    if (m_input_gradient) {
        if (m_weight_reorder)
            m_weight_backward_id = plan.scratch(floats(m_weight_backward_desc));
        m_dx_id = plan.give(m_node.x);
        if (m_weight_reorder)
            plan.release(m_weight_backward_id);
    }
    plan.release(m_dconv_id);
}

void ConvBnLayer::bind(const Memory &memory)
{
    m_memory = &memory;
    const auto at = [this](const dnnl::memory::desc &desc, float *data) {
        return dnnl::memory(desc, m_engine, data);
    };
    m_x = at(m_x_desc, memory.activation(m_node.x));
    m_weight = at(m_weight_desc, memory.parameter(m_node.weight));
    m_conv_out = at(m_y_desc, memory.buffer(m_conv_id));
    m_dconv = at(m_y_desc, memory.buffer(m_dconv_id));
    m_dweight = at(m_weight_desc, memory.gradient(m_node.weight));
    m_dweight_raw =
        m_gradient_reorder ? at(m_weight_gradient_desc, memory.buffer(m_dweight_raw_id)) : m_dweight;
    if (m_input_gradient) {
        m_dx = at(m_x_desc, memory.buffer(m_dx_id));
        m_weight_backward =
            m_weight_reorder ? at(m_weight_backward_desc, memory.buffer(m_weight_backward_id)) : m_weight;
    }
    std::fill_n(channel(m_running_mean), m_layout.c, 0.0F);
    std::fill_n(channel(m_running_var), m_layout.c, 1.0F);
}

// body(offset of the column, its first channel, image) for every column of y, in parallel.
template <typename Body>
void ConvBnLayer::for_columns(Body body) const
{
    const std::int64_t columns = m_layout.c / m_width;
#pragma omp parallel for collapse(2) schedule(static)
    for (std::int64_t image = 0; image < m_layout.n; ++image) {
        for (std::int64_t column = 0; column < columns; ++column) {
            const std::int64_t offset = m_width == 16 ? m_layout.column_offset<16>(image, column)
                                                      : m_layout.column_offset<8>(image, column);
            body(offset, column * m_width, image);
        }
    }
}

void ConvBnLayer::forward(PassState &)
{
    m_conv.execute(m_stream, {{DNNL_ARG_SRC, m_x}, {DNNL_ARG_WEIGHTS, m_weight}, {DNNL_ARG_DST, m_conv_out}});
    m_stream.wait();
    if (!m_freeze)
        statistics();
    forward_coefficients();

    const BnKernels &kernels = bn_kernels(m_width);
    const Column column{m_layout.lanes, m_layout.pixels};
    const float *x = m_memory->buffer(m_conv_id);
    const float *residual = m_node.residual ? m_memory->activation(*m_node.residual) : nullptr;
    float *y = m_memory->activation(m_node.y);
    for_columns([&](std::int64_t offset, std::int64_t c, std::int64_t) {
        kernels.normalise({x + offset, residual != nullptr ? residual + offset : nullptr, y + offset,
                           channel(m_a) + c, channel(m_b) + c, m_node.relu},
                          column);
    });
}

// Mean and 1 / sqrt(variance + eps) over the batch; running statistics follow.
void ConvBnLayer::statistics()
{
    const BnKernels &kernels = bn_kernels(m_width);
    const Column column{m_layout.lanes, m_layout.pixels};
    const float *x = m_memory->buffer(m_conv_id);
    float *means = m_memory->buffer(m_partial1); // (N, C)
    float *m2s = m_memory->buffer(m_partial2);   // (N, C)
    for_columns([&](std::int64_t offset, std::int64_t c, std::int64_t image) {
        const std::int64_t at = image * m_layout.c + c;
        kernels.moments(x + offset, column, means + at, m2s + at);
    });

    // Images are put together by Chan's rule: M2 = sum M2_i + pixels * sum (mean_i - mean)^2.
    const auto images = static_cast<double>(m_layout.n);
    const auto pixels = static_cast<double>(m_layout.pixels);
    const double count = images * pixels;
    for (std::int64_t c = 0; c < m_layout.c; ++c) {
        double mean = 0.0;
        for (std::int64_t i = 0; i < m_layout.n; ++i)
            mean += means[i * m_layout.c + c];
        mean /= images;
        double m2 = 0.0;
        for (std::int64_t i = 0; i < m_layout.n; ++i) {
            const double distance = means[i * m_layout.c + c] - mean;
            m2 += m2s[i * m_layout.c + c] + pixels * distance * distance;
        }
        channel(m_mean)[c] = static_cast<float>(mean);
        channel(m_istd)[c] = static_cast<float>(1.0 / std::sqrt(m2 / count + m_node.eps));
        const auto unbiased = static_cast<float>(m2 / std::max(count - 1.0, 1.0));
        float &running_mean = channel(m_running_mean)[c];
        float &running_var = channel(m_running_var)[c];
        running_mean += m_node.momentum * (static_cast<float>(mean) - running_mean);
        running_var += m_node.momentum * (unbiased - running_var);
    }
}

void ConvBnLayer::forward_coefficients()
{
    const float *gamma = m_memory->parameter(m_node.gamma);
    const float *beta = m_memory->parameter(m_node.beta);
    for (std::int64_t c = 0; c < m_layout.c; ++c) {
        if (m_freeze) {
            channel(m_mean)[c] = channel(m_running_mean)[c];
            channel(m_istd)[c] = 1.0F / std::sqrt(channel(m_running_var)[c] + m_node.eps);
        }
        const float a = gamma[c] * channel(m_istd)[c];
        channel(m_a)[c] = a;
        channel(m_b)[c] = beta[c] - a * channel(m_mean)[c];
    }
}

void ConvBnLayer::backward(PassState &)
{
    backward_sums();
    backward_coefficients();

    const BnKernels &kernels = bn_kernels(m_width);
    const Column column{m_layout.lanes, m_layout.pixels};
    const float *x = m_memory->buffer(m_conv_id);
    const float *dz = m_memory->buffer(m_dy[0]);
    float *dconv = m_memory->buffer(m_dconv_id);
    // Without residual and second contribution dz was not stored: mask again while reading.
    const bool mask_from_x = m_node.relu && !m_node.residual && m_dy.size() == 1;
    for_columns([&](std::int64_t offset, std::int64_t c, std::int64_t) {
        kernels.apply({x + offset, dz + offset, dconv + offset, channel(m_a) + c, channel(m_b) + c,
                       channel(m_p) + c, channel(m_q) + c, mask_from_x},
                      column);
    });

    m_conv_weights.execute(
        m_stream,
        {{DNNL_ARG_SRC, m_x}, {DNNL_ARG_DIFF_DST, m_dconv}, {DNNL_ARG_DIFF_WEIGHTS, m_dweight_raw}});
    if (m_gradient_reorder)
        m_gradient_reorder.execute(m_stream, m_dweight_raw, m_dweight);
    if (m_input_gradient) {
        if (m_weight_reorder)
            m_weight_reorder.execute(m_stream, m_weight, m_weight_backward);
        m_conv_backward.execute(
            m_stream,
            {{DNNL_ARG_DIFF_DST, m_dconv}, {DNNL_ARG_WEIGHTS, m_weight_backward}, {DNNL_ARG_DIFF_SRC, m_dx}});
    }
    m_stream.wait();
}

// S1 and S2 of every image into the partial rows; where someone else needs dz, it is written over dy.
void ConvBnLayer::backward_sums()
{
    const BnKernels &kernels = bn_kernels(m_width);
    const Column column{m_layout.lanes, m_layout.pixels};
    SumsArgs all;
    all.x = m_memory->buffer(m_conv_id);
    all.y = m_memory->activation(m_node.y);
    all.dy = m_memory->buffer(m_dy[0]);
    all.dy2 = m_dy.size() > 1 ? m_memory->buffer(m_dy[1]) : nullptr;
    all.mask = !m_node.relu ? Mask::None : m_node.residual ? Mask::FromY : Mask::FromX;
    all.store = m_node.relu && m_node.residual.has_value();
    for_columns([&](std::int64_t offset, std::int64_t c, std::int64_t image) {
        SumsArgs args = all;
        args.x += offset;
        args.y += offset;
        args.dy += offset;
        args.dy2 = all.dy2 != nullptr ? all.dy2 + offset : nullptr;
        args.a = channel(m_a) + c;
        args.b = channel(m_b) + c;
        args.mean = channel(m_mean) + c;
        args.s1 = m_memory->buffer(m_partial1) + image * m_layout.c + c;
        args.s2 = m_memory->buffer(m_partial2) + image * m_layout.c + c;
        kernels.sums(args, column);
    });
}

void ConvBnLayer::backward_coefficients()
{
    const float *partial1 = m_memory->buffer(m_partial1);
    const float *partial2 = m_memory->buffer(m_partial2);
    float *dgamma = m_memory->gradient(m_node.gamma);
    float *dbeta = m_memory->gradient(m_node.beta);
    const auto count = static_cast<double>(m_layout.n * m_layout.pixels);
    for (std::int64_t c = 0; c < m_layout.c; ++c) {
        double s1 = 0.0;
        double s2 = 0.0;
        for (std::int64_t i = 0; i < m_layout.n; ++i) {
            s1 += partial1[i * m_layout.c + c];
            s2 += partial2[i * m_layout.c + c];
        }
        const double istd = channel(m_istd)[c];
        const double a = channel(m_a)[c];
        dbeta[c] = static_cast<float>(s1);
        dgamma[c] = static_cast<float>(istd * s2);
        // Frozen statistics do not depend on x: only the first term of dx is left.
        const double p = m_freeze ? 0.0 : -a * istd * istd * s2 / count;
        const double q = m_freeze ? 0.0 : -a * s1 / count - p * channel(m_mean)[c];
        channel(m_p)[c] = static_cast<float>(p);
        channel(m_q)[c] = static_cast<float>(q);
    }
}

} // namespace

std::unique_ptr<Layer> make_layer(Build &build, const ConvBn &node)
{
    return std::make_unique<ConvBnLayer>(build, node);
}

} // namespace sbtrain::cpu
