// SPDX-License-Identifier: Apache-2.0
#include "conv.h"

#include "check.h"
#include "conv_kernels.h"

namespace sbtrain::cuda {

namespace {

// The best is nearly always among the first 20; the FFT engines of strict fp32 come late.
int candidates(const ConvProblem &problem)
{
    return problem.tensor_cores ? 20 : 32;
}

StridedPixels strided_pixels(const ConvProblem &p)
{
    return {p.n, p.h, p.w, p.p, p.q, p.c, p.stride};
}

std::size_t aligned(std::size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

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

// What the own kernel is to do, if it can.
std::optional<OwnWgradProblem> own_gradient(const Context &context, const ConvProblem &p, ConvPass pass)
{
    if (pass != ConvPass::WeightGradient || !context.own_gemm || !p.tensor_cores)
        return std::nullopt;
    const bool stem = p.kernel == 4;
    if (p.pad != (stem ? 0 : p.kernel / 2) || p.h != (stem ? p.p + 3 : p.stride * p.p) ||
        p.w != (stem ? p.q + 3 : p.stride * p.q))
        return std::nullopt;
    const OwnWgradProblem own{p.n, p.p, p.q, p.c, p.k, p.kernel, p.stride, p.type};
    return OwnWgrad::fits(own) ? std::optional(own) : std::nullopt;
}

} // namespace

ConvRunner::ConvRunner(const Context &context, const ConvProblem &problem, ConvPass pass)
    : m_context(context)
    , m_problem(problem)
    , m_pass(pass)
    , m_plans(*context.dnn, problem, pass, context.workspace_limit, candidates(problem))
{
    if (pass == ConvPass::ForwardStats)
        return;
    ConvProblem compact = problem;
    compact.h = problem.p;
    compact.w = problem.q;
    compact.stride = 1;
    const bool gathers = problem.type == Type::F32 && problem.kernel == 1 && problem.pad == 0 &&
                         problem.stride > 1 && problem.c % 4 == 0;
    if (problem.pointwise() || gathers)
        m_gemm = std::make_unique<Gemm>(context.products, as_gemm(context, compact, pass), false);
    if (gathers)
        m_compact_bytes =
            aligned(static_cast<std::size_t>(problem.n * problem.p * problem.q * problem.c) * 4);
    if (const auto gradient = own_gradient(context, problem, pass))
        m_own_gradient.emplace(*gradient, context.multiprocessors);
    // Only strict fp32 has shapes for which cuDNN's engines of one pass are much better than those of the
    // other.
    if (problem.type != Type::F32 || problem.tensor_cores || problem.kernel == 1 || problem.stride != 1 ||
        2 * problem.pad + 1 != problem.kernel || pass == ConvPass::WeightGradient)
        return;
    ConvProblem turned = problem;
    std::swap(turned.c, turned.k);
    m_turned_bytes =
        aligned(static_cast<std::size_t>(problem.k * problem.kernel * problem.kernel * problem.c) * 4);
    m_turned = std::make_unique<ConvPlans>(
        *context.dnn, turned, pass == ConvPass::Forward ? ConvPass::InputGradient : ConvPass::Forward,
        context.workspace_limit - m_turned_bytes, candidates(problem));
}

GemmPointers ConvRunner::gemm_pointers(const ConvPointers &at) const
{
    if (m_pass == ConvPass::Forward)
        return {at.x, at.w, at.y};
    if (m_pass == ConvPass::InputGradient)
        return {at.y, at.w, at.x};
    return {at.y, at.x, at.w};
}

template <typename Multiply>
void ConvRunner::gathered(const ConvPointers &at, void *workspace, const Multiply &multiply) const
{
    if (m_compact_bytes == 0)
        return multiply(gemm_pointers(at), workspace);
    auto *compact = static_cast<float *>(workspace);
    ConvPointers dense = at;
    dense.x = compact;
    if (m_pass != ConvPass::InputGradient)
        gather_pixels(strided_pixels(m_problem), static_cast<const float *>(at.x), compact, m_context.stream);
    multiply(gemm_pointers(dense), static_cast<std::byte *>(workspace) + m_compact_bytes);
    if (m_pass == ConvPass::InputGradient)
        scatter_pixels(strided_pixels(m_problem), compact, static_cast<float *>(at.x), m_context.stream);
}

bool ConvRunner::run_turned(std::size_t candidate, const ConvPointers &at, void *workspace) const
{
    auto *turned = static_cast<float *>(workspace);
    turn_weights({m_problem.k, m_problem.c, m_problem.kernel}, static_cast<const float *>(at.w), turned,
                 m_context.stream);
    return m_turned->run(candidate, {at.y, turned, at.x},
                         static_cast<std::byte *>(workspace) + m_turned_bytes);
}

float ConvRunner::tune(Tuner &tuner, const ConvPointers &at, void *workspace)
{
    if (m_best_ms)
        return *m_best_ms;
    float best = std::numeric_limits<float>::infinity();
    const auto better = [&](float ms, Way way, std::size_t candidate, std::size_t bytes) {
        if (ms >= best)
            return;
        best = ms;
        m_way = way;
        m_chosen = candidate;
        m_workspace = bytes;
    };
    for (std::size_t i = 0; i < m_plans.count(); ++i)
        better(tuner.time_ms([&] { return m_plans.run(i, at, workspace); }, best), Way::Library, i,
               m_plans.workspace_bytes(i));
    for (std::size_t i = 0; m_turned && i < m_turned->count(); ++i)
        better(tuner.time_ms([&] { return run_turned(i, at, workspace); }, best), Way::Turned, i,
               m_turned_bytes + m_turned->workspace_bytes(i));
    if (m_gemm && m_compact_bytes + kGemmWorkspace <= m_context.workspace_limit) {
        gathered(at, workspace, [&](const GemmPointers &product, void *rest) {
            m_gemm->tune(tuner, product, rest, m_context.stream);
        });
        const auto whole = [&] {
            run_product(at, workspace);
            return true;
        };
        better(tuner.time_ms(whole, best), Way::Product, 0, m_compact_bytes + m_gemm->workspace_bytes());
    }
    if (m_own_gradient && m_own_gradient->workspace_bytes() <= m_context.workspace_limit) {
        const auto own = [&] {
            run_own_gradient(at, workspace);
            return true;
        };
        better(tuner.time_ms(own, best), Way::OwnGradient, 0, m_own_gradient->workspace_bytes());
    }
    if (best == std::numeric_limits<float>::infinity() && m_pass != ConvPass::ForwardStats)
        throw CudaError(ExitCode::Unsupported, "cuDNN has no working engine for one of the convolutions");
    m_best_ms = best;
    return best;
}

void ConvRunner::run_product(const ConvPointers &at, void *workspace) const
{
    gathered(at, workspace,
             [&](const GemmPointers &product, void *rest) { m_gemm->run(product, rest, m_context.stream); });
}

void ConvRunner::run_own_gradient(const ConvPointers &at, void *workspace) const
{
    m_own_gradient->run(at.x, at.y, at.w, workspace, m_context.stream);
}

void ConvRunner::run(const ConvPointers &at, void *workspace) const
{
    if (m_way == Way::OwnGradient)
        return run_own_gradient(at, workspace);
    if (m_way == Way::Product)
        return run_product(at, workspace);
    const bool done =
        m_way == Way::Turned
            ? run_turned(m_chosen, at, workspace)
            : m_plans.run(m_chosen, at, m_context.products.counters->take(m_workspace, workspace));
    if (!done)
        throw CudaError(ExitCode::Internal, "cuDNN refused a convolution it had run before");
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
