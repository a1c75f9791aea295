// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conv.h"
#include "cuda_device.h"
#include "device_block.h"
#include "layer.h"

#include <deque>

namespace sbtrain {
class NcclCommunicator;
}

namespace sbtrain::cuda {

// True if the own matrix product with fused epilogues runs here.
bool own_gemm_available(int capability, Precision precision);

// A graph as layers over planned memory, recorded as a CUDA graph on the first warm_up(): a step is one
// launch. Steps are in flight until next_report() hands them out; the host never waits for the device but
// when more than kInFlight steps are under way. Throws CudaError from the constructor and from the calls
// that return nothing.
class CudaProgram : public Program {
public:
    CudaProgram(const Graph &graph, const ProgramSettings &settings, Precision precision,
                const DeviceFacts &device);
    ~CudaProgram() override;

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
    double loss() override;
    Result<void> enqueue_micro_batch(const Batch &batch) override;
    Result<void> enqueue_step(const Batch &batch) override;
    std::optional<StepReport> next_report(bool wait) override;
    bool makes_synthetic_data() const override { return true; }
    std::int64_t device_memory_bytes() const override;

private:
    static constexpr std::int64_t kInFlight = 8;

    std::size_t held_bytes() const;
    void make_moments();
    void open_libraries(const DeviceFacts &device);
    void make_layers();
    void describe_inputs(Build &build);
    void place_parameters();
    void make_memory(const DeviceFacts &device);
    void plan_order();
    void make_chunks();
    void add_chunks(std::vector<Chunk> &chunks, std::size_t parameter, bool decay) const;
    void reset_state();
    void make_transposes();
    void refresh_transposes();
    void tune();
    UpdateArgs update_args() const;
    void load_timed(const Batch &batch);
    void load_host(const Batch &batch);
    void load_synthetic(const Batch &batch);
    void refresh_copies();
    void capture();
    void record_pass();
    void record_compute();
    void record_update();
    void backward_of(std::size_t layer);
    void plan_buckets();
    void exchange_bucket(std::size_t layer);
    Result<void> exchange_on_device();
    Result<void> average_full(std::size_t first, std::size_t count, cudaStream_t stream);
    Result<void> health() const; // of the exchange
    void collect();
    std::int64_t physical_index(const Parameter &parameter, const ParameterSlot &slot, std::int64_t i) const;
    std::vector<float> read_values(const void *from, Type type, std::int64_t count) const;

    Graph m_graph;
    ProgramSettings m_settings;
    Context m_context;
    std::unique_ptr<Dnn> m_dnn;
    MemoryPlan m_plan;
    ConvCache m_convolutions;
    Counters m_counters;
    GemmCache m_products;
    Inputs m_inputs;
    ImageOrder m_image_order;
    std::vector<MemoryPlan::Id> m_activations;
    std::vector<std::unique_ptr<Layer>> m_layers;
    Memory m_memory;
    std::unique_ptr<ColumnSums> m_column_sums;
    LossSources m_losses;
    std::vector<MemoryPlan::Id> m_row_losses;
    DeviceBlock m_state_block, m_values, m_first, m_second, m_copy, m_gradients, m_full_gradients, m_buffers,
        m_workspace, m_chunk_block, m_partial, m_staging, m_transpose_list, m_sums, m_lamb, m_range_block;
    std::size_t m_peak_bytes = 0; // while algorithms were chosen
    std::vector<Build::Transposed> m_transposed;
    int m_transpose_tiles = 0;
    std::int64_t m_arena = 0; // elements of the value arena
    int m_chunks = 0;
    bool m_copies_stale = true;
    std::int64_t m_loaded = 0; // serial of the batch on the device

    // NCCL: gradients leave in buckets while backward goes on. After layer i's backward pass, what lies at
    // and after its boundary in each gradient arena is final.
    NcclCommunicator *m_nccl = nullptr;
    struct Boundary {
        std::size_t typed = 0, full = 0; // elements
        int chunks = 0;                  // of the chunk table, which is in the order in which they get final
    };
    std::vector<Boundary> m_boundaries; // by layer
    Boundary m_sent;                    // what has left already
    std::size_t m_bucket_bytes = 0;
    Type m_exchange_type = Type::F32; // of fp32 gradients on their way
    DeviceBlock m_narrowed;           // they, if it is another
    cudaStream_t m_exchange_stream = nullptr;
    cudaEvent_t m_ready = nullptr, m_exchanged = nullptr;

    // Steps in flight.
    ReportSlot *m_slots = nullptr; // mapped host memory
    void *m_host_staging = nullptr;
    std::size_t m_host_staging_bytes = 0;
    cudaEvent_t m_staged = nullptr;   // the staging memory has been read
    cudaGraphExec_t m_pass = nullptr; // any but the last of a step
    cudaGraphExec_t m_compute = nullptr, m_update = nullptr;
    std::int64_t m_submitted = 0, m_collected = 0;
    std::deque<double> m_data_ms;
    double m_pass_data_ms = 0.0; // of the passes of this step so far
    std::deque<StepReport> m_reports;
    double m_clock_offset_s = 0.0; // host monotonic - device
};

} // namespace sbtrain::cuda
