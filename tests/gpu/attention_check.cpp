// SPDX-License-Identifier: Apache-2.0

// The own attention, forward and backward, against double precision on the host, with the same dropout.
// Outputs are poisoned. Usage: attention_check [--bench]; --bench times it, and cuDNN's beside it unless this
// was built with SBTRAIN_CHECK_ALONE (which needs nothing but the CUDA runtime). Exit status 77: not on this
// device.

#include "attention_reference.h"
#include "cuda/check.h"
#ifndef SBTRAIN_CHECK_ALONE
#include "cuda/dnn.h"
#endif
#include "cuda/own_attention.h"
#include "timing.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>

namespace {

using namespace sbtrain;
using namespace sbtrain::cuda;

struct DeviceVector {
    void *data = nullptr;
    std::size_t bytes = 0;
    explicit DeviceVector(std::size_t size)
        : bytes(size)
    {
        check(cudaMalloc(&data, size), "allocate");
    }
    ~DeviceVector() { cudaFree(data); }
    DeviceVector(const DeviceVector &) = delete;
    DeviceVector &operator=(const DeviceVector &) = delete;

    void poison() const { check(cudaMemset(data, 0xFF, bytes), "poison"); } // NaN in either type
    template <typename T>
    void upload(const std::vector<T> &from) const
    {
        check(cudaMemcpy(data, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice), "copy");
    }
    template <typename T>
    std::vector<T> download() const
    {
        std::vector<T> to(bytes / sizeof(T));
        check(cudaMemcpy(to.data(), data, bytes, cudaMemcpyDeviceToHost), "copy");
        return to;
    }
    template <typename T>
    T *as() const
    {
        return static_cast<T *>(data);
    }
};

// Behind every output: nothing may be written there.
constexpr std::size_t kGuard = 4096;

struct Buffers {
    DeviceVector qkv, dy, lengths, pass, y, stats, kept, dqkv, dbias, partial;

