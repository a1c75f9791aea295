// SPDX-License-Identifier: Apache-2.0

// The own product with GELU or its slope: against double precision on the host, and against cuBLASLt with the
// passes that it replaces. Blocks alone and in pairs, both types, rows that are no multiple of a tile,
// products too short to hide the rest, into poisoned memory with a margin that must stay as it is, twice (the
// same bits). Says which tiles are wrong. Exit status 77: not on this device.
//
//   own_gelu_gemm_check           checks, with --small the small form
//   own_gelu_gemm_check --bench   own_gelu_gemm_bench.h

#include "cuda/gemm.h"
#include "cuda/own_gelu_gemm.h"
#include "cuda/token_kernels.h"
#include "gpu_main.h"
#include "own_gelu_gemm_bench.h"
#include "own_gelu_gemm_reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>

namespace {

using namespace sbtrain::cuda;

constexpr std::size_t kMargin = 4096; // bytes behind c, z and the sums
constexpr int kTileRows = 128;
constexpr int kTileColumns = 256;

using Bytes = std::vector<unsigned char>;

Bytes download(const DeviceVector &from, std::size_t bytes)
{
    Bytes raw(bytes);
    check(cudaMemcpy(raw.data(), from.data, bytes, cudaMemcpyDeviceToHost), "copy");
    return raw;
}

HostMatrix values_of(Type type, const Bytes &raw, std::size_t count)
{
    HostMatrix values(count);
    if (type == Type::F32) {
        std::memcpy(values.data(), raw.data(), count * 4);
        return values;
    }
    std::vector<std::uint16_t> halves(count);
    std::memcpy(halves.data(), raw.data(), count * 2);
    std::transform(halves.begin(), halves.end(), values.begin(),
                   [&](std::uint16_t v) { return widen(type, v); });
    return values;
}

// Wrong elements of a matrix, by tile.
class Errors {
public:
    Errors(const char *what, int rows, int columns)
        : m_what(what)
        , m_rows(rows)
        , m_columns(columns)
    {
    }
    void compare(std::int64_t row, std::int64_t column, double got, double want, double allowed)
    {
        const double error = std::fabs(got - want) / allowed;
        m_worst = std::isnan(error) ? INFINITY : std::max(m_worst, error);
        if (error <= 1.0)
            return;
        Tile &tile = m_tiles[{row / m_rows, column / m_columns}];
        if (tile.wrong++ == 0)
            tile.first = {static_cast<double>(row), static_cast<double>(column), got, want};
    }
    bool none() const { return m_tiles.empty(); }
    double worst() const { return m_worst; }
    void print() const
    {
        int lines = 0;
        for (const auto &[place, tile] : m_tiles) {
            if (++lines > 4)
                break;
            std::printf("  %s: tile %lld, %lld has %d wrong, first in row %g, column %g: %.6g for %.6g\n",
                        m_what, static_cast<long long>(place.first), static_cast<long long>(place.second),
                        tile.wrong, tile.first[0], tile.first[1], tile.first[2], tile.first[3]);
        }
        if (m_tiles.size() > 4)
            std::printf("  %s: %zu tiles are wrong\n", m_what, m_tiles.size());
    }

private:
    struct Tile {
        int wrong = 0;
        std::array<double, 4> first{};
    };
    const char *m_what;
    int m_rows, m_columns;
    double m_worst = 0.0;
    std::map<std::pair<std::int64_t, std::int64_t>, Tile> m_tiles;
};

struct Outputs {
    HostMatrix c, z, partial;
    bool clean = true; // margins are as they were
    bool same = true;  // bits of both runs
};

// Device memory with a margin, all of it not-a-number.
struct Poisoned {
    std::size_t bytes;
    DeviceVector memory{bytes + kMargin};

