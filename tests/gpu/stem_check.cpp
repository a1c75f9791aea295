// SPDX-License-Identifier: Apache-2.0

// The stem's pool and its gradient against the host, outputs poisoned: y and the winner to the bit, any tap
// that has the largest value; the gradient within rounding. Usage: stem_check [--small], see gpu_main.h,
// where everything is little here. Exit status 77: no device.

#include "cuda/bn_kernels.h"
#include "device_vector.h"
#include "gpu_main.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <random>
#include <vector>

namespace {

using namespace sbtrain;
using namespace sbtrain::cuda;

constexpr std::size_t kGuard = 4096; // behind every output: nothing may be written there

float rounded(float value, Type type)
{
    if (type == Type::F16)
        return __half2float(__float2half_rn(value));
    return type == Type::BF16 ? __bfloat162float(__float2bfloat16_rn(value)) : value;
}

std::vector<std::uint8_t> packed(const std::vector<float> &values, Type type)
{
    std::vector<std::uint8_t> raw(values.size() * size_of(type));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const __half half = __float2half_rn(values[i]);
        const __nv_bfloat16 brain = __float2bfloat16_rn(values[i]);
        const void *from = type == Type::F32   ? static_cast<const void *>(&values[i])
                           : type == Type::F16 ? static_cast<const void *>(&half)
                                               : static_cast<const void *>(&brain);
        std::memcpy(raw.data() + i * size_of(type), from, size_of(type));
    }
    return raw;
}

std::vector<float> unpacked(const std::vector<std::uint8_t> &raw, Type type, std::size_t count)
{
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint8_t *from = raw.data() + i * size_of(type);
        if (type == Type::F32) {
            std::memcpy(&values[i], from, 4);
        } else {
            std::uint16_t bits = 0;
            std::memcpy(&bits, from, 2);
            values[i] = type == Type::F16 ? __half2float(__half(__half_raw{bits}))
                                          : __bfloat162float(__nv_bfloat16(__nv_bfloat16_raw{bits}));
        }
    }
    return values;
}

DeviceVector on_device(const void *from, std::size_t bytes)
{
    DeviceVector memory(bytes);
    upload(memory, from, bytes);
    return memory;
}

DeviceVector poisoned(std::size_t bytes)
{
    DeviceVector memory(bytes + kGuard);
    check(cudaMemset(memory.data, 0xFF, bytes + kGuard), "poison");
    return memory;
}

// Empty if something was written behind the end.
std::vector<std::uint8_t> result(const DeviceVector &memory, std::size_t bytes)
{
    std::vector<std::uint8_t> raw(bytes + kGuard);
    check(cudaMemcpy(raw.data(), memory.data, raw.size(), cudaMemcpyDeviceToHost), "copy");
    for (std::size_t i = bytes; i < raw.size(); ++i) {
        if (raw[i] != 0xFF)
            return {};
    }
    raw.resize(bytes);
    return raw;
}

std::uint32_t hash_of(const std::vector<std::uint8_t> &raw)
{
    std::uint32_t hash = 2166136261U;
    for (const std::uint8_t byte : raw)
        hash = (hash ^ byte) * 16777619U;
    return hash;
}

const char *name_of(Type type)
{
    return type == Type::F32 ? "fp32" : type == Type::F16 ? "fp16" : "bf16";
}

struct Image {
    StemShape shape;
    std::size_t c, pixels, groups; // counts of numbers
    std::vector<float> x, dy, a, b, p, q;

    Image(const StemShape &s, std::mt19937 &random)
        : shape(s)
        , c(static_cast<std::size_t>(s.c))
        , pixels(static_cast<std::size_t>(s.n) * static_cast<std::size_t>(s.h * s.w) * c)
        , groups(pixels / 4)
    {
        std::normal_distribution<float> normal;
        const auto fill = [&](std::vector<float> &to, std::size_t count, Type type) {
            to.resize(count);
            for (float &value : to)
                value = rounded(normal(random), type);
        };
        fill(x, pixels, s.type);
        fill(dy, groups, s.type);
        for (auto *vector : {&a, &b, &p, &q})
            fill(*vector, c, Type::F32);
    }
    std::size_t pixel(int n, int h, int w, std::size_t channel) const
    {
        return static_cast<std::size_t>((n * shape.h + h) * shape.w + w) * c + channel;
    }
    std::size_t group(int n, int i, int j, std::size_t channel) const
    {
        return static_cast<std::size_t>((n * shape.h / 2 + i) * shape.w / 2 + j) * c + channel;
    }
};

template <typename Body>
void each_group(const Image &image, Body body)
{
    for (int n = 0; n < image.shape.n; ++n) {
        for (int i = 0; i < image.shape.h / 2; ++i) {
            for (int j = 0; j < image.shape.w / 2; ++j) {
                for (std::size_t channel = 0; channel < image.c; ++channel)
                    body(n, i, j, channel);
            }
        }
    }
}

bool inside(const StemShape &shape, int h, int w)
{
    return h >= 0 && w >= 0 && h < shape.h && w < shape.w;
}

