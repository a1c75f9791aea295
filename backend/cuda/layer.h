// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../device.h"
#include "dnn.h"
#include "gemm.h"
#include "memory_plan.h"
#include "norm_kernels.h"
#include "update_kernels.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sbtrain::cuda {

// Libraries on the one stream that computes.
struct Context {
    Precision precision = Precision::Fp32;
    Type type = Type::F32;
    cudaStream_t stream = nullptr;
    ProductLibrary products;
    cublasHandle_t blas = nullptr;
    const Dnn *dnn = nullptr;
    int capability = 0; // 90 for compute capability 9.0
    int multiprocessors = 0;
    std::size_t workspace_limit = 0; // what a library call may ask for
    bool own_gemm = false;           // own_gemm.h runs here

    bool tensor_cores() const { return precision != Precision::Fp32; }
    bool sixteen_bit() const { return type != Type::F32; }
};

// Order of a parameter in memory. Rows: the first dimension, padded with zero rows. Krsc: a convolution's
// weight with channels innermost, padded. Blocks: the stem's 7x7 window over 2x2 blocks of pixels.
enum class ParameterOrder { Rows, Krsc, Blocks };

struct ParameterSlot {
    ParameterOrder order = ParameterOrder::Rows;
    std::int64_t count = 0;    // elements in memory, padding included
    std::int64_t channels = 0; // Krsc: padded
    bool full_gradient = true; // fp32 whatever the precision
    bool matrix = false;       // layers read the 16-bit copy
    std::int64_t offset = 0;   // in the arenas, in elements
    void *gradient = nullptr;
};

// Distance of rows of an activation in elements: columns padded to what libraries like.
constexpr std::int64_t padded_columns(std::int64_t columns)
{
    return columns % 8 == 0 ? columns : (columns + 63) / 64 * 64;
}

// Addresses, once everything is planned.
struct Memory {
    const MemoryPlan *plan = nullptr;
    std::byte *base = nullptr;
    std::vector<ParameterSlot> slots; // by ParameterId
    float *values = nullptr;          // fp32
    void *copy = nullptr;             // 16 bit; null in fp32
    Type type = Type::F32;
    void *workspace = nullptr;
    StepState *state = nullptr;
    ColumnSums *sums = nullptr;

    template <typename T = void>
    T *at(MemoryPlan::Id id) const
    {
        return static_cast<T *>(static_cast<void *>(base + plan->offset(id)));
    }
    float *value(ParameterId id) const { return values + slots[id.index].offset; }
    // What products read: the copy, or the values in fp32.
    void *weight(ParameterId id) const
    {
        return copy == nullptr ? static_cast<void *>(value(id))
                               : static_cast<std::byte *>(copy) +
                                     static_cast<std::size_t>(slots[id.index].offset) * size_of(type);
    }
    void *gradient(ParameterId id) const { return slots[id.index].gradient; }
    float *full_gradient(ParameterId id) const { return static_cast<float *>(slots[id.index].gradient); }
};

// The inputs of a batch on the device.
struct Inputs {
    MemoryPlan::Id images, labels, tokens, segments, lengths, query_lengths, positions, masked_labels,
        next_sentence;
    MemoryPlan::Id of(Input input) const;
};

class Layer;
class ConvCache;

// What layers need while they are made and while backward is planned.
struct Build {
    Build(const Graph &g, const ProgramSettings &s, const Context &c, MemoryPlan &p,
          std::vector<ParameterSlot> &o);

