// SPDX-License-Identifier: Apache-2.0
#include "cpu_program.h"

#include "../clock.h"
#include "../comm/communicator.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace sbtrain::cpu {

namespace {

using dnnl::memory;

// Gradients are averaged in pieces of this size: large enough for the ring, small enough that the first
// leaves early and the last, which nothing hides, is short.
constexpr std::int64_t kBucketBytes = std::int64_t{8} << 20;

std::vector<ParameterId> parameters_of(const Node &node)
{
    struct Visitor {
        std::vector<ParameterId> operator()(const ConvBn &n) const { return {n.weight, n.gamma, n.beta}; }
        std::vector<ParameterId> operator()(const Linear &n) const { return {n.weight, n.bias}; }
        std::vector<ParameterId> operator()(const DropoutAddNorm &n) const { return {n.gamma, n.beta}; }
        std::vector<ParameterId> operator()(const Embedding &n) const
        {
            return {n.token, n.position, n.segment, n.gamma, n.beta};
        }
        std::vector<ParameterId> operator()(const MaxPool &) const { return {}; }
        std::vector<ParameterId> operator()(const AveragePool &) const { return {}; }
        std::vector<ParameterId> operator()(const CrossEntropy &) const { return {}; }
        std::vector<ParameterId> operator()(const Attention &) const { return {}; }
        std::vector<ParameterId> operator()(const GatherRows &) const { return {}; }
    };
    return std::visit(Visitor{}, node);
}

memory::desc plain_desc(const std::vector<std::int64_t> &shape)
{
    using Tag = memory::format_tag;
    const Tag tag = shape.size() == 1 ? Tag::a : shape.size() == 2 ? Tag::ab : Tag::abcd;
    return {memory::dims(shape.begin(), shape.end()), memory::data_type::f32, tag};
}

} // namespace

std::int64_t preferred_lanes(const dnnl::engine &engine, const Graph &graph)
{
    for (const Node &node : graph.nodes) {
        const auto *conv = std::get_if<ConvBn>(&node);
        if (conv != nullptr && graph.tensors[conv->y.index].c % 16 != 0)
            return 0;
    }
    // Ask for a typical layer and see which order the library picks.
    const memory::dims image{1, 64, 28, 28};
    const memory::dims weight{64, 64, 3, 3};
    const auto any = [](const memory::dims &dims) {
        return memory::desc(dims, memory::data_type::f32, memory::format_tag::any);
    };
    const auto desc = conv_forward_desc(engine, {image, weight, image, {1, 1}, {1, 1}},
                                        {any(image), any(weight), any(image)});
    const auto is = [&](memory::format_tag tag) {
        return desc.dst_desc() == memory::desc(image, memory::data_type::f32, tag);
    };
    return is(memory::format_tag::nChw16c) ? 16 : is(memory::format_tag::nChw8c) ? 8 : 0;
}

CpuProgram::CpuProgram(const Graph &graph, const ProgramSettings &settings)
    : m_graph(graph)
    , m_settings(settings)
    , m_engine(dnnl::engine::kind::cpu, 0)
    , m_stream(m_engine)
    , m_lanes(graph.images ? preferred_lanes(m_engine, graph) : 0)
{
    make_layers();
    plan_memory();
    if (settings.communicator != nullptr)
        plan_exchange();
    for (const auto &layer : m_layers)
        layer->bind(m_memory);
}

void CpuProgram::make_layers()
{
    for (const Parameter &parameter : m_graph.parameters) {
        const memory::desc desc = plain_desc(parameter.shape);
        m_memory.slots.push_back({0, parameter.count, desc, desc});
    }
    Build build{m_graph, m_settings, m_engine, m_stream, m_planner, m_memory.slots, m_lanes};
    for (const Node &node : m_graph.nodes) {
        m_layers.push_back(std::visit([&](const auto &spec) { return make_layer(build, spec); }, node));
        ++build.node;
    }
    BackwardPlan plan(m_graph, m_planner);
    for (auto layer = m_layers.rbegin(); layer != m_layers.rend(); ++layer)
        (*layer)->plan_backward(plan);
    m_planner.layout();
}

