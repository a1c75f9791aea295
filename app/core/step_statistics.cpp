// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/step_statistics.h"

#include "core/distributions.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace sb {

namespace {

constexpr std::size_t kLeastForInterval = 10;
constexpr std::size_t kLeastForDrift = 8;
constexpr std::size_t kLeastForOutliers = 5;
constexpr std::size_t kMostForPairs = 2000; // pairs of slopes: quadratic
constexpr std::size_t kExactLags = 200;
constexpr double kFewIndependent = 15;
constexpr double kOutlierLimit = 3.5;
constexpr double kNormalSpread = 1.4826; // of a median absolute deviation
constexpr double kMeanDeviationSpread = 1.2533;
constexpr double kDriftChance = 0.01;
constexpr double kDriftChange = 0.01;
constexpr double kStragglerExcess = 0.02;

// 1 + 2·Σ r(k) over the autocorrelations r of the signs around `centre`, up to the first that is not above
// what independent values show by chance.
double signCorrelationTime(std::span<const double> values, double centre)
{
    const std::size_t n = values.size();
    std::vector<double> signs(n);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        signs[i] = values[i] > centre ? 1.0 : (values[i] < centre ? -1.0 : 0.0);
        sum += signs[i];
    }
    double variance = 0;
    for (double &sign : signs) {
        sign -= sum / static_cast<double>(n);
        variance += sign * sign;
    }
    if (variance <= 0)
        return 1;
    double time = 1;
    const double chance = 1.0 / std::sqrt(static_cast<double>(n));
    // Far lags stand for those behind them: all of them would be quadratic where a run drifts.
    for (std::size_t lag = 1, step = 1; lag < n / 3; lag += step) {
        step = 1 + lag / kExactLags;
        double product = 0;
        for (std::size_t i = 0; i + lag < n; ++i)
            product += signs[i] * signs[i + lag];
        const double correlation = product / variance;
        if (correlation < chance)
            break;
        time += 2 * correlation * static_cast<double>(step);
    }
    // Correlations about a centre taken from the same values come out too small by about time/n.
    return time * (1 + 2 * time / static_cast<double>(n));
}

// Value at a rank that may lie between two, ranks counting from 1.
double atRank(const std::vector<double> &ordered, double rank)
{
    const double place = std::clamp(rank, 1.0, static_cast<double>(ordered.size())) - 1;
    const auto below = static_cast<std::size_t>(place);
    if (below + 1 >= ordered.size())
        return ordered.back();
    return std::lerp(ordered[below], ordered[below + 1], place - static_cast<double>(below));
}

// Every k-th value, so that there are few enough to pair.
std::vector<double> thinned(std::span<const double> values)
{
    const std::size_t every = (values.size() + kMostForPairs - 1) / kMostForPairs;
    std::vector<double> kept;
    for (std::size_t i = 0; i < values.size(); i += std::max<std::size_t>(every, 1))
        kept.push_back(values[i]);
    return kept;
}

} // namespace

std::optional<StepInterval> stepMedianInterval(std::span<const double> values, double confidence)
{
    if (values.size() < kLeastForInterval)
        return std::nullopt;
    const auto n = static_cast<double>(values.size());
    StepInterval interval;
    interval.correlationSteps = signCorrelationTime(values, *median(values));
    interval.independent = n / interval.correlationSteps;
    interval.few = interval.independent < kFewIndependent;
    const double t = studentQuantile(0.5 + confidence / 2, std::max(interval.independent - 1, 2.0));
    const double reach = t * std::sqrt(n * interval.correlationSteps) / 2;
    std::vector<double> ordered(values.begin(), values.end());
    std::sort(ordered.begin(), ordered.end());
    interval.low = atRank(ordered, n / 2 - reach);
    interval.high = atRank(ordered, n / 2 + reach + 1);
    return interval;
}

std::optional<Drift> driftOf(std::span<const double> values)
{
    const auto centre = median(values);
    if (values.size() < kLeastForDrift || !centre || *centre <= 0)
        return std::nullopt;
    const std::vector<double> kept = thinned(values);
    const auto n = static_cast<double>(kept.size());
    std::vector<double> slopes;
    slopes.reserve(kept.size() * (kept.size() - 1) / 2);
    double score = 0;
    std::map<double, double> equals;
    for (std::size_t i = 0; i < kept.size(); ++i) {
        equals[kept[i]] += 1;
        for (std::size_t j = i + 1; j < kept.size(); ++j) {
            const double rise = kept[j] - kept[i];
            score += rise > 0 ? 1 : (rise < 0 ? -1 : 0);
            slopes.push_back(rise / static_cast<double>(j - i));
        }
    }
    double variance = n * (n - 1) * (2 * n + 5);
    for (const auto &[value, count] : equals)
        variance -= count * (count - 1) * (2 * count + 5);
    const auto slope = *median(slopes);
    // What remains when the trend is taken away says how much the values remember each other.
    std::vector<double> rest(kept.size());
    for (std::size_t i = 0; i < kept.size(); ++i)
        rest[i] = kept[i] - slope * static_cast<double>(i);
    variance = variance / 18 * signCorrelationTime(rest, *median(rest));
    Drift drift;
    drift.change = slope * (n - 1) / (*centre - slope * (n - 1) / 2);
    if (variance > 0) {
        const double z = std::max(std::abs(score) - 1, 0.0) / std::sqrt(variance);
        drift.p = std::erfc(z / std::sqrt(2.0));
    }
    drift.flagged = drift.p < kDriftChance && std::abs(drift.change) >= kDriftChange;
    return drift;
}

