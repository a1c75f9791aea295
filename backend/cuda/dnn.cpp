// SPDX-License-Identifier: Apache-2.0
#include "dnn.h"

#include "check.h"

#include <cudnn_frontend.h>
#include <unordered_map>

namespace sbtrain::cuda {

namespace {

namespace fe = cudnn_frontend;
using fe::graph::Tensor_attributes;
using Dims = std::vector<std::int64_t>;
using Pack = std::unordered_map<std::int64_t, void *>;

enum Uid : std::int64_t {
    kX = 1,
    kW,
    kY,
    kSum,
    kSquareSum,
    kQ,
    kK,
    kV,
    kStats,
    kDy,
    kDq,
    kDk,
    kDv,
    kQueryLengths,
    kLengths,
    kSeed,
    kOffset
};

cudnnHandle_t handle_of(const Dnn &dnn)
{
    return static_cast<cudnnHandle_t>(dnn.handle());
}

fe::DataType_t data_type(Type type)
{
    switch (type) {
    case Type::F16:
        return fe::DataType_t::HALF;
    case Type::BF16:
        return fe::DataType_t::BFLOAT16;
    case Type::F32:
        break;
    }
    return fe::DataType_t::FLOAT;
}

// Strides of (n, c, h, w) in NHWC order.
Dims nhwc(const Dims &dims)
{
    return {dims[1] * dims[2] * dims[3], 1, dims[1] * dims[3], dims[1]};
}

Tensor_attributes image(const Dims &dims, Uid uid)
{
    return Tensor_attributes().set_uid(uid).set_dim(dims).set_stride(nhwc(dims));
}

void require(fe::error_t status, const char *what)
{
    if (status.is_bad())
        throw CudaError(ExitCode::Unsupported,
                        std::string("cuDNN cannot ") + what + ": " + status.get_message());
}

} // namespace

Dnn::Dnn(cudaStream_t stream)
{
    cudnnHandle_t handle = nullptr;
    cudnnStatus_t status = cudnnCreate(&handle);
    if (status == CUDNN_STATUS_SUCCESS)
        status = cudnnSetStream(handle, stream);
    if (status != CUDNN_STATUS_SUCCESS)
        throw CudaError(ExitCode::Unsupported,
                        std::string("cannot start cuDNN: ") + cudnnGetErrorString(status));
    m_handle = handle;
}

Dnn::~Dnn()
{
    cudnnDestroy(handle_of(*this));
}

std::string Dnn::version()
{
    const std::size_t number = cudnnGetVersion();
    const std::size_t major = number >= 90000 ? number / 10000 : number / 1000;
    const std::size_t rest = number >= 90000 ? number % 10000 : number % 1000;
    return "cudnn " + std::to_string(major) + "." + std::to_string(rest / 100) + "." +
           std::to_string(rest % 100);
}

struct ConvPlans::Graph {
    fe::graph::Graph graph;
};

ConvPlans::ConvPlans(const Dnn &dnn, const ConvProblem &problem, ConvPass pass, std::size_t max_workspace,
                     int limit)
    : m_dnn(dnn)
    , m_pass(pass)
{
    const bool tf32 = problem.type == Type::F32 && problem.tensor_cores;
    collect(problem, tf32, max_workspace, static_cast<std::size_t>(limit));
    if (tf32 && m_candidates.empty())
        collect(problem, false, max_workspace, static_cast<std::size_t>(limit));
}

void ConvPlans::collect(const ConvProblem &problem, bool only_tensor_cores, std::size_t max_workspace,
                        std::size_t limit)
{
    m_graph = std::make_unique<Graph>();
    fe::graph::Graph &graph = m_graph->graph;
    graph.set_io_data_type(data_type(problem.type))
        .set_intermediate_data_type(fe::DataType_t::FLOAT)
        .set_compute_data_type(fe::DataType_t::FLOAT);
    const Dims x{problem.n, problem.c, problem.h, problem.w};
    const Dims w{problem.k, problem.c, problem.kernel, problem.kernel};
    const Dims y{problem.n, problem.k, problem.p, problem.q};
    const Dims pad{problem.pad, problem.pad};
    const Dims stride{problem.stride, problem.stride};
    const auto finish = [](const std::shared_ptr<Tensor_attributes> &out, const Dims &dims, Uid uid) {
        out->set_output(true).set_uid(uid).set_dim(dims).set_stride(nhwc(dims));
    };
    if (m_pass == ConvPass::Forward || m_pass == ConvPass::ForwardStats) {
        auto out = graph.conv_fprop(
            graph.tensor(image(x, kX)), graph.tensor(image(w, kW)),
            fe::graph::Conv_fprop_attributes().set_padding(pad).set_stride(stride).set_dilation({1, 1}));
        finish(out, y, kY);
        if (m_pass == ConvPass::ForwardStats) {
            out->set_data_type(data_type(problem.type));
            const auto sums = graph.genstats(out, fe::graph::Genstats_attributes());
            const Dims channels{1, problem.k, 1, 1};
            sums[0]->set_data_type(fe::DataType_t::FLOAT);
            sums[1]->set_data_type(fe::DataType_t::FLOAT);
            finish(sums[0], channels, kSum);
            finish(sums[1], channels, kSquareSum);
        }
    } else if (m_pass == ConvPass::InputGradient) {
        finish(
            graph.conv_dgrad(
                graph.tensor(image(y, kY)), graph.tensor(image(w, kW)),
                fe::graph::Conv_dgrad_attributes().set_padding(pad).set_stride(stride).set_dilation({1, 1})),
            x, kX);
    } else {
        finish(
            graph.conv_wgrad(
                graph.tensor(image(y, kY)), graph.tensor(image(x, kX)),
                fe::graph::Conv_wgrad_attributes().set_padding(pad).set_stride(stride).set_dilation({1, 1})),
            w, kW);
    }
    const cudnnHandle_t handle = handle_of(m_dnn);
    if (graph.validate().is_bad() || graph.build_operation_graph(handle).is_bad() ||
        graph.create_execution_plans({fe::HeurMode_t::A, fe::HeurMode_t::FALLBACK}).is_bad())
        return;
    std::vector<fe::NumericalNote_t> unwanted{fe::NumericalNote_t::NONDETERMINISTIC};
    if (!problem.tensor_cores) {
        unwanted.push_back(fe::NumericalNote_t::TENSOR_CORE);
        unwanted.push_back(fe::NumericalNote_t::DOWN_CONVERT_INPUTS);
    }
    if (only_tensor_cores)
        graph.select_numeric_notes({fe::NumericalNote_t::TENSOR_CORE});
    graph.deselect_numeric_notes(unwanted);
    graph.deselect_behavior_notes({fe::BehaviorNote_t::RUNTIME_COMPILATION}); // seconds a plan
    graph.deselect_workspace_greater_than(static_cast<std::int64_t>(max_workspace));
    const std::int64_t offered = graph.get_execution_plan_count();
    for (std::int64_t i = 0; i < offered && m_candidates.size() < limit; ++i) {
        if (graph.build_plan_at_index(i).is_bad())
            continue;
        std::int64_t bytes = 0;
        if (graph.get_workspace_size_plan_at_index(i, bytes).is_bad())
            continue;
        std::string name;
        (void)graph.get_plan_name_at_index(i, name);
        m_candidates.push_back({i, static_cast<std::size_t>(bytes), std::move(name)});
    }
}

ConvPlans::~ConvPlans() = default;

bool ConvPlans::run(std::size_t candidate, const ConvPointers &at, void *workspace) const
{
    Pack pack{{kX, at.x}, {kW, at.w}, {kY, at.y}};
    if (m_pass == ConvPass::ForwardStats) {
        pack[kSum] = at.sum;
        pack[kSquareSum] = at.square_sum;
    }
    return m_graph->graph
        .execute_plan_at_index(handle_of(m_dnn), pack, workspace, m_candidates[candidate].plan)
        .is_good();
}

struct AttentionPlan::Graphs {
    fe::graph::Graph forward;
    fe::graph::Graph backward;
};

namespace {

struct AttentionTensors {
    const AttentionProblem &problem;

