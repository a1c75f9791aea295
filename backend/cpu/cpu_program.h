// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../comm/exchanger.h"
#include "layer.h"
#include "optimizer.h"

#include <deque>

namespace sbtrain::cpu {

// A graph as a list of layers over planned memory. Everything runs when it is called: steps are never in
// flight. The constructor throws (std::bad_alloc, dnnl::error, std::logic_error); CpuDevice::compile turns
// that into an Error, and the public calls do so for themselves.
class CpuProgram : public Program {
public:
    CpuProgram(const Graph &graph, const ProgramSettings &settings);

    void write_parameter(ParameterId id, std::span<const float> values) override;
    void read_parameter(ParameterId id, std::span<float> values) override;
    void read_gradient(ParameterId id, std::span<float> values) override;
    void read_tensor(TensorId id, std::span<float> values) override;
    Result<void> broadcast_parameters() override;
    void warm_up(const Batch &batch) override;
    void load(const Batch &batch) override;
    void forward() override;
    void backward() override;
    Result<void> exchange() override;
    void update() override;
    double loss() override { return m_state.loss; }
    Result<void> enqueue_micro_batch(const Batch &batch) override;
    Result<void> enqueue_step(const Batch &batch) override;
    std::optional<StepReport> next_report(bool wait) override;

private:
    void make_layers();
    void plan_exchange();
    Result<void> backward_and_exchange();
    template <typename Body>
    Result<void> timed_pass(const Batch &batch, Body backward);
    void add_micro_batches(std::int64_t begin, std::int64_t end);
    void plan_memory();
    void reorder(const dnnl::memory::desc &from, float *source, const dnnl::memory::desc &to, float *target);

    Graph m_graph;
    ProgramSettings m_settings;
    dnnl::engine m_engine;
    dnnl::stream m_stream;
    std::int64_t m_lanes = 0;
    BufferPlanner m_planner;
    std::vector<std::unique_ptr<Layer>> m_layers;
    Memory m_memory;
    std::optional<Optimizer> m_optimizer;
    std::int64_t m_arena_floats = 0;
    std::int64_t m_activation_floats = 0;
    PageBlock m_block; // parameters, gradients, their sums, optimizer state, activations, work: in this order
    float *m_optimizer_state = nullptr;
    PassState m_state;
    std::int64_t m_step = 0;
    // Of the micro-batches of this step so far; gradients are added up in m_accumulated.
    struct {
        int count = 0;
        double loss = 0.0, data_ms = 0.0, compute_ms = 0.0;
    } m_passes;
    float *m_accumulated = nullptr; // null unless a step has several micro-batches
    // After backward of layer i, gradients from m_final_from[i] to the arena's end are final.
    std::vector<std::int64_t> m_final_from;
    std::optional<GradientExchanger> m_exchanger; // for several processes
    std::int64_t m_bucket_floats = 0;
    double m_exchange_wait_ms = 0.0; // of the last step: what backward did not hide
    std::optional<double> m_grad_norm;
    std::deque<StepReport> m_reports;
};

// Channels in a block of the image order this processor's convolutions like best; 0 for NHWC.
std::int64_t preferred_lanes(const dnnl::engine &engine, const Graph &graph);

} // namespace sbtrain::cpu