std::vector<std::size_t> outliers(std::span<const double> values)
{
    if (values.size() < kLeastForOutliers)
        return {};
    const double centre = *median(values);
    std::vector<double> deviations;
    for (const double value : values)
        deviations.push_back(std::abs(value - centre));
    double spread = kNormalSpread * *median(deviations);
    if (spread <= 0)
        spread = kMeanDeviationSpread * *mean(deviations);
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < deviations.size(); ++i)
        if (spread > 0 && deviations[i] > kOutlierLimit * spread)
            places.push_back(i);
    return places;
}

std::optional<StepStatistics> stepStatistics(std::span<const double> values)
{
    if (values.empty())
        return std::nullopt;
    StepStatistics all;
    all.steps = values.size();
    all.median = *median(values);
    all.mean = *mean(values);
    all.p5 = *quantile(values, 0.05);
    all.p25 = *quantile(values, 0.25);
    all.p75 = *quantile(values, 0.75);
    all.p90 = *quantile(values, 0.9);
    all.p95 = *quantile(values, 0.95);
    all.p99 = *quantile(values, 0.99);
    all.least = *std::min_element(values.begin(), values.end());
    all.greatest = *std::max_element(values.begin(), values.end());
    all.interval = stepMedianInterval(values);
    all.drift = driftOf(values);
    all.outlierSteps = outliers(values);
    return all;
}

std::vector<RankStatistics> rankStatistics(std::span<const std::vector<double>> workMs)
{
    std::size_t steps = workMs.empty() ? 0 : workMs.front().size();
    for (const std::vector<double> &rank : workMs)
        steps = std::min(steps, rank.size());
    if (steps == 0)
        return {};
    std::vector<RankStatistics> ranks;
    std::vector<double> medians;
    for (std::size_t r = 0; r < workMs.size(); ++r) {
        RankStatistics one;
        one.rank = static_cast<int>(r);
        one.medianMs = *median(std::span(workMs[r]).first(steps));
        medians.push_back(one.medianMs);
        ranks.push_back(one);
    }
    for (std::size_t step = 0; step < steps; ++step) {
        std::size_t slowest = 0;
        for (std::size_t r = 1; r < workMs.size(); ++r)
            if (workMs[r][step] > workMs[slowest][step])
                slowest = r;
        ranks[slowest].slowestShare += 1.0 / static_cast<double>(steps);
    }
    const double middle = *median(medians);
    std::vector<double> deviations;
    for (const double value : medians)
        deviations.push_back(std::abs(value - middle));
    const double spread = kNormalSpread * *median(deviations);
    for (RankStatistics &one : ranks) {
        one.overMedian = middle > 0 ? one.medianMs / middle - 1 : 0;
        one.straggler = ranks.size() >= 2 && one.overMedian >= kStragglerExcess &&
                        one.medianMs - middle > kOutlierLimit * spread;
    }
    // With two ranks each is as far from the middle as the other, and the spread hides the slow one.
    if (ranks.size() == 2)
        for (RankStatistics &one : ranks)
            one.straggler = one.overMedian >= kStragglerExcess / 2 && one.slowestShare > 0.9;
    std::stable_sort(ranks.begin(), ranks.end(), [](const RankStatistics &a, const RankStatistics &b) {
        return a.medianMs > b.medianMs;
    });
    return ranks;
}

namespace {

// A part of each measured step; empty unless every such step has it.
std::vector<double> partOf(const std::vector<Sample> &samples, std::int64_t firstStep, std::int64_t lastStep,
                           std::optional<double> Sample::*part)
{
    std::vector<double> values;
    for (const Sample &sample : samples) {
        if (sample.step < firstStep || sample.step > lastStep)
            continue;
        if (!(sample.*part))
            return {};
        values.push_back(*(sample.*part));
    }
    return values;
}

} // namespace

RunSteps runSteps(std::span<const std::vector<Sample>> byRank, std::int64_t firstStep, std::int64_t lastStep)
{
    RunSteps found;
    if (byRank.empty())
        return found;
    std::vector<double> times;
    for (const Sample &sample : byRank.front())
        if (sample.step >= firstStep && sample.step <= lastStep && sample.stepTimeMs) {
            times.push_back(*sample.stepTimeMs);
            found.numbers.push_back(sample.step);
        }
    found.steps = stepStatistics(times);
    for (const auto part : {&Sample::computeTimeMs, &Sample::stepTimeMs}) {
        std::vector<std::vector<double>> work;
        for (const std::vector<Sample> &samples : byRank)
            if (auto values = partOf(samples, firstStep, lastStep, part); !values.empty())
                work.push_back(std::move(values));
        if (work.size() != byRank.size() || work.size() < 2)
            continue;
        found.ranks = rankStatistics(work);
        found.ownWork = part == &Sample::computeTimeMs;
        break;
    }
    return found;
}

} // namespace sb
