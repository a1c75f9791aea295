// SPDX-License-Identifier: Apache-2.0
#include "own_wgrad_bench.h"

#include "cuda/check.h"
#include "cuda/dnn.h"
#include "cuda/own_wgrad.h"
#include "cuda/tuner.h"
#include "device_vector.h"
#include "noise.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <vector>

namespace {

using namespace sbtrain::cuda;

constexpr std::size_t kWorkspace = std::size_t{256} << 20;

ConvProblem as_convolution(const OwnWgradProblem &p)
{
    ConvProblem conv{p.n, p.c, p.h * p.stride, p.w * p.stride, p.k,
                     p.h, p.w, p.kernel,       p.stride,       p.kernel / 2};
    if (p.kernel == 4) {
        conv.h = p.h + 3;
        conv.w = p.w + 3;
        conv.pad = 0;
    }
    conv.type = p.type;
    return conv;
}

// Copies of the tensors that together do not fit the cache.
class Copies {
public:
    explicit Copies(const ConvProblem &p)
    {
        const auto bytes = [&](std::int64_t count) {
            return static_cast<std::size_t>(count) * size_of(p.type);
        };
        const std::size_t x = bytes(p.n * p.h * p.w * p.c), dy = bytes(p.n * p.p * p.q * p.k),
                          dw = bytes(p.k * p.kernel * p.kernel * p.c);
        const Noise noise(p.type);
        for (std::size_t i = 0; i < std::max<std::size_t>((std::size_t{300} << 20) / (x + dy), 2); ++i) {
            for (const std::size_t size : {x, dy, dw}) {
                const DeviceVector &to = m_memory.emplace_back(size);
                noise.fill(to.as<std::byte>(), size, 0);
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

// Milliseconds of one of several runs in a row.
float time_own(const OwnWgradProblem &p, Copies &copies, const DeviceVector &workspace, int multiprocessors)
{
    constexpr int kRuns = 10;
    const OwnWgrad wgrad(p, multiprocessors);
    Tuner tuner(nullptr);
    const auto runs = [&] {
        for (int i = 0; i < kRuns; ++i) {
            const ConvPointers at = copies.next();
            wgrad.run(at.x, at.y, at.w, workspace.data, nullptr);
        }
        return true;
    };
    return std::min(tuner.time_ms(runs), tuner.time_ms(runs)) / kRuns;
}

float time_library(const ConvProblem &p, Copies &copies, const DeviceVector &workspace, const Dnn &dnn)
{
    const ConvPlans plans(dnn, p, ConvPass::WeightGradient, kWorkspace, 32);
    Tuner tuner(nullptr);
    float best = std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < plans.count(); ++i) {
        const auto run = [&] { return plans.run(i, copies.next(), workspace.data); };
        best = std::min(best, tuner.time_ms(run, best));
    }
    return best;
}

struct Layer {
    int size;
    std::int64_t c, k;
    int kernel, stride, times;
    Type type = Type::F32;
};

constexpr std::array<Layer, 24> kLayers{{{56, 64, 64, 3, 1, 3},
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
                                         {7, 2048, 512, 1, 1, 2},
                                         {112, 16, 64, 4, 1, 1},
                                         {112, 16, 64, 4, 1, 1, Type::BF16},
                                         {56, 64, 64, 3, 1, 3, Type::BF16},
                                         {28, 128, 128, 3, 1, 3, Type::BF16},
                                         {14, 256, 256, 3, 1, 5, Type::BF16},
                                         {7, 512, 512, 3, 1, 2, Type::BF16}}};

} // namespace

void bench_own_wgrad(int multiprocessors)
{
    const Dnn dnn(nullptr);
    const DeviceVector workspace(kWorkspace);
    std::array<std::array<std::array<double, 2>, 5>, 2> sums{}; // by type and kernel
    for (const Layer &layer : kLayers) {
        const OwnWgradProblem p{layer.type == Type::F32 ? 128 : 256,
                                layer.size,
                                layer.size,
                                layer.c,
                                layer.k,
                                layer.kernel,
                                layer.stride,
                                layer.type};
        const ConvProblem conv = as_convolution(p);
        Copies copies(conv);
        const double own = static_cast<double>(time_own(p, copies, workspace, multiprocessors)),
                     library = static_cast<double>(time_library(conv, copies, workspace, dnn));
        const double flops = 2e-9 * static_cast<double>(p.n * p.h * p.w * p.c * p.k * p.kernel * p.kernel);
        std::printf(
            "  %s %dx%d, stride %d, %4d -> %4d at %3d, x %d: %.4f ms, %.0f TFLOP/s; cuDNN %.4f ms, %.0f "
            "TFLOP/s\n",
            layer.type == Type::F32 ? "tf32" : "bf16", p.kernel, p.kernel, p.stride, static_cast<int>(p.c),
            static_cast<int>(p.k), layer.size, layer.times, own, flops / own, library, flops / library);
        std::fflush(stdout);
        std::array<double, 2> &sum = sums[p.type == Type::F32 ? 0U : 1U][static_cast<std::size_t>(p.kernel)];
        sum[0] += own * layer.times;
        sum[1] += library * layer.times;
    }
    for (const std::size_t type : {0U, 1U}) {
        for (const std::size_t kernel : {3U, 1U, 4U})
            std::printf("  all %s %zux%zu: %.3f ms; cuDNN %.3f ms\n", type == 0 ? "tf32" : "bf16", kernel,
                        kernel, sums[type][kernel][0], sums[type][kernel][1]);
    }
}
