// SPDX-License-Identifier: Apache-2.0

// Dropout + residual + layer norm, and the choice of rows for BERT's heads.

#include "check.h"
#include "layer.h"
#include "token_kernels.h"

#include <algorithm>

namespace sbtrain::cuda {

namespace {

void require_norm(std::int64_t columns)
{
    if (!norm_supported(columns))
        throw CudaError(ExitCode::Unsupported,
                        "the CUDA device normalises rows of a multiple of 8, at most 4096");
}

class DropoutAddNormLayer : public Layer {
public:
    DropoutAddNormLayer(Build &build, const DropoutAddNorm &node);
    void plan_backward(Build &build) override;
    void forward() override;
    void backward() override;

private:
    const Context &m_context;
    DropoutAddNorm m_node;
    NormShape m_shape;
    DropoutSpec m_dropout;
    std::optional<ParameterId> m_bias; // of the product that made x
    MemoryPlan::Id m_x, m_residual, m_y, m_z, m_mean, m_istd, m_kept, m_partial, m_dz, m_dx;
    std::vector<MemoryPlan::Id> m_dy;
};

DropoutAddNormLayer::DropoutAddNormLayer(Build &build, const DropoutAddNorm &node)
    : m_context(build.context)
    , m_node(node)
    , m_dropout(build.dropout(node.dropout))
{
    const Shape y = build.graph.tensors[node.y.index];
    require_norm(y.c);
    m_shape = {y.n, static_cast<int>(y.c), m_context.type};
    if (const auto found = build.bias_by_reader.find(build.node); found != build.bias_by_reader.end())
        m_bias = found->second;
    m_x = build.read(node.x);
    if (node.residual)
        m_residual = build.read(*node.residual);
    m_y = build.make_activation(node.y);
    m_z = build.plan.add(build.bytes(node.y));
    m_mean = build.plan.add(sizeof(float) * static_cast<std::size_t>(y.n));
    m_istd = build.plan.add(sizeof(float) * static_cast<std::size_t>(y.n));
    m_kept = build.plan.add(static_cast<std::size_t>(y.n * y.c / 8));
}

void DropoutAddNormLayer::plan_backward(Build &build)
{
    m_dy = build.take(m_node.y);
    for (const MemoryPlan::Id id : {m_z, m_mean, m_istd, m_kept})
        build.plan.use(id);
    m_partial = build.add_partial_sums(norm_partial_floats(m_shape));
    m_dz = build.plan.add(build.bytes(m_node.y));
    if (m_node.residual)
        build.pass(m_dz, *m_node.residual);
    if (m_node.dropout > 0.0F) {
        m_dx = build.give(m_node.x);
    } else {
        m_dx = m_dz; // read by x's writer before anyone adds to the residual's part
        build.pass(m_dz, m_node.x);
    }
}

void DropoutAddNormLayer::forward()
{
    NormForward args;
    args.x = m_memory->at(m_x);
    args.residual = m_residual.valid() ? m_memory->at(m_residual) : nullptr;
    args.z = m_memory->at(m_z);
    args.y = m_memory->at(m_y);
    args.mean = m_memory->at<float>(m_mean);
    args.istd = m_memory->at<float>(m_istd);
    args.gamma = m_memory->value(m_node.gamma);
    args.beta = m_memory->value(m_node.beta);
    args.eps = m_node.eps;
    args.dropout = m_dropout;
    args.kept = m_memory->at<std::uint8_t>(m_kept);
    norm_forward(m_shape, args, m_context.stream);
}

void DropoutAddNormLayer::backward()
{
    const std::int64_t count = m_shape.rows * m_shape.c;
    if (m_dy.size() > 2)
        add_contributions(*m_memory, m_dy, count, m_context.stream);
    NormBackward args;
    args.dy = m_memory->at(m_dy[0]);
    args.dy2 = m_dy.size() == 2 ? m_memory->at(m_dy[1]) : nullptr;
    args.z = m_memory->at(m_z);
    args.mean = m_memory->at<float>(m_mean);
    args.istd = m_memory->at<float>(m_istd);
    args.gamma = m_memory->value(m_node.gamma);
    args.dz = m_memory->at(m_dz);
    args.dx = m_node.dropout > 0.0F ? m_memory->at(m_dx) : nullptr;
    args.dgamma = m_memory->full_gradient(m_node.gamma);
    args.dbeta = m_memory->full_gradient(m_node.beta);
    args.dbias = m_bias ? m_memory->full_gradient(*m_bias) : nullptr;
    args.partial = m_memory->at<float>(m_partial);
    args.dropout = m_node.dropout;
    args.kept = m_memory->at<std::uint8_t>(m_kept);
    norm_backward(m_shape, args, *m_memory->sums, m_context.stream);
}

class GatherRowsLayer : public Layer {
public:
    GatherRowsLayer(Build &build, const GatherRows &node)
        : m_context(build.context)
        , m_node(node)
        , m_x(build.read(node.x))
        , m_y(build.make_activation(node.y))
    {
        const Shape x = build.graph.tensors[node.x.index];
        if (x.c % 8 != 0)
            throw CudaError(ExitCode::Unsupported, "the CUDA device gathers rows of a multiple of 8 columns");
        if (node.positions)
            m_positions = build.inputs.of(*node.positions);
        m_args.length = node.sequence_length;
        m_args.sequences = x.n / node.sequence_length;
        m_args.per_sequence = build.graph.tensors[node.y.index].n / m_args.sequences;
        m_args.c = static_cast<int>(x.c);
        m_args.type = m_context.type;
    }
    void plan_backward(Build &build) override
    {
        m_dy = build.take(m_node.y);
        const auto existing = build.existing(m_node.x);
        m_args.clear = !existing;
        m_dx = existing ? *existing : build.give(m_node.x);
    }
    void forward() override
    {
        GatherArgs args = bound();
        args.in = m_memory->at(m_x);
        args.out = m_memory->at(m_y);
        gather_rows(args, m_context.stream);
    }
    void backward() override
    {
        GatherArgs args = bound();
        add_contributions(*m_memory, m_dy, args.sequences * args.per_sequence * args.c, m_context.stream);
        args.in = m_memory->at(m_dy[0]);
        args.out = m_memory->at(m_dx);
        scatter_rows(args, m_context.stream);
    }

private:
    GatherArgs bound() const
    {
        GatherArgs args = m_args;
        args.positions = m_positions.valid() ? m_memory->at<std::int32_t>(m_positions) : nullptr;
        return args;
    }

    const Context &m_context;
    GatherRows m_node;
    MemoryPlan::Id m_x, m_y, m_positions, m_dx;
    std::vector<MemoryPlan::Id> m_dy;
    GatherArgs m_args;
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

} // namespace sbtrain::cuda
