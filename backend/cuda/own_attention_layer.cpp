// SPDX-License-Identifier: Apache-2.0
#include "own_attention_layer.h"

#include "own_attention_fp32.h"

#include <cstdlib>

namespace sbtrain::cuda {

namespace {

class OwnAttentionLayer : public Layer {
public:
    OwnAttentionLayer(Build &build, const Attention &node, const OwnAttentionProblem &problem)
        : m_context(build.context)
        , m_node(node)
        , m_problem(problem)
        , m_draw(build.dropout(node.dropout))
        , m_qkv(build.read(node.qkv))
        , m_y(build.make_activation(node.y))
        , m_lengths(build.inputs.lengths)
        , m_stats(
              build.plan.add(sizeof(float) * static_cast<std::size_t>(problem.n * problem.heads * problem.t)))
    {
        if (drops())
            m_kept = build.plan.add(sizeof(std::uint32_t) *
                                    static_cast<std::size_t>(own_attention_kept_words(problem)));
        if (const auto found = build.bias_by_reader.find(build.node); found != build.bias_by_reader.end())
            m_bias = found->second;
    }
    void plan_backward(Build &build) override
    {
        m_dy = build.take(m_node.y);
        for (const MemoryPlan::Id id : {m_qkv, m_y, m_stats})
            build.plan.use(id);
        if (drops())
            build.plan.use(m_kept);
        if (m_bias)
            m_partial = build.add_partial_sums(own_attention_partial_floats(m_problem));
        m_dqkv = build.give(m_node.qkv);
    }
    void forward() override
    {
        if (m_context.sixteen_bit())
            own_attention_forward(m_problem, m_draw, pointers(), m_context.stream);
        else
            own_attention_fp32_forward(m_problem, m_context.precision, m_draw, pointers(), m_context.stream);
    }
    void backward() override
    {
        add_contributions(*m_memory, m_dy, m_problem.n * m_problem.t * m_problem.heads * m_problem.d,
                          m_context.stream);
        OwnAttentionPointers at = pointers();
        at.dy = m_memory->at(m_dy[0]);
        at.dqkv = m_memory->at(m_dqkv);
        at.partial = m_bias ? m_memory->at<float>(m_partial) : nullptr;
        if (m_context.sixteen_bit())
            own_attention_backward(m_problem, m_draw, at, m_context.stream);
        else
            own_attention_fp32_backward(m_problem, m_context.precision, m_draw, at, m_context.stream);
        const std::int64_t columns = 3 * m_problem.heads * m_problem.d;
        if (m_bias)
            m_memory->sums->add({at.partial, static_cast<int>(m_problem.n), columns, columns,
                                 m_memory->full_gradient(*m_bias)});
    }
    std::string path() const override { return "own attention"; }

private:
    bool drops() const { return m_node.dropout > 0.0F; }
    OwnAttentionPointers pointers() const
    {
        OwnAttentionPointers at;
        at.qkv = m_memory->at(m_qkv);
        at.y = m_memory->at(m_y);
        at.stats = m_memory->at<float>(m_stats);
        at.kept = drops() ? m_memory->at<std::uint32_t>(m_kept) : nullptr;
        at.lengths = m_memory->at<std::int32_t>(m_lengths);
        return at;
    }

    const Context &m_context;
    Attention m_node;
    OwnAttentionProblem m_problem;
    DropoutSpec m_draw;
    std::optional<ParameterId> m_bias; // of the product that made qkv
    MemoryPlan::Id m_qkv, m_y, m_lengths, m_stats, m_kept, m_dqkv, m_partial;
    std::vector<MemoryPlan::Id> m_dy;
};

bool runs_here(const Context &context, const OwnAttentionProblem &problem)
{
    if (context.sixteen_bit())
        return own_attention_available(context.capability) && own_attention_fits(problem);
    // Strict fp32 is products in parts there.
    return (context.precision == Precision::Tf32 || split_products_wanted()) &&
           own_attention_fp32_available() && own_attention_fp32_fits(problem);
}

} // namespace

std::unique_ptr<Layer> make_own_attention(Build &build, const Attention &node)
{
    const Shape y = build.graph.tensors[node.y.index];
    OwnAttentionProblem problem;
    problem.t = node.sequence_length;
    problem.n = y.n / node.sequence_length;
    problem.heads = node.heads;
    problem.d = y.c / node.heads;
    problem.type = build.context.type;
    const char *wanted = std::getenv("SBTRAIN_OWN_ATTENTION");
    if ((wanted != nullptr && *wanted == '0') || !runs_here(build.context, problem))
        return nullptr;
    return std::make_unique<OwnAttentionLayer>(build, node, problem);
}

} // namespace sbtrain::cuda
