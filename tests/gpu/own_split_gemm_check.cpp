// SPDX-License-Identifier: Apache-2.0

// The own fp32 product of bf16 parts against double precision on the device, beside cuBLAS's SGEMM on the
// same numbers: ours may not be further off. In every layout and tile, with sizes that are no multiple of a
// tile, into poisoned memory, twice (the same bits). The small products of own_small_products.h likewise.
// --small: see gpu_main.h. --bench: own_split_gemm_bench.h. Exit status 77: no device here, or none that has
// these products.

#include "cuda/own_small_products.h"
#include "cuda/own_split_gemm.h"
#include "gpu_main.h"
#include "own_split_gemm_bench.h"
#include "own_split_gemm_reference.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace {

using namespace sbtrain::cuda;

constexpr std::int64_t kGap = 4; // numbers between rows of c, which must stay as they are

struct Outcome {
    Floats c;
    bool same = false;  // bits of two runs
    bool clean = false; // nothing written beside c
};

Outcome run_own(const GemmProblem &p, int tile, const Factors &f)
{
    const OwnSplitGemm product(p, tile);
    const DeviceVector a = on_device(f.a);
    const DeviceVector b = on_device(f.b);
    const DeviceVector bias = on_device(f.bias);
    const DeviceVector c(f.start.size() * sizeof(float));
    const DeviceVector workspace(product.workspace_bytes());
    Floats results[2];
    for (Floats &result : results) {
        upload(c, f.start.data(), f.start.size() * sizeof(float));
        check(cudaMemset(workspace.data, 0xFF, product.workspace_bytes()), "poison");
        product.run({a.data, b.data, c.data, bias.data}, workspace.data, nullptr);
        check(cudaDeviceSynchronize(), "multiply");
        result = download<float>(c, f.start.size());
    }
    Outcome outcome;
    outcome.same = std::memcmp(results[0].data(), results[1].data(), results[0].size() * 4) == 0;
    outcome.clean = true;
    for (std::size_t i = 0; i < f.start.size(); ++i)
        outcome.clean =
            outcome.clean && (static_cast<std::int64_t>(i) % p.ldc < p.n || std::isnan(results[0][i]));
    outcome.c = std::move(results[0]);
    return outcome;
}

// Says where a wrong result is: the worst element, and how many of each tile are far off.
void explain(const GemmProblem &p, const Truth &truth, const Outcome &outcome, const Errors &errors)
{
    const auto at = [&](std::size_t i) {
        const auto row = static_cast<std::int64_t>(i) / p.n;
        return static_cast<double>(
            outcome.c[static_cast<std::size_t>(row * p.ldc + static_cast<std::int64_t>(i) % p.n)]);
    };
    const auto row = static_cast<std::int64_t>(errors.where) / p.n;
    std::printf("    worst at (%lld, %lld): %.9g, not %.9g;%s%s", static_cast<long long>(row),
                static_cast<long long>(errors.where) % static_cast<long long>(p.n), at(errors.where),
                truth.c[errors.where], outcome.same ? "" : " differs from run to run",
                outcome.clean ? "" : " writes beside c");
    std::printf(" far off by 64 x 64:");
    int told = 0;
    for (std::int64_t r = 0; r < p.m; r += 64) {
        for (std::int64_t s = 0; s < p.n; s += 64) {
            int count = 0;
            for (std::int64_t i = r; i < std::min(r + 64, p.m); ++i) {
                for (std::int64_t j = s; j < std::min(s + 64, p.n); ++j) {
                    const auto e = static_cast<std::size_t>(i * p.n + j);
                    count += std::abs(at(e) - truth.c[e]) <= 1e-5 * truth.size[e] ? 0 : 1;
                }
            }
            if (count > 0 && ++told <= 12)
                std::printf(" (%lld,%lld) %d", static_cast<long long>(r), static_cast<long long>(s), count);
        }
    }
    std::printf("\n");
}

// Layouts, edges, addition and bias.
bool check_shape(GemmProblem p, int tile, std::mt19937 &random, const Library &library)
{
    p.ldc = p.n + kGap;
    const Factors f = factors_of(p, random, normal, normal);
    const Truth truth = truth_of(p, f, library);
    const Outcome outcome = run_own(p, tile, f);
    const Errors errors = errors_of(p, truth, outcome.c, p.ldc);
    const bool good = errors.worst < 6.0 && outcome.same && outcome.clean;
    std::printf("%s %s tile %d: worst %.2f of 2^-24\n", good ? "ok " : "BAD", name_of(p).c_str(), tile,
                errors.worst);
    if (!good)
        explain(p, truth, outcome, errors);
    return good;
}