void CpuProgram::plan_memory()
{
    for (ParameterSlot &slot : m_memory.slots) {
        slot.offset = m_arena_floats;
        m_arena_floats += round_up_floats(slot.count);
    }
    for (const Shape &shape : m_graph.tensors)
        m_activation_floats += round_up_floats(shape.count());
    m_optimizer.emplace(m_settings.optimizer, m_graph, m_memory.slots);

    const std::int64_t state = m_optimizer->state_floats(m_arena_floats);
    const std::int64_t sums = m_settings.micro_batches > 1 ? m_arena_floats : 0;
    const std::int64_t total = 2 * m_arena_floats + sums + state + m_activation_floats + m_planner.total();
    const auto bytes = static_cast<std::uint64_t>(total) * sizeof(float);
    const std::uint64_t available = available_memory_bytes();
    if (available != 0 && bytes > available)
        throw std::bad_alloc(); // later the kernel would kill us without a word
    m_block = PageBlock(bytes);
    if (m_block.data() == nullptr)
        throw std::bad_alloc();

    auto *next = reinterpret_cast<float *>(m_block.data());
    const auto carve = [&next](std::int64_t floats) { return std::exchange(next, next + floats); };
    m_memory.planner = &m_planner;
    m_memory.parameters = carve(m_arena_floats);
    m_memory.gradients = carve(m_arena_floats);
    if (sums > 0)
        m_accumulated = carve(sums);
    m_optimizer_state = carve(state);
    for (const Shape &shape : m_graph.tensors)
        m_memory.activations.push_back(carve(round_up_floats(shape.count())));
    m_memory.work = carve(m_planner.total());
}

void CpuProgram::reorder(const memory::desc &from, float *source, const memory::desc &to, float *target)
{
    if (from == to) {
        std::memcpy(target, source, to.get_size());
        return;
    }
    memory source_memory(from, m_engine, source);
    memory target_memory(to, m_engine, target);
    dnnl::reorder(source_memory, target_memory).execute(m_stream, source_memory, target_memory);
    m_stream.wait();
}

void CpuProgram::write_parameter(ParameterId id, std::span<const float> values)
{
    const ParameterSlot &slot = m_memory.slots[id.index];
    // The library's handles are not const; it only reads the source.
    reorder(slot.plain, const_cast<float *>(values.data()), slot.desc, m_memory.parameter(id));
}

void CpuProgram::read_parameter(ParameterId id, std::span<float> values)
{
    const ParameterSlot &slot = m_memory.slots[id.index];
    reorder(slot.desc, m_memory.parameter(id), slot.plain, values.data());
}

void CpuProgram::read_gradient(ParameterId id, std::span<float> values)
{
    const ParameterSlot &slot = m_memory.slots[id.index];
    reorder(slot.desc, m_memory.gradient(id), slot.plain, values.data());
}

void CpuProgram::read_tensor(TensorId id, std::span<float> values)
{
    const Shape shape = m_graph.tensors[id.index];
    const memory::dims dims{shape.n, shape.c, shape.h, shape.w};
    memory::desc order(dims, memory::data_type::f32, memory::format_tag::nchw);
    const memory::desc plain = order;
    if (m_graph.images && shape.h * shape.w > 1) {
        BufferPlanner unused;
        std::vector<ParameterSlot> slots;
        order = Build{m_graph, m_settings, m_engine, m_stream, unused, slots, m_lanes}.image_desc(id);
    }
    reorder(order, m_memory.activation(id), plain, values.data());
}

Result<void> CpuProgram::broadcast_parameters()
{
    if (m_settings.communicator == nullptr)
        return {};
    return m_settings.communicator->broadcast(
        {m_memory.parameters, static_cast<std::size_t>(m_arena_floats)});
}

