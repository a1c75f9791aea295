// SPDX-License-Identifier: Apache-2.0

// The own matrix product and its epilogues against double precision on the host. Rows are not a multiple of a
// tile, the output is poisoned. Exit status 77: not on this device.
//
//   own_gemm_check           checks, with --small the small form
//   own_gemm_check --bench   times the 1x1 convolutions of ResNet-50: tf32 at batch 128, bf16 at batch 256

#include "cuda/check.h"
#include "cuda/own_gemm.h"
#include "device_vector.h"
#include "distance.h"
#include "gpu_main.h"
#include "own_gemm_bench.h"

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

// To the nearest number whose last `bits` bits are zero, to even between two of them. What bfloat16 holds
// has 16 such bits, what tf32 multiplies 13.
float round_bits(float value, int bits)
{
    std::uint32_t raw = 0;
    std::memcpy(&raw, &value, 4);
    raw += (1U << (bits - 1)) - 1 + (raw >> bits & 1);
    raw = raw >> bits << bits;
    std::memcpy(&value, &raw, 4);
    return value;
}

// Large matrices repeat a prime number of values, so that no two rows are the same.
std::vector<float> normal(std::mt19937 &random, std::int64_t count, float scale)
{
    constexpr std::size_t kPeriod = 999983;
    std::normal_distribution<float> distribution(0.0F, scale);
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = i < kPeriod ? distribution(random) : values[i - kPeriod];
    return values;
}

std::vector<float> rounded(std::vector<float> values, int bits)
{
    for (float &value : values)
        value = round_bits(value, bits);
    return values;
}

// As the product wants it; exact where the values are of that type. fp16 holds those of bfloat16 down to
// 6e-5.
std::vector<std::byte> packed(Type type, const std::vector<float> &values)
{
    std::vector<std::byte> raw(values.size() * size_of(type));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const __half ieee = __float2half(values[i]);
        const __nv_bfloat16 brain = __float2bfloat16(values[i]);
        const void *from = type == Type::F32   ? static_cast<const void *>(&values[i])
                           : type == Type::F16 ? static_cast<const void *>(&ieee)
                                               : &brain;
        std::memcpy(raw.data() + i * size_of(type), from, size_of(type));
    }
    return raw;
}

DeviceVector on_device(Type type, const std::vector<float> &values)
{
    const std::vector<std::byte> raw = packed(type, values);
    DeviceVector to(raw.size());
    upload(to, raw.data(), raw.size());
    return to;
}

// What is compared. Of products with many rows: a few rows, and whole columns, one of each 32, which is what
// the kernels hand over at once.
struct Reference {
    std::vector<std::size_t> places; // in c
    std::vector<double> c;           // there
    std::vector<std::size_t> columns;
    std::vector<double> sum1, sum2; // of these columns
};

struct Inputs {
    OwnGemmProblem p;
    std::vector<float> a, b, x, g, scale, shift, mean;
    std::vector<std::uint8_t> bits;
};

// What g, of even pixels of even rows, has for row i.
double even_value(const Inputs &in, std::size_t i, std::size_t j)
{
    const auto width = static_cast<std::size_t>(in.p.width);
    const std::size_t x = i % width, y = i / width;
    if (x % 2 != 0 || y % 2 != 0)
        return 0.0;
    return in.g[(y / 2 * (width / 2) + x / 2) * static_cast<std::size_t>(in.p.n) + j];
}

// The value of c in row i and column j, and what the second sum multiplies it with.
std::array<double, 2> compute_one(const Inputs &in, std::size_t i, std::size_t j)
{
    const auto k = static_cast<std::size_t>(in.p.k);
    double c = 0.0;
    for (std::size_t l = 0; l < k; ++l)
        c += static_cast<double>(in.a[i * k + l]) * in.b[j * k + l];
    const std::size_t at = i * static_cast<std::size_t>(in.p.n) + j;
    const double centred = static_cast<double>(in.x[at]) - in.mean[j];
    switch (in.p.epilogue) {
    case Epilogue::Stats:
        return {c, c};
    case Epilogue::MaskFromX:
        return {in.scale[j] * in.x[at] + in.shift[j] > 0.0F ? c : 0.0, centred};
    case Epilogue::AddMaskBits:
        return {in.bits[at / 8] >> (at % 8) & 1 ? c + in.g[at] : 0.0, centred};
    case Epilogue::AddEvenMaskBits:
        return {in.bits[at / 8] >> (at % 8) & 1 ? c + even_value(in, i, j) : 0.0, centred};
    }
    return {};
}

Reference compute(const Inputs &in)
{
    const auto m = static_cast<std::size_t>(in.p.m);
    const auto n = static_cast<std::size_t>(in.p.n);
    const bool all = m <= 20000;
    Reference r;
    for (std::size_t j = 0; j < n; ++j) {
        const bool column = all || j % 32 == 5;
        double sum1 = 0.0, sum2 = 0.0;
        for (std::size_t i = 0; i < m; ++i) {
            if (!column && i % 199 != 0)
                continue;
            const auto [c, other] = compute_one(in, i, j);
            r.places.push_back(i * n + j);
            r.c.push_back(c);
            sum1 += c;
            sum2 += c * other;
        }
        if (column) {
            r.columns.push_back(j);
            r.sum1.push_back(sum1);
            r.sum2.push_back(sum2);
        }
    }
    return r;
}