    const Graph &graph;
    const ProgramSettings &settings;
    const Context &context;
    MemoryPlan &plan;
    std::vector<ParameterSlot> &slots;
    std::vector<MemoryPlan::Id> activations; // by TensorId; invalid if never stored
    std::vector<int> readers;                // by TensorId
    std::vector<int> reads;                  // by TensorId: readers made so far
    std::vector<Layer *> writers;            // by TensorId: the layer that makes it
    Inputs inputs;
    ImageOrder image_order;
    ConvCache *convolutions = nullptr;
    GemmCache *products = nullptr;
    std::shared_ptr<AttentionPlan> attention;
    std::uint64_t node = 0; // number of the node being made
    LossSources *losses = nullptr;
    std::vector<MemoryPlan::Id> row_losses;
    const StepState *state = nullptr;
    // Node of a norm or attention -> bias, of the product that it alone reads, whose gradient its layer sums.
    // A layer that cannot takes its entry away when it is made.
    std::map<std::size_t, ParameterId> bias_by_reader;
    std::vector<std::vector<MemoryPlan::Id>> gradients; // by TensorId: contributions, backward
    // By TensorId: the first of two readers can add to its part one (n, h / 2, w / 2, c), of even pixels;
    // such a part, which is not among the others.
    std::vector<bool> takes_even_gradient;
    std::vector<MemoryPlan::Id> even_gradient;
    std::vector<bool> gradient_written; // by ParameterId, backward

    // A weight (rows, columns) that is wanted transposed as well, made anew in every step.
    struct Transposed {
        ParameterId weight;
        MemoryPlan::Id to;
        int rows = 0, columns = 0;
    };
    std::vector<Transposed> transposed;
    MemoryPlan::Id add_partial_sums(std::int64_t floats); // for ColumnSums
    MemoryPlan::Id transpose(ParameterId weight, std::int64_t rows, std::int64_t columns);

    std::size_t bytes(TensorId id) const; // of an activation or its gradient
    MemoryPlan::Id make_activation(TensorId id);
    MemoryPlan::Id read(TensorId id); // uses an activation now
    DropoutSpec dropout(float probability) const;

    // Backward. take: all contributions to dL/dy, used now. give: a new contribution to dL/dx, to be
    // overwritten. pass: an owned buffer becomes one. existing: one that may be added to.
    std::vector<MemoryPlan::Id> take(TensorId y);
    MemoryPlan::Id give(TensorId x);
    void pass(MemoryPlan::Id buffer, TensorId x) { gradients[x.index].push_back(buffer); }
    std::optional<MemoryPlan::Id> existing(TensorId x);
    bool wanted(TensorId x) const { return x != graph.images; }
    bool first_write(ParameterId id);
};

// One node of the graph, or several fused. The constructor plans forward; buffers live as long as the plan
// says. tune() may run anything on the layer's own buffers, which hold noise.
class Layer {
public:
    virtual ~Layer() = default;
    virtual void plan_backward(Build &build) = 0;
    virtual void bind(const Memory &memory) { m_memory = &memory; }
    virtual void tune(Tuner &) {}
    // The largest library workspace: what choosing takes before tune(), what the chosen need after it.
    virtual std::size_t workspace_bytes() const { return 0; }
    virtual void forward() = 0;
    virtual void backward() = 0;
    // Once, after parameters and buffers exist.
    virtual void reset() {}
    // Lets the layer that reads this one's output do the first half of this one's backward pass in the
    // epilogue of its own input gradient.
    virtual class ConvBnLayer *as_conv_bn() { return nullptr; }
    // True if y is cheap to make again: its reader then does so in backward instead of keeping it.
    virtual bool recreates_output() const { return false; }
    virtual void recreate_output(void *) {}
    // Names the way it computes, if there is a choice worth telling; empty otherwise.
    virtual std::string path() const { return {}; }
    std::size_t first_node = 0; // of those it stands for

protected:
    const Memory *m_memory = nullptr;
};

std::unique_ptr<Layer> make_conv_bn(Build &build, const ConvBn &node, const MaxPool *pool);
std::unique_ptr<Layer> make_layer(Build &build, const AveragePool &node);
std::unique_ptr<Layer> make_layer(Build &build, const Linear &node);
std::unique_ptr<Layer> make_layer(Build &build, const CrossEntropy &node);
std::unique_ptr<Layer> make_layer(Build &build, const Embedding &node);
std::unique_ptr<Layer> make_layer(Build &build, const Attention &node);
std::unique_ptr<Layer> make_layer(Build &build, const DropoutAddNorm &node);
std::unique_ptr<Layer> make_layer(Build &build, const GatherRows &node);

// Sums several contributions to one gradient into the first.
void add_contributions(const Memory &memory, const std::vector<MemoryPlan::Id> &ids, std::int64_t count,
                       cudaStream_t stream);

} // namespace sbtrain::cuda
