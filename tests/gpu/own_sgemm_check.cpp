// SPDX-License-Identifier: Apache-2.0

// The own fp32 matrix product against double precision on the host, in every layout and tile, with sizes that
// are no multiple of a tile, twice (the same bits). --bench: beside cuBLASLt's best, on the products of
// BERT-base at 32 x 128 and of ResNet-50's 1x1 convolutions at 128. Exit status 77: no device here.

#include "cuda/check.h"
#include "cuda/cuda_device.h"
#include "cuda/own_sgemm.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace {

using namespace sbtrain::cuda;

struct DeviceVector {
    void *data = nullptr;
    explicit DeviceVector(std::size_t floats) { check(cudaMalloc(&data, floats * 4), "allocate"); }
    ~DeviceVector() { cudaFree(data); }
    DeviceVector(const DeviceVector &) = delete;
    DeviceVector &operator=(const DeviceVector &) = delete;
    void upload(const std::vector<float> &values) const
    {
        check(cudaMemcpy(data, values.data(), values.size() * 4, cudaMemcpyHostToDevice), "copy");
    }
    std::vector<float> download(std::size_t floats) const
    {
        std::vector<float> values(floats);
        check(cudaMemcpy(values.data(), data, floats * 4, cudaMemcpyDeviceToHost), "copy");
        return values;
    }
};

GemmProblem problem_of(std::int64_t m, std::int64_t n, std::int64_t k, bool transpose_a, bool transpose_b)
{
    GemmProblem p;
    p.transpose_a = transpose_a;
    p.transpose_b = transpose_b;
    p.m = m;
    p.n = n;
    p.k = k;
    p.lda = transpose_a ? m : k;
    p.ldb = transpose_b ? k : n;
    p.ldc = n;
    return p;
}

std::vector<float> normal(std::mt19937 &random, std::int64_t count)
{
    std::normal_distribution<float> one(0.0F, 1.0F);
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float &value : values)
        value = one(random);
    return values;
}

// The largest error of any element, in units of what rounding k products and sums one after the other may
// give: eps * sum |a b|. Fewer than 8 such units: sums are long, but errors of one sign are not to be
// expected.
double error_of(const GemmProblem &p, const std::vector<float> &a, const std::vector<float> &b,
                const std::vector<float> &start, const std::vector<float> &bias, const std::vector<float> &c)
{
    double worst = 0.0;
    for (std::int64_t i = 0; i < p.m; ++i) {
        for (std::int64_t j = 0; j < p.n; ++j) {
            double sum =
                p.accumulate ? static_cast<double>(start[static_cast<std::size_t>(i * p.n + j)]) : 0.0;
            if (p.bias)
                sum += static_cast<double>(bias[static_cast<std::size_t>(j)]);
            double size = std::abs(sum);
            for (std::int64_t k = 0; k < p.k; ++k) {
                const auto at_a = static_cast<std::size_t>(p.transpose_a ? k * p.lda + i : i * p.lda + k);
                const auto at_b = static_cast<std::size_t>(p.transpose_b ? j * p.ldb + k : k * p.ldb + j);
                const double product = static_cast<double>(a[at_a]) * static_cast<double>(b[at_b]);
                sum += product;
                size += std::abs(product);
            }
            const auto got = static_cast<double>(c[static_cast<std::size_t>(i * p.n + j)]);
            const double unit = static_cast<double>(std::numeric_limits<float>::epsilon()) * size;
            const double error = std::isfinite(got) ? std::abs(got - sum) / unit : 1e30;
            worst = std::max(worst, error);
        }
    }
    return worst;
}

bool check_one(GemmProblem p, int tile, std::mt19937 &random)
{
    const auto a = normal(random, p.m * p.k);
    const auto b = normal(random, p.k * p.n);
    const auto bias = normal(random, p.n);
    auto start = normal(random, p.m * p.n);
    if (!p.accumulate)
        std::fill(start.begin(), start.end(), std::numeric_limits<float>::quiet_NaN());
    const OwnSgemm product(p, tile);
    const DeviceVector on_a(a.size()), on_b(b.size()), on_bias(bias.size()), on_c(start.size()),
        workspace(product.workspace_bytes() / 4);
    on_a.upload(a);
    on_b.upload(b);
    on_bias.upload(bias);
    std::vector<float> results[2];
    for (auto &result : results) {
        on_c.upload(start);
        check(cudaMemset(workspace.data, 0xFF, product.workspace_bytes()), "poison");
        product.run({on_a.data, on_b.data, on_c.data, on_bias.data}, workspace.data, nullptr);
        check(cudaDeviceSynchronize(), "multiply");
        result = on_c.download(start.size());
    }
    const double error = error_of(p, a, b, start, bias, results[0]);
    const bool same = std::memcmp(results[0].data(), results[1].data(), results[0].size() * 4) == 0;
    const bool good = error < 8.0 && same;
    std::printf("%s m %lld n %lld k %lld a%s b%s tile %d%s%s: %.2f roundings%s\n", good ? "ok " : "BAD",
                static_cast<long long>(p.m), static_cast<long long>(p.n), static_cast<long long>(p.k),
                p.transpose_a ? "^T" : "", p.transpose_b ? "^T" : "", tile, p.accumulate ? " added" : "",
                p.bias ? " bias" : "", error, same ? "" : ", differs from run to run");
    return good;
}

