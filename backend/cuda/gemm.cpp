// SPDX-License-Identifier: Apache-2.0
#include "gemm.h"

#include "check.h"
#include "own_split_gemm.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <tuple>

namespace sbtrain::cuda {

namespace {

bool unless_zero(const char *variable)
{
    const char *value = std::getenv(variable);
    return value == nullptr || *value != '0';
}

} // namespace

bool own_products_wanted()
{
    return unless_zero("SBTRAIN_OWN_GEMM");
}

bool split_products_wanted()
{
    return own_products_wanted() && unless_zero("SBTRAIN_SPLIT_FP32");
}

Tuner::Tuner(cudaStream_t stream)
    : m_stream(stream)
{
    check(cudaEventCreate(&m_begin), "make an event");
    check(cudaEventCreateWithFlags(&m_end, cudaEventBlockingSync), "make an event"); // sleeps while it waits
}

Tuner::~Tuner()
{
    cudaEventDestroy(m_begin);
    cudaEventDestroy(m_end);
}

float Tuner::once_ms(const std::function<bool()> &run)
{
    check(cudaEventRecord(m_begin, m_stream), "record an event");
    if (!run())
        return std::numeric_limits<float>::infinity();
    check(cudaEventRecord(m_end, m_stream), "record an event");
    check(cudaEventSynchronize(m_end), "finish a timed operation");
    float ms = 0.0F;
    check(cudaEventElapsedTime(&ms, m_begin, m_end), "read a time");
    return ms;
}

float Tuner::time_ms(const std::function<bool()> &run, float best_ms)
{
    constexpr float kLoading = 2.0F; // milliseconds a first run may spend on loading its kernel
    float best = once_ms(run);
    if (best > 3.0F * best_ms + kLoading)
        return best;
    for (int i = 0; i < 3; ++i)
        best = std::min(best, once_ms(run));
    return best;
}

namespace {

cudaDataType_t data_type(Type type)
{
    return type == Type::F16 ? CUDA_R_16F : type == Type::BF16 ? CUDA_R_16BF : CUDA_R_32F;
}

// How many the library names for one question, whatever is asked for.
constexpr int kAlgorithms = 8;
class Layouts {
public:
    // cuBLASLt is column-major: what we call c (m, n) is its (n, m), so a and b change places.
    explicit Layouts(const GemmProblem &p)
    {
        make(&left, p.type, p.transpose_b ? p.k : p.n, p.transpose_b ? p.n : p.k, p.ldb);
        make(&right, p.type, p.transpose_a ? p.m : p.k, p.transpose_a ? p.k : p.m, p.lda);
        make(&out, p.out, p.n, p.m, p.ldc);
    }
    ~Layouts()
    {
        cublasLtMatrixLayoutDestroy(out);
        cublasLtMatrixLayoutDestroy(right);
        cublasLtMatrixLayoutDestroy(left);
    }
    Layouts(const Layouts &) = delete;
    Layouts &operator=(const Layouts &) = delete;

