// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../arena.h"
#include "../device.h"
#include "../random.h"
#include "onednn.h"

namespace sbtrain::cpu {

// Order of an image activation in memory: n blocks of images, in them c / lanes blocks of channels, in them
// h * w pixels of `lanes` channels. lanes = 16 or 8 is oneDNN's nChw16c or nChw8c; lanes = c is NHWC.
// Kernels see columns: W channels of all pixels of one image, a fixed stride apart.
struct ImageLayout {
    std::int64_t n = 0;
    std::int64_t c = 0;
    std::int64_t pixels = 0;
    std::int64_t lanes = 0;

    template <int W>
    std::int64_t column_offset(std::int64_t image, std::int64_t column) const
    {
        const std::int64_t channel = column * W;
        return (image * c + channel / lanes * lanes) * pixels + channel % lanes;
    }
};

// Where a parameter lives. The physical order may differ from the logical one (desc against plain).
struct ParameterSlot {
    std::int64_t offset = 0;
    std::int64_t count = 0;
    dnnl::memory::desc plain;
    dnnl::memory::desc desc; // == plain unless the convolution wants another order
};

// Addresses, once everything is planned.
struct Memory {
    const BufferPlanner *planner = nullptr;
    float *work = nullptr;            // what the planner planned
    std::vector<float *> activations; // by TensorId
    std::vector<ParameterSlot> slots; // by ParameterId
    float *parameters = nullptr;
    float *gradients = nullptr;

    float *buffer(BufferPlanner::Id id) const { return work + planner->offset(id); }
    float *activation(TensorId id) const { return activations[id.index]; }
    float *parameter(ParameterId id) const { return parameters + slots[id.index].offset; }
    float *gradient(ParameterId id) const { return gradients + slots[id.index].offset; }
};

// Who writes which gradient buffer when. Layers are asked in backward order.
//   take(y)      all contributions to dL/dy; the layer owns them now and must pass or release each
//   give(x)      a new contribution to dL/dx, to be overwritten
//   pass(b, x)   an owned buffer becomes a contribution to dL/dx: no copy
//   existing(x)  a contribution that is already there and may be added to
class BackwardPlan {
public:
    BackwardPlan(const Graph &graph, BufferPlanner &planner);

    std::vector<BufferPlanner::Id> take(TensorId y);
    BufferPlanner::Id give(TensorId x);
    void pass(BufferPlanner::Id buffer, TensorId x);
    std::optional<BufferPlanner::Id> existing(TensorId x) const;
    BufferPlanner::Id scratch(std::int64_t count) { return m_planner.take(count); }
    void release(BufferPlanner::Id id) { m_planner.release(id); }
    bool wanted(TensorId x) const { return x != m_graph.images; }
    // True for the first layer in backward order that writes this gradient: it overwrites, others add.
    bool first_write(ParameterId id);

private:
    const Graph &m_graph;
    BufferPlanner &m_planner;
    std::vector<std::vector<BufferPlanner::Id>> m_contributions; // by TensorId
    std::vector<bool> m_written;                                 // by ParameterId
};

// What layers need while they are made. Layers may take() buffers that stay theirs (what is saved for
// backward) and may change the order of their parameters' slots.
struct Build {
    const Graph &graph;
    const ProgramSettings &settings;
    dnnl::engine engine;
    dnnl::stream stream;
    BufferPlanner &planner;
    std::vector<ParameterSlot> &slots;
    std::int64_t lanes = 0; // channels in a block of this graph's images; 0 = NHWC
    std::uint64_t node = 0; // number of the node being made

    ImageLayout image_layout(TensorId id) const;
    dnnl::memory::desc image_desc(TensorId id) const;
};

// What changes from pass to pass.
struct PassState {
    const Batch *batch = nullptr;
    std::int64_t pass = 0; // forward passes so far; the steps, unless gradients are accumulated
    double loss = 0.0;
};

// One node of the graph on the CPU.
class Layer {
public:
    virtual ~Layer() = default;
    virtual void plan_backward(BackwardPlan &plan) = 0;
    virtual void bind(const Memory &memory) = 0;
    virtual void forward(PassState &state) = 0;
    virtual void backward(PassState &state) = 0;
};

std::unique_ptr<Layer> make_layer(Build &build, const ConvBn &node);
std::unique_ptr<Layer> make_layer(Build &build, const MaxPool &node);
std::unique_ptr<Layer> make_layer(Build &build, const AveragePool &node);
std::unique_ptr<Layer> make_layer(Build &build, const Linear &node);
std::unique_ptr<Layer> make_layer(Build &build, const CrossEntropy &node);
std::unique_ptr<Layer> make_layer(Build &build, const Embedding &node);
std::unique_ptr<Layer> make_layer(Build &build, const Attention &node);
std::unique_ptr<Layer> make_layer(Build &build, const DropoutAddNorm &node);
std::unique_ptr<Layer> make_layer(Build &build, const GatherRows &node);

// The int32 input of a batch.
const std::int32_t *batch_input(const Batch &batch, Input input);

// Sums several contributions to one gradient of `count` elements into the first.
void add_contributions(const Memory &memory, const std::vector<BufferPlanner::Id> &ids, std::int64_t count);

// The dropout mask of one node (random.h), regenerated in backward.
class Dropout {
public:
    Dropout(const Build &build, float probability)
        : m_seed(build.settings.seed)
        , m_node(build.node)
        , m_rank(static_cast<std::uint64_t>(build.settings.rank))
        , m_rate(probability)
    {
    }
    bool active() const { return m_rate.drops(); }
    const DropoutRate &rate() const { return m_rate; }
    Stream stream(std::int64_t pass) const
    {
        const auto use = static_cast<std::uint64_t>(pass) * 1024 + m_node;
        return {m_seed, kDropoutStream + use * 65536 + m_rank};
    }

private:
    std::uint64_t m_seed;
    std::uint64_t m_node;
    std::uint64_t m_rank;
    DropoutRate m_rate;
};

} // namespace sbtrain::cpu
