// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comparison.h"

#include "core/distributions.h"
#include "core/units.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace sb {

namespace {

constexpr int kMostRunsNeeded = 1000;

std::vector<double> logsOf(std::span<const double> values)
{
    std::vector<double> logs;
    for (const double value : values)
        logs.push_back(std::log(value));
    return logs;
}

double varianceOf(std::span<const double> values)
{
    const double centre = *mean(values);
    double sum = 0;
    for (const double value : values)
        sum += (value - centre) * (value - centre);
    return sum / static_cast<double>(values.size() - 1);
}

RatioInterval welchInterval(const std::vector<double> &a, const std::vector<double> &b, double wanted)
{
    const double partA = varianceOf(a) / static_cast<double>(a.size());
    const double partB = varianceOf(b) / static_cast<double>(b.size());
    const double both = partA + partB;
    const double shift = *mean(a) - *mean(b);
    double reach = 0;
    if (both > 0) {
        const double freedom = both * both /
                               (partA * partA / static_cast<double>(a.size() - 1) +
                                partB * partB / static_cast<double>(b.size() - 1));
        reach = studentQuantile(0.5 + wanted / 2, freedom) * std::sqrt(both);
    }
    return {std::exp(shift - reach), std::exp(shift + reach), wanted, RatioInterval::Method::Welch};
}

// Runs a side that make the interval's half width the least effect, for values spread like these.
std::optional<int> runsNeededFor(std::span<const double> a, std::span<const double> b, double leastEffect)
{
    if (a.size() < 2 || b.size() < 2)
        return std::nullopt;
    const double spread = std::sqrt((varianceOf(logsOf(a)) + varianceOf(logsOf(b))) / 2);
    const double effect = std::log1p(leastEffect);
    // Student's t is never below the normal quantile, so the answer is not below this.
    const double atLeast = 2 * std::pow(normalQuantile(0.975) * spread / effect, 2);
    if (!(atLeast < kMostRunsNeeded))
        return std::nullopt;
    for (int runs = std::max(4, static_cast<int>(atLeast)); runs <= kMostRunsNeeded; ++runs) {
        const double t = studentQuantile(0.975, 2 * (runs - 1));
        if (t * spread * std::sqrt(2.0 / runs) <= effect)
            return runs;
    }
    return std::nullopt;
}

Verdict verdictOf(const Comparison &comparison, double leastEffect)
{
    if (!comparison.interval)
        return Verdict::CannotTell;
    const double up = 1 + leastEffect;
    const double down = 1 / up;
    if (comparison.interval->low > 1 && comparison.ratio >= up)
        return Verdict::Faster;
    if (comparison.interval->high < 1 && comparison.ratio <= down)
        return Verdict::Slower;
    if (comparison.interval->low > down && comparison.interval->high < up)
        return Verdict::Same;
    return Verdict::CannotTell;
}

} // namespace

std::string verdictName(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Faster:
        return "faster";
    case Verdict::Slower:
        return "slower";
    case Verdict::Same:
        return "same";
    case Verdict::CannotTell:
        break;
    }
    return "cannot tell";
}

std::optional<RatioInterval> ratioInterval(std::span<const double> a, std::span<const double> b,
                                           double wanted)
{
    if (a.size() < 2 || b.size() < 2)
        return std::nullopt;
    const auto positive = [](double value) { return value > 0; };
    if (!std::all_of(a.begin(), a.end(), positive) || !std::all_of(b.begin(), b.end(), positive))
        return std::nullopt;
    const long long cut = rankSumCritical(a.size(), b.size(), (1 - wanted) / 2);
    if (cut < 0)
        return welchInterval(logsOf(a), logsOf(b), wanted);
    std::vector<double> quotients;
    quotients.reserve(a.size() * b.size());
    for (const double one : a)
        for (const double other : b)
            quotients.push_back(one / other);
    std::sort(quotients.begin(), quotients.end());
    const auto place = static_cast<std::size_t>(cut);
    return RatioInterval{quotients[place], quotients[quotients.size() - 1 - place], wanted,
                         RatioInterval::Method::RankSum};
}

