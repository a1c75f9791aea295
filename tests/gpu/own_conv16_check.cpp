// SPDX-License-Identifier: Apache-2.0

// The own 3x3 convolution in 16 bit and its epilogues against double precision on the host, with poisoned
// outputs and images that do not fill a tile. Exit status 77: not on this device.
//
//   own_conv16_check           checks, with --small the small form
//   own_conv16_check --bench   times the layers of ResNet-50 at batch 256 beside cuDNN and the pass

#include "cuda/check.h"
#include "cuda/own_conv16.h"
#include "device_vector.h"
#include "gpu_main.h"
#include "own_conv16_bench.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <map>
#include <random>
#include <vector>

namespace {

using namespace sbtrain::cuda;

// Numbers of a type of 16 bit, as they are stored and in fp32.
struct Tensor {
    std::vector<std::uint16_t> raw;
    std::vector<float> values;
};

std::uint16_t pack(Type type, float value)
{
    return type == Type::F16 ? static_cast<__half_raw>(__float2half(value)).x
                             : static_cast<__nv_bfloat16_raw>(__float2bfloat16(value)).x;
}

float unpack(Type type, std::uint16_t raw)
{
    return type == Type::F16 ? __half2float(__half_raw{raw}) : __bfloat162float(__nv_bfloat16_raw{raw});
}

// Large tensors repeat a prime number of values, so that no two pixels are the same.
Tensor normal(Type type, std::int64_t count, float scale, std::uint32_t seed)
{
    constexpr std::size_t kPeriod = 999983;
    std::mt19937 random(seed);
    std::normal_distribution<float> distribution(0.0F, scale);
    Tensor t{std::vector<std::uint16_t>(static_cast<std::size_t>(count)),
             std::vector<float>(static_cast<std::size_t>(count))};
    for (std::size_t i = 0; i < t.raw.size(); ++i) {
        t.raw[i] = i < kPeriod ? pack(type, distribution(random)) : t.raw[i - kPeriod];
        t.values[i] = i < kPeriod ? unpack(type, t.raw[i]) : t.values[i - kPeriod];
    }
    return t;
}

DeviceVector on_device(const Tensor &t)
{
    DeviceVector to(t.raw.size() * 2);
    upload(to, t.raw.data(), t.raw.size() * 2);
    return to;
}

DeviceVector on_device(const std::vector<float> &values)
{
    DeviceVector to(values.size() * 4);
    upload(to, values.data(), values.size() * 4);
    return to;
}

struct Inputs {
    OwnConv16Problem p;
    Tensor x, w, other; // w as the problem says
    std::vector<float> scale, shift, mean;
};

Inputs make_inputs(const OwnConv16Problem &p)
{
    const std::int64_t pixels = p.n * p.size * p.size;
    const auto vector = [&](float scale, std::uint32_t seed) {
        return normal(Type::BF16, p.k, scale, seed).values;
    };
    return {p,
            normal(p.type, pixels * p.c, 1.0F, 5),
            normal(p.type, p.k * 9 * p.c, 1.0F / std::sqrt(9.0F * static_cast<float>(p.c)), 6),
            normal(p.type, pixels * p.k, 1.0F, 7),
            vector(1.0F, 8),
            vector(0.5F, 9),
            vector(0.5F, 10)};
}

float weight(const Inputs &in, std::int64_t k, std::int64_t tap, std::int64_t c)
{
    const OwnConv16Problem &p = in.p;
    const std::int64_t at = p.turned ? ((8 - tap) * p.k + k) * p.c + c : (k * 9 + tap) * p.c + c;
    return in.w.values[static_cast<std::size_t>(at)];
}

// y of a pixel and a channel.
double compute(const Inputs &in, std::int64_t pixel, std::int64_t k)
{
    const OwnConv16Problem &p = in.p;
    const auto at = static_cast<std::size_t>(pixel * p.k + k), channel = static_cast<std::size_t>(k);
    if (p.epilogue == Epilogue::MaskFromX &&
        !(std::fma(in.scale[channel], in.other.values[at], in.shift[channel]) > 0.0F))
        return 0.0;
    double sum = 0.0;
    const std::int64_t column = pixel % p.size, row = pixel / p.size % p.size;
    for (std::int64_t tap = 0; tap < 9; ++tap) {
        const std::int64_t left = column + tap % 3 - 1, up = row + tap / 3 - 1;
        if (left < 0 || left >= p.size || up < 0 || up >= p.size)
            continue;
        const float *from = in.x.values.data() + (pixel + (tap / 3 - 1) * p.size + tap % 3 - 1) * p.c;
        for (std::int64_t c = 0; c < p.c; ++c)
            sum += static_cast<double>(from[c]) * static_cast<double>(weight(in, k, tap, c));
    }
    return sum;
}

// Where it is wrong, by what tiles, fragments and swizzling go by.
struct Wrong {
    int count = 0;
    std::map<std::int64_t, int> rows, columns, images, channels;

