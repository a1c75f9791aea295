// SPDX-License-Identifier: Apache-2.0

// y = act(x W^T + b) by cuBLASLt, which adds the bias. GELU comes with the product too, where the tuner finds
// that faster than a pass of its own, or with an own product (own_gelu_gemm.h), which does GELU's slope in
// backward as well. W has its rows padded with zeros, so y's padding columns are zero as well.

#include "check.h"
#include "layer.h"
#include "own_gelu_gemm.h"
#include "token_kernels.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace sbtrain::cuda {

namespace {

// The own product in the faster of its forms; none if that takes longer than `best_ms` or it does not fit.
std::unique_ptr<OwnGeluGemm> choose_own(Tuner &tuner, const OwnGeluProblem &problem,
                                        const OwnGeluPointers &at, float best_ms, cudaStream_t stream)
{
    std::unique_ptr<OwnGeluGemm> best;
    for (int blocks = 1; OwnGeluGemm::fits(problem) && blocks <= OwnGeluGemm::kMostBlocks; ++blocks) {
        auto own = std::make_unique<OwnGeluGemm>(problem, blocks);
        const auto run = [&] {
            own->run(at, stream);
            return true;
        };
        const float ms = tuner.time_ms(run, best_ms);
        if (ms < best_ms) {
            best_ms = ms;
            best = std::move(own);
        }
    }
    return best;
}

class LinearLayer : public Layer {
public:
    LinearLayer(Build &build, const Linear &node);
    void plan_backward(Build &build) override;
    void tune(Tuner &tuner) override;
    std::size_t workspace_bytes() const override;
    void forward() override;
    void backward() override;
    // In fp32 and tf32 only, where activations are what fills the memory: a pass of 8 bytes an element.
    bool recreates_output() const override { return m_z.valid() && m_context.type == Type::F32; }
    void recreate_output(void *to) override { run_activation(to); }

private:
    // Not in strict fp32: how exact the library's tanh is, is not documented.
    bool fuses_gelu() const { return m_node.activation == Activation::Gelu && m_context.tensor_cores(); }
    bool tries_own_gelu() const
    {
        return m_node.activation == Activation::Gelu && m_context.own_gemm && m_context.sixteen_bit();
    }
    void run_activation(void *to);
    void run_slope(ColumnSums &sums);
    void plan_own_slope(Build &build);
    void tune_forward(Tuner &tuner);
    void tune_input(Tuner &tuner);
    GemmProblem problem() const;
    OwnGeluProblem own_forward_problem() const;
    OwnGeluProblem own_slope_problem() const;
    OwnGeluPointers own_forward_pointers() const;
    OwnGeluPointers own_slope_pointers() const;
    GemmPointers forward_pointers() const;
    GemmPointers fused_pointers() const;
    GemmPointers weight_pointers() const;
    GemmPointers input_pointers() const;
    MatrixShape y_shape() const { return {m_rows, m_out, m_context.type}; }

