// SPDX-License-Identifier: Apache-2.0

// The own 3x3 convolution in tf32 against double precision on the host, with poisoned outputs and images that
// do not fill a tile. Exit status 77: not on this device.
//
//   own_conv_check           checks
//   own_conv_check --bench   times the layers of ResNet-50 at batch 128, and cuDNN beside them

#include "cuda/check.h"
#include "cuda/dnn.h"
#include "cuda/own_conv.h"
#include "cuda/tuner.h"
#include "device_vector.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
#include <string_view>
#include <vector>

namespace {

using namespace sbtrain::cuda;

// To the nearest number of tf32, to even between two of them.
float round_tf32(float value)
{
    std::uint32_t raw = 0;
    std::memcpy(&raw, &value, 4);
    raw += 0xFFFU + (raw >> 13 & 1U);
    raw &= ~0x1FFFU;
    std::memcpy(&value, &raw, 4);
    return value;
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

// y of a pixel and a channel.
double compute(const OwnConvProblem &p, const std::vector<float> &x, const std::vector<float> &w,
               std::int64_t pixel, std::int64_t k)
{
    double sum = 0.0;
    const std::int64_t column = pixel % p.size, row = pixel / p.size % p.size;
    for (std::int64_t tap = 0; tap < 9; ++tap) {
        const std::int64_t left = column + tap % 3 - 1, up = row + tap / 3 - 1;
        if (left < 0 || left >= p.size || up < 0 || up >= p.size)
            continue;
        const float *from = x.data() + (pixel + (tap / 3 - 1) * p.size + tap % 3 - 1) * p.c;
        const float *factor = w.data() + (k * 9 + tap) * p.c;
        for (std::int64_t c = 0; c < p.c; ++c)
            sum += static_cast<double>(from[c]) * static_cast<double>(factor[c]);
    }
    return sum;
}

// Every pixel, and a channel of each `every`.
bool check_one(const OwnConvProblem &p, int multiprocessors, std::int64_t every)
{
    const std::int64_t pixels = p.n * p.size * p.size;
    std::vector<float> x = normal(pixels * p.c, 5), w = normal(p.k * 9 * p.c, 6);
    std::vector<float> y(static_cast<std::size_t>(pixels * p.k));
    const DeviceVector x_at(x.size() * 4), w_at(w.size() * 4), y_at(y.size() * 4);
    upload(x_at, x.data(), x.size() * 4);
    upload(w_at, w.data(), w.size() * 4);
    check(cudaMemset(y_at.data, 0xFF, y.size() * 4), "poison");
    const OwnConv conv(p, multiprocessors);
    conv.run(x_at.as<const float>(), w_at.as<const float>(), y_at.as<float>(), nullptr);
    check(cudaDeviceSynchronize(), "convolve");
    check(cudaMemcpy(y.data(), y_at.data, y.size() * 4, cudaMemcpyDeviceToHost), "copy");
    for (std::vector<float> *values : {&x, &w})
        std::transform(values->begin(), values->end(), values->begin(), round_tf32);
    double difference = 0.0, length = 0.0;
    int wrong = 0;
    for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
        for (std::int64_t k = pixel % every; k < p.k; k += every) {
            const double wanted = compute(p, x, w, pixel, k),
                         got = static_cast<double>(y[static_cast<std::size_t>(pixel * p.k + k)]);
            difference += (got - wanted) * (got - wanted);
            length += wanted * wanted;
            if (!(std::abs(got - wanted) < 1e-1) && wrong++ < 6)
                std::printf("     image %lld, row %lld, column %lld, channel %lld: %.4f, wanted %.4f\n",
                            static_cast<long long>(pixel / (p.size * p.size)),
                            static_cast<long long>(pixel / p.size % p.size),
                            static_cast<long long>(pixel % p.size), static_cast<long long>(k), got, wanted);
        }
    }
    // Factors that are cut off instead of rounded would make 7e-4.
    const double distance = std::sqrt(difference / length);
    const bool good = distance < 5e-5;
    std::printf("%s %lld images of %lld, %lld -> %lld: %.1e\n", good ? "ok  " : "FAIL",
                static_cast<long long>(p.n), static_cast<long long>(p.size), static_cast<long long>(p.c),
                static_cast<long long>(p.k), distance);
    std::fflush(stdout);
    return good;
}

int check_all(int multiprocessors)
{
    int failures = 0;
    const auto run = [&](const OwnConvProblem &p, std::int64_t every) {
        failures += check_one(p, multiprocessors, every) ? 0 : 1;
    };
    run({2, 56, 32, 64}, 16);
    run({1, 28, 32, 128}, 16);
    run({1, 14, 32, 128}, 16);
    run({5, 7, 32, 128}, 16);
    run({12, 56, 64, 128}, 64); // more tiles than multiprocessors
    run({40, 28, 96, 128}, 64);
    run({150, 14, 64, 256}, 128);
    run({90, 7, 128, 1024}, 256);
    failures += OwnConv::fits({8, 8, 64, 128}) || OwnConv::fits({8, 14, 64, 64}) ? 1 : 0;
    std::printf("%d failures\n", failures);
    return failures;
}

void bench(int multiprocessors)
{
    constexpr std::size_t kWorkspace = std::size_t{128} << 20;
    constexpr int kRuns = 10;
    const Dnn dnn(nullptr);
    const DeviceVector workspace(kWorkspace);
    float own_sum = 0.0F;
    std::array<float, 2> sums{};
    for (const auto &[size, channels, times] :
         {std::array<int, 3>{56, 64, 3}, {28, 128, 3}, {14, 256, 5}, {7, 512, 2}}) {
        const OwnConvProblem p{128, size, channels, channels};
        const std::int64_t count = p.n * p.size * p.size * p.c;
        const std::vector<float> noise = normal(count, 3), weights = normal(p.k * 9 * p.c, 4);
        std::vector<DeviceVector> x, y; // several, which the cache does not hold
        for (std::int64_t i = 0; i < std::max<std::int64_t>((75 << 20) / count, 2); ++i) {
            upload(x.emplace_back(noise.size() * 4), noise.data(), noise.size() * 4);
            y.emplace_back(noise.size() * 4);
        }
        const DeviceVector w(weights.size() * 4);
        upload(w, weights.data(), weights.size() * 4);
        std::size_t next = 0;
        Tuner tuner(nullptr);
        const OwnConv conv(p, multiprocessors);
        const auto runs = [&] {
            for (int i = 0; i < kRuns; ++i) {
                next = (next + 1) % x.size();
                conv.run(x[next].as<const float>(), w.as<const float>(), y[next].as<float>(), nullptr);
            }
            return true;
        };
        const float own = std::min(tuner.time_ms(runs), tuner.time_ms(runs)) / kRuns;
        const ConvProblem conv_problem{p.n, p.c, p.size, p.size, p.k, p.size, p.size, 3, 1, 1};
        std::array<float, 2> library{};
        for (const ConvPass pass : {ConvPass::Forward, ConvPass::InputGradient}) {
            const bool forward = pass == ConvPass::Forward;
            const ConvPlans plans(dnn, conv_problem, pass, kWorkspace, 20);
            float best = std::numeric_limits<float>::infinity();
            for (std::size_t i = 0; i < plans.count(); ++i) {
                next = (next + 1) % x.size();
                ConvPointers at{x[next].data, w.data, y[next].data};
                if (!forward)
                    std::swap(at.x, at.y);
                best = std::min(best, tuner.time_ms([&] { return plans.run(i, at, workspace.data); }, best));
            }
            library[forward ? 0 : 1] = best;
        }
        const double flops = 18e-9 * static_cast<double>(count * p.k);
        std::printf(
            "  %3d -> %3d at %2d, x %d: %.4f ms, %.0f TFLOP/s; cuDNN %.4f ms, input gradient %.4f ms\n",
            channels, channels, size, times, static_cast<double>(own), flops / static_cast<double>(own),
            static_cast<double>(library[0]), static_cast<double>(library[1]));
        std::fflush(stdout);
        own_sum += own * static_cast<float>(times);
        for (std::size_t pass = 0; pass < 2; ++pass)
            sums[pass] += library[pass] * static_cast<float>(times);
    }
    std::printf("  all: %.3f ms; cuDNN %.3f ms, input gradient %.3f ms\n", static_cast<double>(own_sum),
                static_cast<double>(sums[0]), static_cast<double>(sums[1]));
}

} // namespace

int main(int argc, char **argv)
{
    const bool timing = argc == 2 && std::string_view(argv[1]) == "--bench";
    if (argc > 1 && !timing) {
        std::fprintf(stderr, "own_conv_check: unknown argument %s: only --bench is known\n", argv[1]);
        return 2;
    }
    int devices = 0, major = 0, minor = 0, multiprocessors = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::printf("skipped: no CUDA device was found\n");
        return 77;
    }
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "ask the device");
    check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0), "ask the device");
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "ask the device");
    if (!OwnConv::available(major * 10 + minor)) {
        std::printf("skipped: this device has no wgmma\n");
        return 77;
    }
    if (timing)
        bench(multiprocessors);
    else
        return check_all(multiprocessors) == 0 ? 0 : 1;
    return 0;
}
