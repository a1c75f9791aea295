// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a device is to the rest of the program: something that compiles a Graph into a Program, and a
// Program that trains. Model files, data, events and the training loop know nothing else.
//
// Nothing here needs the host to wait between operations: enqueue_step() may return as soon as the step
// is on its way, and reports come out of next_report() in order, possibly some steps late.

#include "data/batch.h"
#include "data/picture_decoder.h"
#include "graph.h"
#include "result.h"

#include <memory>
#include <span>

namespace sbtrain {

class Communicator;

enum class OptimizerKind { Sgd, AdamW, Lamb };

// One update on the averaged gradient g, after scaling by min(1, clip_norm / |g|) if clip_norm is given.
//   Sgd:   g += decay * p;  m = momentum * m + g;  p -= lr * m
//   AdamW: p *= 1 - lr * decay;  m, v as usual with bias correction;  p -= lr * m' / (sqrt(v') + eps)
//   Lamb:  u = m' / (sqrt(v') + eps) + decay * p;  p -= lr * |p| / |u| * u, norms of each parameter; for
//          parameters without decay, and where a norm is 0, p -= lr * u
struct OptimizerSettings {
    OptimizerKind kind = OptimizerKind::Sgd;
    double learning_rate = 0.1;
    double momentum = 0.9;
    double weight_decay = 1e-4;
    double beta1 = 0.9;
    double beta2 = 0.999;
    double eps = 1e-8;
    std::optional<double> clip_norm = std::nullopt;
};

// How wide fp32 gradients are on their way between processes. Own: as they are computed.
enum class ExchangePrecision { Own, Fp16, Bf16 };

struct ProgramSettings {
    OptimizerSettings optimizer;
    std::uint64_t seed = 1;               // of dropout
    int rank = 0;                         // mixed into dropout, so that ranks drop differently
    int micro_batches = 1;                // passes whose mean gradient makes one step
    bool freeze_bn = false;               // normalise by the running statistics and leave them alone
    Communicator *communicator = nullptr; // outlives the Program; null for one process
    std::int64_t bucket_bytes = 0; // gradients leave in pieces of about this size; 0: the device's choice
    ExchangePrecision exchange = ExchangePrecision::Own;
    double start_time_s = 0.0; // subtracted from reported times (monotonic clock, seconds)
};

// What one finished step says. Times in milliseconds; compute + comm + data is about the step.
struct StepReport {
    std::int64_t step = 0;   // counts from 1
    double end_time_s = 0.0; // monotonic, since ProgramSettings::start_time_s
    double loss = 0.0;       // this process's mean
    double data_ms = 0.0;    // waiting for batches and bringing them to the device
    double comm_ms = 0.0;    // averaging gradients, as far as it was not hidden behind compute
    double compute_ms = 0.0;
    std::optional<double> grad_norm; // of the averaged gradient before clipping, if it was computed
};

// Parameters and gradients live in two matching flat arenas in the device's own order; read and write
// translate one named range from and to the logical order of Parameter.
class Program {
public:
    virtual ~Program() = default;

    virtual void write_parameter(ParameterId id, std::span<const float> values) = 0;
    virtual void read_parameter(ParameterId id, std::span<float> values) = 0;
    virtual void read_gradient(ParameterId id, std::span<float> values) = 0;
    // An activation of the last forward(), in logical order; for tests.
    virtual void read_tensor(TensorId id, std::span<float> values) = 0;

    // Everybody gets rank 0's parameters. Failure: a peer is gone (ExitCode::PeerLost).
    virtual Result<void> broadcast_parameters() = 0;

    // Builds what is left to build and touches all memory, so that step 1 costs what step 2 costs.
    // Changes neither parameters nor running statistics.
    virtual void warm_up(const Batch &batch) = 0;

    // The parts of a step, for tests and tools. loss() waits for forward().
    virtual void load(const Batch &batch) = 0;
    virtual void forward() = 0;
    virtual void backward() = 0;         // fills the gradient arena with this process's gradient
    virtual Result<void> exchange() = 0; // mean over all ranks
    virtual void update() = 0;
    virtual double loss() = 0;

    // A pass before the last one of a step: to be called ProgramSettings::micro_batches - 1 times before each
    // enqueue_step(), which then takes the mean of all these gradients. The batch may be reused.
    virtual Result<void> enqueue_micro_batch(const Batch &batch) = 0;
    // A whole step, or its last pass. The batch may be reused by the caller when the call returns.
    virtual Result<void> enqueue_step(const Batch &batch) = 0;
    // The oldest report not handed out yet; empty when none is there (yet). With wait = true, empty only
    // if no step is in flight.
    virtual std::optional<StepReport> next_report(bool wait) = 0;

    // True if the program takes batches that only name their samples (Batch::synthetic).
    virtual bool makes_synthetic_data() const { return false; }
    // Memory of the device's own that the program holds; 0 if it computes in the host's.
    virtual std::int64_t device_memory_bytes() const { return 0; }
};

class Device {
public:
    virtual ~Device() = default;

    virtual std::string name() const = 0; // of the hardware, for people
    virtual std::string path() const = 0; // of the library that computes, e.g. "onednn 2.6.3"
    // The device's own decoder of JPEG files, whose rows its programs take. Failure: it has none.
    virtual Result<std::unique_ptr<PictureDecoder>> make_picture_decoder()
    {
        return Error{ExitCode::Unsupported, "this device decodes no JPEG files"};
    }
    // Failure: the graph or the settings ask for what this device cannot do, or memory is short.
    virtual Result<std::unique_ptr<Program>> compile(const Graph &graph, const ProgramSettings &settings) = 0;
};

} // namespace sbtrain
