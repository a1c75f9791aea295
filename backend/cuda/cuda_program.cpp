// SPDX-License-Identifier: Apache-2.0
#include "cuda_program.h"

#include "../random.h"
#include "check.h"
#include "own_gemm.h"

#include <algorithm>
#include <cstring>

namespace sbtrain::cuda {

CudaProgram::CudaProgram(const Graph &graph, const ProgramSettings &settings, Precision precision,
                         const DeviceFacts &device)
    : m_graph(graph)
    , m_settings(settings)
{
    m_context.precision = precision;
    m_context.type = storage_type(precision);
    open_libraries(device);
    m_state_block = DeviceBlock(sizeof(StepState));
    m_memory.state = m_state_block.as<StepState>();
    m_column_sums = std::make_unique<ColumnSums>(m_context.stream);
    m_memory.sums = m_column_sums.get();
    make_layers();
    place_parameters();
    make_memory(device);
    plan_order();
    make_chunks();
    make_transposes();
    plan_buckets();
    for (const auto &layer : m_layers)
        layer->bind(m_memory);
    tune();
    make_moments();
    for (const auto &layer : m_layers)
        layer->reset();
    check(cudaDeviceSynchronize(), "prepare the model");
}

CudaProgram::~CudaProgram()
{
    cudaStreamSynchronize(m_context.stream);
    for (const cudaGraphExec_t graph : {m_pass, m_compute, m_update}) {
        if (graph != nullptr)
            cudaGraphExecDestroy(graph);
    }
    m_layers.clear();
    cudaFreeHost(m_slots);
    cudaFreeHost(m_host_staging);
    for (const cudaEvent_t event : {m_staged, m_ready, m_exchanged}) {
        if (event != nullptr)
            cudaEventDestroy(event);
    }
    if (m_exchange_stream != nullptr)
        cudaStreamDestroy(m_exchange_stream);
    m_dnn.reset();
    if (m_context.blas != nullptr)
        cublasDestroy(m_context.blas);
    if (m_context.products.handle != nullptr)
        cublasLtDestroy(m_context.products.handle);
    if (m_context.stream != nullptr)
        cudaStreamDestroy(m_context.stream);
}

void CudaProgram::open_libraries(const DeviceFacts &device)
{
    m_context.capability = device.capability;
    m_context.own_gemm = own_gemm_available(device.capability, m_context.precision);
    // Strict fp32 likes convolutions by FFT, which need room; otherwise no good engine asks for more.
    m_context.workspace_limit = std::size_t{m_context.precision == Precision::Fp32 ? 1024U : 128U} << 20;
    check(cudaDeviceGetAttribute(&m_context.multiprocessors, cudaDevAttrMultiProcessorCount, device.ordinal),
          "ask the device");
    check(cudaStreamCreateWithFlags(&m_context.stream, cudaStreamNonBlocking), "make a stream");
    check(cublasLtCreate(&m_context.products.handle), "start cuBLASLt");
    m_context.products.counters = &m_counters;
    check(cublasCreate(&m_context.blas), "start cuBLAS");
    check(cublasSetStream(m_context.blas, m_context.stream), "start cuBLAS");
    m_dnn = std::make_unique<Dnn>(m_context.stream);
    m_context.dnn = m_dnn.get();
    check(cudaEventCreateWithFlags(&m_staged, cudaEventDisableTiming), "make an event");
    check(cudaHostAlloc(&m_slots, sizeof(ReportSlot) * kReportSlots, cudaHostAllocMapped),
          "allocate host memory");
    std::fill_n(m_slots, kReportSlots, ReportSlot{});
}

void CudaProgram::describe_inputs(Build &build)
{
    const auto ints = [&](std::int64_t count) {
        return m_plan.keep(sizeof(std::int32_t) * static_cast<std::size_t>(count));
    };
    const std::int64_t n = m_graph.batch_size;
    if (m_graph.images) {
        const Shape images = m_graph.tensors[m_graph.images->index];
        ImageOrder &order = m_image_order;
        order.n = images.n;
        order.size_h = static_cast<int>(images.h);
        order.size_w = static_cast<int>(images.w);
        order.type = m_context.type;
        order.channels = m_context.sixteen_bit() ? 8 : 4;
        for (const Node &node : m_graph.nodes) {
            const auto *conv = std::get_if<ConvBn>(&node);
            if (conv != nullptr && conv->x == m_graph.images)
                order.blocks = conv->kernel == 7 && conv->stride == 2 && conv->pad == 3 &&
                               images.h % 2 == 0 && images.w % 2 == 0 &&
                               m_context.precision != Precision::Fp32;
        }
        if (images.c != 3)
            throw CudaError(ExitCode::Unsupported, "the CUDA device takes images of three channels");
        m_inputs.images = m_plan.keep(static_cast<std::size_t>(order.elements()) * size_of(order.type));
        m_inputs.labels = ints(n);
    } else {
        const std::int64_t tokens = n * m_graph.sequence_length;
        m_inputs.tokens = ints(tokens);
        m_inputs.segments = ints(tokens);
        m_inputs.lengths = ints(n);
        m_inputs.query_lengths = ints(n);
        m_inputs.positions = ints(n * m_graph.masked_positions);
        m_inputs.masked_labels = ints(n * m_graph.masked_positions);
        m_inputs.next_sentence = ints(n);
    }
    build.inputs = m_inputs;
    build.image_order = m_image_order;
}

namespace {

// The activations a node reads.
std::vector<TensorId> reads_of(const Node &node)
{
    std::vector<TensorId> ids;
    std::visit(
        [&](const auto &spec) {
            using Spec = std::decay_t<decltype(spec)>;
            if constexpr (std::is_same_v<Spec, CrossEntropy>)
                ids.push_back(spec.logits);
            else if constexpr (std::is_same_v<Spec, Attention>)
                ids.push_back(spec.qkv);
            else if constexpr (!std::is_same_v<Spec, Embedding>)
                ids.push_back(spec.x);
            if constexpr (std::is_same_v<Spec, ConvBn> || std::is_same_v<Spec, DropoutAddNorm>) {
                if (spec.residual)
                    ids.push_back(*spec.residual);
            }
        },
        node);
    return ids;
}

// The pool that alone reads the convolution's output and follows it, if any.
const MaxPool *pool_after(const Build &build, std::size_t node)
{
    const auto &conv = std::get<ConvBn>(build.graph.nodes[node]);
    if (node + 1 == build.graph.nodes.size() || build.readers[conv.y.index] != 1 || conv.residual ||
        !conv.relu)
        return nullptr;
    const auto *pool = std::get_if<MaxPool>(&build.graph.nodes[node + 1]);
    return pool != nullptr && pool->x == conv.y ? pool : nullptr;
}

// A norm, an attention or a loss that alone reads a product can sum its bias gradient on the way.
void offer_biases(Build &build)
{
    const std::vector<Node> &nodes = build.graph.nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto *norm = std::get_if<DropoutAddNorm>(&nodes[i]);
        const auto *attention = std::get_if<Attention>(&nodes[i]);
        const auto *loss = std::get_if<CrossEntropy>(&nodes[i]);
        if (norm == nullptr && attention == nullptr && loss == nullptr)
            continue;
        const TensorId x = norm != nullptr ? norm->x : attention != nullptr ? attention->qkv : loss->logits;
        if (build.readers[x.index] != 1)
            continue;
        for (const Node &other : nodes) {
            const auto *linear = std::get_if<Linear>(&other);
            if (linear != nullptr && linear->y == x && linear->activation == Activation::None)
                build.bias_by_reader.emplace(i, linear->bias);
        }
    }
}

} // namespace