    void add(const OwnConv16Problem &p, std::int64_t pixel, std::int64_t k, double got, double wanted)
    {
        const std::int64_t image = pixel / (p.size * p.size), row = pixel / p.size % p.size,
                           column = pixel % p.size;
        if (count++ < 4)
            std::printf("     image %lld, row %lld, column %lld, channel %lld: %.4f, wanted %.4f\n",
                        static_cast<long long>(image), static_cast<long long>(row),
                        static_cast<long long>(column), static_cast<long long>(k), got, wanted);
        ++images[image % 8];
        ++rows[row];
        ++columns[column];
        ++channels[k % 128 / 8];
    }
    void print() const
    {
        if (count == 0)
            return;
        const auto line = [](const char *what, const std::map<std::int64_t, int> &by) {
            std::printf("     %s:", what);
            for (const auto &[which, times] : by)
                std::printf(" %lld: %d", static_cast<long long>(which), times);
            std::printf("\n");
        };
        std::printf("     %d wrong\n", count);
        line("by image % 8", images);
        line("by row", rows);
        line("by column", columns);
        line("by channel % 128 / 8", channels);
    }
};

// What is compared: every pixel, and of each `every` channels one.
struct Reference {
    std::int64_t every;
    std::vector<double> y;
};

template <typename Use>
void for_each_place(const OwnConv16Problem &p, std::int64_t every, const Use &use)
{
    for (std::int64_t pixel = 0; pixel < p.n * p.size * p.size; ++pixel) {
        for (std::int64_t k = pixel % every; k < p.k; k += every)
            use(pixel, k);
    }
}

Reference compute_all(const Inputs &in, std::int64_t every)
{
    Reference reference{every, {}};
    for_each_place(in.p, every,
                   [&](std::int64_t pixel, std::int64_t k) { reference.y.push_back(compute(in, pixel, k)); });
    return reference;
}

// Distance of y in norm.
double y_distance(const OwnConv16Problem &p, const std::vector<float> &y, const Reference &reference)
{
    double difference = 0.0, length = 0.0;
    std::size_t next = 0;
    Wrong wrong;
    for_each_place(p, reference.every, [&](std::int64_t pixel, std::int64_t k) {
        const double wanted = reference.y[next++], got = y[static_cast<std::size_t>(pixel * p.k + k)];
        difference += (got - wanted) * (got - wanted);
        length += wanted * wanted;
        if (!(std::abs(got - wanted) < 0.05))
            wrong.add(p, pixel, k, got, wanted);
    });
    wrong.print();
    return std::sqrt(difference / length);
}

// Of the sums, to those of y as it was stored: the largest difference, over the root of the sum of squares.
double sums_distance(const Inputs &in, const std::vector<float> &y, const std::vector<float> &partial)
{
    const OwnConv16Problem &p = in.p;
    const auto k = static_cast<std::size_t>(p.k);
    std::vector<double> seen(2 * k), wanted(2 * k), squares(2 * k);
    for (std::size_t i = 0; i < partial.size(); ++i)
        seen[i % (2 * k)] += static_cast<double>(partial[i]);
    for (std::size_t i = 0; i < y.size(); ++i) {
        const double value = y[i];
        const double other = p.epilogue == Epilogue::Stats ? value
                                                           : static_cast<double>(in.other.values[i]) -
                                                                 static_cast<double>(in.mean[i % k]);
        wanted[i % k] += value;
        wanted[k + i % k] += value * other;
        squares[i % k] += value * value;
        squares[k + i % k] += value * other * value * other;
    }
    double worst = 0.0;
    for (std::size_t i = 0; i < 2 * k; ++i) {
        const double distance = std::abs(seen[i] - wanted[i]) / std::sqrt(squares[i]);
        worst = distance <= worst ? worst : distance; // not a number counts
    }
    return worst;
}

// Inputs on the device.
struct OnDevice {
    DeviceVector x, w, other, scale, shift, mean;