// Primitives exist since construction; what is left is that the kernel hands out the pages.
void CpuProgram::warm_up(const Batch &batch)
{
    constexpr std::int64_t kPage = 4096;
    const auto bytes = static_cast<std::int64_t>(m_block.bytes());
    auto *data = m_block.data();
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < bytes; i += kPage)
        *const_cast<volatile std::byte *>(data + i) = data[i];
    load(batch);
}

void CpuProgram::load(const Batch &batch)
{
    m_state.batch = &batch;
    if (!m_graph.images)
        return;
    const Shape shape = m_graph.tensors[m_graph.images->index];
    float *images = m_memory.activation(*m_graph.images);
    const std::int64_t pixels = shape.h * shape.w;
    const auto arrange = [&](auto value) {
#pragma omp parallel for schedule(static)
        for (std::int64_t plane = 0; plane < shape.n * shape.c; ++plane) {
            const std::int64_t c = plane % shape.c;
            for (std::int64_t i = 0; i < pixels; ++i) {
                const std::int64_t to =
                    m_lanes != 0 ? plane * pixels + i : (plane / shape.c * pixels + i) * shape.c + c;
                images[to] = value(static_cast<std::size_t>(plane * pixels + i), static_cast<std::size_t>(c));
            }
        }
    };
    if (!batch.pixels.empty())
        arrange([&](std::size_t i, std::size_t c) {
            return (static_cast<float>(batch.pixels[i]) / 255.0F - batch.pixel_mean[c]) /
                   batch.pixel_deviation[c];
        });
    else if (m_lanes != 0)
        std::memcpy(images, batch.images.data(), batch.images.size() * sizeof(float));
    else
        arrange([&](std::size_t i, std::size_t) { return batch.images[i]; });
}

void CpuProgram::forward()
{
    m_state.loss = 0.0;
    for (const auto &layer : m_layers)
        layer->forward(m_state);
}

void CpuProgram::backward()
{
    for (auto layer = m_layers.rbegin(); layer != m_layers.rend(); ++layer)
        (*layer)->backward(m_state);
}

// Parameters lie in the arena in forward order, so backward finishes the arena from its end.
void CpuProgram::plan_exchange()
{
    const std::size_t nodes = m_graph.nodes.size();
    // The layer that writes a gradient last in backward is the first in the graph that has the parameter.
    std::vector<std::size_t> last_writer(m_graph.parameters.size(), 0);
    for (std::size_t i = nodes; i-- > 0;) {
        for (const ParameterId id : parameters_of(m_graph.nodes[i]))
            last_writer[id.index] = i;
    }
    m_final_from.assign(nodes, m_arena_floats);
    for (std::size_t i = 0; i < nodes; ++i) {
        std::int64_t from = m_arena_floats;
        for (std::size_t p = m_graph.parameters.size(); p-- > 0 && last_writer[p] >= i;)
            from = m_memory.slots[p].offset;
        m_final_from[i] = from;
    }
    m_bucket_floats = (m_settings.bucket_bytes > 0 ? m_settings.bucket_bytes : kBucketBytes) / 4;
    m_exchanger.emplace(*m_settings.communicator);
}

Result<void> CpuProgram::exchange()
{
    if (!m_exchanger)
        return {};
    for (std::int64_t end = m_arena_floats; end > 0;) {
        const std::int64_t begin = std::max(end - m_bucket_floats, std::int64_t{0});
        m_exchanger->push({m_memory.gradients + begin, static_cast<std::size_t>(end - begin)});
        end = begin;
    }
    return m_exchanger->finish();
}

