// SPDX-License-Identifier: Apache-2.0

// The own attention, forward and backward, against double precision on the host, with the same dropout.
// Outputs are poisoned. Usage: attention_check [fp32 | 16] [--bench]: only of fp32 or of 16-bit matrices;
// --bench times them as well. Exit status 77: not on this device.

#include "attention_bench.h"
#include "attention_buffers.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>

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

// Errors in norm over the heads that are compared.
struct Errors {
    Distance y, dq, dk, dv;
    Distance rounded_y, rounded_dq, rounded_dk, rounded_dv; // of the same steps with the same roundings
    double stats = 0.0;                                     // largest difference
    bool mask = true;
    bool zeros = true; // gradients behind a length
};

void compare_head(const AttentionInputs &in, std::int64_t head, const AttentionBuffers &device,
                  Errors &errors)
{
    const OwnAttentionProblem &p = in.problem;
    const HeadReference reference = compute_head(in, head, Rounding::None);
    const HeadReference rounded = compute_head(in, head, Rounding::Kernel);
    const std::vector<double> y = AttentionBuffers::values(p.type, device.y);
    const std::vector<double> dqkv = AttentionBuffers::values(p.type, device.dqkv);
    const std::vector<float> stats = device.stats.download<float>();
    const std::int64_t width = p.heads * p.d;
    const std::int64_t sequence = head / p.heads;
    const std::int64_t column = head % p.heads * p.d;
    for (std::int64_t row = 0; row < p.t; ++row) {
        const std::int64_t at = (sequence * p.t + row) * width + column;
        const std::int64_t at3 = (sequence * p.t + row) * 3 * width + column;
        for (std::int64_t i = 0; i < p.d; ++i) {
            const auto from = static_cast<std::size_t>(row * p.d + i);
            const auto value = [](const std::vector<double> &values, std::int64_t index) {
                return values[static_cast<std::size_t>(index)];
            };
            errors.y.add(value(y, at + i), reference.y[from]);
            errors.dq.add(value(dqkv, at3 + i), reference.dq[from]);
            errors.dk.add(value(dqkv, at3 + width + i), reference.dk[from]);
            errors.dv.add(value(dqkv, at3 + 2 * width + i), reference.dv[from]);
            errors.rounded_y.add(rounded.y[from], reference.y[from]);
            errors.rounded_dq.add(rounded.dq[from], reference.dq[from]);
            errors.rounded_dk.add(rounded.dk[from], reference.dk[from]);
            errors.rounded_dv.add(rounded.dv[from], reference.dv[from]);
            if (row >= in.lengths[static_cast<std::size_t>(sequence)])
                errors.zeros = errors.zeros && value(dqkv, at3 + width + i) == 0.0 &&
                               value(dqkv, at3 + 2 * width + i) == 0.0;
        }
        const double difference = std::abs(stats[static_cast<std::size_t>(head * p.t + row)] -
                                           rounded.stats[static_cast<std::size_t>(row)]);
        errors.stats = difference <= errors.stats ? errors.stats : difference; // keeps NaN
    }
    if (!(in.draw.probability > 0.0F))
        return;
    const std::vector<std::uint32_t> kept = device.kept.download<std::uint32_t>();
    for (std::int64_t i = 0; i < p.t * 4; ++i)
        errors.mask = errors.mask && kept[static_cast<std::size_t>(head * p.t * 4 + i)] ==
                                         reference.kept[static_cast<std::size_t>(i)];
}

