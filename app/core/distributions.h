// SPDX-License-Identifier: GPL-3.0-or-later
// The probability distributions behind intervals and tests. Boost.Math is used in distributions.cpp only.
#pragma once

#include <cstddef>

namespace sb {

// The value that a standard normal variable does not exceed with this probability; 0.975 gives 1.96.
double normalQuantile(double probability);

// The same for Student's t with `freedom` > 0 degrees of freedom; (0.975, 2) gives 4.303.
double studentQuantile(double probability, double freedom);

// P(T ≤ t) for Student's t with `freedom` > 0 degrees of freedom.
double studentCdf(double t, double freedom);

// P(X ≤ successes) for X ~ Binomial(trials, 1/2): how many of `trials` values lie below their true median.
double fairBinomialCdf(std::size_t successes, std::size_t trials);

// The largest c with P(U ≤ c) ≤ `tail` for the rank-sum statistic U of samples of sizes n and m that do not
// differ, or −1 if even U = 0 is more probable than that. Exact up to 50 values a side, then normal.
// (5, 5, 0.025) gives 2. Source: Mann and Whitney 1947, the recurrence of section 2.
long long rankSumCritical(std::size_t n, std::size_t m, double tail);

} // namespace sb