// As soon as a bucket's worth of gradients is final it goes out, while the layers below still compute.
Result<void> CpuProgram::backward_and_exchange()
{
    std::int64_t end = m_arena_floats;
    for (std::size_t i = m_layers.size(); i-- > 0;) {
        m_layers[i]->backward(m_state);
        if (!m_exchanger)
            continue;
        const std::int64_t from = i == 0 ? 0 : m_final_from[i];
        while (end > from && (end - from >= m_bucket_floats || i == 0)) {
            const std::int64_t begin = std::max(end - m_bucket_floats, from);
            add_micro_batches(begin, end);
            m_exchanger->push({m_memory.gradients + begin, static_cast<std::size_t>(end - begin)});
            end = begin;
        }
    }
    if (!m_exchanger)
        add_micro_batches(0, m_arena_floats);
    const double start_s = monotonic_s();
    Result<void> done = m_exchanger ? m_exchanger->finish() : Result<void>();
    m_exchange_wait_ms = m_exchanger ? 1e3 * (monotonic_s() - start_s) : 0.0;
    return done;
}

// Final gradients [begin, end) of the last micro-batch become the mean over all of this step.
void CpuProgram::add_micro_batches(std::int64_t begin, std::int64_t end)
{
    if (m_accumulated == nullptr)
        return;
    const float share = 1.0F / static_cast<float>(m_settings.micro_batches);
    float *gradients = m_memory.gradients;
    const float *sums = m_accumulated;
#pragma omp parallel for simd schedule(static)
    for (std::int64_t i = begin; i < end; ++i)
        gradients[i] = share * (gradients[i] + sums[i]);
}

void CpuProgram::update()
{
    m_grad_norm =
        m_optimizer->update({m_memory.parameters, m_memory.gradients, m_optimizer_state, m_arena_floats});
}

// One forward pass and what `backward` does after it.
template <typename Body>
Result<void> CpuProgram::timed_pass(const Batch &batch, Body backward)
{
    const double start_s = monotonic_s();
    ++m_state.pass;
    load(batch);
    const double loaded_s = monotonic_s();
    try {
        forward();
        if (const Result<void> done = backward(); !done)
            return done;
    } catch (const dnnl::error &error) {
        const bool memory = error.status == dnnl_out_of_memory;
        return Error{memory ? ExitCode::OutOfMemory : ExitCode::Internal,
                     std::string("oneDNN failed in step ") + std::to_string(m_step + 1) + ": " +
                         error.what()};
    }
    ++m_passes.count;
    m_passes.loss += m_state.loss;
    m_passes.data_ms += 1e3 * (loaded_s - start_s) + batch.fill_ms;
    m_passes.compute_ms += 1e3 * (monotonic_s() - loaded_s);
    return {};
}

Result<void> CpuProgram::enqueue_micro_batch(const Batch &batch)
{
    return timed_pass(batch, [this]() -> Result<void> {
        backward();
        const float *gradients = m_memory.gradients;
        float *sums = m_accumulated;
        const bool first = m_passes.count == 0;
#pragma omp parallel for simd schedule(static)
        for (std::int64_t i = 0; i < m_arena_floats; ++i)
            sums[i] = first ? gradients[i] : sums[i] + gradients[i];
        return {};
    });
}

Result<void> CpuProgram::enqueue_step(const Batch &batch)
{
    if (const Result<void> done = timed_pass(batch, [this] { return backward_and_exchange(); }); !done)
        return done;
    const double start_s = monotonic_s();
    update();
    const double end_s = monotonic_s();

    StepReport report;
    report.step = ++m_step;
    report.end_time_s = end_s - m_settings.start_time_s;
    report.loss = m_passes.loss / m_passes.count;
    report.data_ms = m_passes.data_ms;
    report.comm_ms = m_exchange_wait_ms;
    report.compute_ms = m_passes.compute_ms + 1e3 * (end_s - start_s) - m_exchange_wait_ms;
    report.grad_norm = m_grad_norm;
    m_reports.push_back(report);
    m_passes = {};
    return {};
}

std::optional<StepReport> CpuProgram::next_report(bool)
{
    if (m_reports.empty())
        return std::nullopt;
    const StepReport report = m_reports.front();
    m_reports.pop_front();
    return report;
}

} // namespace sbtrain::cpu
