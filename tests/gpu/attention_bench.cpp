// SPDX-License-Identifier: Apache-2.0

#include "attention_bench.h"

#include "attention_buffers.h"
#include "cuda/dnn.h"
#include "cuda/own_small_products.h"
#include "cuda/token_kernels.h"
#include "timing.h"

#include <cmath>
#include <memory>
#include <string>

namespace {

using namespace sbtrain;
using namespace sbtrain::cuda;

using Sets = std::vector<std::unique_ptr<AttentionBuffers>>; // several times the cache

void bench_cudnn(const AttentionProblem &p, const Sets &sets, double mb)
{
    const Dnn dnn(nullptr);
    const AttentionPlan plan(dnn, p);
    const PoisonedVector workspace(std::max<std::size_t>(plan.workspace_bytes(), 16));
    const PoisonedVector numbers(16);
    numbers.upload(std::vector<std::int64_t>{7, 11});
    const PoisonedVector query_lengths(static_cast<std::size_t>(p.n) * 4);
    query_lengths.upload(std::vector<std::int32_t>(static_cast<std::size_t>(p.n), static_cast<int>(p.t)));
    const auto pointers = [&](int i) {
        const AttentionBuffers &b = *sets[static_cast<std::size_t>(i) % sets.size()];
        AttentionPointers at;
        at.qkv = b.qkv.data;
        at.y = b.y.data;
        at.stats = b.stats.data;
        at.query_lengths = query_lengths.data;
        at.lengths = b.lengths.data;
        at.seed = numbers.data;
        at.offset = numbers.as<std::int64_t>() + 1;
        return at;
    };
    time_it("cuDNN forward", mb, [&](int i) { plan.forward(pointers(i), workspace.data); });
    time_it("cuDNN backward", 2 * mb, [&](int i) {
        AttentionPointers at = pointers(i);
        at.dy = sets[static_cast<std::size_t>(i) % sets.size()]->dy.data;
        at.dqkv = sets[static_cast<std::size_t>(i) % sets.size()]->dqkv.data;
        plan.backward(at, workspace.data);
    });
}

// Attention by products of all heads and passes between, as the layer does it without the own kernels.
class ProductAttention {
public:
    ProductAttention(const AttentionInputs &in, const AttentionBuffers &buffers)
        : m_in(in)
        , m_buffers(buffers)
        , m_p(square_bytes(in.problem))
        , m_dropped(square_bytes(in.problem))
        , m_dropped_again(square_bytes(in.problem))
        , m_dp(square_bytes(in.problem))
        , m_pointers(kGroups * static_cast<std::size_t>(in.problem.n * in.problem.heads) * sizeof(void *))
    {
        check(cublasCreate(&m_blas), "start cuBLAS");
        set_pointers();
    }
    ~ProductAttention() { cublasDestroy(m_blas); }
    ProductAttention(const ProductAttention &) = delete;
    ProductAttention &operator=(const ProductAttention &) = delete;

    void forward() const
    {
        const std::int64_t row = 3 * width();
        const OwnAttentionProblem &p = m_in.problem;
        multiply({false, true, p.t, p.t, p.d, row, row, p.t, group(kQ), group(kK), group(kP)});
        SoftmaxArgs args = softmax();
        args.dropped = m_dropped.data;
        softmax_forward(args, nullptr);
        multiply({false, false, p.t, p.d, p.t, p.t, row, width(), group(kDropped), group(kV), group(kY)});
    }
    void backward() const
    {
        const std::int64_t row = 3 * width();
        const OwnAttentionProblem &p = m_in.problem;
        multiply({false, true, p.t, p.t, p.d, width(), row, p.t, group(kDy), group(kV), group(kDp)});
        SoftmaxArgs args = softmax();
        args.dropped = m_dp.data;
        args.again = m_dropped_again.data;
        softmax_backward(args, nullptr);
        multiply(
            {true, false, p.t, p.d, p.t, p.t, width(), row, group(kDroppedAgain), group(kDy), group(kDv)});
        multiply({false, false, p.t, p.d, p.t, p.t, row, row, group(kDp), group(kK), group(kDq)});
        multiply({true, false, p.t, p.d, p.t, p.t, row, row, group(kDp), group(kQ), group(kDk)});
    }

private:
    enum Group { kQ, kK, kV, kY, kP, kDropped, kDroppedAgain, kDy, kDp, kDq, kDk, kDv, kGroups };