// A factor times the unit matrix is that factor, to the last bit.
bool check_identity(bool unit_is_a, bool transpose_a, bool transpose_b, int tile, std::mt19937 &random)
{
    constexpr std::int64_t kSize = 196;
    GemmProblem p = problem_of(kSize, kSize, kSize, transpose_a, transpose_b);
    const Fill wide = [](std::mt19937 &from) {
        return std::ldexp(normal(from), std::uniform_int_distribution<int>(-90, 120)(from));
    };
    Factors f = factors_of(p, random, wide, wide);
    Floats &unit = unit_is_a ? f.a : f.b;
    for (std::size_t i = 0; i < unit.size(); ++i)
        unit[i] = i % (kSize + 1) == 0 ? 1.0F : 0.0F;
    const Floats &other = unit_is_a ? f.b : f.a;
    const bool turned = unit_is_a ? transpose_b : transpose_a;
    const Outcome outcome = run_own(p, tile, f);
    int wrong = 0;
    for (std::int64_t i = 0; i < kSize; ++i) {
        for (std::int64_t j = 0; j < kSize; ++j) {
            const float want = other[static_cast<std::size_t>(turned ? j * kSize + i : i * kSize + j)];
            const float got = outcome.c[static_cast<std::size_t>(i * kSize + j)];
            if (got != want && ++wrong <= 4)
                std::printf("    (%lld, %lld): %.9g, not %.9g\n", static_cast<long long>(i),
                            static_cast<long long>(j), static_cast<double>(got), static_cast<double>(want));
        }
    }
    if (wrong > 0)
        std::printf("BAD unit matrix as %c, %c%c tile %d: %d elements differ\n", unit_is_a ? 'a' : 'b',
                    transpose_a ? 'T' : 'N', transpose_b ? 'T' : 'N', tile, wrong);
    return wrong == 0;
}

struct Data {
    const char *what;
    Fill a, b;
    double allowed = 1.0; // our error over SGEMM's
};

// The claim: not further from the truth than SGEMM, for any numbers and any length of sum, but for what
// check_all() says. cuBLAS adds up as many as k numbers one after the other in some of these sizes and in
// others divides k among blocks.
bool check_accuracy(const Data &data, std::int64_t k, std::mt19937 &random, const Library &library)
{
    const GemmProblem p =
        k > 8192 ? problem_of(256, 384, k, false, true) : problem_of(2048, 1536, k, false, true);
    const Factors f = factors_of(p, random, data.a, data.b);
    const Truth truth = truth_of(p, f, library);
    const Errors theirs = errors_of(p, truth, library.multiply(p, f.a, f.b), p.n);
    const Outcome outcome = run_own(p, 0, f);
    const Errors ours = errors_of(p, truth, outcome.c, p.n);
    const bool good = ours.rms <= data.allowed * theirs.rms && outcome.same;
    std::printf("%s %-9s k %5lld, 2^-24 of sum |ab|: rms %.4f (SGEMM %.4f), mean %+.4f (%+.4f), worst %.3f "
                "(%.3f)\n",
                good ? "ok " : "BAD", data.what, static_cast<long long>(k), ours.rms, theirs.rms, ours.mean,
                theirs.mean, ours.worst, theirs.worst);
    if (ours.worst > 100.0)
        explain(p, truth, outcome, ours);
    return good;
}

// A row of a with an infinity and one with nan: nan there, everything else as it should be.
bool check_not_finite(int tile, std::mt19937 &random, const Library &library)
{
    const GemmProblem p = problem_of(132, 132, 132, false, true);
    Factors f = factors_of(p, random, normal, normal);
    const Truth truth = truth_of(p, f, library);
    f.a[static_cast<std::size_t>(5 * p.k + 7)] = std::numeric_limits<float>::infinity();
    f.a[static_cast<std::size_t>(70 * p.k + 100)] = std::numeric_limits<float>::quiet_NaN();
    const Outcome outcome = run_own(p, tile, f);
    bool good = true;
    for (std::size_t i = 0; i < outcome.c.size(); ++i) {
        const auto row = static_cast<std::int64_t>(i) / p.n;
        if (row == 5 || row == 70)
            good = good && std::isnan(outcome.c[i]);
        else
            good = good && std::abs(static_cast<double>(outcome.c[i]) - truth.c[i]) < 1e-4;
    }
    std::printf("%s not finite, tile %d\n", good ? "ok " : "BAD", tile);
    return good;
}

