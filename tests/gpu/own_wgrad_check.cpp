// SPDX-License-Identifier: Apache-2.0

// The own weight gradient of convolutions against double precision on the host, with images that do not
// fill a step, rows that do not fill their runs, and poisoned outputs. Exit status 77: not on this device.
//
//   own_wgrad_check           checks, with --small the small form
//   own_wgrad_check --bench   times the layers of ResNet-50, and cuDNN beside them

#include "cuda/check.h"
#include "cuda/own_wgrad.h"
#include "device_vector.h"
#include "gpu_main.h"
#include "own_wgrad_bench.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <random>
#include <vector>

namespace {

using namespace sbtrain::cuda;

constexpr std::array<const char *, 3> kTypeNames{"tf32", "fp16", "bf16"};

// To the nearest number that products take, to even between two of them.
float round_factor(float value, Type type)
{
    if (type == Type::F16)
        return __half2float(__float2half(value));
    if (type == Type::BF16)
        return __bfloat162float(__float2bfloat16(value));
    std::uint32_t raw = 0;
    std::memcpy(&raw, &value, 4);
    raw += 0xFFFU + (raw >> 13 & 1U);
    raw &= ~0x1FFFU;
    std::memcpy(&value, &raw, 4);
    return value;
}

void store(Type type, float value, std::byte *to)
{
    const __half half = __float2half(value);
    const __nv_bfloat16 bfloat = __float2bfloat16(value);
    const void *from = type == Type::F32   ? static_cast<const void *>(&value)
                       : type == Type::F16 ? static_cast<const void *>(&half)
                                           : &bfloat;
    std::memcpy(to, from, size_of(type));
}

float load(Type type, const std::byte *from)
{
    float value = 0.0F;
    __half half;
    __nv_bfloat16 bfloat;
    if (type == Type::F32) {
        std::memcpy(&value, from, 4);
        return value;
    }
    std::memcpy(&half, from, 2);
    std::memcpy(&bfloat, from, 2);
    return type == Type::F16 ? __half2float(half) : __bfloat162float(bfloat);
}

DeviceVector on_device(Type type, const std::vector<float> &values)
{
    std::vector<std::byte> raw(values.size() * size_of(type));
    for (std::size_t i = 0; i < values.size(); ++i)
        store(type, values[i], raw.data() + i * size_of(type));
    DeviceVector to(raw.size());
    upload(to, raw.data(), raw.size());
    return to;
}

// Of x: pixels a row or rows, where dy has `size`.
std::int64_t x_size(const OwnWgradProblem &p, std::int64_t size)
{
    return p.kernel == 4 ? size + 3 : p.stride * size;
}

std::vector<float> normal(std::int64_t count, std::uint32_t seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<float> distribution(0.0F, 1.0F);
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float &value : values)
        value = distribution(random);
    return values;
}

// dw (kernel, kernel, c) of one output channel.
std::vector<double> compute(const OwnWgradProblem &p, const std::vector<float> &x,
                            const std::vector<float> &dy, std::int64_t co)
{
    const std::int64_t taps = p.kernel * p.kernel;
    std::vector<double> dw(static_cast<std::size_t>(taps * p.c));
    const std::int64_t w = x_size(p, p.w), h = x_size(p, p.h), border = p.kernel == 4 ? 0 : p.kernel / 2;
    for (std::int64_t pixel = 0; pixel < p.n * p.h * p.w; ++pixel) {
        const double factor = dy[static_cast<std::size_t>(pixel * p.k + co)];
        for (std::int64_t tap = 0; tap < taps; ++tap) {
            const std::int64_t left = pixel % p.w * p.stride + tap % p.kernel - border,
                               up = pixel / p.w % p.h * p.stride + tap / p.kernel - border,
                               image = pixel / (p.w * p.h);
            if (left < 0 || left >= w || up < 0 || up >= h)
                continue;
            const float *row = x.data() + ((image * h + up) * w + left) * p.c;
            double *to = dw.data() + tap * p.c;
            for (std::int64_t ci = 0; ci < p.c; ++ci)
                to[ci] += factor * static_cast<double>(row[ci]);
        }
    }
    return dw;
}

