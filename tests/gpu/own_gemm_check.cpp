// SPDX-License-Identifier: GPL-3.0-or-later

// The own matrix product and its epilogues against double precision on the host. Rows are not a multiple of a
// tile, the output is poisoned. Exit status 77: not on this device.

#include "cuda/check.h"
#include "cuda/cuda_device.h"
#include "cuda/own_gemm.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <random>
#include <vector>

namespace {

using namespace sbtrain::cuda;

struct DeviceVector {
    void *data = nullptr;
    explicit DeviceVector(std::size_t bytes) { check(cudaMalloc(&data, bytes), "allocate"); }
    ~DeviceVector() { cudaFree(data); }
    DeviceVector(const DeviceVector &) = delete;
    DeviceVector &operator=(const DeviceVector &) = delete;
};

std::vector<float> rounded(std::mt19937 &random, std::int64_t count, float scale)
{
    std::normal_distribution<float> normal(0.0F, scale);
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float &value : values)
        value = __bfloat162float(__float2bfloat16(normal(random)));
    return values;
}

void upload16(const DeviceVector &to, const std::vector<float> &values)
{
    std::vector<__nv_bfloat16> raw(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        raw[i] = __float2bfloat16(values[i]);
    check(cudaMemcpy(to.data, raw.data(), raw.size() * 2, cudaMemcpyHostToDevice), "copy");
}

void upload(const DeviceVector &to, const void *from, std::size_t bytes)
{
    check(cudaMemcpy(to.data, from, bytes, cudaMemcpyHostToDevice), "copy");
}

struct Reference {
    std::vector<double> c, sum1, sum2;
};

struct Inputs {
    OwnGemmProblem p;
    std::vector<float> a, b, x, g, scale, shift, mean;
    std::vector<std::uint8_t> bits;
};

Reference compute(const Inputs &in)
{
    const OwnGemmProblem &p = in.p;
    const auto n = static_cast<std::size_t>(p.n);
    const auto k = static_cast<std::size_t>(p.k);
    Reference r{std::vector<double>(static_cast<std::size_t>(p.m) * n), std::vector<double>(n),
                std::vector<double>(n)};
    for (std::size_t i = 0; i < static_cast<std::size_t>(p.m); ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            double c = 0.0;
            for (std::size_t l = 0; l < k; ++l)
                c += static_cast<double>(in.a[i * k + l]) * in.b[j * k + l];
            const std::size_t at = i * n + j;
            const double x = in.x[at];
            double other = c; // what the second sum multiplies with
            switch (p.epilogue) {
            case Epilogue::Stats:
                break;
            case Epilogue::MaskFromX:
                c = in.scale[j] * in.x[at] + in.shift[j] > 0.0F ? c : 0.0;
                other = x - in.mean[j];
                break;
            case Epilogue::AddMaskBits:
                c = in.bits[at / 8] >> (at % 8) & 1 ? c + in.g[at] : 0.0;
                other = x - in.mean[j];
                break;
            }
            r.c[at] = c;
            r.sum1[j] += c;
            r.sum2[j] += c * other;
        }
    }
    return r;
}

double distance(const std::vector<double> &a, const std::vector<double> &b)
{
    double d = 0.0;
    double n = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        d += (a[i] - b[i]) * (a[i] - b[i]);
        n += b[i] * b[i];
    }
    return std::sqrt(d / n);
}

std::vector<double> download16(const void *from, std::size_t count)
{
    std::vector<__nv_bfloat16> raw(count);
    check(cudaMemcpy(raw.data(), from, count * 2, cudaMemcpyDeviceToHost), "copy");
    std::vector<double> out(count);
    for (std::size_t i = 0; i < count; ++i)
        out[i] = __bfloat162float(raw[i]);
    return out;
}

