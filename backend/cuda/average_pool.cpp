// SPDX-License-Identifier: Apache-2.0

// The mean of an image's pixels, channel by channel.

#include "check.h"
#include "layer.h"
#include "token_kernels.h"

namespace sbtrain::cuda {

namespace {

class AveragePoolLayer : public Layer {
public:
    AveragePoolLayer(Build &build, const AveragePool &node)
        : m_context(build.context)
        , m_node(node)
        , m_x(build.read(node.x))
        , m_y(build.make_activation(node.y))
    {
        const Shape x = build.graph.tensors[node.x.index];
        if (x.c % 8 != 0)
            throw CudaError(ExitCode::Unsupported, "the CUDA device needs a multiple of 8 channels");
        m_args.n = x.n;
        m_args.pixels = x.h * x.w;
        m_args.c = static_cast<int>(x.c);
        m_args.type = m_context.type;
    }
    void plan_backward(Build &build) override
    {
        m_dy = build.take(m_node.y);
        m_dx = build.give(m_node.x);
    }
    void forward() override
    {
        AverageArgs args = m_args;
        args.in = m_memory->at(m_x);
        args.out = m_memory->at(m_y);
        average_forward(args, m_context.stream);
    }
    void backward() override
    {
        add_contributions(*m_memory, m_dy, m_args.n * m_args.c, m_context.stream);
        AverageArgs args = m_args;
        args.in = m_memory->at(m_dy[0]);
        args.out = m_memory->at(m_dx);
        average_backward(args, m_context.stream);
    }

private:
    const Context &m_context;
    AveragePool m_node;
    MemoryPlan::Id m_x, m_y, m_dx;
    std::vector<MemoryPlan::Id> m_dy;
    AverageArgs m_args;
};

} // namespace

std::unique_ptr<Layer> make_layer(Build &build, const AveragePool &node)
{
    return std::make_unique<AveragePoolLayer>(build, node);
}

} // namespace sbtrain::cuda
