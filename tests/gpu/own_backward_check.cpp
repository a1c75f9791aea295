// SPDX-License-Identifier: Apache-2.0

// Both gradients of a 1x1 convolution in one kernel against kernels of their own: dx must be the same in
// every bit, sums and the weight gradient are compared with double precision. Exit status 77: not on this
// device.
//
//   own_backward_check           checks, with --small the small form
//   own_backward_check --bench   times both ways for the first blocks of ResNet-50 at batch 256

#include "cuda/bn_kernels.h"
#include "cuda/gemm.h"
#include "cuda/own_backward.h"
#include "device_vector.h"
#include "distance.h"
#include "gpu_main.h"
#include "noise.h"
#include "timing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

using namespace sbtrain::cuda;

constexpr std::int64_t kN = 64, kK = 256;

OwnGemmProblem problem(std::int64_t m, Type type)
{
    return {m, kN, kK, type, Epilogue::MaskFromX, {}, Prologue::Apply};
}

OwnGemmProblem without_prologue(OwnGemmProblem p)
{
    p.prologue = Prologue::None;
    return p;
}

// Memory of one layer. Everything holds noise.
class Buffers {
public:
    Buffers(const OwnGemmProblem &p, const Noise &noise, const Noise &single, int multiprocessors)
        : m_problem(p)
    {
        const auto mk = static_cast<std::size_t>(p.m * kK) * 2, mn = static_cast<std::size_t>(p.m * kN) * 2;
        partial_bytes = static_cast<std::size_t>(OwnGemm::partial_rows(p, multiprocessors)) * 2 * kN * 4;
        at.sources.x = add(mk, noise);
        at.sources.other = add(mk, noise);
        at.sources.made = add(mk, noise);
        for (const float *&one : at.sources.vectors)
            one = static_cast<const float *>(add(kK * 4, single));
        at.a = at.sources.made;
        at.b = add(static_cast<std::size_t>(kN * kK) * 2, noise);
        at.c = add(mn + 128 * kN * 2, noise); // nobody may write behind it
        at.x = add(mn, noise);
        at.scale = static_cast<const float *>(add(kN * 4, single));
        at.shift = static_cast<const float *>(add(kN * 4, single));
        at.mean = static_cast<const float *>(add(kN * 4, single));
        at.partial = static_cast<float *>(add(partial_bytes, noise));
        input = add(mn, noise);
        dw = add(static_cast<std::size_t>(kN * kK) * 2, noise);
        workspace = add(kGemmWorkspace, noise);
        // A mean of dy as large as its deviation would lead the sums out of fp16.
        check(cudaMemset(const_cast<float *>(at.sources.vectors[2]), 0x3C, kK * 4), "set q to 0.0115");
        normalise();
    }

    // x becomes its own ReLU's input. Returns the pointers that say so.
    OwnGemmPointers as_output() const
    {
        const std::vector<float> ones(kN, 1.0F);
        check(cudaMemcpy(const_cast<float *>(at.scale), ones.data(), kN * 4, cudaMemcpyHostToDevice), "copy");
        check(cudaMemset(const_cast<float *>(at.shift), 0, kN * 4), "clear");
        normalise();
        OwnGemmPointers pointers = at;
        pointers.scale = pointers.shift = pointers.mean = nullptr;
        pointers.partial = nullptr;
        return pointers;
    }

    // The convolution's input, as the forward pass makes it.
    void normalise() const
    {
        bn_normalise({m_problem.m, static_cast<int>(kN), m_problem.type},
                     {at.x, nullptr, input, nullptr, at.scale, at.shift, true}, nullptr);
    }
    void apply() const
    {
        const OwnGemmSources &s = at.sources;
        bn_backward_apply({m_problem.m, static_cast<int>(kK), m_problem.type},
                          {s.x, s.other, s.made, s.vectors[0], nullptr, s.vectors[1], s.vectors[2], false},
                          nullptr);
    }

