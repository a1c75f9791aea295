// SPDX-License-Identifier: Apache-2.0

// The own attention, forward and backward, against double precision on the host, with the same dropout.
// Outputs are poisoned. Usage: attention_check [fp32 | 16] [--small | --bench]: only of fp32 or of 16-bit
// matrices; --small: see gpu_main.h; --bench times them instead. Exit status 77: not on this device.

#include "attention_bench.h"
#include "attention_buffers.h"
#include "gpu_main.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace {

using namespace sbtrain;
using namespace sbtrain::cuda;

// The guards hold their poison, and nothing before them does.
bool all_written(const PoisonedVector &output, Type type)
{
    const bool sixteen_bit = type != Type::F32;
    const auto raw = output.download<std::uint8_t>();
    const std::size_t end = raw.size() - kGuard;
    if (std::any_of(raw.begin() + static_cast<std::ptrdiff_t>(end), raw.end(),
                    [](std::uint8_t byte) { return byte != 0xFF; }))
        return false;
    for (std::size_t i = 0; i < end; i += sixteen_bit ? 2 : 4) {
        if (raw[i] == 0xFF && raw[i + 1] == 0xFF &&
            (sixteen_bit || (raw[i + 2] == 0xFF && raw[i + 3] == 0xFF)))
            return false;
    }
    return true;
}

// What a run left, on the host.
struct Results {
    std::vector<float> y, dqkv, stats, dbias;
    std::vector<std::uint32_t> kept;

    Results(Type type, const AttentionBuffers &device)
        : y(AttentionBuffers::values(type, device.y))
        , dqkv(AttentionBuffers::values(type, device.dqkv))
        , stats(device.stats.download<float>())
        , dbias(device.dbias.download<float>())
        , kept(device.kept.download<std::uint32_t>())
    {
    }
};

// Of one matrix, in norm over the heads that are compared.
struct MatrixErrors {
    Distance found;
    Distance rounded; // of the same steps with the same roundings
    double largest = -1.0;
    std::int64_t head = 0, row = 0, column = 0; // of the largest
    double got = 0.0, expected = 0.0;

    void add(double value, double with_roundings, double exact)
    {
        found.add(value, exact);
        rounded.add(with_roundings, exact);
    }
    void note(std::int64_t at_head, std::int64_t at_row, std::int64_t at_column, double value, double exact)
    {
        const double difference = std::abs(value - exact);
        if (difference <= largest || std::isnan(got))
            return;
        largest = difference;
        head = at_head;
        row = at_row;
        column = at_column;
        got = value;
        expected = exact;
    }
    void print(const char *name) const
    {
        std::printf("    %s: furthest at head %lld row %lld column %lld: %g for %g\n", name,
                    static_cast<long long>(head), static_cast<long long>(row), static_cast<long long>(column),
                    got, expected);
    }
};

struct Errors {
    MatrixErrors y, dq, dk, dv;
    double stats = 0.0; // largest difference
    bool mask = true;
    bool zeros = true; // gradients behind a length
};

