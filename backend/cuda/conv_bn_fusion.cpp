// SPDX-License-Identifier: Apache-2.0

// The own products of ConvBnLayer, and whose passes they do on the way.

#include "conv_bn.h"

#include <algorithm>

namespace sbtrain::cuda {

// A shortcut without an activation that a block's end alone reads: that normalises it on the way.
bool ConvBnLayer::left_to_block_end(const Build &build) const
{
    const auto reads = [&](const Node &node) {
        const auto *end = std::get_if<ConvBn>(&node);
        return end != nullptr && end->residual && end->residual->index == m_node.y.index;
    };
    return !m_pool && !m_node.relu && !m_node.residual && build.readers[m_node.y.index] == 1 &&
           std::any_of(build.graph.nodes.begin(), build.graph.nodes.end(), reads);
}

// The first reader of a block's end may make it. What that needs lives until then.
void ConvBnLayer::plan_own_forward(Build &build)
{
    const bool product = m_problem.pointwise() || forward_problem().windows.images > 0;
    m_try_own = m_context.own_gemm && !m_freeze && product && OwnGemm::fits(forward_problem());
    Layer *writer = build.writers[m_node.x.index];
    ConvBnLayer *source = writer != nullptr ? writer->as_conv_bn() : nullptr;
    OwnGemmProblem fused = forward_problem();
    fused.prologue = Prologue::Normalise; // or of both: the same fit
    if (!m_try_own || source == nullptr || !source->m_bits.valid() || build.reads[m_node.x.index] > 0 ||
        !OwnGemm::fits(fused))
        return;
    m_source = source;
    for (const MemoryPlan::Id id : {source->m_conv_out, source->m_residual, source->m_bits})
        build.plan.use(id);
}

// Of a block's output whose two readers are conv1 and a 1x1 convolution of stride 2, which reads a quarter of
// its pixels: the gradient of the others is zero, conv1 knows which they are. conv1 is made first.
void ConvBnLayer::plan_even_gradient(Build &build)
{
    const std::size_t x = m_node.x.index;
    Layer *writer = build.writers[x];
    ConvBnLayer *producer = writer != nullptr ? writer->as_conv_bn() : nullptr;
    if (!m_context.own_gemm || producer == nullptr || producer->m_pool || !producer->m_bits.valid() ||
        build.readers[x] != 2)
        return;
    OwnGemmProblem gradient = gradient_problem();
    gradient.epilogue = Epilogue::AddEvenMaskBits;
    if (m_problem.pointwise())
        build.takes_even_gradient[x] = m_problem.h % 2 == 0 && OwnGemm::fits(gradient);
    else
        m_gives_even = build.takes_even_gradient[x] && m_problem.kernel == 1 && m_problem.stride == 2 &&
                       m_problem.pad == 0;
}

// A convolution whose input is the output of a ReLU. conv2 (3x3) and conv3 (1x1) read what only they read;
// conv1 (1x1) reads a block's output, whose other reader has left its part of the gradient by now.
void ConvBnLayer::plan_own_dgrad(Build &build)
{
    Layer *writer = build.writers[m_node.x.index];
    ConvBnLayer *producer = writer != nullptr ? writer->as_conv_bn() : nullptr;
    const bool product = m_problem.pointwise() && OwnGemm::fits(gradient_problem());
    const bool convolution = conv16_problem(true).has_value();
    if (!m_context.own_gemm || producer == nullptr)
        return;
    if (stem_shortcut(*producer))
        m_transposed = build.transpose(m_node.weight, m_problem.k, m_problem.c);
    if (producer->m_pool || !producer->m_node.relu || (!product && !convolution))
        return;
    const int readers = build.readers[m_node.x.index];
    const std::size_t present = build.gradients[m_node.x.index].size();
    const bool inner = readers == 1 && present == 0 && !producer->m_bits.valid();
    const MemoryPlan::Id even = build.even_gradient[m_node.x.index];
    const bool block_end = readers == 2 && present == (even.valid() ? 0U : 1U) && producer->m_bits.valid();
    if (!inner && (!block_end || convolution))
        return;
    m_producer = producer;
    m_use_own_dgrad = producer->m_sums_taken = product;
    build.plan.use(producer->m_conv_out);
    if (block_end)
        build.plan.use(producer->m_bits);
    if (even.valid()) {
        m_even_gradient = even;
        build.plan.use(even);
    }
    m_dx = block_end && !even.valid() ? *build.existing(m_node.x) // added to in place
                                      : build.give(m_node.x);
    m_transposed =
        build.transpose(m_node.weight, m_problem.k, m_problem.kernel * m_problem.kernel * m_problem.c);
    m_partial_dgrad = build.plan.add(sizeof(float) * 2 * static_cast<std::size_t>(m_problem.c) *
                                     static_cast<std::size_t>(own_dgrad_rows()));
}

// Such a one may have both gradients by one kernel, which leaves out that of x where x is zero: there the
// stem's ReLU hides it anyway.
bool ConvBnLayer::stem_shortcut(const ConvBnLayer &producer) const
{
    return producer.m_pool && producer.m_node.relu && !m_node.relu && !m_freeze && m_dy.size() == 1 &&
           m_problem.pointwise() && OwnBackward::fits(backward_problem());
}

int ConvBnLayer::own_dgrad_rows() const
{
    const auto convolution = conv16_problem(true);
    return convolution ? OwnConv16::partial_rows(*convolution, m_context.multiprocessors)
                       : OwnGemm::partial_rows(gradient_problem(), m_context.multiprocessors);
}

std::optional<OwnConv16Problem> ConvBnLayer::conv16_problem(bool gradient) const
{
    const ConvProblem &p = m_problem;
    if (!m_context.own_gemm || (m_freeze && !gradient) || p.kernel != 3 || p.stride != 1 || p.pad != 1 ||
        p.h != p.w)
        return std::nullopt;
    OwnConv16Problem own{p.n, p.h, p.c, p.k, p.type};
    if (gradient) {
        std::swap(own.c, own.k);
        own.epilogue = Epilogue::MaskFromX;
        own.turned = true;
    }
    return OwnConv16::fits(own) ? std::optional(own) : std::nullopt;
}

OwnGemmProblem ConvBnLayer::forward_problem() const
{
    OwnGemmProblem p{m_shape.rows, m_problem.k, m_problem.c, m_context.type, Epilogue::Stats};
    if (m_problem.kernel == 4 && m_problem.c == 16 && m_problem.stride == 1 && m_problem.pad == 0) {
        p.k = 256;
        p.windows = {m_problem.n, m_problem.h, m_problem.w, m_problem.p, m_problem.q};
    }
    return p;
}

OwnGemmProblem ConvBnLayer::gradient_problem() const
{
    OwnGemmProblem p{m_shape.rows, m_problem.c, m_problem.k, m_context.type, Epilogue::MaskFromX};
    if (m_even_gradient.valid())
        p.epilogue = Epilogue::AddEvenMaskBits;
    else if (m_producer != nullptr && m_producer->m_bits.valid())
        p.epilogue = Epilogue::AddMaskBits;
    p.width = m_problem.w;
    return p;
}

OwnGemmProblem ConvBnLayer::backward_problem() const
{
    OwnGemmProblem p = gradient_problem();
    p.prologue = Prologue::Apply;
    return p;
}

void ConvBnLayer::bind_own_forward()
{
    if (const auto convolution = conv16_problem(false)) {
        OwnConv16Pointers at;
        at.x = m_memory->at(m_x);
        at.w = m_memory->weight(m_node.weight);
        at.y = m_memory->at(m_conv_out);
        at.partial = partial();
        m_conv16 = std::make_unique<OwnConv16>(*convolution, at, m_context.multiprocessors);
    }
    if (!m_try_own)
        return;
    OwnGemmPointers at;
    at.a = m_memory->at(m_x);
    at.b = m_memory->weight(m_node.weight);
    at.c = m_memory->at(m_conv_out);
    at.partial = partial();
    OwnGemmProblem problem = forward_problem();
    m_own = std::make_unique<OwnGemm>(problem, at, m_context.multiprocessors);
    if (m_source == nullptr)
        return;
    const ConvBnLayer *shortcut = m_source->m_shortcut;
    problem.prologue = shortcut != nullptr ? Prologue::NormaliseBoth : Prologue::Normalise;
    at.sources.x = m_memory->at(m_source->m_conv_out);
    at.sources.other = m_memory->at(m_source->m_residual);
    at.sources.made = m_memory->at(m_x);
    at.sources.bits = m_memory->at<std::uint8_t>(m_source->m_bits);
    at.sources.vectors[0] = m_source->vector(kA);
    at.sources.vectors[1] = m_source->vector(kB);
    if (shortcut != nullptr) {
        at.sources.vectors[2] = shortcut->vector(kA);
        at.sources.vectors[3] = shortcut->vector(kB);
    }
    m_own_normalise = std::make_unique<OwnGemm>(problem, at, m_context.multiprocessors);
}

void ConvBnLayer::bind_own_dgrad()
{
    if (!m_transposed.valid())
        return;
    if (conv16_problem(true))
        return bind_conv16_dgrad();
    OwnGemmPointers at;
    at.a = m_memory->at(m_dconv);
    at.b = m_memory->at(m_transposed);
    at.c = m_memory->at(m_dx);
    at.sources.x = m_memory->at(m_conv_out);
    at.sources.other = m_memory->at(m_dy[0]);
    at.sources.made = m_memory->at(m_dconv);
    at.sources.vectors[0] = vector(kA);
    at.sources.vectors[1] = vector(kP);
    at.sources.vectors[2] = vector(kQ);
    if (m_producer == nullptr) {
        at.x = m_memory->at(m_x);
        m_own_backward = std::make_unique<OwnBackward>(backward_problem(), at, m_context.multiprocessors);
        return;
    }
    at.x = m_memory->at(m_producer->m_conv_out);
    at.partial = m_memory->at<float>(m_partial_dgrad);
    // The producer has its addresses already: layers are bound in forward order.
    at.mean = m_producer->vector(kMean);
    if (m_producer->m_bits.valid()) {
        at.g = m_even_gradient.valid() ? m_memory->at(m_even_gradient) : at.c;
        at.bits = m_memory->at<std::uint8_t>(m_producer->m_bits);
    } else {
        at.scale = m_producer->vector(kA);
        at.shift = m_producer->vector(kB);
    }
    m_own_dgrad = std::make_unique<OwnGemm>(gradient_problem(), at, m_context.multiprocessors);
    const OwnGemmProblem problem = backward_problem();
    if (m_freeze || !m_bits.valid() || !OwnGemm::fits(problem))
        return;
    m_own_apply = std::make_unique<OwnGemm>(problem, at, m_context.multiprocessors);
    if (OwnBackward::fits(problem))
        m_own_backward = std::make_unique<OwnBackward>(problem, at, m_context.multiprocessors);
}

void ConvBnLayer::bind_conv16_dgrad()
{
    OwnConv16Pointers at;
    at.x = m_memory->at(m_dconv);
    at.w = m_memory->at(m_transposed);
    at.y = m_memory->at(m_dx);
    at.other = m_memory->at(m_producer->m_conv_out);
    at.scale = m_producer->vector(kA);
    at.shift = m_producer->vector(kB);
    at.mean = m_producer->vector(kMean);
    at.partial = m_memory->at<float>(m_partial_dgrad);
    m_conv16_dgrad = std::make_unique<OwnConv16>(*conv16_problem(true), at, m_context.multiprocessors);
}

void ConvBnLayer::run_own_dgrad()
{
    if (m_conv16_dgrad)
        m_conv16_dgrad->run(m_context.stream);
    else
        m_own_dgrad->run(m_context.stream);
}

void ConvBnLayer::take_sums(const float *sums, int partial_rows)
{
    backward_finish(sums, partial_rows);
}

// Pass and convolution against both in one.
void ConvBnLayer::tune_fused_normalise(Tuner &tuner)
{
    const float apart_ms = tuner.time_ms([&] {
        m_source->normalise();
        convolve();
        return true;
    });
    const float fused_ms = tuner.time_ms([&] {
        m_own_normalise->run(m_context.stream);
        return true;
    });
    m_use_own_normalise = fused_ms < apart_ms;
    m_source->m_normalise_left = m_use_own_normalise;
}

void ConvBnLayer::tune_conv16_dgrad(Tuner &tuner, const ConvPointers &at)
{
    const float apart_ms = tuner.time_ms([&] {
        m_dgrad->run(at, m_memory->workspace);
        m_producer->backward_sums();
        return true;
    });
    const float fused_ms = tuner.time_ms([&] {
        run_own_dgrad();
        m_producer->take_sums(m_memory->at<float>(m_partial_dgrad), m_conv16_dgrad->partial_rows());
        return true;
    });
    m_use_own_dgrad = m_producer->m_sums_taken = fused_ms < apart_ms;
}

void ConvBnLayer::tune_fused_apply(Tuner &tuner)
{
    const float apart_ms = tuner.time_ms([&] {
        apply();
        m_own_dgrad->run(m_context.stream);
        return true;
    });
    const float fused_ms = tuner.time_ms([&] {
        m_own_apply->run(m_context.stream);
        return true;
    });
    m_use_own_apply = fused_ms < apart_ms;
}

// Both gradients by one kernel against the best of the above and the weight gradient.
void ConvBnLayer::tune_fused_backward(Tuner &tuner)
{
    const auto gradients = [&] {
        make_gradients();
        return true;
    };
    const float apart_ms = tuner.time_ms(gradients);
    m_use_own_backward = true;
    m_use_own_backward = tuner.time_ms(gradients, apart_ms) < apart_ms;
}

} // namespace sbtrain::cuda