void CudaProgram::make_layers()
{
    for (const Parameter &parameter : m_graph.parameters) {
        ParameterSlot slot;
        slot.count = parameter.count;
        m_memory.slots.push_back(slot);
    }
    Build build(m_graph, m_settings, m_context, m_plan, m_memory.slots);
    build.losses = &m_losses;
    build.state = m_memory.state;
    build.convolutions = &m_convolutions;
    build.products = &m_products;
    describe_inputs(build);
    for (const Node &node : m_graph.nodes) {
        for (const TensorId id : reads_of(node))
            ++build.readers[id.index];
    }
    offer_biases(build);
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
        build.node = i;
        std::visit(
            [&](const auto &spec) {
                using Spec = std::decay_t<decltype(spec)>;
                if constexpr (std::is_same_v<Spec, ConvBn>)
                    m_layers.push_back(make_conv_bn(build, spec, pool_after(build, i)));
                else if constexpr (!std::is_same_v<Spec, MaxPool>)
                    m_layers.push_back(make_layer(build, spec));
                else if (i == 0 || !std::holds_alternative<ConvBn>(m_graph.nodes[i - 1]) ||
                         pool_after(build, i - 1) == nullptr)
                    throw CudaError(ExitCode::Unsupported,
                                    "the CUDA device pools only what a ReLU convolution made");
            },
            m_graph.nodes[i]);
        if (!m_layers.empty() && !std::holds_alternative<MaxPool>(m_graph.nodes[i]))
            m_layers.back()->first_node = i;
        m_plan.advance();
    }
    for (auto layer = m_layers.rbegin(); layer != m_layers.rend(); ++layer) {
        (*layer)->plan_backward(build);
        m_plan.advance();
    }
    m_plan.layout();
    m_activations = build.activations;
    m_row_losses = build.row_losses;
    m_transposed = build.transposed;
}