// Heads as attention has them: rows of a are those of a wider matrix.
bool check_small(std::int64_t n, std::int64_t k, bool transpose_a, bool transpose_b, std::mt19937 &random)
{
    constexpr std::int64_t kCount = 5;
    GemmProblem p = problem_of(116, n, k, transpose_a, transpose_b);
    const auto size_a = static_cast<std::size_t>(p.m * p.k);
    const auto size_b = static_cast<std::size_t>(p.k * p.n);
    const auto size_c = static_cast<std::size_t>(p.m * p.n);
    const auto a = normal(random, p.m * p.k * kCount);
    const auto b = normal(random, p.k * p.n * kCount);
    const std::vector<float> poison(size_c * kCount, std::numeric_limits<float>::quiet_NaN());
    const DeviceVector on_a(a.size()), on_b(b.size()), on_c(poison.size()), addresses(6 * kCount);
    on_a.upload(a);
    on_b.upload(b);
    on_c.upload(poison);
    std::vector<float *> list;
    for (const auto &[base, size] : {std::pair{&on_a, size_a}, {&on_b, size_b}, {&on_c, size_c}}) {
        for (std::size_t i = 0; i < kCount; ++i)
            list.push_back(static_cast<float *>(base->data) + i * size);
    }
    check(cudaMemcpy(addresses.data, list.data(), list.size() * sizeof(float *), cudaMemcpyHostToDevice),
          "copy");
    auto **first = static_cast<void **>(addresses.data);
    const SmallProducts small{transpose_a,    transpose_b,        p.m,   p.n, p.k, p.lda, p.ldb, p.ldc, first,
                              first + kCount, first + 2 * kCount, kCount};
    if (!own_small_products_fit(small))
        return false;
    multiply_small(small, nullptr);
    check(cudaDeviceSynchronize(), "multiply heads");
    const auto c = on_c.download(poison.size());
    const auto part = [](const std::vector<float> &all, std::size_t size) {
        return std::vector<float>(all.end() - static_cast<std::ptrdiff_t>(size), all.end());
    };
    double error = 0.0; // of the last product; the others must be finite
    error = error_of(p, part(a, size_a), part(b, size_b), {}, std::vector<float>(static_cast<std::size_t>(n)),
                     part(c, size_c));
    for (const float value : c)
        error = std::isfinite(value) ? error : 1e30;
    std::printf("%s heads 116 x %lld x %lld a%s b%s: %.2f roundings\n", error < 8.0 ? "ok " : "BAD",
                static_cast<long long>(n), static_cast<long long>(k), transpose_a ? "^T" : "",
                transpose_b ? "^T" : "", error);
    return error < 8.0;
}

struct Bench {
    std::int64_t m, n, k;
    bool transpose_a, transpose_b;
    const char *what;
};