    OwnGemmPointers at; // a: dy
    void *input = nullptr, *dw = nullptr, *workspace = nullptr;
    std::size_t partial_bytes = 0;

private:
    void *add(std::size_t bytes, const Noise &noise)
    {
        auto *to = m_memory.emplace_back(bytes).as<std::byte>();
        noise.fill(to, bytes, m_memory.size() * 99991 / 4 * 4 * 16 % kNoiseBytes);
        return to;
    }

    OwnGemmProblem m_problem;
    std::vector<DeviceVector> m_memory;
};

std::vector<std::byte> take(const void *from, std::size_t bytes)
{
    std::vector<std::byte> to(bytes);
    check(cudaMemcpy(to.data(), from, bytes, cudaMemcpyDeviceToHost), "copy");
    return to;
}

std::vector<float> as_floats(Type type, const std::vector<std::byte> &raw)
{
    std::vector<float> values(raw.size() / 2);
    for (std::size_t i = 0; i < values.size(); ++i) {
        __half half;
        __nv_bfloat16 brain;
        std::memcpy(&half, raw.data() + 2 * i, 2);
        std::memcpy(&brain, raw.data() + 2 * i, 2);
        values[i] = type == Type::F16 ? __half2float(half) : __bfloat162float(brain);
    }
    return values;
}

// Sums of the partial rows.
std::vector<double> column_sums(const std::vector<std::byte> &partial)
{
    std::vector<double> sums(2 * kN);
    for (std::size_t i = 0; i < partial.size() / 4; ++i) {
        float value = 0.0F;
        std::memcpy(&value, partial.data() + 4 * i, 4);
        sums[i % sums.size()] += static_cast<double>(value);
    }
    return sums;
}

// How far dw is from that of double precision, over every seventh of its rows.
double weight_distance(const OwnGemmProblem &p, const Buffers &buffers)
{
    const auto m = static_cast<std::size_t>(p.m);
    const std::vector<float> dy = as_floats(p.type, take(buffers.at.sources.made, m * kK * 2)),
                             x = as_floats(p.type, take(buffers.input, m * kN * 2)),
                             dw = as_floats(p.type, take(buffers.dw, kN * kK * 2));
    std::vector<double> got, wanted;
    for (std::size_t k = 0; k < kK; k += 7) {
        std::array<double, kN> row{};
        for (std::size_t i = 0; i < m; ++i) {
            const auto factor = static_cast<double>(dy[i * kK + k]);
            for (std::size_t n = 0; n < kN; ++n)
                row[n] += factor * static_cast<double>(x[i * kN + n]);
        }
        wanted.insert(wanted.end(), row.begin(), row.end());
        got.insert(got.end(), dw.begin() + static_cast<std::ptrdiff_t>(k * kN),
                   dw.begin() + static_cast<std::ptrdiff_t>((k + 1) * kN));
    }
    return distance(got, wanted);
}

bool check_one(const OwnGemmProblem &p, bool summed, const Noise &noise, const Noise &single,
               int multiprocessors)
{
    const Buffers buffers(p, noise, single, multiprocessors);
    const std::size_t c_bytes = static_cast<std::size_t>(p.m + 128) * kN * 2;
    const OwnGemm plain(without_prologue(p), buffers.at, multiprocessors);
    const OwnBackward own(p, summed ? buffers.at : buffers.as_output(), multiprocessors);
    check(cudaMemset(buffers.at.c, 0xFF, c_bytes), "poison");
    buffers.apply();
    plain.run(nullptr);
    const std::vector<std::byte> c = take(buffers.at.c, c_bytes);
    const std::vector<double> sums = column_sums(take(buffers.at.partial, buffers.partial_bytes));
    const DeviceVector workspace(own.workspace_bytes());
    std::vector<std::byte> first;
    bool good = true;
    double off_sums = 0.0, off_weights = 0.0;
    for (int repeat = 0; repeat < 3; ++repeat) {
        check(cudaMemset(buffers.at.c, 0xFF, c_bytes), "poison");
        check(cudaMemset(buffers.at.partial, 0xFF, buffers.partial_bytes), "poison");
        check(cudaMemset(buffers.dw, 0xFF, kN * kK * 2), "poison");
        check(cudaMemset(workspace.data, 0xFF, own.workspace_bytes()), "poison");
        own.run(buffers.dw, workspace.data, nullptr);
        check(cudaDeviceSynchronize(), "make the gradients");
        const bool same = take(buffers.at.c, c_bytes) == c;
        std::vector<std::byte> dw = take(buffers.dw, kN * kK * 2);
        if (repeat == 0) {
            off_sums =
                !summed ? 0.0 : distance(column_sums(take(buffers.at.partial, buffers.partial_bytes)), sums);
            off_weights = weight_distance(p, buffers);
            first = dw;
        }
        good &= same && dw == first;
    }
    good &= off_sums < 1e-5 && off_weights < (p.type == Type::F16 ? 5e-4 : 4e-3);
    std::printf("%s %s %lld pixels: sums %.1e, weight gradient %.1e\n", good ? "ok  " : "FAIL",
                p.type == Type::F16 ? "fp16" : "bf16", static_cast<long long>(p.m), off_sums, off_weights);
    std::fflush(stdout);
    return good;
}