bool check_one(const OwnGemmProblem &p, int multiprocessors)
{
    std::mt19937 random(7);
    Inputs in{p,
              rounded(random, p.m * p.k, 1.0F),
              rounded(random, p.n * p.k, 1.0F / std::sqrt(static_cast<float>(p.k))),
              rounded(random, p.m * p.n, 1.0F),
              rounded(random, p.m * p.n, 1.0F),
              rounded(random, p.n, 1.0F),
              rounded(random, p.n, 0.5F),
              rounded(random, p.n, 0.5F),
              std::vector<std::uint8_t>(static_cast<std::size_t>(p.m * p.n / 8))};
    for (std::uint8_t &byte : in.bits)
        byte = static_cast<std::uint8_t>(random());
    const auto count = static_cast<std::size_t>(p.m * p.n);
    DeviceVector a(in.a.size() * 2), b(in.b.size() * 2), x(count * 2), g(count * 2), c(count * 2),
        scale(in.scale.size() * 4), shift(in.scale.size() * 4), mean(in.scale.size() * 4),
        bits(in.bits.size());
    const int rows = OwnGemm::partial_rows(p, multiprocessors);
    const std::size_t partial_count = static_cast<std::size_t>(rows) * 2 * static_cast<std::size_t>(p.n);
    DeviceVector partial(partial_count * 4);
    upload16(a, in.a);
    upload16(b, in.b);
    upload16(x, in.x);
    upload16(g, in.g);
    upload(scale, in.scale.data(), in.scale.size() * 4);
    upload(shift, in.shift.data(), in.shift.size() * 4);
    upload(mean, in.mean.data(), in.mean.size() * 4);
    upload(bits, in.bits.data(), in.bits.size());
    check(cudaMemset(c.data, 0xFF, count * 2), "poison");
    check(cudaMemset(partial.data, 0xFF, partial_count * 4), "poison");
    OwnGemmPointers at;
    at.a = a.data;
    at.b = b.data;
    at.c = p.epilogue == Epilogue::AddMaskBits ? g.data : c.data;
    at.x = p.epilogue == Epilogue::Stats ? nullptr : x.data;
    at.g = p.epilogue == Epilogue::AddMaskBits ? g.data : nullptr;
    at.bits = static_cast<const std::uint8_t *>(bits.data);
    at.scale = static_cast<const float *>(scale.data);
    at.shift = static_cast<const float *>(shift.data);
    at.mean = static_cast<const float *>(mean.data);
    at.partial = static_cast<float *>(partial.data);
    const OwnGemm gemm(p, at, multiprocessors);
    gemm.run(nullptr);
    check(cudaDeviceSynchronize(), "multiply");

    const Reference reference = compute(in);
    const double worst = distance(download16(at.c, count), reference.c);
    std::vector<float> raw(partial_count);
    check(cudaMemcpy(raw.data(), partial.data, raw.size() * 4, cudaMemcpyDeviceToHost), "copy");
    std::vector<double> sum1(reference.sum1.size()), sum2(sum1);
    for (int row = 0; row < rows; ++row) {
        for (std::size_t j = 0; j < sum1.size(); ++j) {
            sum1[j] += raw[static_cast<std::size_t>(row) * 2 * sum1.size() + j];
            sum2[j] += raw[(static_cast<std::size_t>(row) * 2 + 1) * sum1.size() + j];
        }
    }
    const double sums = std::max(distance(sum1, reference.sum1), distance(sum2, reference.sum2));
    const bool good = worst < 5e-3 && sums < 2e-2; // one rounding to bfloat16; sums of rounded numbers
    std::printf("%s epilogue %d, %lld x %lld x %lld: %.1e, sums %.1e\n", good ? "ok  " : "FAIL",
                static_cast<int>(p.epilogue), static_cast<long long>(p.m), static_cast<long long>(p.n),
                static_cast<long long>(p.k), worst, sums);
    std::fflush(stdout);
    return good;
}

} // namespace

int main()
{
    const auto devices = list_cuda_devices();
    if (!devices || !OwnGemm::available(devices->front().capability)) {
        std::printf("skipped: %s\n", devices ? "this device has no wgmma" : devices.error().message.c_str());
        return 77;
    }
    int multiprocessors = 0;
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "ask the device");
    int failures = 0;
    for (int epilogue = 0; epilogue < 3; ++epilogue) {
        for (const auto &[m, n, k] : {std::array<std::int64_t, 3>{1000, 64, 64},
                                      {777, 256, 64},
                                      {20000, 64, 128},
                                      {1300, 512, 576},
                                      {37, 128, 192}})
            failures +=
                check_one({m, n, k, Type::BF16, static_cast<Epilogue>(epilogue)}, multiprocessors) ? 0 : 1;
    }
    std::printf("%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
