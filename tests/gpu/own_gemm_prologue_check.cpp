// SPDX-License-Identifier: Apache-2.0

// The prologues of the own matrix product against batch norm's passes followed by the plain product, which
// own_gemm_check holds against double precision: every bit must be the same, also of the sums. Exit status
// 77: not on this device.
//
//   own_gemm_prologue_check           checks, with --small the small form
//   own_gemm_prologue_check --bench   times both ways for the blocks of ResNet-50 it fits at batch 256

#include "cuda/bn_kernels.h"
#include "cuda/own_gemm.h"
#include "device_vector.h"
#include "gpu_main.h"
#include "noise.h"
#include "timing.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

using namespace sbtrain::cuda;

// Memory of one product, all in one block. Everything holds noise.
class Buffers {
public:
    Buffers(const OwnGemmProblem &p, const Noise &noise, const Noise &single, int multiprocessors)
        : m_problem(p)
    {
        const std::size_t size = size_of(p.type);
        const auto mk = static_cast<std::size_t>(p.m * p.k) * size,
                   mn = static_cast<std::size_t>(p.m * p.n) * size;
        const auto vector = [&](std::int64_t count) {
            return static_cast<const float *>(add(static_cast<std::size_t>(count) * 4, single));
        };
        m_partial_bytes = static_cast<std::size_t>(OwnGemm::partial_rows(p, multiprocessors)) * 2 *
                          static_cast<std::size_t>(p.n) * 4;
        m_at.sources.x = add(mk, noise);
        m_at.sources.other = add(mk, noise);
        m_at.sources.made = add(mk + guard(), noise);
        if (p.prologue != Prologue::Apply)
            m_at.sources.bits = static_cast<std::uint8_t *>(add(mk / size / 8 + guard(), noise));
        for (const float *&one : m_at.sources.vectors)
            one = vector(p.k);
        m_at.b = add(static_cast<std::size_t>(p.n * p.k) * size, noise);
        m_at.c = add(mn + guard(), noise);
        if (p.epilogue == Epilogue::MaskFromX) {
            m_at.x = add(mn, noise);
            m_at.scale = vector(p.n);
            m_at.shift = vector(p.n);
            m_at.mean = vector(p.n);
        }
        m_at.partial = static_cast<float *>(add(m_partial_bytes, noise));
    }

    const OwnGemmPointers &at() const { return m_at; }
    std::size_t partial_bytes() const { return m_partial_bytes; }
    // Bytes behind a and c that nobody may write.
    std::size_t guard() const
    {
        return 128 * static_cast<std::size_t>(std::max(m_problem.k, m_problem.n)) * 2;
    }

    // The same work as passes.
    OwnGemmPointers plain() const
    {
        OwnGemmPointers plain = m_at;
        plain.a = m_at.sources.made;
        return plain;
    }
    void pass() const
    {
        const OwnGemmSources &s = m_at.sources;
        const BnShape shape{m_problem.m, static_cast<int>(m_problem.k), m_problem.type};
        BnNormalise normalise{s.x, s.other, s.made, s.bits, s.vectors[0], s.vectors[1], true};
        if (m_problem.prologue == Prologue::NormaliseBoth) {
            normalise.residual_a = s.vectors[2];
            normalise.residual_b = s.vectors[3];
        }
        if (m_problem.prologue != Prologue::Apply)
            bn_normalise(shape, normalise, nullptr);
        else
            bn_backward_apply(
                shape, {s.x, s.other, s.made, s.vectors[0], nullptr, s.vectors[1], s.vectors[2], false},
                nullptr);
    }

private:
    void *add(std::size_t bytes, const Noise &noise)
    {
        auto *to = m_memory.emplace_back(bytes).as<std::byte>();
        noise.fill(to, bytes, m_memory.size() * 99991 / 4 * 4 * 16 % kNoiseBytes);
        return to;
    }

    OwnGemmProblem m_problem;
    std::vector<DeviceVector> m_memory;
    OwnGemmPointers m_at;
    std::size_t m_partial_bytes = 0;
};

OwnGemmProblem without_prologue(OwnGemmProblem p)
{
    p.prologue = Prologue::None;
    return p;
}

const char *name_of(const OwnGemmProblem &p)
{
    return p.prologue == Prologue::Normalise ? "normalise" : p.prologue == Prologue::Apply ? "apply" : "both";
}