    explicit Poisoned(std::size_t bytes_)
        : bytes(bytes_)
    {
        check(cudaMemset(memory.data, 0xFF, bytes + kMargin), "poison");
    }
    Bytes raw() const { return download(memory, bytes + kMargin); }
    static bool clean(const Bytes &raw)
    {
        return std::all_of(raw.end() - static_cast<std::ptrdiff_t>(kMargin), raw.end(),
                           [](unsigned char v) { return v == 0xFF; });
    }
};

Outputs run_own(const Inputs &in, int blocks)
{
    const OwnGeluProblem &p = in.p;
    const bool forward = p.epilogue == GeluEpilogue::Forward;
    const auto count = static_cast<std::size_t>(p.m * p.n);
    const auto partial_count = static_cast<std::size_t>(OwnGeluGemm::partial_rows(p) * p.n);
    const DeviceVector a = on_device(p.type, in.a), b = on_device(p.type, in.b),
                       bias = on_device(p.type, in.bias), z = on_device(p.type, in.z);
    const OwnGeluGemm product(p, blocks);
    Outputs out;
    std::array<Bytes, 3> first;
    for (int run = 0; run < 2; ++run) {
        const Poisoned c(count * 2), own_z(count * 2), partial(partial_count * 4);
        product.run({a.data, b.data, c.memory.data, forward ? own_z.memory.data : z.data, bias.data,
                     partial.memory.as<float>()},
                    nullptr);
        check(cudaDeviceSynchronize(), "multiply");
        std::array<Bytes, 3> seen{c.raw(), own_z.raw(), partial.raw()};
        out.clean = out.clean && std::all_of(seen.begin(), seen.end(), Poisoned::clean);
        if (run == 0)
            first = std::move(seen);
        else
            out.same = first == seen;
    }
    out.c = values_of(p.type, first[0], count);
    out.z = forward ? values_of(p.type, first[1], count) : in.z;
    out.partial = values_of(Type::F32, first[2], partial_count);
    return out;
}

bool report(const OwnGeluProblem &p, const char *against, int blocks, bool good,
            const std::array<double, 3> &worst)
{
    std::printf(
        "%s %s %s, %s, blocks %d, %lld x %lld x %lld: of the allowed error z %.2f, c %.2f, sums %.2f\n",
        good ? "ok  " : "FAIL", p.type == Type::F16 ? "fp16" : "bf16",
        p.epilogue == GeluEpilogue::Forward ? "forward" : "slope", against, blocks,
        static_cast<long long>(p.m), static_cast<long long>(p.n), static_cast<long long>(p.k), worst[0],
        worst[1], worst[2]);
    std::fflush(stdout);
    return good;
}

bool check_against_double(const Inputs &in, const std::vector<double> &product, int blocks)
{
    const OwnGeluProblem &p = in.p;
    const bool forward = p.epilogue == GeluEpilogue::Forward;
    const double u = 1.01 * rounding(p.type);
    const Outputs out = run_own(in, blocks);
    Errors z("z", kTileRows, kTileColumns), c("c", kTileRows, kTileColumns), sums("sums", 1, kTileColumns);
    for (std::int64_t j = 0; j < p.n; ++j) {
        if (!is_compared(p, j))
            continue;
        double sum = 0.0, square = 0.0;
        for (std::int64_t i = 0; i < p.m; ++i) {
            const auto at = static_cast<std::size_t>(i * p.n + j);
            const double seen_z = static_cast<double>(out.z[at]);
            const double seen_c = static_cast<double>(out.c[at]);
            if (forward) {
                const double want = product[at] + static_cast<double>(in.bias[static_cast<std::size_t>(j)]);
                z.compare(i, j, seen_z, want, u * std::fabs(want) + 2e-5);
                c.compare(i, j, seen_c, gelu(seen_z), u * std::fabs(gelu(seen_z)) + 1e-6);
            } else {
                const double by = slope(seen_z);
                const double want = product[at] * by;
                c.compare(i, j, seen_c, want, 2 * u * std::fabs(want) + 2e-5 * std::fabs(by) + 1e-6);
                sum += want;
                square += want * want;
            }
        }
        if (forward)
            continue;
        double seen = 0.0;
        for (std::int64_t row = 0; row < OwnGeluGemm::partial_rows(p); ++row)
            seen += static_cast<double>(out.partial[static_cast<std::size_t>(row * p.n + j)]);
        sums.compare(0, j, seen, sum, 4 * u * std::sqrt(square) + 1e-4);
    }
    const bool good = z.none() && c.none() && sums.none() && out.clean && out.same;
    report(p, "double", blocks, good, {z.worst(), c.worst(), sums.worst()});
    if (!out.clean)
        std::printf("  wrote behind a matrix\n");
    if (!out.same)
        std::printf("  a second run gave other bits\n");
    z.print();
    c.print();
    sums.print();
    return good;
}

// What the library and the passes make of the same numbers.
Outputs run_library(const Inputs &in, cublasLtHandle_t handle)
{
    const OwnGeluProblem &p = in.p;
    const bool forward = p.epilogue == GeluEpilogue::Forward;
    const auto count = static_cast<std::size_t>(p.m * p.n);
    const DeviceVector a = on_device(p.type, in.a), b = on_device(p.type, in.b),
                       bias = on_device(p.type, in.bias), z = on_device(p.type, in.z), c(count * 2),
                       workspace(kGemmWorkspace), sums(static_cast<std::size_t>(p.n) * 4);
    GemmProblem problem;
    problem.transpose_b = forward;
    problem.m = p.m;
    problem.n = p.n;
    problem.k = p.k;
    problem.lda = p.k;
    problem.ldb = forward ? p.k : p.n;
    problem.ldc = p.n;
    problem.type = p.type;
    problem.out = p.type;
    problem.bias = forward;
    const MatrixShape shape{p.m, p.n, p.type};
    const DeviceVector partial(static_cast<std::size_t>(bias_partial_floats(shape)) * 4);
    const Gemm product({handle}, problem, false);
    product.run({a.data, b.data, forward ? z.data : c.data, bias.data}, workspace.data, nullptr);
    if (forward) {
        activate(shape, z.data, c.data, 1, nullptr);
    } else {
        ColumnSums total(nullptr);
        bias_backward(shape, {c.data, z.data, sums.as<float>(), partial.as<float>(), 1}, total, nullptr);
        total.flush();
    }
    check(cudaDeviceSynchronize(), "multiply");
    Outputs out;
    out.c = values_of(p.type, download(c, count * 2), count);
    out.z = values_of(p.type, download(z, count * 2), count);
    if (!forward) {
        const auto columns = static_cast<std::size_t>(p.n);
        out.partial = values_of(Type::F32, download(sums, columns * 4), columns);
    }
    return out;
}

bool check_against_library(const Inputs &in, const Outputs &library, int blocks)
{
    const OwnGeluProblem &p = in.p;
    const Outputs out = run_own(in, blocks);
    const double u = 1.01 * rounding(p.type);
    Errors z("z", kTileRows, kTileColumns), c("c", kTileRows, kTileColumns), sums("sums", 1, kTileColumns);
    std::vector<double> sum(static_cast<std::size_t>(p.n)), square(static_cast<std::size_t>(p.n));
    for (std::size_t at = 0; at < out.c.size(); ++at) {
        const auto row = static_cast<std::int64_t>(at) / p.n, column = static_cast<std::int64_t>(at) % p.n;
        const auto want_z = static_cast<double>(library.z[at]), want_c = static_cast<double>(library.c[at]);
        // Sums in another order may be rounded to the neighbour.
        z.compare(row, column, static_cast<double>(out.z[at]), want_z, 2 * u * std::fabs(want_z) + 1e-4);
        c.compare(row, column, static_cast<double>(out.c[at]), want_c, 4 * u * std::fabs(want_c) + 2e-4);
        square[static_cast<std::size_t>(column)] += want_c * want_c;
    }
    for (std::size_t at = 0; p.epilogue == GeluEpilogue::Slope && at < out.partial.size(); ++at)
        sum[at % static_cast<std::size_t>(p.n)] += static_cast<double>(out.partial[at]);
    for (std::size_t j = 0; p.epilogue == GeluEpilogue::Slope && j < sum.size(); ++j)
        sums.compare(0, static_cast<std::int64_t>(j), sum[j], static_cast<double>(library.partial[j]),
                     4 * u * std::sqrt(square[j]) + 1e-3);
    const bool good = z.none() && c.none() && sums.none();
    report(p, "library", blocks, good, {z.worst(), c.worst(), sums.worst()});
    z.print();
    c.print();
    sums.print();
    return good;
}

void check_all(Cases &cases, int)
{
    cublasLtHandle_t handle = nullptr;
    check(cublasLtCreate(&handle), "start cuBLASLt");
    for (const auto &[m, n, k] : {std::array<std::int64_t, 3>{128, 768, 64},
                                  {77, 768, 256},
                                  {1000, 768, 192},
                                  {700, 512, 128},
                                  {700, 256, 128},
                                  // Several tiles a block: of 64 of k, which the epilogue takes longer than.
                                  {12000, 768, 64}}) {
        for (const Type type : {Type::BF16, Type::F16}) {
            for (const GeluEpilogue epilogue : {GeluEpilogue::Forward, GeluEpilogue::Slope}) {
                const OwnGeluProblem p{m, n, k, type, epilogue};
                // The last shape once, too: only there blocks walk over several tiles.
                const bool little = m * n * k < 30'000'000 || (m == 12000 && type == Type::BF16);
                cases.run(little, [&] {
                    const Inputs in = make_inputs(p);
                    const std::vector<double> product = multiply(in);
                    bool good = true;
                    for (int blocks = 1; blocks <= OwnGeluGemm::kMostBlocks; ++blocks)
                        good = check_against_double(in, product, blocks) && good;
                    return good;
                });
            }
        }
    }
    for (const GeluEpilogue epilogue : {GeluEpilogue::Forward, GeluEpilogue::Slope}) {
        cases.run(false, [&] {
            const Inputs in = make_inputs({3000, 3072, 768, Type::BF16, epilogue});
            const Outputs library = run_library(in, handle);
            bool good = true;
            for (int blocks = 1; blocks <= OwnGeluGemm::kMostBlocks; ++blocks)
                good = check_against_library(in, library, blocks) && good;
            return good;
        });
    }
    for (const auto &[n, k, type] : {std::tuple<std::int64_t, std::int64_t, Type>{384, 64, Type::BF16},
                                     {768, 96, Type::BF16},
                                     {768, 64, Type::F32}}) {
        cases.run(false, [&] {
            const bool fits = OwnGeluGemm::fits({1000, n, k, type, GeluEpilogue::Slope});
            if (fits)
                std::printf("FAIL %lld columns of %lld are said to fit\n", static_cast<long long>(n),
                            static_cast<long long>(k));
            return !fits;
        });
    }
    cublasLtDestroy(handle);
}

} // namespace

int main(int argc, char **argv)
{
    return hopper_main("own_gelu_gemm_check", argc, argv, OwnGeluGemm::available, check_all,
                       [](int) { bench_own_gelu_gemm(); });
}