void CudaProgram::reset_state()
{
    StepState state;
    const bool scaling = m_context.precision == Precision::Fp16;
    state.loss_scale = scaling ? 4096.0F : 1.0F; // grows after 2000 good steps
    const Stream seeds(m_settings.seed, kDropoutStream);
    for (int i = 0; i < kDropoutSeeds; ++i)
        state.dropout_seeds[i] = static_cast<std::int64_t>(
            seeds.hash(static_cast<std::uint64_t>(i) * 65536 + static_cast<std::uint64_t>(m_settings.rank)) >>
            1);
    check(cudaMemcpy(m_memory.state, &state, sizeof state, cudaMemcpyHostToDevice), "set the state");
}

// Every layer chooses its algorithms on its own buffers, filled with noise: zeros would run too fast.
void CudaProgram::tune()
{
    // Convolutions say what they need when they have chosen, others beforehand.
    std::size_t room = m_graph.images ? m_context.workspace_limit : 0;
    for (const auto &layer : m_layers)
        room = std::max(room, layer->workspace_bytes());
    m_workspace = DeviceBlock(room);
    m_memory.workspace = m_workspace.as();
    const auto noise = [&](Type type, const DeviceBlock &block) {
        if (block.bytes() > 0)
            fill_noise(type, block.as(), static_cast<std::int64_t>(block.bytes() / size_of(type)),
                       m_context.stream);
    };
    noise(m_context.type, m_buffers);
    noise(Type::F32, m_values);
    if (m_context.sixteen_bit())
        noise(m_context.type, m_copy);
    Tuner tuner(m_context.stream);
    for (const auto &layer : m_layers)
        layer->tune(tuner);
    std::size_t needed = std::size_t{1} << 20;
    for (const auto &layer : m_layers) {
        needed = std::max(needed, layer->workspace_bytes());
    }
    check(cudaDeviceSynchronize(), "choose algorithms");
    m_peak_bytes = held_bytes();
    m_workspace = DeviceBlock();
    m_workspace = DeviceBlock(needed);
    m_memory.workspace = m_workspace.as();
    // Inputs must be valid indices before the first batch, padding must be zero.
    check(cudaMemset(m_buffers.as(), 0, m_buffers.bytes()), "clear buffers");
    check(cudaMemset(m_values.as(), 0, m_values.bytes()), "clear parameters");
    if (m_inputs.query_lengths.valid()) {
        const std::vector<std::int32_t> whole(static_cast<std::size_t>(m_graph.batch_size),
                                              static_cast<std::int32_t>(m_graph.sequence_length));
        check(cudaMemcpy(m_memory.at(m_inputs.query_lengths), whole.data(), whole.size() * 4,
                         cudaMemcpyHostToDevice),
              "copy lengths");
    }
}

void CudaProgram::make_transposes()
{
    std::vector<Transpose> list;
    for (const Build::Transposed &wanted : m_transposed) {
        list.push_back({m_memory.weight(wanted.weight), m_memory.at(wanted.to), wanted.rows, wanted.columns,
                        m_transpose_tiles});
        m_transpose_tiles += wanted.rows / 32 * (wanted.columns / 32);
    }
    m_transpose_list = DeviceBlock(list.size() * sizeof(Transpose));
    if (!list.empty())
        check(
            cudaMemcpy(m_transpose_list.as(), list.data(), m_transpose_list.bytes(), cudaMemcpyHostToDevice),
            "copy the list of weights");
}

void CudaProgram::refresh_transposes()
{
    transpose_weights(
        m_context.type,
        {m_transpose_list.as<Transpose>(), static_cast<int>(m_transposed.size()), m_transpose_tiles},
        m_context.stream);
}

bool own_gemm_available(int capability, Precision precision)
{
    return own_products_wanted() && precision != Precision::Fp32 && OwnGemm::available(capability);
}

} // namespace sbtrain::cuda