std::vector<std::byte> take(const void *from, std::size_t bytes)
{
    std::vector<std::byte> to(bytes);
    check(cudaMemcpy(to.data(), from, bytes, cudaMemcpyDeviceToHost), "copy");
    return to;
}

// Elements of `size` bytes in rows of `width`. Says where the first and the last difference are.
bool same(const char *what, const std::vector<std::byte> &got, const std::vector<std::byte> &wanted,
          std::size_t width, std::size_t size)
{
    if (got == wanted)
        return true;
    std::size_t wrong = 0, first = 0, last = 0;
    for (std::size_t i = 0; i < got.size() / size; ++i) {
        if (std::memcmp(got.data() + i * size, wanted.data() + i * size, size) == 0)
            continue;
        if (wrong++ == 0)
            first = i;
        last = i;
    }
    const auto word = [&](const std::vector<std::byte> &from) {
        std::uint32_t value = 0;
        std::memcpy(&value, from.data() + first * size, size);
        return value;
    };
    std::printf("  %s: %zu of %zu differ, first (%zu, %zu): %x for %x, last (%zu, %zu)\n", what, wrong,
                got.size() / size, first / width, first % width, word(got), word(wanted), last / width,
                last % width);
    return false;
}

struct Results {
    std::vector<std::byte> a, bits, c, partial;
};

// With everything that is to be written poisoned first.
template <typename Run>
Results results(const OwnGemmProblem &p, const Buffers &buffers, Run run)
{
    const OwnGemmPointers &at = buffers.at();
    const std::size_t size = size_of(p.type), guard = buffers.guard();
    const std::size_t a = static_cast<std::size_t>(p.m * p.k) * size + guard,
                      c = static_cast<std::size_t>(p.m * p.n) * size + guard,
                      bits = at.sources.bits == nullptr ? 0 : static_cast<std::size_t>(p.m * p.k) / 8 + guard;
    check(cudaMemset(at.sources.made, 0xFF, a), "poison");
    check(cudaMemset(at.c, 0xFF, c), "poison");
    check(cudaMemset(at.partial, 0xFF, buffers.partial_bytes()), "poison");
    if (bits > 0)
        check(cudaMemset(at.sources.bits, 0xFF, bits), "poison");
    run();
    check(cudaDeviceSynchronize(), "multiply");
    return {take(at.sources.made, a), take(at.sources.bits, bits), take(at.c, c),
            take(at.partial, buffers.partial_bytes())};
}

bool check_one(const OwnGemmProblem &p, const Noise &noise, const Noise &single, int multiprocessors)
{
    const Buffers buffers(p, noise, single, multiprocessors);
    const OwnGemm plain(without_prologue(p), buffers.plain(), multiprocessors);
    const OwnGemm fused(p, buffers.at(), multiprocessors);
    const Results wanted = results(p, buffers, [&] {
        buffers.pass();
        plain.run(nullptr);
    });
    bool good = true;
    for (int repeat = 0; repeat < 3 && good; ++repeat) {
        const Results got = results(p, buffers, [&] { fused.run(nullptr); });
        const auto k = static_cast<std::size_t>(p.k), n = static_cast<std::size_t>(p.n);
        good &= same("a", got.a, wanted.a, k, 2);
        good &= same("bits", got.bits, wanted.bits, k / 8, 1);
        good &= same("c", got.c, wanted.c, n, 2);
        good &= same("sums", got.partial, wanted.partial, n, 4);
    }
    std::printf("%s %s %s, %lld x %lld x %lld\n", good ? "ok  " : "FAIL",
                p.type == Type::F16 ? "fp16" : "bf16", name_of(p), static_cast<long long>(p.m),
                static_cast<long long>(p.n), static_cast<long long>(p.k));
    std::fflush(stdout);
    return good;
}

OwnGemmProblem problem(std::int64_t m, std::int64_t n, std::int64_t k, Type type, Prologue prologue)
{
    return {m, n, k, type, prologue == Prologue::Apply ? Epilogue::MaskFromX : Epilogue::Stats, {}, prologue};
}

