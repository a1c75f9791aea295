// SPDX-License-Identifier: Apache-2.0

// The loss of every row, and the logits' gradient in their place.

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
    }

    // The gradient takes the logits' place during forward already.
    void plan_backward(Build &build) override
    {
        build.plan.use(m_logits);
        build.pass(m_logits, m_node.logits);
    }
    void forward() override
    {
        m_args.logits = m_memory->at(m_logits);
        m_args.labels = m_memory->at<std::int32_t>(m_labels);
        m_args.row_loss = m_memory->at<float>(m_row_loss);
        m_args.loss_scale = &m_memory->state->loss_scale;
        cross_entropy(m_args, m_context.stream);
    }
    void backward() override {}

private:
    const Context &m_context;
    CrossEntropy m_node;
    std::int64_t m_rows;
    MemoryPlan::Id m_logits, m_labels, m_row_loss;
    LossArgs m_args;
};

} // namespace

std::unique_ptr<Layer> make_layer(Build &build, const CrossEntropy &node)
{
    return std::make_unique<CrossEntropyLayer>(build, node);
}

} // namespace sbtrain::cuda