std::vector<double> download(Type type, const void *from, std::size_t count)
{
    std::vector<std::byte> raw(count * size_of(type));
    check(cudaMemcpy(raw.data(), from, raw.size(), cudaMemcpyDeviceToHost), "copy");
    std::vector<double> out(count);
    for (std::size_t i = 0; i < count; ++i) {
        if (type == Type::F32) {
            float value = 0.0F;
            std::memcpy(&value, raw.data() + i * 4, 4);
            out[i] = value;
        } else if (type == Type::F16) {
            __half value;
            std::memcpy(&value, raw.data() + i * 2, 2);
            out[i] = __half2float(value);
        } else {
            __nv_bfloat16 value;
            std::memcpy(&value, raw.data() + i * 2, 2);
            out[i] = __bfloat162float(value);
        }
    }
    return out;
}

// Every number of bfloat16, or in tf32: a, b and g of full precision, so that factors which are cut off and
// sums which are rounded show; x, scale and shift such that a x + b is exact and its sign certain.
Inputs make_inputs(const OwnGemmProblem &p)
{
    std::mt19937 random(7);
    const bool single = p.type == Type::F32;
    const auto make = [&](std::int64_t count, float scale, bool full) {
        std::vector<float> values = normal(random, count, scale);
        return full ? values : rounded(std::move(values), 16);
    };
    Inputs in{p,
              make(p.m * p.k, 1.0F, single),
              make(p.n * p.k, 1.0F / std::sqrt(static_cast<float>(p.k)), single),
              make(p.m * p.n, 1.0F, false),
              make(p.m * p.n, 1.0F, single),
              make(p.n, 1.0F, false),
              make(p.n, 0.5F, false),
              make(p.n, 0.5F, false),
              std::vector<std::uint8_t>(static_cast<std::size_t>(p.m * p.n / 8))};
    for (std::uint8_t &byte : in.bits)
        byte = static_cast<std::uint8_t>(random());
    return in;
}

double c_distance(const std::vector<double> &c, const Reference &reference)
{
    std::vector<double> seen;
    seen.reserve(reference.places.size());
    for (const std::size_t place : reference.places)
        seen.push_back(c[place]);
    return distance(seen, reference.c);
}

// Distance of the two column sums, put together from the partial rows, the worse of both.
double sums_distance(const std::vector<double> &partial, std::size_t n, const Reference &reference)
{
    std::vector<double> sum1(reference.columns.size()), sum2(reference.columns.size());
    for (std::size_t row = 0; row < partial.size() / (2 * n); ++row) {
        for (std::size_t i = 0; i < reference.columns.size(); ++i) {
            sum1[i] += partial[row * 2 * n + reference.columns[i]];
            sum2[i] += partial[(row * 2 + 1) * n + reference.columns[i]];
        }
    }
    return std::max(distance(sum1, reference.sum1), distance(sum2, reference.sum2));
}

bool report(const OwnGemmProblem &p, double worst, double sums)
{
    // 16 bit: one rounding of c; sums of rounded numbers. tf32: fp32 sums, the tensor cores' a bit coarser;
    // factors cut off instead of rounded would make 7e-4.
    const bool single = p.type == Type::F32;
    const bool good = worst < (single ? 5e-5 : 5e-3) && sums < (single ? 2e-4 : 2e-2);
    std::printf("%s %s epilogue %d, %lld x %lld x %lld: %.1e, sums %.1e\n", good ? "ok  " : "FAIL",
                single                ? "tf32"
                : p.type == Type::F16 ? "fp16"
                                      : "bf16",
                static_cast<int>(p.epilogue), static_cast<long long>(p.m), static_cast<long long>(p.n),
                static_cast<long long>(p.k), worst, sums);
    std::fflush(stdout);
    return good;
}

// An image of p.windows in place of a, and a made from it.
std::vector<float> image_for(Inputs &in)
{
    const WindowRows &v = in.p.windows;
    std::mt19937 random(9);
    std::vector<float> image = normal(random, v.images * v.h * v.w * 16, 1.0F);
    if (in.p.type != Type::F32)
        image = rounded(std::move(image), 16);
    for (std::int64_t row = 0; row < in.p.m; ++row) {
        const std::int64_t x = row % v.q, y = row / v.q % v.p, n = row / (v.q * v.p);
        for (std::int64_t k = 0; k < 256; ++k) {
            const std::int64_t at = ((n * v.h + y + k / 64) * v.w + x) * 16 + k % 64;
            in.a[static_cast<std::size_t>(row * 256 + k)] = image[static_cast<std::size_t>(at)];
        }
    }
    return image;
}

