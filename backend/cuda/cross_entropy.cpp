// SPDX-License-Identifier: Apache-2.0

// The loss of every row, and the logits' gradient in their place; the gradient of the logits' bias on the
// way.

#include "check.h"
#include "layer.h"
#include "token_kernels.h"

namespace sbtrain::cuda {

namespace {

class CrossEntropyLayer : public Layer {
public:
    CrossEntropyLayer(Build &build, const CrossEntropy &node)
        : m_context(build.context)
        , m_node(node)
        , m_rows(build.graph.tensors[node.logits.index].n)
        , m_logits(build.read(node.logits))
        , m_labels(build.inputs.of(node.labels))
        , m_row_loss(build.plan.keep(sizeof(float) * static_cast<std::size_t>(m_rows)))
    {
        m_args.rows = m_rows;
        m_args.classes = build.graph.tensors[node.logits.index].c;
        m_args.ld = padded_columns(m_args.classes);
        m_args.smoothing = node.smoothing;
        m_args.type = m_context.type;
        if (build.losses->count == kMaxLosses)
            throw CudaError(ExitCode::Unsupported, "the CUDA device adds up at most four losses");
        build.losses->at[build.losses->count++].rows = m_rows;
        build.row_losses.push_back(m_row_loss);
        sum_bias(build);
    }

    // The gradient takes the logits' place during forward already.
    void plan_backward(Build &build) override
    {
        build.plan.use(m_logits);
        if (m_bias)
            build.plan.use(m_partial, kLayersBetweenSums);
        build.pass(m_logits, m_node.logits);
    }
    void forward() override
    {
        m_args.logits = m_memory->at(m_logits);
        m_args.labels = m_memory->at<std::int32_t>(m_labels);
        m_args.row_loss = m_memory->at<float>(m_row_loss);
        m_args.loss_scale = &m_memory->state->loss_scale;
        m_args.partial = m_bias ? m_memory->at<float>(m_partial) : nullptr;
        cross_entropy(m_args, m_context.stream);
    }
    void backward() override
    {
        if (m_bias)
            m_memory->sums->add({m_args.partial, loss_partial_rows(m_args), m_args.ld, m_args.ld,
                                 m_memory->full_gradient(*m_bias)});
    }

private:
    void sum_bias(Build &build)
    {
        const auto found = build.bias_by_reader.find(build.node);
        if (found == build.bias_by_reader.end())
            return;
        const int rows = loss_partial_rows(m_args);
        if (rows == 0) {
            build.bias_by_reader.erase(found);
            return;
        }
        m_bias = found->second;
        m_partial = build.plan.add(sizeof(float) * static_cast<std::size_t>(rows * m_args.ld));
    }

    const Context &m_context;
    CrossEntropy m_node;
    std::int64_t m_rows;
    std::optional<ParameterId> m_bias; // of the product that made the logits
    MemoryPlan::Id m_logits, m_labels, m_row_loss, m_partial;
    LossArgs m_args;
};

} // namespace

std::unique_ptr<Layer> make_layer(Build &build, const CrossEntropy &node)
{
    return std::make_unique<CrossEntropyLayer>(build, node);
}

} // namespace sbtrain::cuda
