// SPDX-License-Identifier: Apache-2.0

// Layer norm, forward and backward, against double precision on the host, with the same dropout. Outputs are
// poisoned. Usage: norm_check [--small] [--bench], --small: see gpu_main.h. Needs nothing but the CUDA
// runtime. Exit status 77: no device.

#include "cuda/norm_kernels.h"
#include "device_vector.h"
#include "distance.h"
#include "gpu_main.h"
#include "norm_reference.h"
#include "timing.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

namespace {

using namespace sbtrain;
using namespace sbtrain::cuda;

constexpr std::size_t kGuard = 4096; // behind every output: nothing may be written there

struct Case {
    NormShape shape;
    float dropout = 0.0F;
    bool residual = false; // and a second dy
    bool drop_dy = false;
};

struct Buffers {
    std::size_t count, rows, c, width;
    DeviceVector x, residual, dy, dy2, gamma, beta, pass;
    DeviceVector z, y, kept, mean, istd, dz, dx, dgamma, dbeta, dbias, partial;

    explicit Buffers(const NormShape &shape)
        : count(static_cast<std::size_t>(shape.rows) * static_cast<std::size_t>(shape.c))
        , rows(static_cast<std::size_t>(shape.rows))
        , c(static_cast<std::size_t>(shape.c))
        , width(size_of(shape.type))
        , x(count * width)
        , residual(count * width)
        , dy(count * width)
        , dy2(count * width)
        , gamma(c * 4)
        , beta(c * 4)
        , pass(8)
        , z(count * width + kGuard)
        , y(count * width + kGuard)
        , kept(count / 8 + kGuard)
        , mean(rows * 4 + kGuard)
        , istd(rows * 4 + kGuard)
        , dz(count * width + kGuard)
        , dx(count * width + kGuard)
        , dgamma(c * 4 + kGuard)
        , dbeta(c * 4 + kGuard)
        , dbias(c * 4 + kGuard)
        , partial(static_cast<std::size_t>(norm_partial_floats(shape)) * 4 + kGuard)
    {
    }
    struct Output {
        const DeviceVector *vector;
        std::size_t bytes;
    };
    std::vector<Output> outputs() const
    {
        return {{&z, count * width}, {&y, count * width},  {&kept, count / 8},   {&mean, rows * 4},
                {&istd, rows * 4},   {&dz, count * width}, {&dx, count * width}, {&dgamma, c * 4},
                {&dbeta, c * 4},     {&dbias, c * 4}};
    }
    void fill(const NormInputs &in) const
    {
        for (const auto &[to, from] : {std::pair{&x, &in.x},
                                       {&residual, &in.residual},
                                       {&dy, &in.dy},
                                       {&dy2, &in.dy2},
                                       {&gamma, &in.gamma},
                                       {&beta, &in.beta}})
            upload(*to, from->data(), from->size());
        const std::int64_t number = kPass;
        upload(pass, &number, sizeof number);
    }
    void poison() const
    {
        for (const Output &output : outputs())
            check(cudaMemset(output.vector->data, 0xFF, output.bytes + kGuard), "poison");
    }
    bool guards_hold() const
    {
        for (const Output &output : outputs()) {
            std::vector<std::uint8_t> guard(kGuard);
            check(cudaMemcpy(guard.data(), output.vector->as<std::uint8_t>() + output.bytes, kGuard,
                             cudaMemcpyDeviceToHost),
                  "copy");
            if (guard != std::vector<std::uint8_t>(kGuard, 0xFF))
                return false;
        }
        return true;
    }
};

NormForward forward_args(const Case &test, const Buffers &b)
{
    NormForward args;
    args.x = b.x.data;
    args.residual = test.residual ? b.residual.data : nullptr;
    args.z = b.z.data;
    args.y = b.y.data;
    args.mean = b.mean.as<float>();
    args.istd = b.istd.as<float>();
    args.gamma = b.gamma.as<float>();
    args.beta = b.beta.as<float>();
    args.eps = kEps;
    args.dropout = {kSeed, kNode, 0, test.dropout, b.pass.as<std::int64_t>()};
    args.kept = b.kept.as<std::uint8_t>();
    return args;
}

NormBackward backward_args(const Case &test, const Buffers &b)
{
    NormBackward args;
    args.dy = b.dy.data;
    args.dy2 = test.residual ? b.dy2.data : nullptr;
    args.z = b.z.data;
    args.mean = b.mean.as<float>();
    args.istd = b.istd.as<float>();
    args.gamma = b.gamma.as<float>();
    args.dz = b.dz.data;
    args.dx = test.dropout > 0.0F && !test.drop_dy ? b.dx.data : nullptr;
    args.dgamma = b.dgamma.as<float>();
    args.dbeta = b.dbeta.as<float>();
    args.dbias = b.dbias.as<float>();
    args.partial = b.partial.as<float>();
    args.drop_dy = test.drop_dy;
    args.dropout = test.dropout;
    args.kept = b.kept.as<std::uint8_t>();
    return args;
}

std::vector<std::uint8_t> download(const DeviceVector &from, std::size_t bytes)
{
    std::vector<std::uint8_t> to(bytes);
    check(cudaMemcpy(to.data(), from.data, bytes, cudaMemcpyDeviceToHost), "copy");
    return to;
}

void backward(const Case &test, const Buffers &b)
{
    ColumnSums sums(nullptr);
    norm_backward(test.shape, backward_args(test, b), sums, nullptr);
    sums.flush();
}

std::vector<std::vector<std::uint8_t>> run(const Case &test, const Buffers &b)
{
    b.poison();
    norm_forward(test.shape, forward_args(test, b), nullptr);
    backward(test, b);
    check(cudaDeviceSynchronize(), "normalise");
    std::vector<std::vector<std::uint8_t>> results;
    for (const Buffers::Output &output : b.outputs())
        results.push_back(download(*output.vector, output.bytes));
    return results;
}

// A matrix differs from the exact one by its own rounding: 1.7e-3 in norm in bfloat16, an eighth of that in
// fp16; half more is allowed. In fp32 it is the statistics' error that counts, of rsqrt by the processor
// (2^-22.4) and sums in fp32; parameter gradients are sums of up to a thousand rows in fp32.
double limit_of(Type type)
{
    return type == Type::BF16 ? 2.5e-3 : type == Type::F16 ? 3.2e-4 : 3e-6;
}

bool check_one(const Case &test)
{
    const NormInputs in(test.shape);
    const Buffers b(test.shape);
    b.fill(in);
    const std::vector<std::vector<std::uint8_t>> results = run(test, b);
    const bool guards = b.guards_hold();
    const bool again = run(test, b) == results;
    enum { Z, Y, Kept, Mean, Istd, Dz, Dx, Dgamma, Dbeta, Dbias };
    const Type type = test.shape.type;
    // Later steps are compared on the device's own z: its rounding is no error of theirs.
    const NormReference expected =
        compute_norm(in, {test.dropout, test.residual, test.drop_dy}, to_doubles(type, results[Z]));
    const bool drops = test.dropout > 0.0F;
    const double z = distance(to_doubles(type, results[Z]), expected.z);
    const double y = distance(to_doubles(type, results[Y]), expected.y);
    const double dz = distance(to_doubles(type, results[Dz]), expected.dz);
    const double dx = drops && !test.drop_dy ? distance(to_doubles(type, results[Dx]), expected.dx) : 0.0;
    double parameters = 0.0;
    parameters = worse(parameters, distance(to_doubles(Type::F32, results[Dgamma]), expected.dgamma));
    parameters = worse(parameters, distance(to_doubles(Type::F32, results[Dbeta]), expected.dbeta));
    parameters = worse(parameters, distance(to_doubles(Type::F32, results[Dbias]), expected.dbias));
    const bool mask = !drops || results[Kept] == expected.kept;
    const double limit = limit_of(type);
    const bool good =
        z < limit && y < limit && dz < limit && dx < limit && parameters < 1e-5 && mask && guards && again;
    std::printf("%s %s %4lld x %4d%s%s dropout %.1f: z %.1e y %.1e dz %.1e dx %.1e parameters %.1e%s%s%s\n",
                good ? "ok  " : "FAIL",
                type == Type::BF16  ? "bf16"
                : type == Type::F16 ? "fp16"
                                    : "fp32",
                static_cast<long long>(test.shape.rows), test.shape.c, test.residual ? " residual" : "",
                test.drop_dy ? " after the norm" : "", static_cast<double>(test.dropout), z, y, dz, dx,
                parameters, mask ? "" : ", another mask", guards ? "" : ", too much written",
                again ? "" : ", another result when run again");
    std::fflush(stdout);
    return good;
}

void check_all(Cases &cases)
{
    const auto test = [&](const Case &of) { cases.run(of.shape.rows < 5000, [&] { return check_one(of); }); };
    for (const Type type : {Type::BF16, Type::F16, Type::F32}) {
        for (const float dropout : {0.0F, 0.1F}) {
            // One to four vectors a lane, a last one that only some lanes have, and rows too long for a warp.
            for (const int c : {128, 264, 512, 768, 1000, 1024, 1032, 4096}) {
                for (const bool residual : {false, true})
                    test({{c == 768 ? 1001 : 45, c, type}, dropout, residual, false});
            }
        }
        test({{5003, 256, type}, 0.1F, true, false});
        test({{77, 768, type}, 0.1F, false, true});
    }
}

void bench(Type type, float dropout)
{
    const NormShape shape{20480, 768, type};
    const NormInputs in(shape);
    std::vector<std::unique_ptr<Buffers>> sets; // several times the cache
    Case test{shape, dropout, true, false};
    for (int i = 0; i < 3; ++i) {
        sets.push_back(std::make_unique<Buffers>(shape));
        sets.back()->fill(in);
        norm_forward(shape, forward_args(test, *sets.back()), nullptr);
    }
    const auto at = [&](int i) -> const Buffers & {
        return *sets[static_cast<std::size_t>(i) % sets.size()];
    };
    const double mb = static_cast<double>(sets[0]->count * sets[0]->width) * 1e-6;
    std::printf("%s 20480 x 768 dropout %.1f\n", type == Type::BF16 ? "bf16" : "fp32",
                static_cast<double>(dropout));
    const double kept = dropout > 0.0F ? static_cast<double>(sets[0]->count) / 8e6 : 0.0;
    const double out = dropout > 0.0F ? 2.0 : 1.0; // dz, dx
    time_it("forward", 4 * mb + kept,
            [&](int i) { norm_forward(shape, forward_args(test, at(i)), nullptr); });
    test.residual = false;
    time_it("backward", (2 + out) * mb + kept, [&](int i) { backward(test, at(i)); });
    test.residual = true;
    time_it("backward, two dy", (3 + out) * mb + kept, [&](int i) { backward(test, at(i)); });
}

} // namespace

int main(int argc, char **argv)
{
    if (!device_here())
        return kSkipped;
    try {
        Cases cases(given(argc, argv, "--small"));
        check_all(cases);
        const int status = cases.finish();
        if (given(argc, argv, "--bench")) {
            bench(Type::BF16, 0.1F);
            bench(Type::BF16, 0.0F);
            bench(Type::F32, 0.1F);
        }
        return status;
    } catch (const CudaError &error) {
        std::printf("FAIL %s\n", error.what());
        return 1;
    }
}