    const Context &m_context;
    Linear m_node;
    std::int64_t m_rows, m_in, m_out;                // out: padded
    bool m_bias_by_reader = false;                   // what reads y sums the bias gradient
    std::shared_ptr<Gemm> m_forward, m_forward_gelu; // of two the tuner drops one
    std::shared_ptr<Gemm> m_weight, m_input;
    std::unique_ptr<OwnGeluGemm> m_own_forward, m_own_slope; // in place of both m_forward, of m_input
    LinearLayer *m_gelu_writer = nullptr; // of x, which only this layer reads: m_own_slope does its slope
    bool m_slope_by_reader = false;       // so does the layer that reads y
    MemoryPlan::Id m_slope_partial;
    Layer *m_x_writer = nullptr; // makes x again in backward
    MemoryPlan::Id m_x, m_x_again, m_y, m_z, m_dx, m_partial;
    std::vector<MemoryPlan::Id> m_dy;
};

LinearLayer::LinearLayer(Build &build, const Linear &node)
    : m_context(build.context)
    , m_node(node)
    , m_rows(build.graph.tensors[node.y.index].n)
    , m_in(build.graph.tensors[node.x.index].c)
    , m_out(padded_columns(build.graph.tensors[node.y.index].c))
{
    if (m_in % 8 != 0)
        throw CudaError(ExitCode::Unsupported, "the CUDA device needs inputs of a multiple of 8 columns");
    ParameterSlot &weight = build.slots[node.weight.index];
    // A table that is also an embedding gets rows added to it one by one: in fp32.
    weight.full_gradient = weight.matrix;
    weight.matrix = true;
    weight.count = m_out * m_in;
    build.slots[node.bias.index].count = m_out;
    m_x = build.read(node.x);
    m_y = build.make_activation(node.y);
    build.writers[node.y.index] = this;
    if (node.activation == Activation::Gelu)
        m_z = build.plan.add(build.bytes(node.y));
    GemmProblem forward = problem();
    forward.transpose_b = true;
    forward.m = m_rows;
    forward.n = m_out;
    forward.k = m_in;
    forward.lda = m_in;
    forward.ldb = m_in;
    forward.ldc = m_out;
    forward.bias = true;
    m_forward = build.products->get(m_context.products, forward);
    if (fuses_gelu()) {
        forward.gelu = true;
        m_forward_gelu = build.products->get(m_context.products, forward);
    }
}

std::size_t LinearLayer::workspace_bytes() const
{
    std::size_t bytes = 0;
    for (const auto *gemm : {&m_forward, &m_forward_gelu, &m_weight, &m_input}) {
        if (*gemm)
            bytes = std::max(bytes, (*gemm)->workspace_bytes());
    }
    return bytes;
}

GemmProblem LinearLayer::problem() const
{
    GemmProblem p;
    p.type = m_context.type;
    p.out = m_context.type;
    p.tf32 = m_context.precision == Precision::Tf32;
    return p;
}

void LinearLayer::plan_backward(Build &build)
{
    m_dy = build.take(m_node.y);
    Layer *writer = build.writers[m_node.x.index];
    if (writer != nullptr && writer->recreates_output()) {
        m_x_writer = writer;
        m_x_again = build.plan.add(build.bytes(m_node.x));
    } else {
        build.plan.use(m_x);
    }
    if (m_z.valid())
        build.plan.use(m_z);
    if (m_node.activation == Activation::Tanh)
        build.plan.use(m_y);
    for (const auto &entry : build.bias_by_reader)
        m_bias_by_reader = m_bias_by_reader || entry.second == m_node.bias;
    if (!m_bias_by_reader)
        m_partial = build.add_partial_sums(bias_partial_floats(y_shape()));

    GemmProblem weight = problem(); // dW (out, in) = dy^T x
    weight.transpose_a = true;
    weight.m = m_out;
    weight.n = m_in;
    weight.k = m_rows;
    weight.lda = m_out;
    weight.ldb = m_in;
    weight.ldc = m_in;
    weight.out = build.slots[m_node.weight.index].full_gradient ? Type::F32 : m_context.type;
    weight.accumulate = !build.first_write(m_node.weight);
    m_weight = build.products->get(m_context.products, weight);

    GemmProblem input = problem(); // dx (rows, in) = dy W
    input.m = m_rows;
    input.n = m_in;
    input.k = m_out;
    input.lda = m_out;
    input.ldb = m_in;
    input.ldc = m_in;
    if (const auto existing = build.existing(m_node.x)) {
        m_dx = *existing; // the product adds to it for nothing
        input.accumulate = true;
    } else {
        m_dx = build.give(m_node.x);
    }
    m_input = build.products->get(m_context.products, input);
    plan_own_slope(build);
}

// What the slope reads and leaves lives from here on: the writer's own backward pass comes later.
void LinearLayer::plan_own_slope(Build &build)
{
    auto *writer = dynamic_cast<LinearLayer *>(build.writers[m_node.x.index]);
    if (writer == nullptr || !writer->tries_own_gelu() || build.readers[m_node.x.index] != 1)
        return;
    m_gelu_writer = writer;
    build.plan.use(writer->m_z);
    const OwnGeluProblem p = own_slope_problem();
    m_slope_partial = build.add_partial_sums(OwnGeluGemm::partial_rows(p) * p.n);
}

OwnGeluProblem LinearLayer::own_forward_problem() const
{
    return {m_rows, m_out, m_in, m_context.type, GeluEpilogue::Forward};
}

// dz (rows, in) = (dy W) gelu'(z), of x's writer.
OwnGeluProblem LinearLayer::own_slope_problem() const
{
    return {m_rows, m_in, m_out, m_context.type, GeluEpilogue::Slope};
}

OwnGeluPointers LinearLayer::own_forward_pointers() const
{
    OwnGeluPointers at;
    at.a = m_memory->at(m_x);
    at.b = m_memory->weight(m_node.weight);
    at.c = m_memory->at(m_y);
    at.z = m_memory->at(m_z);
    at.bias = m_memory->weight(m_node.bias);
    return at;
}

OwnGeluPointers LinearLayer::own_slope_pointers() const
{
    OwnGeluPointers at;
    at.a = m_memory->at(m_dy[0]);
    at.b = m_memory->weight(m_node.weight);
    at.c = m_memory->at(m_dx);
    at.z = m_memory->at(m_gelu_writer->m_z);
    at.partial = m_memory->at<float>(m_slope_partial);
    return at;
}

GemmPointers LinearLayer::forward_pointers() const
{
    void *out = m_memory->at(m_z.valid() ? m_z : m_y);
    return {m_memory->at(m_x), m_memory->weight(m_node.weight), out, m_memory->weight(m_node.bias)};
}

GemmPointers LinearLayer::fused_pointers() const
{
    GemmPointers at = forward_pointers();
    at.z = at.c;
    at.c = m_memory->at(m_y);
    return at;
}

GemmPointers LinearLayer::weight_pointers() const
{
    return {m_memory->at(m_dy[0]), m_memory->at(m_x_writer != nullptr ? m_x_again : m_x),
            m_memory->gradient(m_node.weight)};
}

GemmPointers LinearLayer::input_pointers() const
{
    return {m_memory->at(m_dy[0]), m_memory->weight(m_node.weight), m_memory->at(m_dx)};
}

void LinearLayer::tune(Tuner &tuner)
{
    tune_forward(tuner);
    m_weight->tune(tuner, weight_pointers(), m_memory->workspace, m_context.stream);
    tune_input(tuner);
}

void LinearLayer::tune_forward(Tuner &tuner)
{
    void *workspace = m_memory->workspace;
    float plain_ms = m_forward->tune(tuner, forward_pointers(), workspace, m_context.stream);
    if (!m_forward_gelu)
        return;
    plain_ms += tuner.time_ms([&] {
        run_activation(m_memory->at(m_y));
        return true;
    });
    const float fused_ms = m_forward_gelu->tune(tuner, fused_pointers(), workspace, m_context.stream);
    (fused_ms < plain_ms ? m_forward : m_forward_gelu).reset();
    if (tries_own_gelu())
        m_own_forward = choose_own(tuner, own_forward_problem(), own_forward_pointers(),
                                   std::min(plain_ms, fused_ms), m_context.stream);
    if (m_own_forward) {
        m_forward.reset();
        m_forward_gelu.reset();
    }
}

void LinearLayer::tune_input(Tuner &tuner)
{
    const float plain_ms = m_input->tune(tuner, input_pointers(), m_memory->workspace, m_context.stream);
    if (m_gelu_writer == nullptr)
        return;
    ColumnSums unused(m_context.stream);
    const float slope_ms = tuner.time_ms([&] {
        m_gelu_writer->run_slope(unused);
        return true;
    });
    m_own_slope =
        choose_own(tuner, own_slope_problem(), own_slope_pointers(), plain_ms + slope_ms, m_context.stream);
    if (m_own_slope) {
        m_input.reset();
        m_gelu_writer->m_slope_by_reader = true;
    }
}

void LinearLayer::forward()
{
    if (m_own_forward)
        return m_own_forward->run(own_forward_pointers(), m_context.stream);
    if (m_forward_gelu)
        return m_forward_gelu->run(fused_pointers(), m_memory->workspace, m_context.stream);
    m_forward->run(forward_pointers(), m_memory->workspace, m_context.stream);
    if (m_node.activation != Activation::None)
        run_activation(m_memory->at(m_y));
}

void LinearLayer::run_activation(void *to)
{
    activate(y_shape(), m_memory->at(m_z.valid() ? m_z : m_y), to,
             m_node.activation == Activation::Gelu ? 1 : 2, m_context.stream);
}

// dz in place of dy, and the bias gradient.
void LinearLayer::run_slope(ColumnSums &sums)
{
    BiasBackward args;
    args.dy = m_memory->at(m_dy[0]);
    args.z = m_node.activation == Activation::None ? nullptr : m_memory->at(m_z.valid() ? m_z : m_y);
    args.dbias = m_memory->full_gradient(m_node.bias);
    args.partial = m_memory->at<float>(m_partial);
    args.activation = static_cast<int>(m_node.activation);
    bias_backward(y_shape(), args, sums, m_context.stream);
}

void LinearLayer::backward()
{
    add_contributions(*m_memory, m_dy, m_rows * m_out, m_context.stream);
    if (!m_bias_by_reader && !m_slope_by_reader)
        run_slope(*m_memory->sums);
    if (m_x_writer != nullptr)
        m_x_writer->recreate_output(m_memory->at(m_x_again));
    m_weight->run(weight_pointers(), m_memory->workspace, m_context.stream);
    if (!m_own_slope)
        return m_input->run(input_pointers(), m_memory->workspace, m_context.stream);
    m_own_slope->run(own_slope_pointers(), m_context.stream);
    ColumnSum sum;
    sum.partial = m_memory->at<float>(m_slope_partial);
    sum.rows = static_cast<int>(OwnGeluGemm::partial_rows(own_slope_problem()));
    sum.columns = m_in;
    sum.ld = m_in;
    sum.out = m_memory->full_gradient(m_gelu_writer->m_node.bias);
    m_memory->sums->add(sum);
}

} // namespace

std::unique_ptr<Layer> make_layer(Build &build, const Linear &node)
{
    return std::make_unique<LinearLayer>(build, node);
}

} // namespace sbtrain::cuda
