// SPDX-License-Identifier: Apache-2.0
#include "own_split_gemm_bench.h"

#include "cuda/own_split_gemm.h"
#include "own_split_gemm_reference.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>

namespace {

using namespace sbtrain::cuda;

struct Bench {
    std::int64_t m, n, k;
    bool transpose_a, transpose_b;
    const char *what;
};

void bench(const Bench &of)
{
    const GemmProblem p = problem_of(of.m, of.n, of.k, of.transpose_a, of.transpose_b);
    std::mt19937 random(1);
    // A block of random numbers again and again: time depends on bits changing, not on their order.
    const Floats block = filled(random, 1 << 20, normal);
    const auto fill = [&](std::int64_t count) {
        DeviceVector memory(static_cast<std::size_t>(count) * 4);
        for (std::int64_t at = 0; at < count; at += 1 << 20)
            check(cudaMemcpy(memory.as<float>() + at, block.data(),
                             static_cast<std::size_t>(std::min<std::int64_t>(count - at, 1 << 20)) * 4,
                             cudaMemcpyHostToDevice),
                  "copy");
        return memory;
    };
    const DeviceVector a = fill(p.m * p.k);
    const DeviceVector b = fill(p.k * p.n);
    const DeviceVector c(static_cast<std::size_t>(p.m * p.n) * 4);
    const DeviceVector workspace(kGemmWorkspace);
    const GemmPointers at{a.data, b.data, c.data};
    cudaStream_t stream = nullptr;
    check(cudaStreamCreate(&stream), "make a stream");
    Tuner tuner(stream);
    cublasLtHandle_t handle = nullptr;
    check(cublasLtCreate(&handle), "start cuBLASLt");
    setenv("SBTRAIN_OWN_GEMM", "0", 1);
    const auto library =
        static_cast<double>(Gemm({handle}, p, false).tune(tuner, at, workspace.data, stream));
    const double work = 2e-9 * static_cast<double>(p.m * p.n * p.k);
    std::printf("%-22s %6lld %5lld %6lld: cuBLASLt %.3f ms %5.1f TFLOP/s; own", of.what,
                static_cast<long long>(p.m), static_cast<long long>(p.n), static_cast<long long>(p.k),
                library, work / library);
    for (int tile = 0; tile < OwnSplitGemm::kTiles; ++tile) {
        const OwnSplitGemm product(p, tile);
        float best = std::numeric_limits<float>::infinity();
        for (int round = 0; round < 4; ++round)
            best = std::min(best, tuner.time_ms([&] {
                product.run(at, workspace.data, stream);
                return true;
            }));
        std::printf(" %.3f (%.1f)", static_cast<double>(best), work / static_cast<double>(best));
    }
    std::printf("\n");
    cublasLtDestroy(handle);
    cudaStreamDestroy(stream);
}

const Bench kBenches[] = {
    {8192, 8192, 8192, false, true, "square"},
    {4096, 2304, 768, false, true, "qkv forward"},
    {4096, 768, 2304, false, false, "qkv input"},
    {2304, 768, 4096, true, false, "qkv weight"},
    {4096, 768, 768, false, true, "projection forward"},
    {4096, 768, 768, false, false, "projection input"},
    {768, 768, 4096, true, false, "projection weight"},
    {4096, 3072, 768, false, true, "ffn1 forward"},
    {4096, 768, 3072, false, false, "ffn1 input"},
    {3072, 768, 4096, true, false, "ffn1 weight"},
    {4096, 768, 3072, false, true, "ffn2 forward"},
    {4096, 3072, 768, false, false, "ffn2 input"},
    {768, 3072, 4096, true, false, "ffn2 weight"},
    {640, 30528, 768, false, true, "decoder forward"},
    {640, 768, 30528, false, false, "decoder input"},
    {30528, 768, 640, true, false, "decoder weight"},
    {401408, 64, 256, false, true, "256-64 @56 forward"},
    {401408, 256, 64, false, false, "256-64 @56 input"},
    {64, 256, 401408, true, false, "256-64 @56 weight"},
    {100352, 512, 128, false, true, "128-512 @28 forward"},
    {100352, 128, 512, false, false, "128-512 @28 input"},
    {512, 128, 100352, true, false, "128-512 @28 weight"},
    {25088, 256, 1024, false, true, "1024-256 @14 forward"},
    {25088, 1024, 256, false, false, "1024-256 @14 input"},
    {256, 1024, 25088, true, false, "1024-256 @14 weight"},
    {6272, 2048, 512, false, true, "512-2048 @7 forward"},
    {6272, 512, 2048, false, false, "512-2048 @7 input"},
    {2048, 512, 6272, true, false, "512-2048 @7 weight"},
};

} // namespace

void bench_own_split_gemm()
{
    for (const Bench &of : kBenches)
        bench(of);
}
