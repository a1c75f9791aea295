// SPDX-License-Identifier: Apache-2.0
#include "conv_bn.h"

#include "check.h"

#include <algorithm>

namespace sbtrain::cuda {

namespace {

// A 1x1 convolution with a stride over the pixels that it reads.
ConvProblem of_read_pixels(ConvProblem p)
{
    p.h = p.p;
    p.w = p.q;
    p.stride = 1;
    return p;
}

} // namespace

ConvBnLayer::ConvBnLayer(Build &build, const ConvBn &node, const MaxPool *pool)
    : m_context(build.context)
    , m_node(node)
    , m_pool(pool != nullptr)
    , m_freeze(build.settings.freeze_bn)
    , m_input_gradient(build.wanted(node.x))
{
    const Shape y = build.graph.tensors[node.y.index];
    m_shape = {y.n * y.h * y.w, static_cast<int>(y.c), m_context.type};
    if (!bn_supported(m_shape.c))
        throw CudaError(ExitCode::Unsupported,
                        "the CUDA device needs channel counts that are powers of two from 8");
    m_stem = {static_cast<int>(y.n), static_cast<int>(y.h), static_cast<int>(y.w), m_shape.c, m_context.type};
    if (m_pool && !stem_supported(m_stem))
        throw CudaError(ExitCode::Unsupported, "the CUDA device pools images of even height and width only");
    set_problem(build);
    const auto runner = [&](ConvPass pass) { return build.convolutions->get(m_context, m_problem, pass); };
    m_conv = runner(ConvPass::Forward);
    if (m_context.sixteen_bit() && !m_freeze)
        m_conv_stats = runner(ConvPass::ForwardStats);
    m_wgrad = runner(ConvPass::WeightGradient);
    plan_even_gradient(build);
    if (m_input_gradient)
        m_dgrad = build.convolutions->get(m_context, m_gives_even ? of_read_pixels(m_problem) : m_problem,
                                          ConvPass::InputGradient);

    plan_own_forward(build);
    m_x = m_input_gradient ? build.read(node.x) : build.inputs.images;
    if (node.residual) {
        m_residual = build.read(*node.residual);
        Layer *writer = build.writers[node.residual->index];
        ConvBnLayer *shortcut = writer != nullptr ? writer->as_conv_bn() : nullptr;
        m_shortcut = shortcut != nullptr && shortcut->m_normalise_left ? shortcut : nullptr;
    }
    m_conv_out = build.plan.add(static_cast<std::size_t>(y.count()) * size_of(m_context.type));
    m_vectors = build.plan.keep(sizeof(float) * kVectors * static_cast<std::size_t>(y.c));
    int partial_rows = bn_partial_rows(m_shape);
    if (m_try_own)
        partial_rows =
            std::max(partial_rows, OwnGemm::partial_rows(forward_problem(), m_context.multiprocessors));
    if (const auto own = conv16_problem(false))
        partial_rows = std::max(partial_rows, OwnConv16::partial_rows(*own, m_context.multiprocessors));
    m_partial = build.plan.add(sizeof(float) * 2 * static_cast<std::size_t>(y.c) *
                               static_cast<std::size_t>(partial_rows));
    if (m_pool) {
        m_node.y = pool->y;
        m_index = build.plan.add(static_cast<std::size_t>(build.graph.tensors[pool->y.index].count()));
        m_winner = build.plan.add(build.bytes(pool->y));
    }
    m_normalise_left = left_to_block_end(build);
    if (m_normalise_left)
        build.activations[m_node.y.index] = m_conv_out;
    else
        m_y = build.make_activation(m_node.y);
    build.writers[m_node.y.index] = this;
    if (node.residual && node.relu)
        m_bits = build.plan.add(static_cast<std::size_t>(y.count()) / 8);
}

// The stem may read its image in another order than (n, h, w, 3).
void ConvBnLayer::set_problem(Build &build)
{
    const Shape x = build.graph.tensors[m_node.x.index];
    const Shape y = build.graph.tensors[m_node.y.index];
    m_problem = {x.n,
                 x.c,
                 x.h,
                 x.w,
                 y.c,
                 y.h,
                 y.w,
                 m_node.kernel,
                 m_node.stride,
                 m_node.pad,
                 m_context.type,
                 m_context.tensor_cores()};
    ParameterSlot &slot = build.slots[m_node.weight.index];
    slot.matrix = true;
    slot.full_gradient = false;
    slot.order = ParameterOrder::Krsc;
    slot.channels = x.c;
    if (!m_input_gradient) {
        const ImageOrder &order = build.image_order;
        slot.channels = m_problem.c = order.channels;
        if (order.blocks) {
            slot.order = ParameterOrder::Blocks;
            m_problem.c = 16;
            m_problem.h = x.h / 2 + 3;
            m_problem.w = x.w / 2 + 3;
            m_problem.kernel = 4;
            m_problem.stride = 1;
            m_problem.pad = 0;
            slot.channels = 16;
        }
    }
    slot.count = m_problem.k * m_problem.kernel * m_problem.kernel * m_problem.c;
}

void ConvBnLayer::plan_backward(Build &build)
{
    MemoryPlan &plan = build.plan;
    m_dy = build.take(m_node.y);
    if (m_dy.size() > 2)
        throw CudaError(ExitCode::Unsupported, "an image activation with more than two readers");
    plan.use(m_x);
    plan.use(m_conv_out);
    for (const MemoryPlan::Id id : {m_bits, m_index, m_winner}) {
        if (id.valid())
            plan.use(id);
    }
    const auto c = static_cast<std::size_t>(m_shape.c);
    m_partial_backward = plan.add(sizeof(float) * 2 * c * static_cast<std::size_t>(bn_partial_rows(m_shape)));
    m_store_dz = (m_node.residual && m_node.relu) || m_dy.size() == 2 || m_pool;
    // With a residual the masked gradient lives on as the residual's; otherwise dconv takes its place. The
    // pool's gradient is smaller than dconv.
    if (m_node.residual || m_pool)
        m_dconv = plan.add(static_cast<std::size_t>(m_shape.rows) * c * size_of(m_context.type));
    else
        m_dconv = m_dy[0];
    if (m_node.residual)
        build.pass(m_dy[0], *m_node.residual);
    plan_own_dgrad(build);
    if (m_gives_even)
        m_dx = build.even_gradient[m_node.x.index] = plan.add(build.bytes(m_node.x) / 4);
    else if (m_producer == nullptr && m_input_gradient)
        m_dx = build.give(m_node.x);
}

void ConvBnLayer::bind(const Memory &memory)
{
    Layer::bind(memory);
    bind_own_forward();
    bind_own_dgrad();
}

ConvPointers ConvBnLayer::forward_pointers() const
{
    float *sums = m_memory->at<float>(m_partial);
    return {m_memory->at(m_x), m_memory->weight(m_node.weight), m_memory->at(m_conv_out), sums,
            sums + m_shape.c};
}

void ConvBnLayer::tune(Tuner &tuner)
{
    tune_forward(tuner);
    void *workspace = m_memory->workspace;
    const ConvPointers at = forward_pointers();
    ConvPointers gradient{at.x, m_memory->gradient(m_node.weight), m_memory->at(m_dconv)};
    m_wgrad->tune(tuner, gradient, workspace);
    if (m_dgrad && !m_use_own_dgrad) {
        gradient.x = m_memory->at(m_dx);
        gradient.w = at.w;
        m_dgrad->tune(tuner, gradient, workspace);
        if (m_conv16_dgrad)
            tune_conv16_dgrad(tuner, gradient);
    }
    if (m_own_apply)
        tune_fused_apply(tuner);
    if (m_own_backward && m_own_backward->workspace_bytes() <= m_context.workspace_limit)
        tune_fused_backward(tuner);
}

void ConvBnLayer::tune_forward(Tuner &tuner)
{
    void *workspace = m_memory->workspace;
    const ConvPointers at = forward_pointers();
    const float plain_ms = m_conv->tune(tuner, at, workspace);
    if (m_freeze)
        return;
    float best_ms = plain_ms + tuner.time_ms([&] {
        bn_statistics(m_shape, at.y, partial(), m_context.stream);
        return true;
    });
    if (m_conv_stats && !m_conv_stats->empty()) {
        const float ms = m_conv_stats->tune(tuner, at, workspace);
        m_use_stats = ms < best_ms;
        best_ms = std::min(ms, best_ms);
    }
    if (m_own || m_conv16) {
        const float ms = tuner.time_ms([&] {
            if (m_own)
                m_own->run(m_context.stream);
            else
                m_conv16->run(m_context.stream);
            return true;
        });
        m_use_own = ms < best_ms;
    }
    if (m_own_normalise)
        tune_fused_normalise(tuner);
}

std::size_t ConvBnLayer::workspace_bytes() const
{
    std::size_t bytes = std::max(m_wgrad->workspace_bytes(), m_conv->workspace_bytes());
    if (m_use_stats)
        bytes = std::max(bytes, m_conv_stats->workspace_bytes());
    if (m_use_own_backward)
        bytes = std::max(bytes, m_own_backward->workspace_bytes());
    return m_dgrad && !m_use_own_dgrad ? std::max(bytes, m_dgrad->workspace_bytes()) : bytes;
}

void ConvBnLayer::reset()
{
    const std::vector<float> ones(static_cast<std::size_t>(m_shape.c), 1.0F);
    const std::size_t bytes = ones.size() * sizeof(float);
    check(cudaMemset(vector(kRunningMean), 0, bytes), "clear running statistics");
    check(cudaMemcpy(vector(kRunningVar), ones.data(), bytes, cudaMemcpyHostToDevice),
          "set running statistics");
}

std::unique_ptr<Layer> make_conv_bn(Build &build, const ConvBn &node, const MaxPool *pool)
{
    return std::make_unique<ConvBnLayer>(build, node, pool);
}

} // namespace sbtrain::cuda
