// SPDX-License-Identifier: Apache-2.0
#include "own_gemm_bench.h"

#include "device_vector.h"
#include "noise.h"
#include "timing.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

namespace {

using namespace sbtrain::cuda;

// A 1x1 convolution of ResNet-50, or its stem over blocks of pixels, and how many there are.
struct Layer {
    int size, n, k, times;
    Epilogue epilogue;
};

constexpr int kStemSize = 112;
constexpr std::array<Layer, 27> kLayers{{
    {kStemSize, 64, 256, 1, Epilogue::Stats},
    {56, 64, 64, 1, Epilogue::Stats},
    {56, 64, 256, 2, Epilogue::Stats},
    {56, 256, 64, 4, Epilogue::Stats},
    {56, 128, 256, 1, Epilogue::Stats},
    {28, 512, 128, 4, Epilogue::Stats},
    {28, 128, 512, 3, Epilogue::Stats},
    {28, 256, 512, 1, Epilogue::Stats},
    {14, 1024, 256, 6, Epilogue::Stats},
    {14, 256, 1024, 5, Epilogue::Stats},
    {14, 512, 1024, 1, Epilogue::Stats},
    {7, 2048, 512, 3, Epilogue::Stats},
    {7, 512, 2048, 2, Epilogue::Stats},
    {56, 64, 256, 3, Epilogue::MaskFromX},
    {28, 128, 512, 4, Epilogue::MaskFromX},
    {14, 256, 1024, 6, Epilogue::MaskFromX},
    {7, 512, 2048, 3, Epilogue::MaskFromX},
    {56, 256, 64, 2, Epilogue::AddMaskBits},
    {56, 256, 128, 1, Epilogue::AddMaskBits},
    {28, 512, 128, 3, Epilogue::AddMaskBits},
    {28, 512, 256, 1, Epilogue::AddMaskBits},
    {14, 1024, 256, 5, Epilogue::AddMaskBits},
    {14, 1024, 512, 1, Epilogue::AddMaskBits},
    {7, 2048, 512, 2, Epilogue::AddMaskBits},
    {56, 256, 128, 1, Epilogue::AddEvenMaskBits},
    {28, 512, 256, 1, Epilogue::AddEvenMaskBits},
    {14, 1024, 512, 1, Epilogue::AddEvenMaskBits},
}};

std::int64_t left_count(const OwnGemmProblem &p)
{
    return p.windows.images > 0 ? p.windows.images * p.windows.h * p.windows.w * 16 : p.m * p.k;
}

// Bytes that must cross to and from memory.
double bytes_of(const OwnGemmProblem &p)
{
    const auto size = static_cast<double>(size_of(p.type));
    const double factors = static_cast<double>(left_count(p) + p.n * p.k) * size;
    const auto c = static_cast<double>(p.m * p.n);
    switch (p.epilogue) {
    case Epilogue::Stats:
        return factors + c * size;
    case Epilogue::MaskFromX:
        return factors + 2 * c * size;
    case Epilogue::AddMaskBits:
        return factors + 3 * c * size + c / 8;
    case Epilogue::AddEvenMaskBits:
        return factors + 2.25 * c * size + c / 8;
    }
    return 0.0;
}

// Milliseconds of one product, over copies of the matrices that together do not fit the cache.
float time_ms(const OwnGemmProblem &p, const Noise &noise, int multiprocessors)
{
    const std::size_t size = size_of(p.type);
    const auto a = static_cast<std::size_t>(left_count(p)) * size,
               b = static_cast<std::size_t>(p.n * p.k) * size, c = static_cast<std::size_t>(p.m * p.n) * size,
               partial = static_cast<std::size_t>(OwnGemm::partial_rows(p, multiprocessors)) * 2 *
                         static_cast<std::size_t>(p.n) * 4;
    const auto round_up = [](std::size_t bytes) { return (bytes + 1023) / 1024 * 1024; };
    const std::size_t set = round_up(a) + round_up(b) + 3 * round_up(c) + round_up(c / size / 8) +
                            round_up(partial) + 4 * round_up(static_cast<std::size_t>(p.n) * 4);
    std::vector<DeviceVector> memory;
    std::vector<OwnGemm> products;
    for (std::size_t i = 0; i < std::max<std::size_t>((std::size_t{400} << 20) / set, 2); ++i) {
        auto *at = memory.emplace_back(set).as<std::byte>();
        noise.fill(at, set, 0);
        const auto take = [&](std::size_t bytes) { return std::exchange(at, at + round_up(bytes)); };
        OwnGemmPointers pointers;
        pointers.a = take(a);
        pointers.b = take(b);
        pointers.c = take(c);
        pointers.x = p.epilogue == Epilogue::Stats ? nullptr : take(c);
        pointers.g = p.epilogue == Epilogue::AddMaskBits       ? pointers.c
                     : p.epilogue == Epilogue::AddEvenMaskBits ? take(c / 4)
                                                               : nullptr;
        pointers.bits = reinterpret_cast<std::uint8_t *>(take(c / size / 8));
        for (const float **vector : {&pointers.scale, &pointers.shift, &pointers.mean})
            *vector = reinterpret_cast<float *>(take(static_cast<std::size_t>(p.n) * 4));
        pointers.partial = reinterpret_cast<float *>(take(partial));
        products.emplace_back(p, pointers, multiprocessors);
    }
    return best_ms(products.size(), [&](std::size_t i) { products[i].run(nullptr); });
}

} // namespace

void bench_own_gemm(Type type, std::int64_t batch, int multiprocessors)
{
    constexpr std::array<const char *, 4> kNames{"stats", "mask from x", "add, mask bits", "add even, bits"};
    const Noise noise(type);
    std::printf("%s, batch %lld\n", type == Type::F32 ? "tf32" : "bf16", static_cast<long long>(batch));
    std::array<double, 4> total{};
    for (const Layer &layer : kLayers) {
        OwnGemmProblem p{batch * layer.size * layer.size, layer.n, layer.k, type, layer.epilogue};
        p.width = layer.size;
        if (!OwnGemm::fits(p))
            continue;
        if (layer.size == kStemSize)
            p.windows = {batch, kStemSize + 3, kStemSize + 3, kStemSize, kStemSize};
        const double ms = time_ms(p, noise, multiprocessors);
        const double flops = 2.0 * static_cast<double>(p.m * p.n * p.k);
        std::printf("  %-14s %4d -> %4d at %2d, x %d: %.4f ms, %.2f TB/s, %.0f TFLOP/s\n",
                    kNames[static_cast<std::size_t>(layer.epilogue)], layer.k, layer.n, layer.size,
                    layer.times, ms, bytes_of(p) / ms * 1e-9, flops / ms * 1e-9);
        std::fflush(stdout);
        total[static_cast<std::size_t>(layer.epilogue)] += ms * layer.times;
    }
    for (std::size_t i = 0; i < total.size(); ++i)
        std::printf("  all %s: %.3f ms\n", kNames[i], total[i]);
}
