// SPDX-License-Identifier: Apache-2.0

// The embedding tables, their sum's norm and dropout. Tokens are sorted beside the forward pass, for
// backward.

#include "check.h"
#include "embedding_kernels.h"
#include "layer.h"
#include "side_stream.h"

namespace sbtrain::cuda {

namespace {

class EmbeddingLayer : public Layer {
public:
    EmbeddingLayer(Build &build, const Embedding &node);
    void plan_backward(Build &build) override;
    void forward() override;
    void backward() override;

private:
    NormForward norm() const;

    const Context &m_context;
    Embedding m_node;
    NormShape m_shape;
    DropoutSpec m_dropout;
    std::int64_t m_vocabulary = 0, m_positions = 0;
    std::size_t m_token_bytes = 0;
    bool m_clear_tokens = true;
    SideStream m_sort;
    MemoryPlan::Id m_tokens, m_segments, m_z, m_y, m_mean, m_istd, m_kept, m_partial, m_sorted, m_work, m_dz,
        m_segment_partial;
    std::vector<MemoryPlan::Id> m_dy;
};

EmbeddingLayer::EmbeddingLayer(Build &build, const Embedding &node)
    : m_context(build.context)
    , m_node(node)
    , m_dropout(build.dropout(node.dropout))
    , m_tokens(build.inputs.tokens)
    , m_segments(build.inputs.segments)
{
    const Shape y = build.graph.tensors[node.y.index];
    if (y.c % 8 != 0 || y.c > kMostEmbedded)
        throw CudaError(ExitCode::Unsupported,
                        "the CUDA device embeds rows of a multiple of 8, at most 1024");
    m_shape = {y.n, static_cast<int>(y.c), m_context.type};
    m_vocabulary = build.graph.parameters[node.token.index].shape[0];
    m_positions = build.graph.parameters[node.position.index].shape[0];
    for (const ParameterId id : {node.token, node.position, node.segment}) {
        build.slots[id.index].matrix = true;
        build.slots[id.index].full_gradient = true;
    }
    m_z = build.plan.add(build.bytes(node.y));
    m_y = build.make_activation(node.y);
    m_mean = build.plan.add(sizeof(float) * static_cast<std::size_t>(y.n));
    m_istd = build.plan.add(sizeof(float) * static_cast<std::size_t>(y.n));
    m_kept = build.plan.add(static_cast<std::size_t>(y.n * y.c / 8));
    m_sorted = build.plan.add(token_sort_bytes(y.n));
}

void EmbeddingLayer::plan_backward(Build &build)
{
    m_dy = build.take(m_node.y);
    for (const MemoryPlan::Id id : {m_z, m_mean, m_istd, m_kept, m_sorted})
        build.plan.use(id);
    m_dz = build.plan.add(build.bytes(m_node.y));
    m_partial = build.add_partial_sums(norm_partial_floats(m_shape));
    m_work = build.plan.add(embedding_work_bytes(m_shape));
    m_segment_partial = build.add_partial_sums(m_node.sequence_length * 2 * m_shape.c);
    m_clear_tokens = build.first_write(m_node.token); // false if a tied decoder has written already
    m_token_bytes = sizeof(float) * static_cast<std::size_t>(build.slots[m_node.token.index].count);
}

NormForward EmbeddingLayer::norm() const
{
    NormForward args;
    args.z = m_memory->at(m_z);
    args.y = m_memory->at(m_y);
    args.mean = m_memory->at<float>(m_mean);
    args.istd = m_memory->at<float>(m_istd);
    args.gamma = m_memory->value(m_node.gamma);
    args.beta = m_memory->value(m_node.beta);
    args.eps = m_node.eps;
    args.dropout = m_dropout;
    args.kept = m_memory->at<std::uint8_t>(m_kept);
    return args;
}

void EmbeddingLayer::forward()
{
    const auto *token_ids = m_memory->at<std::int32_t>(m_tokens);
    m_sort.fork(m_context.stream, [&](cudaStream_t stream) {
        sort_tokens(token_ids, m_shape.rows, m_vocabulary, m_memory->at(m_sorted), stream);
    });
    EmbeddingForward args;
    args.token = m_memory->weight(m_node.token);
    args.position = m_memory->weight(m_node.position);
    args.segment = m_memory->weight(m_node.segment);
    args.tokens = token_ids;
    args.segments = m_memory->at<std::int32_t>(m_segments);
    args.sequence_length = m_node.sequence_length;
    args.norm = norm();
    embedding_forward(m_shape, args, m_context.stream);
}

void EmbeddingLayer::backward()
{
    add_contributions(*m_memory, m_dy, m_shape.rows * m_shape.c, m_context.stream);
    NormBackward args;
    args.dy = m_memory->at(m_dy[0]);
    args.z = m_memory->at(m_z);
    args.mean = m_memory->at<float>(m_mean);
    args.istd = m_memory->at<float>(m_istd);
    args.gamma = m_memory->value(m_node.gamma);
    args.dz = m_memory->at(m_dz);
    args.dgamma = m_memory->full_gradient(m_node.gamma);
    args.dbeta = m_memory->full_gradient(m_node.beta);
    args.partial = m_memory->at<float>(m_partial);
    args.drop_dy = true;
    args.dropout = m_node.dropout;
    args.kept = m_memory->at<std::uint8_t>(m_kept);
    norm_backward(m_shape, args, *m_memory->sums, m_context.stream);

    EmbeddingBackward tables;
    tables.dz = args.dz;
    tables.sorted = m_memory->at(m_sorted);
    tables.segments = m_memory->at<std::int32_t>(m_segments);
    tables.sequence_length = m_node.sequence_length;
    tables.positions = m_positions;
    tables.dtoken = m_memory->full_gradient(m_node.token);
    tables.dposition = m_memory->full_gradient(m_node.position);
    tables.dsegment = m_memory->full_gradient(m_node.segment);
    tables.segment_partial = m_memory->at<float>(m_segment_partial);
    tables.work = m_memory->at(m_work);
    if (m_clear_tokens)
        check(cudaMemsetAsync(tables.dtoken, 0, m_token_bytes, m_context.stream), "clear a gradient");
    m_sort.join(m_context.stream);
    embedding_backward(m_shape, tables, *m_memory->sums, m_context.stream);
}

} // namespace

std::unique_ptr<Layer> make_layer(Build &build, const Embedding &node)
{
    return std::make_unique<EmbeddingLayer>(build, node);
}

} // namespace sbtrain::cuda