void check_all(Cases &cases, int multiprocessors)
{
    const Noise single(Type::F32);
    for (const Type type : {Type::BF16, Type::F16}) {
        const Noise noise(type);
        for (const std::int64_t m : {37, 128, 1000, 20000, 150001})
            for (const bool summed : {true, false})
                cases.run(m <= 1000, [&] {
                    return check_one(problem(m, type), summed, noise, single, multiprocessors);
                });
    }
    OwnGemmProblem wider = problem(1000, Type::F16);
    wider.k = 512;
    cases.run(false, [&] {
        return !OwnBackward::fits(wider) && !OwnBackward::fits(without_prologue(problem(1000, Type::F16)));
    });
}

void bench(Type type, int multiprocessors)
{
    const Noise noise(type), single(Type::F32);
    const OwnGemmProblem p = problem(256LL * 56 * 56, type);
    std::vector<Buffers> sets;
    std::vector<OwnGemm> gradient;
    std::vector<OwnBackward> own;
    for (int i = 0; i < 2; ++i) {
        const Buffers &made = sets.emplace_back(p, noise, single, multiprocessors);
        gradient.emplace_back(p, made.at, multiprocessors);
        own.emplace_back(p, made.at, multiprocessors);
    }
    cublasLtHandle_t lt = nullptr;
    check(cublasLtCreate(&lt), "start cuBLASLt");
    {
        Gemm weights({lt}, {true, false, kK, kN, p.m, kK, kN, kN, type, type}, true);
        const auto pointers = [&](std::size_t i) {
            return GemmPointers{sets[i].at.a, sets[i].input, sets[i].dw};
        };
        Tuner tuner(nullptr);
        weights.tune(tuner, pointers(0), sets[0].workspace, nullptr);
        const float apart = best_ms(sets.size(), [&](std::size_t i) {
            gradient[i].run(nullptr);
            weights.run(pointers(i), sets[i].workspace, nullptr);
        });
        const float one =
            best_ms(sets.size(), [&](std::size_t i) { own[i].run(sets[i].dw, sets[i].workspace, nullptr); });
        const double bytes = static_cast<double>(p.m) * 2.0 * static_cast<double>(2 * kK + 2 * kN);
        std::printf("  %s 64 -> 256 at 56: apart %.4f ms, one kernel %.4f ms, %.2f TB/s\n",
                    type == Type::F16 ? "fp16" : "bf16", apart, one, bytes / one * 1e-9);
        std::fflush(stdout);
    }
    check(cublasLtDestroy(lt), "end cuBLASLt");
}

} // namespace

int main(int argc, char **argv)
{
    return hopper_main("own_backward_check", argc, argv, OwnGemm::available, check_all,
                       [](int multiprocessors) {
                           bench(Type::BF16, multiprocessors);
                           bench(Type::F16, multiprocessors);
                       });
}
