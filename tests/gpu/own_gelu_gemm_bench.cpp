// SPDX-License-Identifier: Apache-2.0
#include "own_gelu_gemm_bench.h"

#include "cuda/gemm.h"
#include "cuda/own_gelu_gemm.h"
#include "cuda/token_kernels.h"
#include "device_vector.h"
#include "noise.h"
#include "timing.h"

#include <string>

namespace {

using namespace sbtrain::cuda;

constexpr std::int64_t kN = 3072;
constexpr std::int64_t kK = 768;

struct Bench {
    Type type;
    std::int64_t m;
    cublasLtHandle_t handle;
    Tuner tuner{nullptr};
    DeviceVector a{bytes(m * kK)}, b{bytes(kN * kK)}, bias{bytes(kN)}, c{bytes(m * kN)}, z{bytes(m * kN)},
        workspace{kGemmWorkspace}, sums{kN * 4};

    Bench(Type type_, std::int64_t m_, cublasLtHandle_t handle_)
        : type(type_)
        , m(m_)
        , handle(handle_)
    {
        const Noise noise(type), small(type, 0.03F);
        noise.fill(a.as<std::byte>(), bytes(m * kK), 0);
        small.fill(b.as<std::byte>(), bytes(kN * kK), 0);
        noise.fill(bias.as<std::byte>(), bytes(kN), 4096);
        noise.fill(z.as<std::byte>(), bytes(m * kN), 8192);
    }

    std::size_t bytes(std::int64_t count) const { return static_cast<std::size_t>(count) * size_of(type); }

    template <typename Body>
    void time(const std::string &what, double matrices, Body body)
    {
        time_it(what.c_str(), matrices * static_cast<double>(bytes(m * kN)) * 1e-6, body);
    }

    GemmProblem library_problem(bool forward, bool gelu) const
    {
        GemmProblem p;
        p.transpose_b = forward;
        p.m = m;
        p.n = kN;
        p.k = kK;
        p.lda = kK;
        p.ldb = forward ? kK : kN;
        p.ldc = kN;
        p.type = type;
        p.out = type;
        p.bias = forward;
        p.gelu = gelu;
        return p;
    }
    MatrixShape shape() const { return {m, kN, type}; }

    void library_forward()
    {
        Gemm plain({handle}, library_problem(true, false), true);
        const GemmPointers to_z{a.data, b.data, z.data, bias.data};
        plain.tune(tuner, to_z, workspace.data, nullptr);
        time("cuBLASLt, bias", 1, [&](int) { plain.run(to_z, workspace.data, nullptr); });
        time("  and GELU as a pass", 3, [&](int) {
            plain.run(to_z, workspace.data, nullptr);
            activate(shape(), z.data, c.data, 1, nullptr);
        });
        Gemm fused({handle}, library_problem(true, true), true);
        const GemmPointers to_c{a.data, b.data, c.data, bias.data, z.data};
        fused.tune(tuner, to_c, workspace.data, nullptr);
        time("cuBLASLt, bias, GELU", 2, [&](int) { fused.run(to_c, workspace.data, nullptr); });
    }

    void library_slope()
    {
        Gemm plain({handle}, library_problem(false, false), true);
        const GemmPointers at{a.data, b.data, c.data};
        plain.tune(tuner, at, workspace.data, nullptr);
        time("cuBLASLt", 1, [&](int) { plain.run(at, workspace.data, nullptr); });
        const DeviceVector partial(static_cast<std::size_t>(bias_partial_floats(shape())) * 4);
        ColumnSums total(nullptr);
        time("  and slope as a pass", 4, [&](int) {
            plain.run(at, workspace.data, nullptr);
            bias_backward(shape(), {c.data, z.data, sums.as<float>(), partial.as<float>(), 1}, total,
                          nullptr);
            total.flush();
        });
    }

    void own(GeluEpilogue epilogue)
    {
        const OwnGeluProblem p{m, kN, kK, type, epilogue};
        const auto rows = static_cast<int>(OwnGeluGemm::partial_rows(p));
        const DeviceVector partial(static_cast<std::size_t>(rows) * kN * 4);
        for (int blocks = 1; blocks <= OwnGeluGemm::kMostBlocks; ++blocks) {
            const OwnGeluGemm product(p, blocks);
            ColumnSums total(nullptr);
            time(blocks == 1 ? "own" : "own, pairs of blocks", 2, [&](int) {
                product.run({a.data, b.data, c.data, z.data, bias.data, partial.as<float>()}, nullptr);
                if (epilogue == GeluEpilogue::Slope) {
                    total.add({partial.as<float>(), rows, kN, kN, sums.as<float>()});
                    total.flush();
                }
            });
        }
    }
};

} // namespace

void bench_own_gelu_gemm()
{
    cublasLtHandle_t handle = nullptr;
    check(cublasLtCreate(&handle), "start cuBLASLt");
    for (const Type type : {Type::BF16, Type::F16}) {
        for (const std::int64_t m : {20480, 8192}) {
            Bench bench(type, m, handle);
            std::printf("%s, %lld x %lld x %lld, forward; GB/s of c and z alone\n",
                        type == Type::F16 ? "fp16" : "bf16", static_cast<long long>(m),
                        static_cast<long long>(kN), static_cast<long long>(kK));
            bench.own(GeluEpilogue::Forward);
            bench.library_forward();
            std::printf("slope\n");
            bench.own(GeluEpilogue::Slope);
            bench.library_slope();
        }
    }
    cublasLtDestroy(handle);
}
