// SPDX-License-Identifier: Apache-2.0

// Multi-head attention. The own kernels (own_attention_layer.h) where they run, or in 16 bit cuDNN where it
// has an engine: one fused operation a direction. Otherwise (old devices, other shapes in fp32 and tf32)
// matrix products over a batch of heads with a softmax between; the formulas are in cpu/attention.cpp.

#include "check.h"
#include "layer.h"
#include "own_attention_layer.h"
#include "own_small_products.h"
#include "token_kernels.h"

#include <cmath>

namespace sbtrain::cuda {

namespace {

class FusedAttentionLayer : public Layer {
public:
    FusedAttentionLayer(Build &build, const Attention &node, std::shared_ptr<AttentionPlan> plan)
        : m_node(node)
        , m_attention(std::move(plan))
        , m_state(build.state)
        , m_qkv(build.read(node.qkv))
        , m_y(build.make_activation(node.y))
        , m_lengths(build.inputs.lengths)
        , m_query_lengths(build.inputs.query_lengths)
    {
        const std::int64_t rows = build.graph.tensors[node.y.index].n;
        m_stats = build.plan.add(sizeof(float) * static_cast<std::size_t>(rows * node.heads));
        m_seed_offset = static_cast<std::int64_t>(build.node);
    }
    void plan_backward(Build &build) override
    {
        m_dy = build.take(m_node.y);
        for (const MemoryPlan::Id id : {m_qkv, m_y, m_stats})
            build.plan.use(id);
        m_dqkv = build.give(m_node.qkv);
    }
    std::size_t workspace_bytes() const override { return m_attention->workspace_bytes(); }
    void forward() override { m_attention->forward(pointers(), m_memory->workspace); }
    void backward() override
    {
        AttentionPointers at = pointers();
        at.dy = m_memory->at(m_dy[0]);
        at.dqkv = m_memory->at(m_dqkv);
        m_attention->backward(at, m_memory->workspace);
    }
    std::string path() const override { return "cudnn attention"; }

private:
    AttentionPointers pointers() const
    {
        AttentionPointers at;
        at.qkv = m_memory->at(m_qkv);
        at.y = m_memory->at(m_y);
        at.stats = m_memory->at(m_stats);
        at.query_lengths = m_memory->at(m_query_lengths);
        at.lengths = m_memory->at(m_lengths);
        // A seed a layer, an offset a step: no two layers and no two steps drop the same.
        at.seed = m_memory->state->dropout_seeds + m_seed_offset % kDropoutSeeds;
        at.offset = &m_memory->state->dropout_offset;
        return at;
    }

    Attention m_node;
    std::shared_ptr<AttentionPlan> m_attention;
    const StepState *m_state;
    std::int64_t m_seed_offset = 0;
    MemoryPlan::Id m_qkv, m_y, m_lengths, m_query_lengths, m_stats, m_dqkv;
    std::vector<MemoryPlan::Id> m_dy;
};

class ProductAttentionLayer : public Layer {
public:
    ProductAttentionLayer(Build &build, const Attention &node);
    ~ProductAttentionLayer() override { cudaFree(m_pointers); }
    void plan_backward(Build &build) override;
    void bind(const Memory &memory) override;
    void forward() override;
    void backward() override;

private:
    void multiply(SmallProducts product) const; // of all heads
    SoftmaxArgs softmax() const;
    bool drops() const { return m_node.dropout > 0.0F; }
    // Pointers of all heads: into qkv (q, k, v), y, p, dropped p (made again in backward: p alone is kept),
    // dy, d(dropped p), dqkv (q, k, v).
    enum Group { kQ, kK, kV, kY, kP, kDropped, kDroppedAgain, kDy, kDp, kDq, kDk, kDv, kGroups };
    void **group(Group which) const { return m_pointers + which * m_heads; }