    static std::size_t square_bytes(const OwnAttentionProblem &p)
    {
        return static_cast<std::size_t>(p.n * p.heads * p.t * p.t) * sizeof(float);
    }
    std::int64_t width() const { return m_in.problem.heads * m_in.problem.d; }
    void **group(Group which) const
    {
        return m_pointers.as<void *>() + which * m_in.problem.n * m_in.problem.heads;
    }
    void set_pointers() const
    {
        const OwnAttentionProblem &p = m_in.problem;
        std::vector<float *> pointers;
        const auto rows = [&](const PoisonedVector &of, std::int64_t row, std::int64_t first) {
            for (std::int64_t i = 0; i < p.n * p.heads; ++i)
                pointers.push_back(of.as<float>() + i / p.heads * p.t * row + first + i % p.heads * p.d);
        };
        const auto squares = [&](const PoisonedVector &of) {
            for (std::int64_t i = 0; i < p.n * p.heads; ++i)
                pointers.push_back(of.as<float>() + i * p.t * p.t);
        };
        for (std::int64_t part = 0; part < 3; ++part)
            rows(m_buffers.qkv, 3 * width(), part * width());
        rows(m_buffers.y, width(), 0);
        squares(m_p);
        squares(m_dropped);
        squares(m_dropped_again);
        rows(m_buffers.dy, width(), 0);
        squares(m_dp);
        for (std::int64_t part = 0; part < 3; ++part)
            rows(m_buffers.dqkv, 3 * width(), part * width());
        m_pointers.upload(pointers);
    }
    void multiply(SmallProducts p) const
    {
        p.count = m_in.problem.n * m_in.problem.heads;
        if (m_in.precision == Precision::Fp32)
            return multiply_small(p, nullptr);
        const float one = 1.0F;
        const float zero = 0.0F;
        const auto number = [](std::int64_t value) { return static_cast<int>(value); };
        // Column-major: b comes first.
        check(cublasGemmBatchedEx(m_blas, p.transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N,
                                  p.transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N, number(p.n), number(p.m),
                                  number(p.k), &one, p.b, CUDA_R_32F, number(p.ldb), p.a, CUDA_R_32F,
                                  number(p.lda), &zero, p.c, CUDA_R_32F, number(p.ldc), number(p.count),
                                  CUBLAS_COMPUTE_32F_FAST_TF32, CUBLAS_GEMM_DEFAULT),
              "multiply heads");
    }
    SoftmaxArgs softmax() const
    {
        SoftmaxArgs args;
        args.scores = m_p.data;
        args.lengths = m_buffers.lengths.as<std::int32_t>();
        args.n = m_in.problem.n;
        args.heads = m_in.problem.heads;
        args.t = m_in.problem.t;
        args.scale = 1.0F / std::sqrt(static_cast<float>(m_in.problem.d));
        args.type = Type::F32;
        args.dropout = m_buffers.draw(m_in);
        return args;
    }

    const AttentionInputs &m_in;
    const AttentionBuffers &m_buffers;
    PoisonedVector m_p, m_dropped, m_dropped_again, m_dp, m_pointers;
    cublasHandle_t m_blas = nullptr;
};

void bench_one(std::int64_t n, Precision precision, float dropout)
{
    const OwnAttentionProblem p{n, 128, 12, 64, storage_type(precision)};
    const AttentionInputs in = make_inputs(p, precision, dropout, false);
    Sets sets;
    for (int i = 0; i < 4; ++i) {
        sets.push_back(std::make_unique<AttentionBuffers>(p));
        sets.back()->fill(in);
        sets.back()->run(in);
    }
    std::printf("%s n %lld t 128 heads 12 dropout %.1f\n", name_of(precision), static_cast<long long>(n),
                static_cast<double>(dropout));
    const double mb = 4.0 * static_cast<double>(AttentionBuffers::elements(p) * size_of(p.type)) * 1e-6;
    const auto at = [&](int i) -> const AttentionBuffers & {
        return *sets[static_cast<std::size_t>(i) % sets.size()];
    };
    time_it("own forward", mb, [&](int i) { at(i).forward(in); });
    time_it("own backward and bias", 2 * mb, [&](int i) { at(i).backward_and_bias(in); });
    time_it("own backward alone", 2 * mb, [&](int i) {
        OwnAttentionPointers without = at(i).pointers();
        without.partial = nullptr;
        at(i).backward(in, without);
    });
    if (p.type != Type::F32)
        return bench_cudnn({p.n, p.t, p.heads, p.d, p.type, dropout}, sets, mb);
    const ProductAttention products(in, *sets[0]);
    time_it("products forward", mb, [&](int) { products.forward(); });
    time_it("products backward", 2 * mb, [&](int) { products.backward(); });
}

} // namespace

void bench_attention(bool sixteen_bit, bool fp32)
{
    if (fp32) {
        bench_one(32, Precision::Tf32, 0.1F);
        bench_one(32, Precision::Tf32, 0.0F);
        bench_one(32, Precision::Fp32, 0.1F);
    }
    if (sixteen_bit) {
        for (const std::int64_t n : {160, 64}) {
            bench_one(n, Precision::Bf16, 0.1F);
            bench_one(n, Precision::Bf16, 0.0F);
        }
        bench_one(160, Precision::Fp16, 0.1F);
    }
}