    Tensor_attributes packed(Uid uid) const // one of q, k, v
    {
        const std::int64_t row = 3 * problem.heads * problem.d;
        return Tensor_attributes()
            .set_uid(uid)
            .set_dim({problem.n, problem.heads, problem.t, problem.d})
            .set_stride({problem.t * row, problem.d, row, 1});
    }
    Dims y_dims() const { return {problem.n, problem.heads, problem.t, problem.d}; }
    Dims y_strides() const
    {
        const std::int64_t row = problem.heads * problem.d;
        return {problem.t * row, problem.d, row, 1};
    }
    Tensor_attributes y(Uid uid) const
    {
        return Tensor_attributes().set_uid(uid).set_dim(y_dims()).set_stride(y_strides());
    }
    Dims stats_dims() const { return {problem.n, problem.heads, problem.t, 1}; }
    Dims stats_strides() const { return {problem.heads * problem.t, problem.t, 1, 1}; }
    Tensor_attributes lengths(Uid uid) const
    {
        return Tensor_attributes()
            .set_uid(uid)
            .set_dim({problem.n, 1, 1, 1})
            .set_stride({1, 1, 1, 1})
            .set_data_type(fe::DataType_t::INT32);
    }
    static Tensor_attributes number(Uid uid)
    {
        return Tensor_attributes()
            .set_uid(uid)
            .set_dim({1, 1, 1, 1})
            .set_stride({1, 1, 1, 1})
            .set_data_type(fe::DataType_t::INT64);
    }
    void prepare(fe::graph::Graph &graph) const
    {
        graph.set_io_data_type(data_type(problem.type))
            .set_intermediate_data_type(fe::DataType_t::FLOAT)
            .set_compute_data_type(fe::DataType_t::FLOAT);
    }
    float scale() const { return 1.0F / std::sqrt(static_cast<float>(problem.d)); }
    void forward(fe::graph::Graph &graph) const;
    void backward(fe::graph::Graph &graph) const;
};

void AttentionTensors::forward(fe::graph::Graph &graph) const
{
    prepare(graph);
    auto options = fe::graph::SDPA_attributes().set_name("attention").set_attn_scale(scale());
    options.set_generate_stats(true)
        .set_padding_mask(true)
        .set_seq_len_q(graph.tensor(lengths(kQueryLengths)))
        .set_seq_len_kv(graph.tensor(lengths(kLengths)));
    if (problem.dropout > 0.0F)
        options.set_dropout(problem.dropout, graph.tensor(number(kSeed)), graph.tensor(number(kOffset)));
    auto [out, stats] =
        graph.sdpa(graph.tensor(packed(kQ)), graph.tensor(packed(kK)), graph.tensor(packed(kV)), options);
    out->set_output(true).set_uid(kY).set_dim(y_dims()).set_stride(y_strides());
    stats->set_output(true)
        .set_uid(kStats)
        .set_dim(stats_dims())
        .set_stride(stats_strides())
        .set_data_type(fe::DataType_t::FLOAT);
}

void AttentionTensors::backward(fe::graph::Graph &graph) const
{
    prepare(graph);
    auto options = fe::graph::SDPA_backward_attributes().set_name("attention").set_attn_scale(scale());
    options.set_padding_mask(true)
        .set_seq_len_q(graph.tensor(lengths(kQueryLengths)))
        .set_seq_len_kv(graph.tensor(lengths(kLengths)))
        .set_deterministic_algorithm(true);
    if (problem.dropout > 0.0F)
        options.set_dropout(problem.dropout, graph.tensor(number(kSeed)), graph.tensor(number(kOffset)));
    auto stats = graph.tensor(Tensor_attributes()
                                  .set_uid(kStats)
                                  .set_dim(stats_dims())
                                  .set_stride(stats_strides())
                                  .set_data_type(fe::DataType_t::FLOAT));
    const auto out =
        graph.sdpa_backward(graph.tensor(packed(kQ)), graph.tensor(packed(kK)), graph.tensor(packed(kV)),
                            graph.tensor(y(kY)), graph.tensor(y(kDy)), stats, options);
    const Tensor_attributes like = packed(kDq);
    constexpr std::array<Uid, 3> kUids{kDq, kDk, kDv};
    for (std::size_t i = 0; i < 3; ++i)
        out[i]->set_output(true).set_uid(kUids[i]).set_dim(like.get_dim()).set_stride(like.get_stride());
}

std::size_t build(fe::graph::Graph &graph, const Dnn &dnn)
{
    require(graph.validate(), "describe attention");
    require(graph.build_operation_graph(handle_of(dnn)), "describe attention");
    require(graph.create_execution_plans({fe::HeurMode_t::A}), "plan attention");
    require(graph.check_support(), "do attention on this device");
    require(graph.build_plans(fe::BuildPlanPolicy_t::HEURISTICS_CHOICE), "build attention");
    std::int64_t bytes = 0;
    require(graph.get_workspace_size(bytes), "size attention's workspace");
    return static_cast<std::size_t>(bytes);
}

Pack attention_pack(const AttentionProblem &problem, const AttentionPointers &at)
{
    const auto part = [&problem](void *base, std::int64_t index) -> void * {
        const auto bytes =
            static_cast<std::size_t>(index * problem.heads * problem.d) * size_of(problem.type);
        return static_cast<std::byte *>(base) + bytes;
    };
    Pack pack{{kQ, part(at.qkv, 0)},
              {kK, part(at.qkv, 1)},
              {kV, part(at.qkv, 2)},
              {kY, at.y},
              {kStats, at.stats},
              {kQueryLengths, const_cast<void *>(at.query_lengths)},
              {kLengths, const_cast<void *>(at.lengths)}};
    if (problem.dropout > 0.0F) {
        pack[kSeed] = const_cast<void *>(at.seed);
        pack[kOffset] = const_cast<void *>(at.offset);
    }
    if (at.dqkv != nullptr) {
        pack[kDy] = at.dy;
        pack[kDq] = part(at.dqkv, 0);
        pack[kDk] = part(at.dqkv, 1);
        pack[kDv] = part(at.dqkv, 2);
    }
    return pack;
}

} // namespace

AttentionPlan::AttentionPlan(const Dnn &dnn, const AttentionProblem &problem)
    : m_dnn(dnn)
    , m_graphs(std::make_unique<Graphs>())
    , m_problem(problem)
{
    const AttentionTensors tensors{problem};
    tensors.forward(m_graphs->forward);
    tensors.backward(m_graphs->backward);
    m_workspace = std::max(build(m_graphs->forward, dnn), build(m_graphs->backward, dnn));
}

AttentionPlan::~AttentionPlan() = default;

void AttentionPlan::forward(const AttentionPointers &at, void *workspace) const
{
    AttentionPointers only = at;
    only.dqkv = nullptr;
    Pack pack = attention_pack(m_problem, only);
    require(m_graphs->forward.execute(handle_of(m_dnn), pack, workspace), "run attention");
}

void AttentionPlan::backward(const AttentionPointers &at, void *workspace) const
{
    Pack pack = attention_pack(m_problem, at);
    require(m_graphs->backward.execute(handle_of(m_dnn), pack, workspace), "run attention's backward pass");
}

} // namespace sbtrain::cuda
