// SPDX-License-Identifier: Apache-2.0
#include "own_conv16_bench.h"

#include "cuda/bn_kernels.h"
#include "cuda/check.h"
#include "cuda/dnn.h"
#include "cuda/tuner.h"
#include "device_vector.h"

#include <algorithm>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <functional>
#include <limits>
#include <random>
#include <vector>

namespace {

using namespace sbtrain::cuda;

constexpr std::size_t kWorkspace = std::size_t{128} << 20;
constexpr std::size_t kNoise = std::size_t{1} << 22; // numbers, which repeat
constexpr std::size_t kSets = 3;                     // of tensors, which the cache does not hold together

// Half of them zeros, as after a ReLU, or none.
std::vector<std::uint16_t> noise(Type type, float scale, bool relu)
{
    std::mt19937 random(3);
    std::normal_distribution<float> normal(0.0F, scale);
    std::vector<std::uint16_t> raw(kNoise);
    for (std::uint16_t &to : raw) {
        const float value = relu ? std::max(normal(random), 0.0F) : normal(random);
        to = type == Type::F16 ? static_cast<__half_raw>(__float2half(value)).x
                               : static_cast<__nv_bfloat16_raw>(__float2bfloat16(value)).x;
    }
    return raw;
}

DeviceVector filled(const std::vector<std::uint16_t> &with, std::int64_t count)
{
    const auto bytes = static_cast<std::size_t>(count) * 2;
    DeviceVector to(bytes);
    for (std::size_t done = 0; done < bytes; done += with.size() * 2)
        check(cudaMemcpy(to.as<std::byte>() + done, with.data(), std::min(with.size() * 2, bytes - done),
                         cudaMemcpyHostToDevice),
              "copy");
    return to;
}

// Milliseconds of one run among many.
float time_runs(const std::function<void(std::size_t set)> &run)
{
    constexpr int kRuns = 12;
    Tuner tuner(nullptr);
    std::size_t set = 0;
    const auto runs = [&] {
        for (int i = 0; i < kRuns; ++i)
            run(set++ % kSets);
        return true;
    };
    return std::min(tuner.time_ms(runs), tuner.time_ms(runs)) / kRuns;
}

class Bench {
public:
    Bench(Type type, Epilogue epilogue, int size, int multiprocessors)
        : m_stats(epilogue == Epilogue::Stats)
        , m_multiprocessors(multiprocessors)
        , m_problem{256, size, 3584 / size, 3584 / size, type, epilogue, epilogue != Epilogue::Stats}
        , m_workspace(kWorkspace)
        , m_vectors(std::size_t{4} * 4096 * 4)
        , m_partial(std::size_t{8} << 20)
    {
        const std::int64_t count = m_problem.n * size * size * m_problem.c;
        const std::vector<std::uint16_t> inner = noise(type, 1.0F, m_stats), outer = noise(type, 1.0F, false);
        for (std::size_t set = 0; set < kSets; ++set) {
            m_x.push_back(filled(inner, count));
            m_y.push_back(filled(outer, count));
            m_other.push_back(filled(outer, count));
        }
        m_w.push_back(filled(noise(type, 0.02F, false), m_problem.k * 9 * m_problem.c));
        const std::vector<float> ones(4096, 1.0F);
        check(cudaMemset(m_vectors.data, 0, std::size_t{4} * 4096 * 4), "clear");
        upload(m_vectors, ones.data(), ones.size() * 4);
    }

    void run()
    {
        std::printf("%s %s %3lld at %2lld:", m_problem.type == Type::F16 ? "fp16" : "bf16",
                    m_stats ? "stats" : "mask ", static_cast<long long>(m_problem.c),
                    static_cast<long long>(m_problem.size));
        library();
        own();
        std::printf("\n");
        std::fflush(stdout);
    }

private:
    void own()
    {
        std::vector<OwnConv16> convolutions;
        for (std::size_t set = 0; set < kSets; ++set) {
            OwnConv16Pointers at;
            at.x = m_x[set].data;
            at.w = m_w[0].data;
            at.y = m_y[set].data;
            at.other = m_stats ? nullptr : m_other[set].data;
            at.scale = m_vectors.as<const float>();
            at.shift = at.mean = at.scale + 4096;
            at.partial = m_partial.as<float>();
            convolutions.emplace_back(m_problem, at, m_multiprocessors);
        }
        const float ms = time_runs([&](std::size_t set) { convolutions[set].run(nullptr); });
        const double flops = 18e-9 * static_cast<double>(m_problem.n * m_problem.size * m_problem.size *
                                                         m_problem.c * m_problem.k);
        std::printf("; own %.4f (%.0f TFLOP/s)", static_cast<double>(ms), flops / static_cast<double>(ms));
    }

    float best_of(ConvPass pass)
    {
        const std::int64_t size = m_problem.size;
        const ConvProblem problem{m_problem.n, m_problem.c, size, size, m_problem.k,   size,
                                  size,        3,           1,    1,    m_problem.type};
        const ConvPlans plans(m_dnn, problem, pass, kWorkspace, 20);
        Tuner tuner(nullptr);
        const auto run = [&](std::size_t plan, std::size_t set) {
            const bool forward = pass != ConvPass::InputGradient;
            ConvPointers at{m_x[set].data, m_w[0].data, m_y[set].data, m_partial.data,
                            m_partial.as<float>() + 4096};
            if (!forward)
                std::swap(at.x, at.y);
            return plans.run(plan, at, m_workspace.data);
        };
        float best = std::numeric_limits<float>::infinity();
        std::size_t chosen = 0;
        for (std::size_t plan = 0; plan < plans.count(); ++plan) {
            const float ms = tuner.time_ms([&] { return run(plan, plan % kSets); }, best);
            if (ms < best) {
                best = ms;
                chosen = plan;
            }
        }
        return plans.count() == 0 ? best : time_runs([&](std::size_t set) { run(chosen, set); });
    }

    void library()
    {
        const BnShape shape{m_problem.n * m_problem.size * m_problem.size, static_cast<int>(m_problem.k),
                            m_problem.type};
        const float convolution = best_of(m_stats ? ConvPass::Forward : ConvPass::InputGradient);
        const float pass = time_runs([&](std::size_t set) {
            if (m_stats) {
                bn_statistics(shape, m_y[set].data, m_partial.as<float>(), nullptr);
                return;
            }
            BnSums sums;
            sums.x = m_other[set].data;
            sums.dy = m_y[set].data;
            sums.a = m_vectors.as<const float>();
            sums.b = sums.mean = sums.a + 4096;
            sums.mask = BnMask::FromX;
            sums.partial = m_partial.as<float>();
            bn_backward_sums(shape, sums, nullptr);
        });
        std::printf(" cuDNN %.4f + pass %.4f", static_cast<double>(convolution), static_cast<double>(pass));
        if (m_stats && m_problem.type == Type::F16)
            std::printf(", or %.4f", static_cast<double>(best_of(ConvPass::ForwardStats)));
    }

    bool m_stats;
    int m_multiprocessors;
    OwnConv16Problem m_problem;
    Dnn m_dnn{nullptr};
    DeviceVector m_workspace, m_vectors, m_partial;
    std::vector<DeviceVector> m_x, m_y, m_other, m_w;
};

} // namespace

void bench_own_conv16(Type type, Epilogue epilogue, int size, int multiprocessors)
{
    Bench(type, epilogue, size, multiprocessors).run();
}