// Heads as attention has them.
bool check_small(std::int64_t n, std::int64_t k, bool transpose_a, bool transpose_b, std::mt19937 &random,
                 const Library &library)
{
    constexpr std::size_t kCount = 5;
    const GemmProblem p = problem_of(116, n, k, transpose_a, transpose_b);
    std::vector<Factors> heads;
    std::vector<DeviceVector> memory;
    std::vector<void *> list(3 * kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
        heads.push_back(factors_of(p, random, normal, normal));
        const Factors &f = heads.back();
        std::size_t which = i;
        for (const Floats *values : {&f.a, &f.b, &f.start}) {
            memory.push_back(on_device(*values));
            list[which] = memory.back().data;
            which += kCount;
        }
    }
    const DeviceVector addresses = on_device(list);
    auto **first = addresses.as<void *>();
    const SmallProducts small{transpose_a,    transpose_b,        p.m,   p.n, p.k, p.lda, p.ldb, p.ldc, first,
                              first + kCount, first + 2 * kCount, kCount};
    if (!own_small_products_fit(small))
        return false;
    multiply_small(small, nullptr);
    check(cudaDeviceSynchronize(), "multiply heads");
    double worst = 0.0;
    for (std::size_t i = 0; i < kCount; ++i) {
        const Floats c = download<float>(memory[3 * i + 2], heads[i].start.size());
        worst = std::max(worst, errors_of(p, truth_of(p, heads[i], library), c, p.ldc).worst);
    }
    const bool good = worst < 16.0;
    std::printf("%s heads %s: worst %.2f of 2^-24\n", good ? "ok " : "BAD", name_of(p).c_str(), worst);
    return good;
}

void check_all(Cases &cases)
{
    std::mt19937 random(7);
    const Library library;
    const auto test = [&](bool little, const GemmProblem &p, int tile) {
        cases.run(little, [&] { return check_shape(p, tile, random, library); });
    };
    for (int tile = 0; tile < OwnSplitGemm::kTiles; ++tile) {
        for (const auto &[ta, tb] : {std::pair{false, true}, {false, false}, {true, false}, {true, true}}) {
            for (const bool unit_is_a : {false, true})
                cases.run(true, [&] { return check_identity(unit_is_a, ta, tb, tile, random); });
            GemmProblem p = problem_of(300, 212, 1044, ta, tb);
            p.accumulate = tb;
            test(true, p, tile);
            p = problem_of(516, 260, 12, ta, tb); // less to do than there are blocks
            p.bias = true;
            test(true, p, tile);
            p = problem_of(4100, 1028, 72, ta, tb); // whole tiles, then shares
            p.accumulate = ta;
            p.bias = ta;
            test(!ta && tb, p, tile);
        }
        cases.run(true, [&] { return check_not_finite(tile, random, library); });
    }
    const auto times = [](const Fill &fill, float factor) {
        return [fill, factor](std::mt19937 &from) { return fill(from) * factor; };
    };
    const Fill positive = [](std::mt19937 &from) { return std::abs(normal(from)); };
    const Fill spread = [](std::mt19937 &from) {
        return std::ldexp(normal(from), std::uniform_int_distribution<int>(-30, 30)(from));
    };
    // Two cases in which SGEMM may be better. Sums of one sign lose 0.9 of 2^-24, as the tensor cores cut
    // off, and grow by one rounding for every 32 of k: where SGEMM divides k into short sums it is ahead
    // (measured: 2.1 and 1.7 at k = 3072; where it does not, 1.4 and 6.3 at 768). And where one product
    // outweighs all others, it is cut off once or twice instead of rounded (1.13 and 0.91 at 64).
    constexpr double kCutOff = 1.4;
    const Data kinds[] = {{"normal", normal, normal},
                          {"positive", positive, positive, kCutOff},
                          {"spread", spread, spread, kCutOff},
                          {"scaled", times(normal, 1e-30F), times(normal, 1e30F)},
                          {"small", times(normal, 1e-30F), normal}};
    for (const Data &data : kinds) {
        for (const std::int64_t k : {64, 256, 768, 3072, 16384})
            cases.run(false, [&] { return check_accuracy(data, k, random, library); });
    }
    for (const auto &[ta, tb] : {std::pair{false, true}, {false, false}, {true, false}}) {
        cases.run(true, [&] { return check_small(116, 64, ta, tb, random, library); });
        cases.run(true, [&] { return check_small(64, 112, ta, tb, random, library); });
    }
}

} // namespace

int main(int argc, char **argv)
{
    std::setvbuf(stdout, nullptr, _IOLBF, 0); // what was found before a kernel that does not end
    if (!device_here())
        return kSkipped;
    try {
        if (!OwnSplitGemm::available()) {
            std::printf("skipped: products of bf16 parts need a device of compute capability 9.0\n");
            return 77;
        }
        if (given(argc, argv, "--bench")) {
            bench_own_split_gemm();
            return 0;
        }
        Cases cases(given(argc, argv, "--small"));
        check_all(cases);
        return cases.finish();
    } catch (const CudaError &error) {
        std::fprintf(stderr, "own_split_gemm_check: %s\n", error.what());
        return 1;
    }
}