void compare_head(const AttentionInputs &in, std::int64_t head, const Results &results, Errors &errors)
{
    const OwnAttentionProblem &p = in.problem;
    const HeadReference reference = compute_head(in, head, Rounding::None);
    const HeadReference rounded = compute_head(in, head, Rounding::Kernel);
    const std::int64_t width = p.heads * p.d;
    const std::int64_t sequence = head / p.heads;
    const std::int64_t column = head % p.heads * p.d;
    for (std::int64_t row = 0; row < p.t; ++row) {
        const std::int64_t at = (sequence * p.t + row) * width + column;
        const std::int64_t at3 = (sequence * p.t + row) * 3 * width + column;
        const bool behind = row >= in.lengths[static_cast<std::size_t>(sequence)];
        for (std::int64_t i = 0; i < p.d; ++i) {
            const auto from = static_cast<std::size_t>(row * p.d + i);
            const auto compare = [&](MatrixErrors &of, const std::vector<float> &values, std::int64_t index,
                                     const std::vector<double> &with_roundings,
                                     const std::vector<double> &exact) {
                const auto value = static_cast<double>(values[static_cast<std::size_t>(index)]);
                of.add(value, with_roundings[from], exact[from]);
                of.note(head, row, i, value, exact[from]);
                return value;
            };
            compare(errors.y, results.y, at + i, rounded.y, reference.y);
            compare(errors.dq, results.dqkv, at3 + i, rounded.dq, reference.dq);
            const double dk = compare(errors.dk, results.dqkv, at3 + width + i, rounded.dk, reference.dk);
            const double dv = compare(errors.dv, results.dqkv, at3 + 2 * width + i, rounded.dv, reference.dv);
            errors.zeros = errors.zeros && (!behind || (dk == 0.0 && dv == 0.0));
        }
        const double difference =
            std::abs(static_cast<double>(results.stats[static_cast<std::size_t>(head * p.t + row)]) -
                     rounded.stats[static_cast<std::size_t>(row)]);
        errors.stats = difference <= errors.stats ? errors.stats : difference; // keeps NaN
    }
    if (!in.draw.rate.drops())
        return;
    for (std::int64_t i = 0; i < p.t * 4; ++i)
        errors.mask = errors.mask && results.kept[static_cast<std::size_t>(head * p.t * 4 + i)] ==
                                         reference.kept[static_cast<std::size_t>(i)];
}

// The bias gradient against the sums of the rounded dqkv, as a part of the norm of all of dqkv: the keys'
// sums are 0 but for rounding.
double bias_error(const OwnAttentionProblem &p, const Results &results)
{
    const auto columns = static_cast<std::size_t>(3 * p.heads * p.d);
    std::vector<double> sums(columns);
    double norm = 0.0;
    for (std::size_t i = 0; i < 3 * AttentionBuffers::elements(p); ++i) {
        const auto value = static_cast<double>(results.dqkv[i]);
        sums[i % columns] += value;
        norm += value * value;
    }
    double difference = 0.0;
    for (std::size_t i = 0; i < columns; ++i) {
        const double error = static_cast<double>(results.dbias[i]) - sums[i];
        difference += error * error;
    }
    return std::sqrt(difference / norm);
}

struct Case {
    OwnAttentionProblem problem;
    Precision precision = Precision::Bf16;
    float dropout = 0.0F;
    bool padded = false;
    std::vector<std::int64_t> heads; // compared; all if empty
};

// The same steps with the same roundings, in double otherwise, are as far from the exact ones: 2.2e-3 (y) to
// 2.4e-3 (gradients) in norm in bfloat16 and an eighth of that in fp16, and up to 1.2e-2 (dq, dk) with
// dropout and short sequences, where P (dP - D) cancels while D comes from y rounded: of a single key nothing
// remains. In tf32 they are 2e-4 to 5e-4. A quarter more than that emulation is allowed, for sums in fp32
// that fall on the other side of a rounding. In fp32 nothing is rounded in it; the kernels come to
// 2e-7 (y) and 8e-7 (dq, dk). The bias gradient sums
// what was not rounded yet: 1.7e-3 of dqkv's norm, roundings' deviation in bfloat16, from the sums of rounded
// ones; half more is allowed, and 1e-6 of fp32 matrices. Statistics are fp32 of numbers below 2^5, of
// approximations by the processor (2^-21).
bool as_rounded(const Errors &errors, Precision precision)
{
    const auto within = [precision](const MatrixErrors &of) {
        return of.found.value() < (precision == Precision::Fp32 ? 2e-6 : 1.25 * of.rounded.value());
    };
    return within(errors.y) && within(errors.dq) && within(errors.dk) && within(errors.dv);
}