bool check_one(const OwnGemmProblem &p, int multiprocessors)
{
    Inputs in = make_inputs(p);
    const std::vector<float> left = p.windows.images > 0 ? image_for(in) : in.a;
    const auto count = static_cast<std::size_t>(p.m * p.n);
    const DeviceVector a = on_device(p.type, left), b = on_device(p.type, in.b), x = on_device(p.type, in.x),
                       g = on_device(p.type, in.g), scale = on_device(Type::F32, in.scale),
                       shift = on_device(Type::F32, in.shift), mean = on_device(Type::F32, in.mean),
                       bits(in.bits.size()), c(count * size_of(p.type));
    upload(bits, in.bits.data(), in.bits.size());
    const int rows = OwnGemm::partial_rows(p, multiprocessors);
    const std::size_t partial_count = static_cast<std::size_t>(rows) * 2 * static_cast<std::size_t>(p.n);
    const DeviceVector partial(partial_count * 4);
    check(cudaMemset(c.data, 0xFF, count * size_of(p.type)), "poison");
    check(cudaMemset(partial.data, 0xFF, partial_count * 4), "poison");
    OwnGemmPointers at;
    at.a = a.data;
    at.b = b.data;
    at.c = p.epilogue == Epilogue::AddMaskBits ? g.data : c.data;
    at.x = p.epilogue == Epilogue::Stats ? nullptr : x.data;
    at.g = g.data;
    at.bits = bits.as<const std::uint8_t>();
    at.scale = scale.as<const float>();
    at.shift = shift.as<const float>();
    at.mean = mean.as<const float>();
    at.partial = partial.as<float>();
    const OwnGemm gemm(p, at, multiprocessors);
    gemm.run(nullptr);
    check(cudaDeviceSynchronize(), "multiply");
    if (p.type == Type::F32) {
        in.a = rounded(std::move(in.a), 13);
        in.b = rounded(std::move(in.b), 13);
    }
    const Reference reference = compute(in);
    return report(p, c_distance(download(p.type, at.c, count), reference),
                  sums_distance(download(Type::F32, partial.data, partial_count),
                                static_cast<std::size_t>(p.n), reference));
}

void check_all(Cases &cases, int multiprocessors)
{
    const auto test = [&](const OwnGemmProblem &p) {
        cases.run(p.m * p.n * p.k < 40'000'000, [&] { return check_one(p, multiprocessors); });
    };
    for (const Type type : {Type::BF16, Type::F16, Type::F32}) {
        for (int epilogue = 0; epilogue < 3; ++epilogue) {
            for (const auto &[m, n, k] : {std::array<std::int64_t, 3>{1000, 64, 64},
                                          {777, 256, 64},
                                          {20000, 64, 128},
                                          {1300, 512, 576},
                                          {37, 128, 192},
                                          // Each block walks over many tiles, which takes the rings round
                                          // several times, with products too short to hide a late tile.
                                          {100000, 64, 64},
                                          {150001, 128, 64},
                                          {100000, 256, 64}}) {
                test({m, n, k, type, static_cast<Epilogue>(epilogue)});
            }
        }
    }
    // Rows shorter and longer than a tile, and of ResNet-50's lengths.
    for (const auto &[rows, width, n, k] : {std::array<std::int64_t, 4>{2, 2, 64, 64},
                                            {30, 6, 64, 128},
                                            {28, 14, 1024, 512},
                                            {56, 28, 512, 256},
                                            {224, 56, 256, 128},
                                            {6, 200, 128, 64},
                                            {700, 150, 64, 64},
                                            {1792, 56, 256, 64}}) {
        for (const Type type : {Type::BF16, Type::F16}) {
            OwnGemmProblem even{rows * width, n, k, type, Epilogue::AddEvenMaskBits};
            even.width = width;
            test(even);
        }
    }
    for (const Type type : {Type::BF16, Type::F32}) {
        OwnGemmProblem stem{3 * 24 * 32, 64, 256, type, Epilogue::Stats};
        stem.windows = {3, 27, 35, 24, 32};
        test(stem);
        stem.m = 200 * 8 * 112; // several tiles a block
        stem.windows = {200, 11, 115, 8, 112};
        test(stem);
    }
    for (const auto &[n, k] : {std::array<std::int64_t, 2>{96, 64}, {64, 96}, {16384, 64}}) {
        cases.run(false, [&] {
            const bool fits = OwnGemm::fits({1000, n, k, Type::F32, Epilogue::Stats});
            if (fits)
                std::printf("FAIL %lld columns of %lld are said to fit\n", static_cast<long long>(n),
                            static_cast<long long>(k));
            return !fits;
        });
    }
}

} // namespace

int main(int argc, char **argv)
{
    return hopper_main("own_gemm_check", argc, argv, OwnGemm::available, check_all, [](int multiprocessors) {
        bench_own_gemm(Type::F32, 128, multiprocessors);
        bench_own_gemm(Type::BF16, 256, multiprocessors);
    });
}
