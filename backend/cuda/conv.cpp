// SPDX-License-Identifier: Apache-2.0
#include "conv.h"

#include "check.h"

namespace sbtrain::cuda {

namespace {

constexpr int kCandidates = 32; // the best is nearly always among the first 20; FFT engines come late

GemmProblem as_gemm(const Context &context, const ConvProblem &p, ConvPass pass)
{
    const std::int64_t rows = p.n * p.h * p.w;
    GemmProblem g;
    g.type = p.type;
    g.out = p.type;
    g.tf32 = context.precision == Precision::Tf32;
    switch (pass) {
    case ConvPass::Forward:
    case ConvPass::ForwardStats: // y (rows, k) = x (rows, c) w^T
        g.transpose_b = true;
        g.m = rows;
        g.n = p.k;
        g.k = p.c;
        g.lda = p.c;
        g.ldb = p.c;
        g.ldc = p.k;
        break;
    case ConvPass::InputGradient: // dx (rows, c) = dy (rows, k) w
        g.m = rows;
        g.n = p.c;
        g.k = p.k;
        g.lda = p.k;
        g.ldb = p.c;
        g.ldc = p.c;
        break;
    case ConvPass::WeightGradient: // dw (k, c) = dy^T x
        g.transpose_a = true;
        g.m = p.k;
        g.n = p.c;
        g.k = rows;
        g.lda = p.k;
        g.ldb = p.c;
        g.ldc = p.c;
        break;
    }
    return g;
}

} // namespace

ConvRunner::ConvRunner(const Context &context, const ConvProblem &problem, ConvPass pass)
    : m_context(context)
    , m_pass(pass)
    , m_plans(*context.dnn, problem, pass, context.workspace_limit, kCandidates)
{
    if (problem.pointwise() && pass != ConvPass::ForwardStats)
        m_gemm = std::make_unique<Gemm>(context.lt, as_gemm(context, problem, pass));
}

GemmPointers ConvRunner::gemm_pointers(const ConvPointers &at) const
{
    if (m_pass == ConvPass::Forward)
        return {at.x, at.w, at.y};
    if (m_pass == ConvPass::InputGradient)
        return {at.y, at.w, at.x};
    return {at.y, at.x, at.w};
}

float ConvRunner::tune(Tuner &tuner, const ConvPointers &at, void *workspace)
{
    if (m_best_ms)
        return *m_best_ms;
    float best = std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < m_plans.count(); ++i) {
        const float ms = tuner.time_ms([&] { return m_plans.run(i, at, workspace); }, best);
        if (ms < best) {
            best = ms;
            m_chosen = i;
            m_workspace = m_plans.workspace_bytes(i);
        }
    }
    if (m_gemm) {
        const float ms = m_gemm->tune(tuner, gemm_pointers(at), workspace, m_context.stream);
        if (ms < best) {
            best = ms;
            m_use_gemm = true;
            m_workspace = kGemmWorkspace;
        }
    }
    if (best == std::numeric_limits<float>::infinity() && m_pass != ConvPass::ForwardStats)
        throw CudaError(ExitCode::Unsupported, "cuDNN has no working engine for one of the convolutions");
    m_best_ms = best;
    return best;
}

void ConvRunner::run(const ConvPointers &at, void *workspace) const
{
    if (m_use_gemm)
        m_gemm->run(gemm_pointers(at), workspace, m_context.stream);
    else if (!m_plans.run(m_chosen, at, workspace))
        throw CudaError(ExitCode::Internal, "cuDNN refused a convolution it had run before");
}

std::string ConvRunner::name() const
{
    return m_use_gemm ? "cublasLt" : m_plans.count() == 0 ? "none" : m_plans.name(m_chosen);
}

std::shared_ptr<ConvRunner> ConvCache::get(const Context &context, const ConvProblem &problem, ConvPass pass)
{
    for (const Entry &entry : m_entries) {
        if (entry.pass == pass && entry.problem == problem)
            return entry.runner;
    }
    m_entries.push_back({problem, pass, std::make_shared<ConvRunner>(context, problem, pass)});
    return m_entries.back().runner;
}

} // namespace sbtrain::cuda