    const Context &m_context;
    Attention m_node;
    DropoutSpec m_dropout;
    std::int64_t m_length, m_width, m_head_width, m_batch, m_heads; // heads: of all sequences
    void **m_pointers = nullptr;
    MemoryPlan::Id m_qkv, m_y, m_lengths, m_p, m_dropped, m_dropped_again, m_dp, m_dqkv;
    std::vector<MemoryPlan::Id> m_dy;
};

ProductAttentionLayer::ProductAttentionLayer(Build &build, const Attention &node)
    : m_context(build.context)
    , m_node(node)
    , m_dropout(build.dropout(node.dropout))
    , m_length(node.sequence_length)
    , m_width(build.graph.tensors[node.y.index].c)
    , m_head_width(m_width / node.heads)
    , m_batch(build.graph.tensors[node.y.index].n / node.sequence_length)
    , m_heads(m_batch * node.heads)
    , m_qkv(build.read(node.qkv))
    , m_y(build.make_activation(node.y))
    , m_lengths(build.inputs.lengths)
{
    const std::size_t square =
        static_cast<std::size_t>(m_heads * m_length * m_length) * size_of(m_context.type);
    m_p = build.plan.add(square);
    m_dropped = drops() ? build.plan.add(square) : m_p;
    check(cudaMalloc(&m_pointers, sizeof(void *) * static_cast<std::size_t>(kGroups * m_heads)),
          "allocate pointers");
}

void ProductAttentionLayer::plan_backward(Build &build)
{
    m_dy = build.take(m_node.y);
    for (const MemoryPlan::Id id : {m_qkv, m_p})
        build.plan.use(id);
    const std::size_t square = build.plan.bytes(m_p);
    m_dp = build.plan.add(square);
    m_dropped_again = drops() ? build.plan.add(square) : m_p;
    m_dqkv = build.give(m_node.qkv);
}

void ProductAttentionLayer::bind(const Memory &memory)
{
    Layer::bind(memory);
    std::vector<void *> pointers(static_cast<std::size_t>(kGroups * m_heads));
    const std::size_t element = size_of(m_context.type);
    const auto fill = [&](Group which, MemoryPlan::Id buffer, std::int64_t row_elements, std::int64_t first) {
        for (std::int64_t i = 0; i < m_heads; ++i) {
            const std::int64_t at =
                i / m_node.heads * m_length * row_elements + first + i % m_node.heads * m_head_width;
            pointers[static_cast<std::size_t>(which * m_heads + i)] =
                memory.at<std::byte>(buffer) + static_cast<std::size_t>(at) * element;
        }
    };
    const auto fill_squares = [&](Group which, MemoryPlan::Id buffer) {
        for (std::int64_t i = 0; i < m_heads; ++i)
            pointers[static_cast<std::size_t>(which * m_heads + i)] =
                memory.at<std::byte>(buffer) + static_cast<std::size_t>(i * m_length * m_length) * element;
    };
    for (int part = 0; part < 3; ++part) {
        fill(static_cast<Group>(kQ + part), m_qkv, 3 * m_width, part * m_width);
        fill(static_cast<Group>(kDq + part), m_dqkv, 3 * m_width, part * m_width);
    }
    fill(kY, m_y, m_width, 0);
    fill(kDy, m_dy[0], m_width, 0);
    fill_squares(kP, m_p);
    fill_squares(kDropped, m_dropped);
    fill_squares(kDroppedAgain, m_dropped_again);
    fill_squares(kDp, m_dp);
    check(cudaMemcpy(m_pointers, pointers.data(), pointers.size() * sizeof(void *), cudaMemcpyHostToDevice),
          "copy pointers");
}

void ProductAttentionLayer::multiply(SmallProducts p) const
{
    p.count = m_heads;
    if (m_context.precision == Precision::Fp32 && own_products_wanted() && own_small_products_fit(p))
        return multiply_small(p, m_context.stream);
    const cudaDataType_t type = m_context.type == Type::F16    ? CUDA_R_16F
                                : m_context.type == Type::BF16 ? CUDA_R_16BF
                                                               : CUDA_R_32F;
    const cublasComputeType_t compute =
        m_context.precision == Precision::Tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
    const float one = 1.0F;
    const float zero = 0.0F;
    const auto number = [](std::int64_t value) { return static_cast<int>(value); };
    // Column-major: b comes first.
    check(cublasGemmBatchedEx(m_context.blas, p.transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N,
                              p.transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N, number(p.n), number(p.m),
                              number(p.k), &one, p.b, type, number(p.ldb), p.a, type, number(p.lda), &zero,
                              p.c, type, number(p.ldc), number(m_heads), compute, CUBLAS_GEMM_DEFAULT),
          "multiply heads");
}

SoftmaxArgs ProductAttentionLayer::softmax() const
{
    SoftmaxArgs args;
    args.scores = m_memory->at(m_p);
    args.lengths = m_memory->at<std::int32_t>(m_lengths);
    args.n = m_batch;
    args.heads = m_node.heads;
    args.t = m_length;
    args.scale = 1.0F / std::sqrt(static_cast<float>(m_head_width));
    args.type = m_context.type;
    args.dropout = m_dropout;
    return args;
}

void ProductAttentionLayer::forward()
{
    const std::int64_t row = 3 * m_width;
    multiply(
        {false, true, m_length, m_length, m_head_width, row, row, m_length, group(kQ), group(kK), group(kP)});
    SoftmaxArgs args = softmax();
    args.dropped = m_memory->at(m_dropped);
    softmax_forward(args, m_context.stream);
    multiply({false, false, m_length, m_head_width, m_length, m_length, row, m_width, group(kDropped),
              group(kV), group(kY)});
}

void ProductAttentionLayer::backward()
{
    const std::int64_t row = 3 * m_width;
    add_contributions(*m_memory, m_dy, m_batch * m_length * m_width, m_context.stream);
    multiply({false, true, m_length, m_length, m_head_width, m_width, row, m_length, group(kDy), group(kV),
              group(kDp)});
    SoftmaxArgs args = softmax();
    args.dropped = m_memory->at(m_dp);
    args.again = m_memory->at(m_dropped_again);
    softmax_backward(args, m_context.stream);
    multiply({true, false, m_length, m_head_width, m_length, m_length, m_width, row, group(kDroppedAgain),
              group(kDy), group(kDv)});
    multiply({false, false, m_length, m_head_width, m_length, m_length, row, row, group(kDp), group(kK),
              group(kDq)});
    multiply({true, false, m_length, m_head_width, m_length, m_length, row, row, group(kDp), group(kQ),
              group(kDk)});
}

} // namespace

std::unique_ptr<Layer> make_layer(Build &build, const Attention &node)
{
    if (std::unique_ptr<Layer> own = make_own_attention(build, node))
        return own;
    build.bias_by_reader.erase(build.node); // the others do not sum it
    const Shape y = build.graph.tensors[node.y.index];
    AttentionProblem problem;
    problem.t = node.sequence_length;
    problem.n = y.n / node.sequence_length;
    problem.heads = node.heads;
    problem.d = y.c / node.heads;
    problem.type = build.context.type;
    problem.dropout = node.dropout;
    // All layers of a model have the same shape and share the plan.
    if (build.context.sixteen_bit() && build.context.capability >= 80 && !build.attention) {
        try {
            build.attention = std::make_shared<AttentionPlan>(*build.context.dnn, problem);
        } catch (const CudaError &error) {
            if (error.code() != ExitCode::Unsupported)
                throw;
        }
    }
    if (build.attention)
        return std::make_unique<FusedAttentionLayer>(build, node, build.attention);
    return std::make_unique<ProductAttentionLayer>(build, node);
}

} // namespace sbtrain::cuda