// How many numbers of each tap are wrong, and some of them.
void explain(const OwnWgradProblem &p, const std::vector<float> &dw, std::int64_t co,
             const std::vector<double> &wanted)
{
    const std::int64_t count = p.kernel * p.kernel * p.c;
    std::printf("     channel %lld, wrong by tap:", static_cast<long long>(co));
    for (std::int64_t first = 0; first < count; first += p.c) {
        int wrong = 0;
        for (std::int64_t at = first; at < first + p.c; ++at) {
            const double got = dw[static_cast<std::size_t>(co * count + at)];
            if (!(std::abs(got - wanted[static_cast<std::size_t>(at)]) < 1e-2))
                ++wrong;
        }
        std::printf(" %d", wrong);
    }
    std::printf(";");
    for (std::int64_t at = 0; at < count; at += p.c / 8 + 1)
        std::printf(" %.3f/%.3f", static_cast<double>(dw[static_cast<std::size_t>(co * count + at)]),
                    wanted[static_cast<std::size_t>(at)]);
    std::printf("\n");
}

bool check_one(const OwnWgradProblem &p, int multiprocessors, std::int64_t every)
{
    const std::int64_t pixels = p.n * p.h * p.w;
    std::vector<float> x = normal(p.n * x_size(p, p.h) * x_size(p, p.w) * p.c, 5),
                       dy = normal(pixels * p.k, 6);
    const auto count = static_cast<std::size_t>(p.k * p.kernel * p.kernel * p.c);
    const std::size_t bytes = count * size_of(p.type);
    const OwnWgrad wgrad(p, multiprocessors);
    const DeviceVector x_at = on_device(p.type, x), dy_at = on_device(p.type, dy), dw_at(bytes),
                       workspace(wgrad.workspace_bytes() + 4);
    check(cudaMemset(dw_at.data, 0xFF, bytes), "poison");
    check(cudaMemset(workspace.data, 0xFF, wgrad.workspace_bytes() + 4), "poison");
    wgrad.run(x_at.data, dy_at.data, dw_at.data, workspace.data, nullptr);
    check(cudaDeviceSynchronize(), "make a weight gradient");
    std::vector<std::byte> raw(bytes);
    check(cudaMemcpy(raw.data(), dw_at.data, bytes, cudaMemcpyDeviceToHost), "copy");
    std::vector<float> dw(count);
    for (std::size_t i = 0; i < count; ++i)
        dw[i] = load(p.type, raw.data() + i * size_of(p.type));

    for (std::vector<float> *values : {&x, &dy})
        std::transform(values->begin(), values->end(), values->begin(),
                       [&](float value) { return round_factor(value, p.type); });
    double difference = 0.0, length = 0.0;
    int explained = 0;
    for (std::int64_t co = 0; co < p.k; co += every) {
        const std::vector<double> wanted = compute(p, x, dy, co);
        double own = 0.0;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const double got = dw[static_cast<std::size_t>(co) * wanted.size() + i];
            own += (got - wanted[i]) * (got - wanted[i]);
            length += wanted[i] * wanted[i];
        }
        difference += own;
        if (!(own < 1e-3 * length) && explained++ < 2)
            explain(p, dw, co, wanted);
    }
    // tf32: factors that are cut off instead of rounded would make 7e-4. 16 bit: one rounding of dw.
    const double distance = std::sqrt(difference / length);
    const bool good = distance < (p.type == Type::F32 ? 5e-5 : 5e-3);
    std::printf("%s %s %lld images %lld x %lld, kernel %d, stride %d, %lld -> %lld: %.1e\n",
                good ? "ok  " : "FAIL", kTypeNames[static_cast<std::size_t>(p.type)],
                static_cast<long long>(p.n), static_cast<long long>(p.h), static_cast<long long>(p.w),
                p.kernel, p.stride, static_cast<long long>(p.c), static_cast<long long>(p.k), distance);
    std::fflush(stdout);
    return good;
}