    cublasLtMatrixLayout_t left = nullptr, right = nullptr, out = nullptr; // of b, a, c

private:
    static void make(cublasLtMatrixLayout_t *layout, Type type, std::int64_t rows, std::int64_t columns,
                     std::int64_t ld)
    {
        check(cublasLtMatrixLayoutCreate(layout, data_type(type), static_cast<std::uint64_t>(rows),
                                         static_cast<std::uint64_t>(columns), ld),
              "describe a matrix");
    }
};

// The same kind of product with other sizes.
GemmProblem resized(const GemmProblem &p, double rows, double columns)
{
    const auto scaled = [](std::int64_t size, double by) {
        return by == 1.0
                   ? size
                   : std::max<std::int64_t>(std::llround(by * static_cast<double>(size) / 64.0), 1) * 64;
    };
    GemmProblem q = p;
    q.m = scaled(p.m, rows);
    q.n = scaled(p.n, columns);
    q.lda = p.transpose_a ? q.m : p.lda;
    q.ldb = p.transpose_b ? p.ldb : q.n;
    q.ldc = q.n;
    return q;
}

// A bias is over what is a column to cuBLASLt.
cublasLtEpilogue_t epilogue_of(const GemmProblem &p)
{
    if (p.gelu)
        return CUBLASLT_EPILOGUE_GELU_AUX_BIAS;
    return p.bias ? CUBLASLT_EPILOGUE_BIAS : CUBLASLT_EPILOGUE_DEFAULT;
}

} // namespace

struct Gemm::State {
    explicit State(const GemmProblem &p)
        : layouts(p)
    {
    }
    ProductLibrary library;
    cublasLtMatmulDesc_t operation = nullptr;
    Layouts layouts;
    float beta = 0.0F;
    std::vector<cublasLtMatmulHeuristicResult_t> algorithms;
    std::size_t chosen = 0;
    std::optional<float> best_ms;
    bool bias = false;
    bool gelu = false;
    std::unique_ptr<OwnSplitGemm> own; // if it was faster than all of these
    std::optional<GemmProblem> try_own;
};

Gemm::Gemm(const ProductLibrary &library, const GemmProblem &p, bool widely)
    : m_state(std::make_unique<State>(p))
{
    State &s = *m_state;
    s.library = library;
    s.beta = p.accumulate ? 1.0F : 0.0F;
    s.bias = p.bias || p.gelu;
    s.gelu = p.gelu;
    const cublasComputeType_t compute =
        p.type == Type::F32 && p.tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
    check(cublasLtMatmulDescCreate(&s.operation, compute, CUDA_R_32F), "describe a matrix product");
    const auto set = [&](cublasLtMatmulDescAttributes_t attribute, const auto &value) {
        check(cublasLtMatmulDescSetAttribute(s.operation, attribute, &value, sizeof value),
              "describe a matrix product");
    };
    set(CUBLASLT_MATMUL_DESC_TRANSA, p.transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N);
    set(CUBLASLT_MATMUL_DESC_TRANSB, p.transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N);
    set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue_of(p));
    if (s.gelu) {
        set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, p.ldc);
        // Algorithms are looked for by the alignment of the address, so any good one serves.
        set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, std::uintptr_t{4096});
    }
    if (OwnSplitGemm::fits(p) && split_products_wanted() && OwnSplitGemm::available())
        s.try_own = p; // far ahead of the library's
    ask(p, kGemmWorkspace);
    if (widely && !s.try_own) {
        ask(p, 0);
        // What is named for other sizes is often faster (measured: up to 7 %).
        for (const double by : {0.5, 2.0}) {
            ask(resized(p, by, 1.0), kGemmWorkspace);
            if (!s.gelu) // whose z has p's width
                ask(resized(p, 1.0, by), kGemmWorkspace);
        }
    }
    if (s.algorithms.empty() && !s.gelu)
        throw CudaError(ExitCode::Unsupported, "cuBLASLt has no algorithm for a matrix product of " +
                                                   std::to_string(p.m) + " x " + std::to_string(p.n) + " x " +
                                                   std::to_string(p.k));
}

Gemm::~Gemm()
{
    cublasLtMatmulDescDestroy(m_state->operation);
}

// Adds the algorithms named for a similar product that can do this one.
void Gemm::ask(const GemmProblem &similar, std::size_t workspace)
{
    State &s = *m_state;
    cublasLtMatmulPreference_t preference = nullptr;
    check(cublasLtMatmulPreferenceCreate(&preference), "find a matrix product");
    check(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                               &workspace, sizeof workspace),
          "find a matrix product");
    const Layouts layouts(similar);
    std::array<cublasLtMatmulHeuristicResult_t, kAlgorithms> found{};
    int count = 0;
    const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(
        s.library.handle, s.operation, layouts.left, layouts.right, layouts.out, layouts.out, preference,
        kAlgorithms, found.data(), &count);
    cublasLtMatmulPreferenceDestroy(preference);
    if (status != CUBLAS_STATUS_SUCCESS)
        return;
    for (int i = 0; i < count; ++i) {
        cublasLtMatmulHeuristicResult_t result = found[static_cast<std::size_t>(i)];
        const auto same = [&](const cublasLtMatmulHeuristicResult_t &known) {
            return std::memcmp(&known.algo, &result.algo, sizeof result.algo) == 0;
        };
        if (std::any_of(s.algorithms.begin(), s.algorithms.end(), same))
            continue;
        const cublasLtMatmulAlgo_t algorithm = result.algo;
        if (cublasLtMatmulAlgoCheck(s.library.handle, s.operation, s.layouts.left, s.layouts.right,
                                    s.layouts.out, s.layouts.out, &algorithm,
                                    &result) != CUBLAS_STATUS_SUCCESS ||
            result.workspaceSize > kGemmWorkspace)
            continue;
        result.algo = algorithm;
        s.algorithms.push_back(result);
    }
}