    explicit Buffers(const OwnAttentionProblem &p)
        : qkv(elements(p) * 3 * 2)
        , dy(elements(p) * 2)
        , lengths(static_cast<std::size_t>(p.n) * 4)
        , pass(8)
        , y(elements(p) * 2 + kGuard)
        , stats(static_cast<std::size_t>(p.n * p.heads * p.t) * 4 + kGuard)
        , kept(static_cast<std::size_t>(own_attention_kept_words(p)) * 4 + kGuard)
        , dqkv(elements(p) * 3 * 2 + kGuard)
        , dbias(static_cast<std::size_t>(3 * p.heads * p.d) * 4 + kGuard)
        , partial(static_cast<std::size_t>(own_attention_partial_floats(p)) * 4 + kGuard)
    {
    }
    static std::size_t elements(const OwnAttentionProblem &p)
    {
        return static_cast<std::size_t>(p.n * p.t * p.heads * p.d);
    }
    void fill(const AttentionInputs &in) const
    {
        qkv.upload(in.qkv);
        dy.upload(in.dy);
        lengths.upload(in.lengths);
        pass.upload(std::vector<std::int64_t>{in.pass});
    }
    void poison() const
    {
        for (const DeviceVector *output : {&y, &stats, &kept, &dqkv, &dbias, &partial})
            output->poison();
    }
    OwnAttentionPointers pointers() const
    {
        OwnAttentionPointers at;
        at.qkv = qkv.data;
        at.y = y.data;
        at.stats = stats.as<float>();
        at.kept = kept.as<std::uint32_t>();
        at.lengths = lengths.as<std::int32_t>();
        at.dy = dy.data;
        at.dqkv = dqkv.data;
        at.partial = partial.as<float>();
        return at;
    }
    DropoutSpec draw(const AttentionInputs &in) const
    {
        DropoutSpec spec = in.draw;
        spec.pass = pass.as<std::int64_t>();
        return spec;
    }
    void backward(const AttentionInputs &in) const
    {
        own_attention_backward(in.problem, draw(in), pointers(), nullptr);
        ColumnSums sums(nullptr);
        const std::int64_t columns = 3 * in.problem.heads * in.problem.d;
        sums.add({partial.as<float>(), static_cast<int>(in.problem.n), columns, columns, dbias.as<float>()});
        sums.flush();
    }
    void run(const AttentionInputs &in) const
    {
        own_attention_forward(in.problem, draw(in), pointers(), nullptr);
        backward(in);
        check(cudaDeviceSynchronize(), "compute attention");
    }
};

// The guards hold their poison, and nothing before them does.
bool all_written(const DeviceVector &output, bool sixteen_bit)
{
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

void compare_head(const AttentionInputs &in, std::int64_t head, const Buffers &device, Errors &errors)
{
    const OwnAttentionProblem &p = in.problem;
    const HeadReference reference = compute_head(in, head, Rounding::None);
    const HeadReference rounded = compute_head(in, head, Rounding::Kernel);
    const std::vector<std::uint16_t> y = device.y.download<std::uint16_t>();
    const std::vector<std::uint16_t> dqkv = device.dqkv.download<std::uint16_t>();
    const std::vector<float> stats = device.stats.download<float>();
    const std::int64_t width = p.heads * p.d;
    const std::int64_t sequence = head / p.heads;
    const std::int64_t column = head % p.heads * p.d;
    for (std::int64_t row = 0; row < p.t; ++row) {
        const std::int64_t at = (sequence * p.t + row) * width + column;
        const std::int64_t at3 = (sequence * p.t + row) * 3 * width + column;
        for (std::int64_t i = 0; i < p.d; ++i) {
            const auto from = static_cast<std::size_t>(row * p.d + i);
            const auto value = [&](const std::vector<std::uint16_t> &raw, std::int64_t index) {
                return to_double(p.type, raw[static_cast<std::size_t>(index)]);
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
                                           reference.stats[static_cast<std::size_t>(row)]);
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
double bias_error(const OwnAttentionProblem &p, const Buffers &device)
{
    const std::vector<std::uint16_t> dqkv = device.dqkv.download<std::uint16_t>();
    const std::vector<float> dbias = device.dbias.download<float>();
    const auto columns = static_cast<std::size_t>(3 * p.heads * p.d);
    std::vector<double> sums(columns);
    double norm = 0.0;
    for (std::size_t i = 0; i < 3 * Buffers::elements(p); ++i) {
        const double value = to_double(p.type, dqkv[i]);
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
    float dropout = 0.0F;
    bool padded = false;
    std::vector<std::int64_t> heads; // compared; all if empty
};

// The same steps with the same roundings, in double otherwise, are as far from the exact ones: 2.2e-3 (y) to
// 2.4e-3 (gradients) in norm in bfloat16 and an eighth of that in fp16, and up to 1.2e-2 (dq, dk) with
// dropout and short sequences, where P (dP - D) cancels while D comes from y rounded: of a single key nothing
// remains. A quarter more than that emulation is allowed, for sums in fp32 that fall on the other side of a
// rounding. The bias gradient sums what was not rounded yet: 1.7e-3 of dqkv's norm, roundings' deviation in
// bfloat16, from the sums of rounded ones; half more is allowed. Statistics are fp32 of numbers below 2^5, of
// approximations by the processor (2^-21).
bool as_rounded(const Errors &errors)
{
    const auto within = [](const Distance &found, const Distance &expected) {
        return found.value() < 1.25 * expected.value();
    };
    return within(errors.y, errors.rounded_y) && within(errors.dq, errors.rounded_dq) &&
           within(errors.dk, errors.rounded_dk) && within(errors.dv, errors.rounded_dv);
}

bool check_one(const Case &test)
{
    const OwnAttentionProblem &p = test.problem;
    const AttentionInputs in = make_inputs(p, test.dropout, test.padded);
    const Buffers device(p);
    device.fill(in);
    device.poison();
    device.run(in);
    Errors errors;
    if (test.heads.empty()) {
        for (std::int64_t head = 0; head < p.n * p.heads; ++head)
            compare_head(in, head, device, errors);
    }
    for (const std::int64_t head : test.heads)
        compare_head(in, head, device, errors);
    const bool written = all_written(device.y, true) && all_written(device.dqkv, true) &&
                         all_written(device.stats, false) && all_written(device.dbias, false) &&
                         all_written(device.partial, false);
    const double bias = bias_error(p, device);
    const auto y = device.y.download<std::uint8_t>();
    const auto dqkv = device.dqkv.download<std::uint8_t>();
    const auto dbias = device.dbias.download<std::uint8_t>();
    device.poison();
    device.run(in);
    const bool again = device.y.download<std::uint8_t>() == y &&
                       device.dqkv.download<std::uint8_t>() == dqkv &&
                       device.dbias.download<std::uint8_t>() == dbias;

    const double unit = p.type == Type::BF16 ? 1.0 : 0.125;
    const bool good = as_rounded(errors) && bias < 2.5e-3 * unit && errors.stats < 1e-4 && errors.mask &&
                      errors.zeros && written && again;
    std::printf(
        "%s %s n %3lld t %3lld heads %2lld%s dropout %.1f: y %.1e dq %.1e dk %.1e dv %.1e bias %.1e stats "
        "%.1e%s%s%s%s\n",
        good ? "ok  " : "FAIL", p.type == Type::BF16 ? "bf16" : "fp16", static_cast<long long>(p.n),
        static_cast<long long>(p.t), static_cast<long long>(p.heads), test.padded ? " padded" : "",
        static_cast<double>(test.dropout), errors.y.value(), errors.dq.value(), errors.dk.value(),
        errors.dv.value(), bias, errors.stats, errors.mask ? "" : ", another mask",
        errors.zeros ? "" : ", gradients behind a length", written ? "" : ", not all or too much written",
        again ? "" : ", another result when run again");
    std::fflush(stdout);
    return good;
}

#ifndef SBTRAIN_CHECK_ALONE
void bench_library(const AttentionProblem &p, const std::vector<std::unique_ptr<Buffers>> &sets, double mb)
{
    const Dnn dnn(nullptr);
    const AttentionPlan plan(dnn, p);
    const DeviceVector workspace(std::max<std::size_t>(plan.workspace_bytes(), 16));
    const DeviceVector numbers(16);
    numbers.upload(std::vector<std::int64_t>{7, 11});
    const DeviceVector query_lengths(static_cast<std::size_t>(p.n) * 4);
    query_lengths.upload(std::vector<std::int32_t>(static_cast<std::size_t>(p.n), static_cast<int>(p.t)));
    const auto pointers = [&](int i) {
        const Buffers &b = *sets[static_cast<std::size_t>(i) % sets.size()];
        AttentionPointers at;
        at.qkv = b.qkv.data;
        at.y = b.y.data;
        at.stats = b.stats.data;
        at.query_lengths = query_lengths.data;
        at.lengths = b.lengths.data;
        at.seed = numbers.data;
        at.offset = numbers.as<std::int64_t>() + 1;
        return at;
    };
    time_it("cuDNN forward", mb, [&](int i) { plan.forward(pointers(i), workspace.data); });
    time_it("cuDNN backward", 2 * mb, [&](int i) {
        AttentionPointers at = pointers(i);
        at.dy = sets[static_cast<std::size_t>(i) % sets.size()]->dy.data;
        at.dqkv = sets[static_cast<std::size_t>(i) % sets.size()]->dqkv.data;
        plan.backward(at, workspace.data);
    });
}
#endif

void bench(std::int64_t n, Type type, float dropout)
{
    const OwnAttentionProblem p{n, 128, 12, 64, type};
    const AttentionInputs in = make_inputs(p, dropout, false);
    std::vector<std::unique_ptr<Buffers>> sets; // several times the cache
    for (int i = 0; i < 4; ++i) {
        sets.push_back(std::make_unique<Buffers>(p));
        sets.back()->fill(in);
        sets.back()->run(in);
    }
    std::printf("%s n %lld t 128 heads 12 dropout %.1f\n", type == Type::BF16 ? "bf16" : "fp16",
                static_cast<long long>(n), static_cast<double>(dropout));
    const double mb = 4.0 * static_cast<double>(Buffers::elements(p)) * 2e-6; // qkv and y
    const auto at = [&](int i) -> const Buffers & {
        return *sets[static_cast<std::size_t>(i) % sets.size()];
    };
    time_it("own forward", mb,
            [&](int i) { own_attention_forward(p, at(i).draw(in), at(i).pointers(), nullptr); });
    time_it("own backward and bias", 2 * mb, [&](int i) { at(i).backward(in); });
    time_it("own backward alone", 2 * mb, [&](int i) {
        OwnAttentionPointers without = at(i).pointers();
        without.partial = nullptr;
        own_attention_backward(p, at(i).draw(in), without, nullptr);
    });
#ifndef SBTRAIN_CHECK_ALONE
    bench_library({p.n, p.t, p.heads, p.d, p.type, dropout}, sets, mb);
#endif
}

int check_all()
{
    int failures = 0;
    for (const Type type : {Type::BF16, Type::F16}) {
        for (const float dropout : {0.0F, 0.1F}) {
            for (const std::int64_t t : {128, 48}) {
                for (const bool padded : {false, true})
                    failures += check_one({{3, t, 4, 64, type}, dropout, padded, {}}) ? 0 : 1;
            }
            failures += check_one({{2, 100, 3, 64, type}, dropout, true, {}}) ? 0 : 1;
            failures += check_one({{160, 128, 12, 64, type}, dropout, true, {0, 13, 777, 1919}}) ? 0 : 1;
        }
    }
    return failures;
}

} // namespace

int main(int argc, char **argv)
{
    int major = 0;
    int minor = 0;
    const bool device = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0) == cudaSuccess &&
                        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0) == cudaSuccess;
    if (!device || !own_attention_available(major * 10 + minor)) {
        std::printf("skipped: %s\n", device ? "this device has no wgmma" : "no CUDA device");
        return 77;
    }
    try {
        const int failures = check_all();
        std::printf("%d failures\n", failures);
        if (argc > 1 && std::string(argv[1]) == "--bench") {
            for (const std::int64_t n : {160, 64}) {
                bench(n, Type::BF16, 0.1F);
                bench(n, Type::BF16, 0.0F);
            }
            bench(160, Type::F16, 0.1F);
        }
        return failures == 0 ? 0 : 1;
    } catch (const CudaError &error) {
        std::printf("FAIL %s\n", error.what());
        return 1;
    }
}
