// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace sb {

namespace {

std::vector<double> sorted(std::span<const double> values)
{
    std::vector<double> ordered(values.begin(), values.end());
    std::sort(ordered.begin(), ordered.end());
    return ordered;
}

} // namespace

std::optional<double> quantile(std::span<const double> values, double probability)
{
    if (values.empty())
        return std::nullopt;
    const std::vector<double> ordered = sorted(values);
    const double position = probability * static_cast<double>(ordered.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(position));
    const std::size_t above = std::min(below + 1, ordered.size() - 1);
    const double weight = position - static_cast<double>(below);
    return ordered[below] + weight * (ordered[above] - ordered[below]);
}

std::optional<double> median(std::span<const double> values)
{
    return quantile(values, 0.5);
}

std::optional<double> mean(std::span<const double> values)
{
    if (values.empty())
        return std::nullopt;
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<MedianInterval> medianInterval(std::span<const double> values, double wanted)
{
    if (values.size() < 2)
        return std::nullopt;
    const std::vector<double> ordered = sorted(values);
    const std::size_t n = ordered.size();
    // Log space, so that hundreds of repeats do not overflow the binomial coefficients.
    const auto probabilityOf = [n](std::size_t k) {
        const auto count = static_cast<double>(n);
        const auto hits = static_cast<double>(k);
        return std::exp(std::lgamma(count + 1) - std::lgamma(hits + 1) - std::lgamma(count - hits + 1) -
                        count * std::log(2.0));
    };
    std::size_t best = 1;
    double bestCoverage = 1.0 - 2.0 * probabilityOf(0);
    double tail = probabilityOf(0);
    for (std::size_t k = 2; 2 * k <= n; ++k) {
        tail += probabilityOf(k - 1);
        const double coverage = 1.0 - 2.0 * tail;
        if (coverage < wanted)
            break;
        best = k;
        bestCoverage = coverage;
    }
    return MedianInterval{ordered[best - 1], ordered[n - best], bestCoverage};
}

std::optional<NoiseGrade> noiseGrade(std::span<const double> values)
{
    if (values.size() < 2)
        return std::nullopt;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const double range = (*high - *low) / *median(values);
    if (range <= 0.01)
        return NoiseGrade::A;
    return range <= 0.03 ? NoiseGrade::B : NoiseGrade::C;
}

char noiseGradeLetter(NoiseGrade grade)
{
    return static_cast<char>('A' + static_cast<int>(grade));
}

} // namespace sb
