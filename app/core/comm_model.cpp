// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comm_model.h"

#include "core/distributions.h"
#include "core/json.h"
#include "core/least_squares.h"
#include "core/text.h"

#include <algorithm>
#include <cmath>

namespace sb {

namespace {

constexpr double kLooseComm = 0.5; // half of a parameter's interval over its value
constexpr double kSmallShare = 0.01;

std::vector<std::string_view> words(std::string_view line)
{
    std::vector<std::string_view> found;
    for (std::string_view word : split(line, ' '))
        if (word = trimmed(word); !word.empty())
            found.push_back(word);
    return found;
}

// A line of `sbtrain bench`; false if it is something else.
bool readBenchLine(std::string_view line, CollectiveBench &bench)
{
    std::string kind;
    std::int64_t bytes = 0;
    std::int64_t ranks = 0;
    double ms = 0;
    visitFlatObject(line, [&](const FlatMember &member) {
        if (member.key == "kind")
            kind = std::string(member.text);
        else if (member.key == "bytes")
            bytes = member.integer;
        else if (member.key == "world_size")
            ranks = member.integer;
        else if (member.key == "time_ms")
            ms = member.number;
    });
    if (kind != "allreduce" || bytes <= 0 || ranks < 2 || ms <= 0)
        return false;
    bench.ranks = static_cast<int>(ranks);
    bench.program = "sbtrain bench";
    bench.times.push_back({bytes, ms / 1000});
    return true;
}

// A row of all_reduce_perf: bytes, elements, type, operation, then root in newer versions, then time in µs.
bool readTableLine(std::string_view line, CollectiveBench &bench)
{
    const auto cells = words(line);
    if (cells.size() < 8)
        return false;
    const auto bytes = toInteger(cells[0]);
    const auto count = toInteger(cells[1]);
    const bool named = !toDouble(cells[2]) && !toDouble(cells[3]);
    if (!bytes || !count || !named || *bytes <= 0)
        return false;
    // With a root column there are four numbers before the in-place ones, without it three.
    const bool root = cells.size() >= 13 || (toInteger(cells[4]) && *toInteger(cells[4]) == -1);
    const auto us = toDouble(cells[root ? 5 : 4]);
    if (!us || *us <= 0)
        return false;
    bench.program = "nccl-tests";
    bench.times.push_back({*bytes, *us * 1e-6});
    return true;
}

} // namespace

Result<CollectiveBench> readCollectiveBench(std::string_view text, const std::string &source)
{
    CollectiveBench bench;
    int rankLines = 0;
    for (const std::string_view raw : split(text, '\n')) {
        const std::string_view line = trimmed(raw);
        if (line.starts_with("{"))
            readBenchLine(line, bench);
        else if (line.starts_with("#"))
            rankLines += line.find(" Rank ") != std::string_view::npos ? 1 : 0;
        else
            readTableLine(line, bench);
    }
    if (bench.times.empty())
        return Error{ErrorCode::BadInput,
                     source + " has no all-reduce times; give the output of \"sbtrain bench allreduce\" or "
                              "of all_reduce_perf."};
    if (bench.ranks == 0)
        bench.ranks = rankLines;
    if (bench.ranks < 2)
        return Error{ErrorCode::BadInput,
                     source +
                         " does not say how many ranks took part (its \"# Rank\" lines), or only one did."};
    std::stable_sort(bench.times.begin(), bench.times.end(),
                     [](const auto &a, const auto &b) { return a.bytes < b.bytes; });
    return bench;
}

CommFit fitCommunication(const CollectiveBench &bench)
{
    CommFit fit;
    fit.ranks = bench.ranks;
    fit.sizes = static_cast<int>(bench.times.size());
    if (fit.sizes < 3 || bench.ranks < 2)
        return fit;
    const double steps = 2.0 * (bench.ranks - 1);
    const double share = steps / bench.ranks;
    // Both are positive by nature: their logarithms are fitted.
    const auto residuals = [&bench, steps, share](std::span<const double> logs) {
        std::vector<double> values;
        for (const CollectiveBench::Time &time : bench.times)
            values.push_back(std::log(steps * std::exp(logs[0]) +
                                      share * static_cast<double>(time.bytes) * std::exp(-logs[1])) -
                             std::log(time.seconds));
        return values;
    };
    const CollectiveBench::Time &least = bench.times.front();
    const CollectiveBench::Time &most = bench.times.back();
    const auto solution =
        leastSquares(residuals, {std::log(least.seconds / steps / 2),
                                 std::log(share * static_cast<double>(most.bytes) / most.seconds)});
    if (!solution) {
        fit.fault = FitFault::NotConverged;
        return fit;
    }
    const double t = studentQuantile(0.975, solution->freedom);
    const auto parameter = [&](std::size_t i, double scale) {
        const double log = solution->parameters[i];
        const double reach = t * solution->error(i);
        return FittedParameter{scale * std::exp(log), scale * std::exp(log - reach),
                               scale * std::exp(log + reach)};
    };
    fit.latencyUs = parameter(0, 1e6);
    fit.busGBps = parameter(1, 1e-9);
    for (std::size_t i = 0; i < bench.times.size(); ++i)
        fit.residuals.push_back({bench.times[i].bytes, std::expm1(-solution->residuals[i])});
    fit.spread = std::sqrt(solution->variance);
    const bool loose = t * solution->error(1) > std::log1p(kLooseComm);
    fit.fault = solution->condition > 1e6 ? FitFault::Confounded : (loose ? FitFault::Loose : FitFault::None);
    fit.latencyKnown = fit.identifiable() && t * solution->error(0) <= std::log1p(kLooseComm);
    return fit;
}

double ringAllReduceSeconds(double bytes, double ranks, double busBytesPerS, double latencyS)
{
    if (ranks <= 1)
        return 0;
    const double steps = 2.0 * (ranks - 1);
    return steps * latencyS + steps / ranks * bytes / busBytesPerS;
}

CommForecast forecastStep(double stepMsAlone, double gradientBytes, int ranks, double busBytesPerS,
                          double latencyS)
{
    CommForecast forecast;
    forecast.commMs = 1000 * ringAllReduceSeconds(gradientBytes, ranks, busBytesPerS, latencyS);
    forecast.bestStepMs = std::max(stepMsAlone, forecast.commMs);
    forecast.worstStepMs = stepMsAlone + forecast.commMs;
    forecast.bestEfficiency = stepMsAlone / forecast.bestStepMs;
    forecast.worstEfficiency = stepMsAlone / forecast.worstStepMs;
    return forecast;
}

namespace {

double commMsAt(const CommFit &comm, double gradientBytes, double devices)
{
    return 1000 * ringAllReduceSeconds(gradientBytes, devices, comm.busGBps.value * 1e9,
                                       comm.latencyKnown ? comm.latencyUs.value * 1e-6 : 0);
}

} // namespace

ExposedFit fitExposed(const ScalingCurve &curve, const CommFit &comm, double gradientBytes)
{
    ExposedFit fit;
    if (!curve.hasBaseline())
        return fit;
    const CaseResult &alone = curve.points.front();
    fit.batchSizePerDevice = alone.key.batchSizePerDevice;
    fit.strong = curve.points.back().key.batchSizePerDevice != alone.key.batchSizePerDevice;
    fit.stepMsAlone = 1000.0 * alone.key.batchSizePerDevice / alone.throughput;
    // Linear in its one parameter: relative extra step time over relative communication time.
    double products = 0;
    double squares = 0;
    std::vector<std::pair<double, double>> pairs;
    for (const CaseResult &point : curve.points) {
        if (point.key.devices() < 2)
            continue;
        const double stepMs = 1000.0 * point.key.batchSizePerDevice * point.key.devices() / point.throughput;
        const double ownMs = 1000.0 * point.key.batchSizePerDevice / alone.throughput;
        const double x = commMsAt(comm, gradientBytes, point.key.devices()) / ownMs;
        const double y = stepMs / ownMs - 1;
        pairs.emplace_back(x, y);
        products += x * y;
        squares += x * x;
    }
    fit.scales = static_cast<int>(pairs.size());
    if (fit.scales < 2)
        return fit;
    if (squares / fit.scales < kSmallShare * kSmallShare) {
        fit.fault = FitFault::Confounded;
        return fit;
    }
    const double exposed = products / squares;
    double rest = 0;
    for (const auto &[x, y] : pairs)
        rest += (y - exposed * x) * (y - exposed * x);
    const double variance = rest / (fit.scales - 1);
    const double reach = studentQuantile(0.975, fit.scales - 1) * std::sqrt(variance / squares);
    fit.exposed = {exposed, exposed - reach, exposed + reach};
    fit.spread = std::sqrt(variance);
    fit.fault = fit.exposed.high < 0 ? FitFault::Superlinear : (reach > 1 ? FitFault::Loose : FitFault::None);
    return fit;
}

std::optional<FitBand> exposedAt(const ExposedFit &fit, const CommFit &comm, double gradientBytes,
                                 double devices)
{
    if (!fit.identifiable() || devices < 1)
        return std::nullopt;
    const double ownMs = fit.strong ? fit.stepMsAlone / devices : fit.stepMsAlone;
    const double x = commMsAt(comm, gradientBytes, devices) / ownMs;
    const double samples = 1000.0 * fit.batchSizePerDevice * devices / fit.stepMsAlone;
    const double reach = std::hypot((fit.exposed.high - fit.exposed.low) / 2 * x,
                                    studentQuantile(0.975, fit.scales - 1) * fit.spread);
    const double step = 1 + fit.exposed.value * x;
    return FitBand{samples / step, samples / (step + reach), samples / std::max(step - reach, 0.5 * step)};
}

} // namespace sb