// The bias gradient against the sums of the rounded dqkv, as a part of the norm of all of dqkv: the keys'
// sums are 0 but for rounding.
double bias_error(const OwnAttentionProblem &p, const AttentionBuffers &device)
{
    const std::vector<double> dqkv = AttentionBuffers::values(p.type, device.dqkv);
    const std::vector<float> dbias = device.dbias.download<float>();
    const auto columns = static_cast<std::size_t>(3 * p.heads * p.d);
    std::vector<double> sums(columns);
    double norm = 0.0;
    for (std::size_t i = 0; i < 3 * AttentionBuffers::elements(p); ++i) {
        const double value = dqkv[i];
        sums[i % columns] += value;
        norm += value * value;
    }
    double difference = 0.0;
    for (std::size_t i = 0; i < columns; ++i)
        difference += (static_cast<double>(dbias[i]) - sums[i]) * (static_cast<double>(dbias[i]) - sums[i]);
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
// that fall on the other side of a rounding. In fp32 nothing is rounded in it; the kernels, run on a
// processor with sums that are cut off, come to 3e-7, with short sequences to 8e-7. The bias gradient sums
// what was not rounded yet: 1.7e-3 of dqkv's norm, roundings' deviation in bfloat16, from the sums of rounded
// ones; half more is allowed, and 1e-6 of fp32 matrices. Statistics are fp32 of numbers below 2^5, of
// approximations by the processor (2^-21).
bool as_rounded(const Errors &errors, Precision precision)
{
    const auto within = [precision](const Distance &found, const Distance &expected) {
        return found.value() < (precision == Precision::Fp32 ? 2e-6 : 1.25 * expected.value());
    };
    return within(errors.y, errors.rounded_y) && within(errors.dq, errors.rounded_dq) &&
           within(errors.dk, errors.rounded_dk) && within(errors.dv, errors.rounded_dv);
}

bool check_one(const Case &test, const OwnAttentionFp32Choice &choice = {})
{
    const OwnAttentionProblem &p = test.problem;
    const AttentionInputs in = make_inputs(p, test.precision, test.dropout, test.padded);
    const AttentionBuffers device(p);
    device.fill(in);
    device.poison();
    device.run(in, choice);
    Errors errors;
    if (test.heads.empty()) {
        for (std::int64_t head = 0; head < p.n * p.heads; ++head)
            compare_head(in, head, device, errors);
    }
    for (const std::int64_t head : test.heads)
        compare_head(in, head, device, errors);
    const bool written = all_written(device.y, p.type) && all_written(device.dqkv, p.type) &&
                         all_written(device.stats, Type::F32) && all_written(device.dbias, Type::F32) &&
                         all_written(device.partial, Type::F32);
    const double bias = bias_error(p, device);
    const auto y = device.y.download<std::uint8_t>();
    const auto dqkv = device.dqkv.download<std::uint8_t>();
    const auto dbias = device.dbias.download<std::uint8_t>();
    device.poison();
    device.run(in, choice);
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
        static_cast<double>(test.dropout), errors.y.value(), errors.dq.value(), errors.dk.value(),
        errors.dv.value(), bias, errors.stats, errors.mask ? "" : ", another mask",
        errors.zeros ? "" : ", gradients behind a length", written ? "" : ", not all or too much written",
        again ? "" : ", another result when run again");
    std::fflush(stdout);
    return good;
}

int check_precision(Precision precision, const OwnAttentionFp32Choice &choice = {})
{
    int failures = 0;
    const auto test = [&](std::int64_t n, std::int64_t t, std::int64_t heads, float dropout, bool padded,
                          const std::vector<std::int64_t> &compared = {}) {
        const OwnAttentionProblem problem{n, t, heads, 64, storage_type(precision)};
        failures += check_one({problem, precision, dropout, padded, compared}, choice) ? 0 : 1;
    };
    for (const float dropout : {0.0F, 0.1F}) {
        for (const std::int64_t t : {128, 48}) {
            for (const bool padded : {false, true})
                test(3, t, 4, dropout, padded);
        }
        test(2, 100, 3, dropout, true);
        test(160, 128, 12, dropout, true, {0, 13, 777, 1919});
    }
    return failures;
}

} // namespace

int main(int argc, char **argv)
{
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const auto given = [&](const char *name) {
        return std::find(arguments.begin(), arguments.end(), name) != arguments.end();
    };
    int major = 0;
    int minor = 0;
    if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0) != cudaSuccess ||
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0) != cudaSuccess) {
        std::printf("skipped: no CUDA device\n");
        return 77;
    }
    try {
        const bool sixteen = own_attention_available(major * 10 + minor) && !given("fp32");
        const bool fp32 = own_attention_fp32_available() && !given("16");
        if (!sixteen && !fp32) {
            std::printf("skipped: not on this device\n");
            return 77;
        }
        int failures = 0;
        if (fp32) {
            failures += check_precision(Precision::Tf32);
            failures += check_precision(Precision::Fp32);
            std::printf("tf32 the other way\n");
            failures += check_precision(Precision::Tf32, {2, 16});
        }
        if (sixteen)
            failures += check_precision(Precision::Bf16) + check_precision(Precision::Fp16);
        std::printf("%d failures\n", failures);
        if (given("--bench"))
            bench_attention(sixteen, fp32);
        return failures == 0 ? 0 : 1;
    } catch (const CudaError &error) {
        std::printf("FAIL %s\n", error.what());
        return 1;
    }
}
