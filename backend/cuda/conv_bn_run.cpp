// SPDX-License-Identifier: Apache-2.0
#include "conv_bn.h"

namespace sbtrain::cuda {

void ConvBnLayer::forward()
{
    statistics(convolve());
    if (!m_normalise_left)
        normalise();
}

ConvBnLayer::Sums ConvBnLayer::convolve()
{
    const ConvPointers at = forward_pointers();
    if (m_use_own_normalise) {
        m_own_normalise->run(m_context.stream);
        return {m_own_normalise->partial_rows(), false};
    }
    if (m_use_own && m_conv16) {
        m_conv16->run(m_context.stream);
        return {m_conv16->partial_rows(), false};
    }
    if (m_use_own) {
        m_own->run(m_context.stream);
        return {m_own->partial_rows(), false};
    }
    if (m_use_stats) {
        m_conv_stats->run(at, m_memory->workspace);
        return {1, false};
    }
    m_conv->run(at, m_memory->workspace);
    return {m_freeze ? 0 : bn_statistics(m_shape, at.y, partial(), m_context.stream), true};
}

void ConvBnLayer::statistics(const Sums &sums)
{
    BnForward args;
    args.partial = partial();
    args.partial_rows = sums.rows;
    args.shift = sums.shifted ? m_memory->at(m_conv_out) : nullptr;
    args.gamma = m_memory->value(m_node.gamma);
    args.beta = m_memory->value(m_node.beta);
    args.eps = m_node.eps;
    args.momentum = m_node.momentum;
    args.freeze = m_freeze;
    args.mean = vector(kMean);
    args.istd = vector(kIstd);
    args.a = vector(kA);
    args.b = vector(kB);
    args.running_mean = vector(kRunningMean);
    args.running_var = vector(kRunningVar);
    bn_forward_finish(m_shape, args, m_context.stream);
}

void ConvBnLayer::normalise()
{
    if (m_pool) {
        stem_pool_forward(m_stem,
                          {m_memory->at(m_conv_out), vector(kA), vector(kB), m_memory->at(m_y),
                           m_memory->at(m_winner), m_memory->at<std::uint8_t>(m_index)},
                          m_context.stream);
        return;
    }
    BnNormalise args;
    args.x = m_memory->at(m_conv_out);
    args.residual = m_node.residual ? m_memory->at(m_residual) : nullptr;
    args.y = m_memory->at(m_y);
    args.bits = m_bits.valid() ? m_memory->at<std::uint8_t>(m_bits) : nullptr;
    args.a = vector(kA);
    args.b = vector(kB);
    args.relu = m_node.relu;
    if (m_shortcut != nullptr) {
        args.residual_a = m_shortcut->vector(kA);
        args.residual_b = m_shortcut->vector(kB);
    }
    bn_normalise(m_shape, args, m_context.stream);
}

void ConvBnLayer::backward()
{
    if (!m_sums_taken)
        backward_sums();
    make_gradients();
    if (m_use_own_dgrad)
        m_producer->take_sums(m_memory->at<float>(m_partial_dgrad), own_dgrad_rows());
}

// Of the weights and, where it is wanted, of x, with what the layer that made x wants summed.
void ConvBnLayer::make_gradients()
{
    void *workspace = m_memory->workspace, *weight = m_memory->gradient(m_node.weight);
    if (m_use_own_backward)
        return m_own_backward->run(weight, workspace, m_context.stream);
    if (m_use_own_apply)
        m_own_apply->run(m_context.stream);
    else
        apply();
    m_wgrad->run({m_memory->at(m_x), weight, m_memory->at(m_dconv)}, workspace);
    if (m_memory->slots[m_node.weight.index].order == ParameterOrder::Blocks)
        mask_block_gradient(m_context.type, weight, m_shape.c, m_context.stream);
    if (m_use_own_dgrad && !m_use_own_apply)
        run_own_dgrad();
    if (m_dgrad && !m_use_own_dgrad)
        m_dgrad->run({m_memory->at(m_dx), m_memory->weight(m_node.weight), m_memory->at(m_dconv)}, workspace);
}

void ConvBnLayer::backward_sums()
{
    float *sums = m_memory->at<float>(m_partial_backward);
    BnSums args;
    args.x = m_memory->at(m_pool ? m_winner : m_conv_out);
    args.dy = m_memory->at(m_dy[0]);
    args.dy2 = m_dy.size() > 1 ? m_memory->at(m_dy[1]) : nullptr;
    args.dz = m_store_dz ? m_memory->at(m_dy[0]) : nullptr;
    args.bits = m_bits.valid() ? m_memory->at<std::uint8_t>(m_bits) : nullptr;
    args.a = vector(kA);
    args.b = vector(kB);
    args.mean = vector(kMean);
    args.mask = !m_node.relu ? BnMask::None : m_bits.valid() ? BnMask::FromBits : BnMask::FromX;
    args.partial = sums;
    BnShape shape = m_shape;
    if (m_pool)
        shape.rows /= 4;
    const int rows = bn_backward_sums(shape, args, m_context.stream);
    backward_finish(sums, rows);
}

void ConvBnLayer::backward_finish(const float *sums, int partial_rows)
{
    BnBackward args;
    args.partial = sums;
    args.partial_rows = partial_rows;
    args.mean = vector(kMean);
    args.istd = vector(kIstd);
    args.a = vector(kA);
    args.dgamma = m_memory->full_gradient(m_node.gamma);
    args.dbeta = m_memory->full_gradient(m_node.beta);
    args.p = vector(kP);
    args.q = vector(kQ);
    args.freeze = m_freeze;
    bn_backward_finish(m_shape, args, m_context.stream);
}

void ConvBnLayer::apply()
{
    if (m_pool) {
        StemBackward args;
        args.x = m_memory->at(m_conv_out);
        args.dy = m_memory->at(m_dy[0]);
        args.index = m_memory->at<std::uint8_t>(m_index);
        args.a = vector(kA);
        args.p = vector(kP);
        args.q = vector(kQ);
        args.dx = m_memory->at(m_dconv);
        stem_backward_apply(m_stem, args, m_context.stream);
        return;
    }
    const bool mask_from_x = m_node.relu && !m_bits.valid() && !m_store_dz && !m_sums_taken;
    bn_backward_apply(m_shape,
                      {m_memory->at(m_conv_out), m_memory->at(m_dy[0]), m_memory->at(m_dconv), vector(kA),
                       vector(kB), vector(kP), vector(kQ), mask_from_x},
                      m_context.stream);
}

} // namespace sbtrain::cuda
