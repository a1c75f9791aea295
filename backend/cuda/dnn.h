// SPDX-License-Identifier: Apache-2.0
#pragma once

// cuDNN, as far as we use it: convolutions and attention as graphs of one or two operations. Only dnn.cpp
// includes cudnn-frontend, which compiles slowly.

#include "precision.h"

#include <array>
#include <cstdint>
#include <cuda_runtime.h>
#include <memory>
#include <string>
#include <vector>

namespace sbtrain::cuda {

// One cuDNN handle on one stream.
class Dnn {
public:
    explicit Dnn(cudaStream_t stream);
    ~Dnn();
    Dnn(const Dnn &) = delete;
    Dnn &operator=(const Dnn &) = delete;

    void *handle() const { return m_handle; }
    static std::string version(); // "cudnn 9.19.0"

private:
    void *m_handle = nullptr; // cudnnHandle_t
};

// A convolution in NHWC (weights KRSC) without bias. Sums in fp32.
struct ConvProblem {
    std::int64_t n = 0, c = 0, h = 0, w = 0; // input
    std::int64_t k = 0, p = 0, q = 0;        // output
    int kernel = 1, stride = 1, pad = 0;
    Type type = Type::F32;
    bool tensor_cores = true; // false: strict fp32

    bool pointwise() const { return kernel == 1 && stride == 1 && pad == 0; }
    bool operator==(const ConvProblem &) const = default;
};

enum class ConvPass {
    Forward,       // x, w -> y
    ForwardStats,  // x, w -> y, sum and sum of squares of y per channel (fp32)
    InputGradient, // dy, w -> dx
    WeightGradient // dy, x -> dw
};

// The tensors of a pass. What a pass does not name is ignored.
struct ConvPointers {
    void *x = nullptr; // or dx
    void *w = nullptr; // or dw
    void *y = nullptr; // or dy
    void *sum = nullptr;
    void *square_sum = nullptr;
};

// All the ways cuDNN offers to do one pass, in the order of its heuristics.
class ConvPlans {
public:
    // Keeps at most `limit` deterministic candidates of at most `max_workspace` bytes. May end up empty. For
    // tf32 those without tensor cores, which take seconds to time, count only if there are no others.
    ConvPlans(const Dnn &dnn, const ConvProblem &problem, ConvPass pass, std::size_t max_workspace,
              int limit);
    ~ConvPlans();
    ConvPlans(const ConvPlans &) = delete;
    ConvPlans &operator=(const ConvPlans &) = delete;

    std::size_t count() const { return m_candidates.size(); }
    std::size_t workspace_bytes(std::size_t candidate) const { return m_candidates[candidate].workspace; }
    std::string name(std::size_t candidate) const { return m_candidates[candidate].name; }
    // False if the candidate does not run.
    bool run(std::size_t candidate, const ConvPointers &at, void *workspace) const;

private:
    void collect(const ConvProblem &problem, bool only_tensor_cores, std::size_t max_workspace,
                 std::size_t limit);
    struct Graph;
    struct Candidate {
        std::int64_t plan = 0;
        std::size_t workspace = 0;
        std::string name;
    };
    const Dnn &m_dnn;
    ConvPass m_pass;
    std::unique_ptr<Graph> m_graph;
    std::vector<Candidate> m_candidates;
};

// Attention on packed rows [n * t][3][heads][d] with dropout; keys at and after a sequence's length are
// ignored. 16 bit only.
struct AttentionProblem {
    std::int64_t n = 0, t = 0, heads = 0, d = 0;
    Type type = Type::F16;
    float dropout = 0.0F;
};

struct AttentionPointers {
    void *qkv = nullptr;
    void *y = nullptr;                   // (n * t, heads * d)
    void *stats = nullptr;               // (n, heads, t) fp32
    void *dy = nullptr;                  // backward
    void *dqkv = nullptr;                // backward
    const void *query_lengths = nullptr; // (n) int32, all t
    const void *lengths = nullptr;       // (n) int32
    const void *seed = nullptr;          // int64 on the device
    const void *offset = nullptr;        // int64 on the device
};

class AttentionPlan {
public:
    // Throws CudaError (Unsupported) if cuDNN has no engine for it here.
    AttentionPlan(const Dnn &dnn, const AttentionProblem &problem);
    ~AttentionPlan();
    AttentionPlan(const AttentionPlan &) = delete;
    AttentionPlan &operator=(const AttentionPlan &) = delete;

    std::size_t workspace_bytes() const { return m_workspace; }
    void forward(const AttentionPointers &at, void *workspace) const;
    void backward(const AttentionPointers &at, void *workspace) const;

private:
    struct Graphs;
    const Dnn &m_dnn;
    std::unique_ptr<Graphs> m_graphs;
    AttentionProblem m_problem;
    std::size_t m_workspace = 0;
};

} // namespace sbtrain::cuda