void bench(const Bench &of)
{
    const GemmProblem p = problem_of(of.m, of.n, of.k, of.transpose_a, of.transpose_b);
    const DeviceVector a(static_cast<std::size_t>(p.m * p.k)), b(static_cast<std::size_t>(p.k * p.n)),
        c(static_cast<std::size_t>(p.m * p.n)), workspace(kGemmWorkspace / 4);
    std::mt19937 random(1);
    a.upload(normal(random, p.m * p.k));
    b.upload(normal(random, p.k * p.n));
    const GemmPointers at{a.data, b.data, c.data};
    cudaStream_t stream = nullptr;
    check(cudaStreamCreate(&stream), "make a stream");
    Tuner tuner(stream);
    cublasLtHandle_t handle = nullptr;
    check(cublasLtCreate(&handle), "start cuBLASLt");
    setenv("SBTRAIN_OWN_GEMM", "0", 1);
    const float library = Gemm(handle, p).tune(tuner, at, workspace.data, stream);
    std::printf("%-28s %6lld x %5lld x %6lld: cuBLASLt %.3f ms %4.1f TFLOP/s; own", of.what,
                static_cast<long long>(p.m), static_cast<long long>(p.n), static_cast<long long>(p.k),
                static_cast<double>(library),
                2e-9 * static_cast<double>(p.m * p.n * p.k) / static_cast<double>(library));
    for (int tile = 0; tile < OwnSgemm::kTiles; ++tile) {
        const OwnSgemm product(p, tile);
        float best = std::numeric_limits<float>::infinity();
        for (int round = 0; round < 4; ++round)
            best = std::min(best, tuner.time_ms([&] {
                product.run(at, workspace.data, stream);
                return true;
            }));
        std::printf(" %.3f (%.1f)", static_cast<double>(best),
                    2e-9 * static_cast<double>(p.m * p.n * p.k) / static_cast<double>(best));
    }
    std::printf("\n");
    cublasLtDestroy(handle);
    cudaStreamDestroy(stream);
}

const Bench kBenches[] = {
    {8192, 8192, 8192, false, true, "square"},
    {4096, 2304, 768, false, true, "qkv forward"},
    {4096, 768, 2304, false, false, "qkv input gradient"},
    {2304, 768, 4096, true, false, "qkv weight gradient"},
    {4096, 768, 768, false, true, "projection forward"},
    {4096, 768, 768, false, false, "projection input gradient"},
    {768, 768, 4096, true, false, "projection weight gradient"},
    {4096, 3072, 768, false, true, "ffn1 forward"},
    {4096, 768, 3072, false, false, "ffn1 input gradient"},
    {3072, 768, 4096, true, false, "ffn1 weight gradient"},
    {4096, 768, 3072, false, true, "ffn2 forward"},
    {4096, 3072, 768, false, false, "ffn2 input gradient"},
    {768, 3072, 4096, true, false, "ffn2 weight gradient"},
    {640, 30528, 768, false, true, "decoder forward"},
    {640, 768, 30528, false, false, "decoder input gradient"},
    {30528, 768, 640, true, false, "decoder weight gradient"},
    {401408, 64, 256, false, true, "conv 256-64 @56 forward"},
    {401408, 256, 64, false, false, "conv 256-64 @56 input"},
    {64, 256, 401408, true, false, "conv 256-64 @56 weight"},
    {100352, 512, 128, false, true, "conv 128-512 @28 forward"},
    {100352, 128, 512, false, false, "conv 128-512 @28 input"},
    {512, 128, 100352, true, false, "conv 128-512 @28 weight"},
    {25088, 256, 1024, false, true, "conv 1024-256 @14 forward"},
    {25088, 1024, 256, false, false, "conv 1024-256 @14 input"},
    {256, 1024, 25088, true, false, "conv 1024-256 @14 weight"},
    {6272, 2048, 512, false, true, "conv 512-2048 @7 forward"},
    {6272, 512, 2048, false, false, "conv 512-2048 @7 input"},
    {2048, 512, 6272, true, false, "conv 512-2048 @7 weight"},
};

} // namespace

int main(int argc, char **argv)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
        std::printf("skipped: no CUDA device\n");
        return 77;
    }
    try {
        std::mt19937 random(7);
        bool good = true;
        for (int tile = 0; tile < OwnSgemm::kTiles; ++tile) {
            for (const auto &[ta, tb] :
                 {std::pair{false, true}, {false, false}, {true, false}, {true, true}}) {
                GemmProblem p = problem_of(300, 212, 1040, ta, tb);
                p.accumulate = tb;
                good = check_one(p, tile, random) && good;
                p = problem_of(516, 260, 16, ta, tb); // less to do than there are blocks
                p.bias = true;
                good = check_one(p, tile, random) && good;
                p = problem_of(4100, 1028, 48, ta, tb);
                good = check_one(p, tile, random) && good;
            }
        }
        for (const auto &[ta, tb] : {std::pair{false, true}, {false, false}, {true, false}}) {
            good = check_small(116, 64, ta, tb, random) && good;
            good = check_small(64, 112, ta, tb, random) && good;
        }
        if (argc > 1 && std::strcmp(argv[1], "--bench") == 0) {
            for (const Bench &of : kBenches)
                bench(of);
        }
        return good ? 0 : 1;
    } catch (const CudaError &error) {
        std::fprintf(stderr, "own_sgemm_check: %s\n", error.what());
        return 1;
    }
}
