// SPDX-License-Identifier: Apache-2.0

// The own weight gradient of convolutions against double precision on the host, with images that do not
// fill a step, rows that do not fill their runs, and poisoned outputs. Exit status 77: not on this device.
//
//   own_wgrad_check           checks
//   own_wgrad_check --bench   times the layers of ResNet-50 at batch 128, and cuDNN beside them

#include "cuda/check.h"
#include "cuda/dnn.h"
#include "cuda/own_wgrad.h"
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

// dw (kernel, kernel, c) of one output channel.
std::vector<double> compute(const OwnWgradProblem &p, const std::vector<float> &x,
                            const std::vector<float> &dy, std::int64_t co)
{
    const std::int64_t taps = p.kernel * p.kernel;
    std::vector<double> dw(static_cast<std::size_t>(taps * p.c));
    const std::int64_t w = p.stride * p.w, h = p.stride * p.h;
    for (std::int64_t pixel = 0; pixel < p.n * p.h * p.w; ++pixel) {
        const double factor = dy[static_cast<std::size_t>(pixel * p.k + co)];
        for (std::int64_t tap = 0; tap < taps; ++tap) {
            const std::int64_t left = pixel % p.w * p.stride + tap % p.kernel - p.kernel / 2,
                               up = pixel / p.w % p.h * p.stride + tap / p.kernel - p.kernel / 2,
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
    std::vector<float> x = normal(pixels * p.stride * p.stride * p.c, 5), dy = normal(pixels * p.k, 6);
    const auto count = static_cast<std::size_t>(p.k * p.kernel * p.kernel * p.c);
    const OwnWgrad wgrad(p, multiprocessors);
    const DeviceVector x_at(x.size() * 4), dy_at(dy.size() * 4), dw_at(count * 4),
        workspace(wgrad.workspace_bytes() + 4);
    upload(x_at, x.data(), x.size() * 4);
    upload(dy_at, dy.data(), dy.size() * 4);
    check(cudaMemset(dw_at.data, 0xFF, count * 4), "poison");
    check(cudaMemset(workspace.data, 0xFF, wgrad.workspace_bytes() + 4), "poison");
    wgrad.run(x_at.as<const float>(), dy_at.as<const float>(), dw_at.as<float>(), workspace.data, nullptr);
    check(cudaDeviceSynchronize(), "make a weight gradient");
    std::vector<float> dw(count);
    check(cudaMemcpy(dw.data(), dw_at.data, count * 4, cudaMemcpyDeviceToHost), "copy");

    for (std::vector<float> *values : {&x, &dy})
        std::transform(values->begin(), values->end(), values->begin(), round_tf32);
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
    // Factors that are cut off instead of rounded would make 7e-4.
    const double distance = std::sqrt(difference / length);
    const bool good = distance < 5e-5;
    std::printf("%s %lld images %lld x %lld, kernel %d, stride %d, %lld -> %lld: %.1e\n",
                good ? "ok  " : "FAIL", static_cast<long long>(p.n), static_cast<long long>(p.h),
                static_cast<long long>(p.w), p.kernel, p.stride, static_cast<long long>(p.c),
                static_cast<long long>(p.k), distance);
    std::fflush(stdout);
    return good;
}

int check_all(int multiprocessors)
{
    int failures = 0;
    const auto run = [&](const OwnWgradProblem &p, std::int64_t every) {
        failures += check_one(p, multiprocessors, every) ? 0 : 1;
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
    for (const auto &[c, k] : {std::array<std::int64_t, 2>{64, 256}, {256, 64}, {256, 128}, {128, 768}}) {
        run({1, 1, 8, c, k, 1, 1}, 1);
        run({3, 5, 7, c, k, 1, 1}, 3);
        run({11, 28, 28, c, k, 1, 1}, 7);
    }
    run({40, 37, 37, 256, 64, 1, 1}, 16);
    run({2, 40, 40, 1024, 256, 1, 1}, 64);
    failures += OwnWgrad::fits({8, 7, 7, 96, 64}) || OwnWgrad::fits({8, 7, 7, 64, 96}) ||
                        OwnWgrad::fits({8, 7, 7, 64, 64, 3, 3}) || OwnWgrad::fits({8, 7, 7, 256, 64, 1, 2}) ||
                        OwnWgrad::fits({8, 7, 7, 64, 192, 1, 1})
                    ? 1
                    : 0;
    std::printf("%d failures\n", failures);
    return failures;
}

// The same memory again and again would stay in the cache.
class Copies {
public:
    explicit Copies(const OwnWgradProblem &p)
    {
        const std::size_t pixels = static_cast<std::size_t>(p.n * p.h * p.w);
        const std::size_t x = pixels * static_cast<std::size_t>(p.stride * p.stride * p.c) * 4,
                          dy = pixels * static_cast<std::size_t>(p.k) * 4;
        const std::vector<float> noise = normal(4 << 20, 3); // zeros would draw less power and run too fast
        for (std::size_t i = 0; i < std::max<std::size_t>((std::size_t{300} << 20) / (x + dy), 2); ++i) {
            for (const std::size_t bytes :
                 {x, dy, static_cast<std::size_t>(p.k * p.kernel * p.kernel * p.c) * 4}) {
                const DeviceVector &to = m_memory.emplace_back(bytes);
                for (std::size_t done = 0; done < bytes; done += noise.size() * 4)
                    check(cudaMemcpy(to.as<std::byte>() + done, noise.data(),
                                     std::min(noise.size() * 4, bytes - done), cudaMemcpyHostToDevice),
                          "copy");
            }
        }
    }
    ConvPointers next()
    {
        m_at = (m_at + 3) % m_memory.size();
        ConvPointers at;
        at.x = m_memory[m_at].data;
        at.y = m_memory[m_at + 1].data;
        at.w = m_memory[m_at + 2].data;
        return at;
    }

private:
    std::vector<DeviceVector> m_memory;
    std::size_t m_at = 0;
};

// Milliseconds of one run, the best of five rounds.
template <typename Run>
float time_ms(Run run)
{
    constexpr int kRuns = 10;
    Tuner tuner(nullptr);
    float best = std::numeric_limits<float>::infinity();
    for (int round = 0; round < 2; ++round)
        best = std::min(best, tuner.time_ms([&] {
            for (int i = 0; i < kRuns; ++i)
                run();
            return true;
        }) / kRuns);
    return best;
}

void bench(int multiprocessors)
{
    constexpr std::size_t kLimit = std::size_t{256} << 20;
    const Dnn dnn(nullptr);
    const DeviceVector workspace(kLimit);
    std::array<std::array<float, 2>, 3> sums{}; // 3x3, 3x3 with a stride, 1x1
    for (const auto &[size, c, k, kernel, stride, times] : {std::array<int, 6>{56, 64, 64, 3, 1, 3},
                                                            {28, 128, 128, 3, 1, 3},
                                                            {14, 256, 256, 3, 1, 5},
                                                            {7, 512, 512, 3, 1, 2},
                                                            {28, 128, 128, 3, 2, 1},
                                                            {14, 256, 256, 3, 2, 1},
                                                            {7, 512, 512, 3, 2, 1},
                                                            {56, 256, 64, 1, 1, 2},
                                                            {56, 64, 256, 1, 1, 4},
                                                            {56, 256, 128, 1, 1, 1},
                                                            {28, 128, 512, 1, 1, 4},
                                                            {28, 512, 128, 1, 1, 3},
                                                            {28, 512, 256, 1, 1, 1},
                                                            {14, 256, 1024, 1, 1, 6},
                                                            {14, 1024, 256, 1, 1, 5},
                                                            {14, 1024, 512, 1, 1, 1},
                                                            {7, 512, 2048, 1, 1, 3},
                                                            {7, 2048, 512, 1, 1, 2}}) {
        const OwnWgradProblem p{128, size, size, c, k, kernel, stride};
        const ConvProblem as_conv{p.n, p.c,    stride * p.h, stride * p.w, p.k,       p.h,
                                  p.w, kernel, stride,       kernel / 2,   Type::F32, true};
        Copies copies(p);
        const OwnWgrad wgrad(p, multiprocessors);
        const float own = time_ms([&] {
            const ConvPointers at = copies.next();
            wgrad.run(static_cast<float *>(at.x), static_cast<float *>(at.y), static_cast<float *>(at.w),
                      workspace.data, nullptr);
        });
        const ConvPlans plans(dnn, as_conv, ConvPass::WeightGradient, kLimit, 32);
        Tuner tuner(nullptr);
        float library = std::numeric_limits<float>::infinity();
        for (std::size_t i = 0; i < plans.count(); ++i)
            library = std::min(
                library, tuner.time_ms([&] { return plans.run(i, copies.next(), workspace.data); }, library));
        const double flops = 2.0 * static_cast<double>(p.n * p.h * p.w * p.c * p.k * kernel * kernel);
        std::printf(
            "%dx%d, stride %d, %4d -> %4d at %2d, x %d: %.4f ms, %.0f TFLOP/s; cuDNN %.4f ms, %.0f TFLOP/s\n",
            kernel, kernel, stride, c, k, size, times, static_cast<double>(own),
            flops / static_cast<double>(own) * 1e-9, static_cast<double>(library),
            flops / static_cast<double>(library) * 1e-9);
        std::fflush(stdout);
        float *sum = sums[kernel == 1 ? 2U : static_cast<std::size_t>(stride - 1)].data();
        sum[0] += own * static_cast<float>(times);
        sum[1] += library * static_cast<float>(times);
    }
    for (const auto &[own, library] : sums)
        std::printf("all: %.3f ms; cuDNN %.3f ms\n", static_cast<double>(own), static_cast<double>(library));
}

} // namespace

int main(int argc, char **argv)
{
    const bool timing = argc == 2 && std::string_view(argv[1]) == "--bench";
    if (argc > 1 && !timing) {
        std::fprintf(stderr, "own_wgrad_check: unknown argument %s: only --bench is known\n", argv[1]);
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
    if (!OwnWgrad::available(major * 10 + minor)) {
        std::printf("skipped: this device has no wgmma\n");
        return 77;
    }
    if (timing)
        bench(multiprocessors);
    else
        return check_all(multiprocessors) == 0 ? 0 : 1;
    return 0;
}