bool check_case(const StemShape &shape, std::mt19937 &random)
{
    const Image image(shape, random);
    const Type type = shape.type;
    const auto vector = [&](const std::vector<float> &from) {
        return on_device(from.data(), from.size() * sizeof(float));
    };
    const auto x_raw = packed(image.x, type);
    const auto dy_raw = packed(image.dy, type);
    const DeviceVector x = on_device(x_raw.data(), x_raw.size());
    const DeviceVector dy = on_device(dy_raw.data(), dy_raw.size());
    const DeviceVector a = vector(image.a);
    const DeviceVector b = vector(image.b);
    const DeviceVector p = vector(image.p);
    const DeviceVector q = vector(image.q);
    const std::size_t bytes = image.groups * size_of(type);
    const DeviceVector y = poisoned(bytes);
    const DeviceVector winner = poisoned(bytes);
    const DeviceVector index = poisoned(image.groups);
    const DeviceVector dx = poisoned(bytes * 4);
    stem_pool_forward(shape,
                      {x.data, a.as<float>(), b.as<float>(), y.data, winner.data, index.as<std::uint8_t>()},
                      nullptr);
    stem_backward_apply(
        shape,
        {x.data, dy.data, index.as<std::uint8_t>(), a.as<float>(), p.as<float>(), q.as<float>(), dx.data},
        nullptr);
    check(cudaDeviceSynchronize(), "run");
    const auto y_out = result(y, bytes);
    const auto winner_out = result(winner, bytes);
    const auto index_out = result(index, image.groups);
    const auto dx_out = result(dx, bytes * 4);
    if (y_out.empty() || winner_out.empty() || index_out.empty() || dx_out.empty()) {
        std::printf("BAD %s: written behind an output\n", name_of(type));
        return false;
    }
    const auto got_y = unpacked(y_out, type, image.groups);
    const auto got_winner = unpacked(winner_out, type, image.groups);
    const auto got_dx = unpacked(dx_out, type, image.pixels);
    std::vector<float> dz(image.pixels, 0.0F);
    int bad_pool = 0;
    each_group(image, [&](int n, int i, int j, std::size_t channel) {
        float most = -1.0F;
        for (int tap = 0; tap < 9; ++tap) {
            const int h = 2 * i - 1 + tap / 3;
            const int w = 2 * j - 1 + tap % 3;
            if (inside(shape, h, w))
                most = std::max(most, std::fma(image.a[channel], image.x[image.pixel(n, h, w, channel)],
                                               image.b[channel]));
        }
        most = std::max(most, 0.0F);
        const std::size_t at = image.group(n, i, j, channel);
        const int h = 2 * i - 1 + index_out[at] / 3;
        const int w = 2 * j - 1 + index_out[at] % 3;
        bool good = got_y[at] == rounded(most, type) && index_out[at] < 9 && inside(shape, h, w);
        if (good) {
            const std::size_t from = image.pixel(n, h, w, channel);
            good = got_winner[at] == image.x[from] &&
                   std::max(std::fma(image.a[channel], image.x[from], image.b[channel]), 0.0F) == most;
            dz[from] += image.dy[at];
        }
        if (!good && ++bad_pool <= 3)
            std::printf("    (%d, %d, %d, %zu): y %g, not %g, winner %g, tap %d\n", n, i, j, channel,
                        static_cast<double>(got_y[at]), static_cast<double>(most),
                        static_cast<double>(got_winner[at]), index_out[at]);
    });
    int bad_dx = 0;
    const float unit = type == Type::F32 ? 1e-6F : type == Type::F16 ? 1e-3F : 8e-3F;
    for (std::size_t i = 0; i < image.pixels; ++i) {
        const std::size_t channel = i % image.c;
        const float first = image.a[channel] * dz[i];
        const float second = image.p[channel] * image.x[i];
        const float want = first + second + image.q[channel];
        const float size = std::abs(first) + std::abs(second) + std::abs(image.q[channel]);
        if (!(std::abs(got_dx[i] - want) <= unit * size) && ++bad_dx <= 3)
            std::printf("    dx at %zu: %g, not %g\n", i, static_cast<double>(got_dx[i]),
                        static_cast<double>(want));
    }
    const bool good = bad_pool == 0 && bad_dx == 0;
    std::printf("%s stem %d x %d x %d x %d %s: %d of the pool wrong, %d of the gradient (y %08x, dx %08x)\n",
                good ? "ok " : "BAD", shape.n, shape.h, shape.w, shape.c, name_of(type), bad_pool, bad_dx,
                hash_of(y_out), hash_of(dx_out));
    return good;
}

} // namespace

int main(int argc, char **argv)
{
    if (!device_here())
        return kSkipped;
    try {
        std::mt19937 random(11);
        Cases cases(given(argc, argv, "--small"));
        for (const Type type : {Type::F32, Type::F16, Type::BF16}) {
            for (const StemShape &shape :
                 {StemShape{3, 12, 76, 64, type}, {2, 2, 2, 8, type}, {1, 30, 18, 256, type}})
                cases.run(true, [&] { return check_case(shape, random); });
        }
        return cases.finish();
    } catch (const CudaError &error) {
        std::fprintf(stderr, "stem_check: %s\n", error.what());
        return 1;
    }
}