bool Gemm::try_run(std::size_t algorithm, const GemmPointers &at, void *workspace, cudaStream_t stream) const
{
    const State &s = *m_state;
    const cublasLtMatmulHeuristicResult_t &result = s.algorithms[algorithm];
    const float one = 1.0F;
    if (s.bias && cublasLtMatmulDescSetAttribute(s.operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &at.bias,
                                                 sizeof at.bias) != CUBLAS_STATUS_SUCCESS)
        return false;
    if (s.gelu && cublasLtMatmulDescSetAttribute(s.operation, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER,
                                                 &at.z, sizeof at.z) != CUBLAS_STATUS_SUCCESS)
        return false;
    return cublasLtMatmul(s.library.handle, s.operation, &one, at.b, s.layouts.left, at.a, s.layouts.right,
                          &s.beta, at.c, s.layouts.out, at.c, s.layouts.out, &result.algo, workspace,
                          result.workspaceSize, stream) == CUBLAS_STATUS_SUCCESS;
}

float Gemm::tune(Tuner &tuner, const GemmPointers &at, void *workspace, cudaStream_t stream)
{
    if (m_state->best_ms)
        return *m_state->best_ms;
    float best = std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < m_state->algorithms.size(); ++i) {
        const float ms = tuner.time_ms([&] { return try_run(i, at, workspace, stream); }, best);
        if (ms < best) {
            best = ms;
            m_state->chosen = i;
        }
    }
    for (int tile = 0; m_state->try_own && tile < OwnSplitGemm::kTiles; ++tile) {
        auto own = std::make_unique<OwnSplitGemm>(*m_state->try_own, tile);
        const float ms = tuner.time_ms(
            [&] {
                own->run(at, workspace, stream);
                return true;
            },
            best);
        if (ms < best) {
            best = ms;
            m_state->own = std::move(own);
        }
    }
    m_state->best_ms = best;
    return best;
}

std::size_t Gemm::workspace_bytes() const
{
    if (!m_state->best_ms)
        return kGemmWorkspace;
    return m_state->own ? m_state->own->workspace_bytes()
                        : m_state->algorithms[m_state->chosen].workspaceSize;
}

void Gemm::run(const GemmPointers &at, void *workspace, cudaStream_t stream) const
{
    if (m_state->own)
        return m_state->own->run(at, workspace, stream);
    Counters *counters = m_state->library.counters;
    if (counters != nullptr)
        workspace = counters->take(workspace_bytes(), workspace);
    if (!try_run(m_state->chosen, at, workspace, stream))
        throw CudaError(ExitCode::Internal, "cuBLASLt refused a matrix product");
}

namespace {

bool same(const GemmProblem &a, const GemmProblem &b)
{
    const auto all = [](const GemmProblem &p) {
        return std::tie(p.transpose_a, p.transpose_b, p.m, p.n, p.k, p.lda, p.ldb, p.ldc, p.type, p.out,
                        p.tf32, p.accumulate, p.bias, p.gelu);
    };
    return all(a) == all(b);
}

} // namespace

std::shared_ptr<Gemm> GemmCache::get(const ProductLibrary &library, const GemmProblem &problem)
{
    for (const Entry &entry : m_entries) {
        if (same(entry.problem, problem))
            return entry.gemm;
    }
    m_entries.push_back({problem, std::make_shared<Gemm>(library, problem, true)});
    return m_entries.back().gemm;
}

} // namespace sbtrain::cuda