    explicit OnDevice(const Inputs &in)
        : x(on_device(in.x))
        , w(on_device(in.w))
        , other(on_device(in.other))
        , scale(on_device(in.scale))
        , shift(on_device(in.shift))
        , mean(on_device(in.mean))
    {
    }
};

bool check_one(const OwnConv16Problem &problem, std::int64_t every, int multiprocessors)
{
    const Inputs in = make_inputs(problem);
    const Reference reference = compute_all(in, every);
    const OnDevice device(in);
    const OwnConv16Problem &p = in.p;
    const std::size_t count = in.other.raw.size();
    const int rows = OwnConv16::partial_rows(p, multiprocessors);
    std::vector<float> partial(static_cast<std::size_t>(rows) * 2 * static_cast<std::size_t>(p.k));
    const DeviceVector y(count * 2), partial_at(partial.size() * 4);
    OwnConv16Pointers at;
    at.x = device.x.data;
    at.w = device.w.data;
    at.y = y.data;
    if (p.epilogue == Epilogue::MaskFromX) {
        at.other = device.other.data;
        at.scale = device.scale.as<const float>();
        at.shift = device.shift.as<const float>();
        at.mean = device.mean.as<const float>();
    }
    at.partial = partial_at.as<float>();
    const OwnConv16 convolution(p, at, multiprocessors);
    std::vector<std::uint16_t> raw(count), again(count);
    for (std::vector<std::uint16_t> *to : {&raw, &again}) { // both the same in every bit
        check(cudaMemset(y.data, 0xFF, count * 2), "poison");
        check(cudaMemset(partial_at.data, 0xFF, partial.size() * 4), "poison");
        convolution.run(nullptr);
        check(cudaDeviceSynchronize(), "convolve");
        check(cudaMemcpy(to->data(), y.data, count * 2, cudaMemcpyDeviceToHost), "copy");
    }
    check(cudaMemcpy(partial.data(), partial_at.data, partial.size() * 4, cudaMemcpyDeviceToHost), "copy");
    std::vector<float> values(count);
    std::transform(raw.begin(), raw.end(), values.begin(),
                   [&](std::uint16_t value) { return unpack(p.type, value); });
    const double distance = y_distance(p, values, reference), sums = sums_distance(in, values, partial);
    // One rounding: 1.7e-3 of bf16, 2e-4 of fp16. A sum without one of its numbers would be off by 4e-3.
    const bool good = distance < (p.type == Type::F16 ? 6e-4 : 5e-3) && sums < 5e-4 && raw == again;
    std::printf("%s %s %s, %lld images of %lld, %lld -> %lld: %.1e, sums %.1e%s\n", good ? "ok  " : "FAIL",
                p.type == Type::F16 ? "fp16" : "bf16", p.epilogue == Epilogue::Stats ? "stats" : "mask ",
                static_cast<long long>(p.n), static_cast<long long>(p.size), static_cast<long long>(p.c),
                static_cast<long long>(p.k), distance, sums, raw == again ? "" : ", not the same again");
    std::fflush(stdout);
    return good;
}

struct Shape {
    std::int64_t n, size, c, k, every;
};

void check_all(Cases &cases, int multiprocessors)
{
    for (const Shape &s : {Shape{1, 56, 64, 64, 16},
                           {1, 28, 64, 128, 16},
                           {1, 14, 64, 128, 16},
                           {5, 7, 64, 128, 16},
                           // More tiles than multiprocessors, not evenly shared.
                           {25, 56, 64, 128, 64},
                           {79, 28, 128, 128, 128},
                           {141, 14, 192, 256, 256},
                           {269, 7, 256, 512, 512}}) {
        for (const Type type : {Type::BF16, Type::F16}) {
            for (const bool gradient : {false, true}) {
                const OwnConv16Problem p{
                    s.n, s.size, s.c, s.k, type, gradient ? Epilogue::MaskFromX : Epilogue::Stats, gradient};
                cases.run(s.n <= 5, [&] { return check_one(p, s.every, multiprocessors); });
            }
        }
    }
    cases.run(false, [] {
        return !OwnConv16::fits({8, 8, 64, 128}) && !OwnConv16::fits({8, 14, 64, 64}) &&
               !OwnConv16::fits({8, 56, 128, 64}) && !OwnConv16::fits({8, 14, 64, 128, Type::F32});
    });
}

void bench(int multiprocessors)
{
    for (const int size : {56, 28, 14, 7}) {
        for (const Epilogue epilogue : {Epilogue::Stats, Epilogue::MaskFromX}) {
            for (const Type type : {Type::F16, Type::BF16})
                bench_own_conv16(type, epilogue, size, multiprocessors);
        }
    }
}

} // namespace

int main(int argc, char **argv)
{
    return hopper_main("own_conv16_check", argc, argv, OwnConv16::available, check_all, bench);
}
