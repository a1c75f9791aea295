// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "layer.h"
#include "own_wgrad.h"

namespace sbtrain::cuda {

// One pass of one convolution by the fastest of: cuDNN's engines; for 1x1 convolutions the matrix product
// that it is (in fp32 with a stride, too: over the pixels it reads, gathered); in strict fp32 cuDNN's engines
// of the opposite pass on turned weights; with tensor cores the own weight gradient. Layers of the same
// shape share a runner.
class ConvRunner {
public:
    ConvRunner(const Context &context, const ConvProblem &problem, ConvPass pass);

    bool empty() const { return m_plans.count() == 0 && !m_gemm; }
    // Chooses by timing, the first time it is called. Returns the milliseconds of the best.
    float tune(Tuner &tuner, const ConvPointers &at, void *workspace);
    void run(const ConvPointers &at, void *workspace) const;
    std::size_t workspace_bytes() const { return m_workspace; }

private:
    enum class Way { Library, Turned, Product, OwnGradient };
    GemmPointers gemm_pointers(const ConvPointers &at) const;
    // Calls multiply(pointers, workspace) with dense pixels.
    template <typename Multiply>
    void gathered(const ConvPointers &at, void *workspace, const Multiply &multiply) const;
    void run_product(const ConvPointers &at, void *workspace) const;
    void run_own_gradient(const ConvPointers &at, void *workspace) const;
    bool run_turned(std::size_t candidate, const ConvPointers &at, void *workspace) const;

    const Context &m_context;
    ConvProblem m_problem;
    ConvPass m_pass;
    ConvPlans m_plans;
    std::unique_ptr<Gemm> m_gemm;
    std::unique_ptr<ConvPlans> m_turned;
    std::optional<OwnWgrad> m_own_gradient;
    std::size_t m_compact_bytes = 0, m_turned_bytes = 0; // in front of the library's workspace
    Way m_way = Way::Library;
    std::size_t m_chosen = 0;
    std::size_t m_workspace = 0;
    std::optional<float> m_best_ms;
};

// Runners by shape and pass.
class ConvCache {
public:
    std::shared_ptr<ConvRunner> get(const Context &context, const ConvProblem &problem, ConvPass pass);

private:
    struct Entry {
        ConvProblem problem;
        ConvPass pass;
        std::shared_ptr<ConvRunner> runner;
    };
    std::vector<Entry> m_entries;
};

} // namespace sbtrain::cuda
