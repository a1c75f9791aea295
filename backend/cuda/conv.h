// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "layer.h"

namespace sbtrain::cuda {

// One pass of one convolution by the fastest of: cuDNN's engines and, for 1x1 convolutions of stride 1, the
// matrix product that it is. Layers of the same shape share a runner.
class ConvRunner {
public:
    ConvRunner(const Context &context, const ConvProblem &problem, ConvPass pass);

    bool empty() const { return m_plans.count() == 0 && !m_gemm; }
    // Chooses by timing, the first time it is called. Returns the milliseconds of the best.
    float tune(Tuner &tuner, const ConvPointers &at, void *workspace);
    void run(const ConvPointers &at, void *workspace) const;
    std::size_t workspace_bytes() const { return m_workspace; }
    std::string name() const;

private:
    GemmPointers gemm_pointers(const ConvPointers &at) const;

    const Context &m_context;
    ConvPass m_pass;
    ConvPlans m_plans;
    std::unique_ptr<Gemm> m_gemm;
    bool m_use_gemm = false;
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