bool check_one(const Case &test)
{
    const OwnAttentionProblem &p = test.problem;
    const AttentionInputs in = make_inputs(p, test.precision, test.dropout, test.padded);
    const AttentionBuffers device(p);
    device.fill(in);
    device.poison();
    device.run(in);
    const Results results(p.type, device);
    Errors errors;
    if (test.heads.empty()) {
        for (std::int64_t head = 0; head < p.n * p.heads; ++head)
            compare_head(in, head, results, errors);
    }
    for (const std::int64_t head : test.heads)
        compare_head(in, head, results, errors);
    const bool written = all_written(device.y, p.type) && all_written(device.dqkv, p.type) &&
                         all_written(device.stats, Type::F32) && all_written(device.dbias, Type::F32) &&
                         all_written(device.partial, Type::F32);
    const double bias = bias_error(p, results);
    const auto y = device.y.download<std::uint8_t>();
    const auto dqkv = device.dqkv.download<std::uint8_t>();
    const auto dbias = device.dbias.download<std::uint8_t>();
    device.poison();
    device.run(in);
    const bool again = device.y.download<std::uint8_t>() == y &&
                       device.dqkv.download<std::uint8_t>() == dqkv &&
                       device.dbias.download<std::uint8_t>() == dbias;

    const double bias_limit = p.type == Type::BF16 ? 2.5e-3 : p.type == Type::F16 ? 3e-4 : 1e-6;
    const bool good = as_rounded(errors, test.precision) && bias < bias_limit && errors.stats < 1e-4 &&
                      errors.mask && errors.zeros && written && again;
    std::printf(
        "%s %s n %3lld t %3lld heads %2lld%s dropout %.1f: y %.1e dq %.1e dk %.1e dv %.1e bias %.1e stats "
        "%.1e%s%s%s%s\n",
        good ? "ok  " : "FAIL", name_of(test.precision), static_cast<long long>(p.n),
        static_cast<long long>(p.t), static_cast<long long>(p.heads), test.padded ? " padded" : "",
        static_cast<double>(test.dropout), errors.y.found.value(), errors.dq.found.value(),
        errors.dk.found.value(), errors.dv.found.value(), bias, errors.stats,
        errors.mask ? "" : ", another mask", errors.zeros ? "" : ", gradients behind a length",
        written ? "" : ", not all or too much written", again ? "" : ", another result when run again");
    if (!good) {
        errors.y.print("y");
        errors.dq.print("dq");
        errors.dk.print("dk");
        errors.dv.print("dv");
    }
    std::fflush(stdout);
    return good;
}

void check_precision(Cases &cases, Precision precision)
{
    const auto test = [&](std::int64_t n, std::int64_t t, std::int64_t heads, float dropout, bool padded,
                          const std::vector<std::int64_t> &compared = {}) {
        const OwnAttentionProblem problem{n, t, heads, 64, storage_type(precision)};
        cases.run(t < 128, [&] { return check_one({problem, precision, dropout, padded, compared}); });
    };
    for (const float dropout : {0.0F, 0.1F}) {
        for (const std::int64_t t : {128, 48}) {
            for (const bool padded : {false, true})
                test(3, t, 4, dropout, padded);
        }
        test(2, 99, 3, dropout, true);
        test(160, 128, 12, dropout, true, {0, 13, 777, 1919});
    }
}

} // namespace

int main(int argc, char **argv)
{
    if (!device_here())
        return kSkipped;
    try {
        const bool sixteen =
            own_attention_available(device_attribute(cudaDevAttrComputeCapabilityMajor) * 10 +
                                    device_attribute(cudaDevAttrComputeCapabilityMinor)) &&
            !given(argc, argv, "fp32");
        const bool fp32 = own_attention_fp32_available() && !given(argc, argv, "16");
        if (!sixteen && !fp32) {
            std::printf("skipped: not on this device\n");
            return kSkipped;
        }
        if (given(argc, argv, "--bench")) {
            bench_attention(sixteen, fp32);
            return 0;
        }
        Cases cases(given(argc, argv, "--small"));
        if (fp32) {
            check_precision(cases, Precision::Tf32);
            check_precision(cases, Precision::Fp32);
        }
        if (sixteen) {
            check_precision(cases, Precision::Bf16);
            check_precision(cases, Precision::Fp16);
        }
        return cases.finish();
    } catch (const CudaError &error) {
        std::printf("FAIL %s\n", error.what());
        return 1;
    }
}