Result<Comparison> compareCases(const CaseResult &a, const CaseResult &b, const ComparisonOptions &options)
{
    Comparison comparison;
    comparison.a = a;
    comparison.b = b;
    comparison.keys = keyDifferences(a.key, b.key, options.scaleToo);
    comparison.unlike = isBlocked(comparison.keys);
    if (comparison.unlike && !options.unlikeToo) {
        std::string what;
        for (const KeyDifference &key : comparison.keys)
            if (key.role == KeyRole::Blocks)
                what += (what.empty() ? "" : ", ") + key.field + " (" + key.a + " against " + key.b + ")";
        return Error{ErrorCode::BadInput,
                     "Not compared, because a ratio would mean nothing: the two differ in " + what + "."};
    }
    comparison.ratio = a.throughput / b.throughput;
    comparison.interval = ratioInterval(a.runThroughputs, b.runThroughputs);
    comparison.verdict = verdictOf(comparison, options.leastEffect);
    if (comparison.verdict == Verdict::CannotTell)
        comparison.runsNeeded = runsNeededFor(a.runThroughputs, b.runThroughputs, options.leastEffect);
    return comparison;
}

ComparedSets compareSets(std::span<const CaseResult> a, std::span<const CaseResult> b,
                         const ComparisonOptions &options)
{
    ComparedSets sets;
    std::set<std::size_t> used;
    std::vector<std::size_t> open;
    const auto add = [&](std::size_t i, std::size_t j) {
        used.insert(j);
        sets.cases.push_back(*compareCases(a[i], b[j], options));
    };
    for (std::size_t i = 0; i < a.size(); ++i) {
        const auto same =
            std::find_if(b.begin(), b.end(), [&](const CaseResult &other) { return other.key == a[i].key; });
        if (same == b.end())
            open.push_back(i);
        else
            add(i, static_cast<std::size_t>(same - b.begin()));
    }
    for (const std::size_t i : open) {
        std::vector<std::size_t> fitting;
        for (std::size_t j = 0; j < b.size(); ++j)
            if (!used.contains(j) && !isBlocked(keyDifferences(a[i].key, b[j].key)))
                fitting.push_back(j);
        // What was asked for although it is unlike has to have the scale in common at least.
        for (std::size_t j = 0; fitting.empty() && options.unlikeToo && j < b.size(); ++j)
            if (!used.contains(j) && b[j].key.scaleName() == a[i].key.scaleName())
                fitting.push_back(j);
        // Of several, the one of the same framework is meant.
        if (fitting.size() > 1) {
            std::vector<std::size_t> ofFramework;
            for (const std::size_t j : fitting)
                if (b[j].key.framework == a[i].key.framework)
                    ofFramework.push_back(j);
            if (!ofFramework.empty())
                fitting = ofFramework;
        }
        if (fitting.size() == 1)
            add(i, fitting.front());
        else
            (fitting.empty() ? sets.onlyA : sets.ambiguous).push_back(a[i]);
    }
    for (std::size_t j = 0; j < b.size(); ++j)
        if (!used.contains(j))
            sets.onlyB.push_back(b[j]);
    std::stable_sort(sets.cases.begin(), sets.cases.end(),
                     [](const Comparison &x, const Comparison &y) { return x.a.key < y.a.key; });
    return sets;
}

Gate gateOf(const Comparison &comparison, double threshold)
{
    if (!comparison.interval)
        return comparison.ratio < threshold ? Gate::Fails : Gate::Passes;
    if (comparison.interval->high < threshold)
        return Gate::Fails;
    return comparison.ratio < threshold ? Gate::NotProven : Gate::Passes;
}

std::vector<HistoryPoint> caseHistory(std::span<const Run> runs, const CaseKey &key,
                                      const ComparisonOptions &options)
{
    std::map<std::pair<std::string, std::string>, std::vector<Run>> groups;
    for (const Run &run : runs)
        if (run.key == key && run.state == RunState::Done && run.measurement)
            groups[{run.createdUtc.substr(0, 10), run.planName}].push_back(run);
    std::vector<HistoryPoint> history;
    for (const auto &[group, members] : groups) {
        HistoryPoint point;
        point.dayUtc = group.first;
        point.planName = group.second;
        point.result = aggregate(members).front();
        if (!history.empty())
            if (const auto change = compareCases(point.result, history.back().result, options)) {
                point.change = change->verdict;
                point.ratio = change->ratio;
            }
        history.push_back(std::move(point));
    }
    return history;
}

} // namespace sb