void check_all(Cases &cases, int multiprocessors)
{
    const Noise single(Type::F32);
    for (const Type type : {Type::BF16, Type::F16}) {
        const Noise noise(type);
        for (const Prologue prologue : {Prologue::Normalise, Prologue::NormaliseBoth, Prologue::Apply}) {
            for (const auto &[m, n, k] : {std::array<std::int64_t, 3>{128, 64, 64},
                                          {1000, 64, 256},
                                          {37, 128, 128},
                                          {1300, 128, 512},
                                          {5001, 64, 2048},
                                          // Many tiles a block take the rings round several times.
                                          {100000, 64, 64},
                                          {150001, 64, 256},
                                          {100001, 128, 128}})
                cases.run(m < 5000, [&] {
                    return check_one(problem(m, n, k, type, prologue), noise, single, multiprocessors);
                });
        }
    }
    for (const OwnGemmProblem &wrong :
         {problem(1000, 64, 64, Type::F32, Prologue::Apply),
          problem(1000, 256, 64, Type::F16, Prologue::Apply),
          OwnGemmProblem{1000, 64, 64, Type::F16, Epilogue::AddMaskBits, {}, Prologue::Normalise}}) {
        cases.run(false, [&] {
            if (OwnGemm::fits(wrong))
                std::printf("FAIL a prologue is said to fit\n");
            return !OwnGemm::fits(wrong);
        });
    }
}

struct Layer {
    int size, k, n;
    float times;
    Prologue prologue;
};

constexpr std::array<Layer, 7> kLayers{{
    {56, 256, 64, 1, Prologue::Normalise},
    {56, 256, 64, 1, Prologue::NormaliseBoth},
    {56, 256, 128, 1, Prologue::Normalise},
    {28, 512, 128, 2, Prologue::Normalise},
    {28, 512, 128, 1, Prologue::NormaliseBoth},
    {56, 256, 64, 3, Prologue::Apply},
    {28, 512, 128, 4, Prologue::Apply},
}};

void bench(Type type, int multiprocessors)
{
    const Noise noise(type), single(Type::F32);
    std::printf("%s, batch 256: pass + product apart, one after the other, fused\n",
                type == Type::F16 ? "fp16" : "bf16");
    double apart = 0.0, together = 0.0, best = 0.0;
    for (const Layer &layer : kLayers) {
        const OwnGemmProblem p =
            problem(256LL * layer.size * layer.size, layer.n, layer.k, type, layer.prologue);
        std::vector<Buffers> sets;
        std::vector<OwnGemm> plain, fused;
        const double mega = static_cast<double>(p.m * (3 * p.k + 2 * p.n)) * 2e-6;
        for (int i = 0; i < std::clamp(static_cast<int>(400 / mega), 2, 4); ++i) {
            const Buffers &made = sets.emplace_back(p, noise, single, multiprocessors);
            plain.emplace_back(without_prologue(p), made.plain(), multiprocessors);
            fused.emplace_back(p, made.at(), multiprocessors);
        }
        const float pass = best_ms(sets.size(), [&](std::size_t i) { sets[i].pass(); });
        const float product = best_ms(sets.size(), [&](std::size_t i) { plain[i].run(nullptr); });
        const float both = best_ms(sets.size(), [&](std::size_t i) {
            sets[i].pass();
            plain[i].run(nullptr);
        });
        const float one = best_ms(sets.size(), [&](std::size_t i) { fused[i].run(nullptr); });
        const double bytes = static_cast<double>(p.m) *
                             (6.0 * static_cast<double>(p.k) +
                              (layer.prologue == Prologue::Apply ? 4.0 : 2.0) * static_cast<double>(p.n) +
                              (layer.prologue == Prologue::Apply ? 0.0 : static_cast<double>(p.k) / 8));
        std::printf("  %-9s %4d -> %3d at %2d, x %.0f: %.4f + %.4f, %.4f, fused %.4f ms, %.2f TB/s, %+.3f\n",
                    name_of(p), layer.k, layer.n, layer.size, layer.times, pass, product, both, one,
                    bytes / one * 1e-9, (one - both) * layer.times);
        std::fflush(stdout);
        apart += both * layer.times;
        together += one * layer.times;
        best += std::min(one, both) * layer.times;
    }
    std::printf("  all: %.3f, fused %.3f, the better of both %.3f ms\n", apart, together, best);
}

} // namespace

int main(int argc, char **argv)
{
    return hopper_main("own_gemm_prologue_check", argc, argv, OwnGemm::available, check_all,
                       [](int multiprocessors) {
                           bench(Type::BF16, multiprocessors);
                           bench(Type::F16, multiprocessors);
                       });
}
