// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/distributions.h"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace sb {

double normalQuantile(double probability)
{
    return boost::math::quantile(boost::math::normal_distribution<>(), probability);
}

double studentQuantile(double probability, double freedom)
{
    return boost::math::quantile(boost::math::students_t_distribution<>(freedom), probability);
}

double studentCdf(double t, double freedom)
{
    return boost::math::cdf(boost::math::students_t_distribution<>(freedom), t);
}

double fairBinomialCdf(std::size_t successes, std::size_t trials)
{
    if (successes >= trials)
        return 1;
    return boost::math::cdf(boost::math::binomial_distribution<>(static_cast<double>(trials), 0.5),
                            static_cast<double>(successes));
}

namespace {

constexpr std::size_t kExactRankSum = 50;

// P(U = u) for u = 0 … n·m: of all orders of the two samples, the share that gives u.
std::vector<double> rankSumProbabilities(std::size_t n, std::size_t m)
{
    // shares[j] is the distribution for i values against j. The largest of the i + j values is of the first
    // sample with probability i/(i+j) and then stands above all j; otherwise it adds nothing.
    std::vector<std::vector<double>> shares(m + 1, std::vector<double>{1.0});
    for (std::size_t i = 1; i <= n; ++i) {
        std::vector<std::vector<double>> next(m + 1, std::vector<double>{1.0});
        for (std::size_t j = 1; j <= m; ++j) {
            std::vector<double> &at = next[j];
            at.assign(i * j + 1, 0.0);
            const double first = static_cast<double>(i) / static_cast<double>(i + j);
            for (std::size_t u = 0; u < shares[j].size(); ++u)
                at[u + j] += first * shares[j][u];
            for (std::size_t u = 0; u < next[j - 1].size(); ++u)
                at[u] += (1 - first) * next[j - 1][u];
        }
        shares = std::move(next);
    }
    return shares[m];
}

} // namespace

long long rankSumCritical(std::size_t n, std::size_t m, double tail)
{
    if (n > kExactRankSum || m > kExactRankSum) {
        const double pairs = static_cast<double>(n) * static_cast<double>(m);
        const double spread = std::sqrt(pairs * static_cast<double>(n + m + 1) / 12.0);
        return std::max(-1LL, std::llround(pairs / 2 + normalQuantile(tail) * spread - 0.5));
    }
    double below = 0;
    long long critical = -1;
    for (const double probability : rankSumProbabilities(n, m)) {
        below += probability;
        if (below > tail)
            break;
        ++critical;
    }
    return critical;
}

} // namespace sb
