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
    Result<void> enqueue_step(const Batch &batch) override;
    std::optional<StepReport> next_report(bool wait) override;

private:
    void make_layers();
    void plan_exchange();
    Result<void> backward_and_exchange();
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
    PageBlock m_block; // parameters, gradients, optimizer state, activations, work: in this order
    float *m_optimizer_state = nullptr;
    StepState m_state;
    // After backward of layer i, gradients from m_final_from[i] to the arena's end are final.
    std::vector<std::int64_t> m_final_from;
    std::optional<GradientExchanger> m_exchanger; // for several processes
    double m_exchange_wait_ms = 0.0;              // of the last step: what backward did not hide
    std::optional<double> m_grad_norm;
    std::deque<StepReport> m_reports;
};

// Channels in a block of the image order this processor's convolutions like best; 0 for NHWC.
std::int64_t preferred_lanes(const dnnl::engine &engine, const Graph &graph);

} // namespace sbtrain::cpu
