// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>

namespace sb {

// All of these give nothing for an empty input.
std::optional<double> median(std::span<const double> values);
std::optional<double> mean(std::span<const double> values);

// Quantile with linear interpolation between order statistics (Hyndman and Fan 1996, type 7: the default of
// R and NumPy). `probability` in [0, 1].
std::optional<double> quantile(std::span<const double> values, double probability);

// A distribution-free interval for the median: the order statistics x(k) and x(n+1−k) with the largest k
// whose coverage, 1 − 2·P(Binomial(n, 1/2) ≤ k−1), is at least `wanted`. With too few values for that (five
// give 93.75 % at most) it is the whole range with its true coverage. Nothing below two values.
// Source: David and Nagaraja, Order Statistics, 3rd ed., section 7.1.
struct MedianInterval {
    double low = 0;
    double high = 0;
    double coverage = 0; // true confidence, e.g. 0.9375
    bool operator==(const MedianInterval &) const = default;
};
std::optional<MedianInterval> medianInterval(std::span<const double> values, double wanted = 0.95);

// Range of the repeats over their median: A up to 1 %, B up to 3 %, C more. Nothing below two values.
enum class NoiseGrade { A, B, C };
std::optional<NoiseGrade> noiseGrade(std::span<const double> values);
char noiseGradeLetter(NoiseGrade grade);

} // namespace sb