void check_all(Cases &cases, int multiprocessors)
{
    const auto run = [&](const OwnWgradProblem &p, std::int64_t every) {
        const std::int64_t multiplications = p.n * p.h * p.w * p.kernel * p.kernel * p.c * p.k / every;
        cases.run(multiplications < 30'000'000, [&] { return check_one(p, multiprocessors, every); });
    };
    for (const int stride : {1, 2}) {
        run({8, 1, 7, 64, 64, 3, stride}, 1);
        run({8, 7, 7, 64, 64, 3, stride}, 1);
        run({4, 14, 14, 64, 64, 3, stride}, 1);
        run({2, 28, 28, 64, 64, 3, stride}, 3);
        run({1, 56, 56, 64, 64, 3, stride}, 5);
        run({3, 5, 7, 128, 64, 3, stride}, 1);
        run({7, 6, 9, 64, 192, 3, stride}, 5);
        run({3, 4, 20, 128, 128, 3, stride}, 5);
        run({3, 2, 40, 64, 64, 3, stride}, 1);
        run({2, 3, 60, 64, 64, 3, stride}, 1); // two strips
        run({2, 2, 113, 64, 64, 3, stride}, 1);
        run({1, 1, 1, 64, 64, 3, stride}, 1);
        // Many units a block, and more units than blocks.
        run({300, 3, 7, 512, 64, 3, stride}, 16);
        run({300, 3, 50, 64, 64, 3, stride}, 16);
    }
    for (const Type type : {Type::F16, Type::BF16}) {
        run({8, 1, 7, 64, 64, 3, 1, type}, 1);
        run({16, 7, 7, 64, 64, 3, 1, type}, 3);
        run({8, 14, 14, 64, 128, 3, 1, type}, 5);
        run({4, 28, 28, 64, 64, 3, 1, type}, 5);
        run({2, 56, 56, 64, 64, 3, 1, type}, 7);
        run({5, 9, 15, 128, 64, 3, 1, type}, 5);
        run({3, 5, 63, 64, 64, 3, 1, type}, 5);
        run({1, 1, 1, 64, 64, 3, 1, type}, 1);
        run({300, 3, 31, 512, 64, 3, 1, type}, 16);
        run({300, 3, 50, 64, 64, 3, 1, type}, 16);
    }
    for (const auto &[c, k] : {std::array<std::int64_t, 2>{64, 256}, {256, 64}, {256, 128}, {128, 768}}) {
        run({1, 1, 8, c, k, 1, 1}, 1);
        run({3, 5, 7, c, k, 1, 1}, 3);
        run({11, 28, 28, c, k, 1, 1}, 7);
    }
    run({40, 37, 37, 256, 64, 1, 1}, 16);
    run({2, 40, 40, 1024, 256, 1, 1}, 64);
    for (const Type type : {Type::F32, Type::F16, Type::BF16}) {
        run({1, 1, 16, 16, 64, 4, 1, type}, 3);
        run({2, 9, 112, 16, 64, 4, 1, type}, 3);
        run({150, 6, 32, 16, 64, 4, 1, type}, 7);
        run({300, 5, 100, 16, 64, 4, 1, type}, 16);
        run({5, 112, 112, 16, 64, 4, 1, type}, 16);
        // So many splits that several threads add up one number, in the small form, too.
        cases.run(true, [&] { return check_one({16, 2, 16, 16, 64, 4, 1, type}, 8, 1); });
    }
    cases.run(false, [] {
        return !OwnWgrad::fits({8, 7, 7, 96, 64}) && !OwnWgrad::fits({8, 7, 7, 64, 96}) &&
               !OwnWgrad::fits({8, 7, 7, 64, 64, 3, 3}) && !OwnWgrad::fits({8, 7, 7, 256, 64, 1, 2}) &&
               !OwnWgrad::fits({8, 7, 7, 64, 192, 1, 1}) &&
               !OwnWgrad::fits({8, 7, 64, 64, 64, 3, 1, Type::BF16});
    });
}

} // namespace

int main(int argc, char **argv)
{
    return hopper_main("own_wgrad_check", argc, argv, OwnWgrad::available, check_all, bench_own_wgrad);
}
