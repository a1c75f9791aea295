// SPDX-License-Identifier: Apache-2.0
#include "gemm.h"

#include "check.h"
#include "own_sgemm.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

namespace sbtrain::cuda {

bool own_products_wanted()
{
    const char *value = std::getenv("SBTRAIN_OWN_GEMM");
    return value == nullptr || *value != '0';
}

Tuner::Tuner(cudaStream_t stream)
    : m_stream(stream)
{
    check(cudaEventCreate(&m_begin), "make an event");
    check(cudaEventCreate(&m_end), "make an event");
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

constexpr int kAlgorithms = 8;

// A bias is over what is a column to cuBLASLt.
cublasLtEpilogue_t epilogue_of(const GemmProblem &p)
{
    if (p.gelu)
        return CUBLASLT_EPILOGUE_GELU_AUX_BIAS;
    return p.bias ? CUBLASLT_EPILOGUE_BIAS : CUBLASLT_EPILOGUE_DEFAULT;
}

} // namespace

// cuBLASLt is column-major: what we call c (m, n) is its (n, m), so a and b change places.
struct Gemm::State {
    cublasLtHandle_t handle = nullptr;
    cublasLtMatmulDesc_t operation = nullptr;
    cublasLtMatrixLayout_t left = nullptr, right = nullptr, out = nullptr; // of b, a, c
    float beta = 0.0F;
    std::array<cublasLtMatmulHeuristicResult_t, kAlgorithms> algorithms{};
    int count = 0;
    int chosen = 0;
    bool tuned = false;
    bool bias = false;
    bool gelu = false;
    std::unique_ptr<OwnSgemm> own; // if it was faster than all of these
    std::optional<GemmProblem> try_own;
};

Gemm::Gemm(cublasLtHandle_t handle, const GemmProblem &p)
    : m_state(std::make_unique<State>())
{
    State &s = *m_state;
    s.handle = handle;
    s.beta = p.accumulate ? 1.0F : 0.0F;
    s.bias = p.bias || p.gelu;
    s.gelu = p.gelu;
    const cublasComputeType_t compute =
        p.type == Type::F32 && p.tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
    constexpr const char *kWhat = "describe a matrix product";
    check(cublasLtMatmulDescCreate(&s.operation, compute, CUDA_R_32F), kWhat);
    const cublasOperation_t left = p.transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N;
    const cublasOperation_t right = p.transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N;
    check(cublasLtMatmulDescSetAttribute(s.operation, CUBLASLT_MATMUL_DESC_TRANSA, &left, sizeof left),
          kWhat);
    check(cublasLtMatmulDescSetAttribute(s.operation, CUBLASLT_MATMUL_DESC_TRANSB, &right, sizeof right),
          kWhat);
    const cublasLtEpilogue_t epilogue = epilogue_of(p);
    check(cublasLtMatmulDescSetAttribute(s.operation, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue,
                                         sizeof epilogue),
          kWhat);
    if (s.gelu) {
        check(cublasLtMatmulDescSetAttribute(s.operation, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &p.ldc,
                                             sizeof p.ldc),
              kWhat);
        // Algorithms are looked for by the alignment of the address, so any good one serves.
        const std::uintptr_t aligned = 4096;
        check(cublasLtMatmulDescSetAttribute(s.operation, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &aligned,
                                             sizeof aligned),
              kWhat);
    }
    const auto layout = [&](cublasLtMatrixLayout_t *out, Type type, std::int64_t rows, std::int64_t columns,
                            std::int64_t ld) {
        check(cublasLtMatrixLayoutCreate(out, data_type(type), static_cast<std::uint64_t>(rows),
                                         static_cast<std::uint64_t>(columns), ld),
              kWhat);
    };
    layout(&s.left, p.type, p.transpose_b ? p.k : p.n, p.transpose_b ? p.n : p.k, p.ldb);
    layout(&s.right, p.type, p.transpose_a ? p.m : p.k, p.transpose_a ? p.k : p.m, p.lda);
    layout(&s.out, p.out, p.n, p.m, p.ldc);

    cublasLtMatmulPreference_t preference = nullptr;
    check(cublasLtMatmulPreferenceCreate(&preference), kWhat);
    check(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                               &kGemmWorkspace, sizeof kGemmWorkspace),
          kWhat);
    const cublasStatus_t status =
        cublasLtMatmulAlgoGetHeuristic(handle, s.operation, s.left, s.right, s.out, s.out, preference,
                                       kAlgorithms, s.algorithms.data(), &s.count);
    cublasLtMatmulPreferenceDestroy(preference);
    if (s.gelu) {
        s.count = status == CUBLAS_STATUS_SUCCESS ? s.count : 0;
        return;
    }
    check(status, "find a matrix product");
    if (OwnSgemm::fits(p) && own_products_wanted())
        s.try_own = p;
    if (s.count == 0)
        throw CudaError(ExitCode::Unsupported, "cuBLASLt has no algorithm for a matrix product of " +
                                                   std::to_string(p.m) + " x " + std::to_string(p.n) + " x " +
                                                   std::to_string(p.k));
}

Gemm::~Gemm()
{
    cublasLtMatrixLayoutDestroy(m_state->out);
    cublasLtMatrixLayoutDestroy(m_state->right);
    cublasLtMatrixLayoutDestroy(m_state->left);
    cublasLtMatmulDescDestroy(m_state->operation);
}

bool Gemm::try_run(int algorithm, const GemmPointers &at, void *workspace, cudaStream_t stream) const
{
    const State &s = *m_state;
    const cublasLtMatmulHeuristicResult_t &result = s.algorithms[static_cast<std::size_t>(algorithm)];
    const float one = 1.0F;
    if (s.bias && cublasLtMatmulDescSetAttribute(s.operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &at.bias,
                                                 sizeof at.bias) != CUBLAS_STATUS_SUCCESS)
        return false;
    if (s.gelu && cublasLtMatmulDescSetAttribute(s.operation, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER,
                                                 &at.z, sizeof at.z) != CUBLAS_STATUS_SUCCESS)
        return false;
    return cublasLtMatmul(s.handle, s.operation, &one, at.b, s.left, at.a, s.right, &s.beta, at.c, s.out,
                          at.c, s.out, &result.algo, workspace, result.workspaceSize,
                          stream) == CUBLAS_STATUS_SUCCESS;
}

float Gemm::tune(Tuner &tuner, const GemmPointers &at, void *workspace, cudaStream_t stream)
{
    float best = std::numeric_limits<float>::infinity();
    m_state->tuned = true;
    for (int i = 0; i < m_state->count; ++i) {
        const float ms = tuner.time_ms([&] { return try_run(i, at, workspace, stream); }, best);
        if (ms < best) {
            best = ms;
            m_state->chosen = i;
        }
    }
    for (int tile = 0; m_state->try_own && tile < OwnSgemm::kTiles; ++tile) {
        auto own = std::make_unique<OwnSgemm>(*m_state->try_own, tile);
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
    return best;
}

std::size_t Gemm::workspace_bytes() const
{
    if (!m_state->tuned)
        return kGemmWorkspace;
    return m_state->own ? m_state->own->workspace_bytes()
                        : m_state->algorithms[static_cast<std::size_t>(m_state->chosen)].workspaceSize;
}

void Gemm::run(const GemmPointers &at, void *workspace, cudaStream_t stream) const
{
    if (m_state->own)
        m_state->own->run(at, workspace, stream);
    else if (!try_run(m_state->chosen, at, workspace, stream))
        throw CudaError(ExitCode::Internal, "cuBLASLt refused a matrix product");
}

} // namespace sbtrain::cuda
