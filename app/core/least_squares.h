// SPDX-License-Identifier: GPL-3.0-or-later
// Fits of small models with error bars. Eigen is used in least_squares.cpp only.
#pragma once

#include "core/result.h"

#include <functional>
#include <span>
#include <vector>

namespace sb {

struct LeastSquares {
    std::vector<double> parameters;
    std::vector<double> residuals;
    // parameters² entries, row by row: residual variance × (JᵀJ)⁻¹. All 0 without degrees of freedom.
    std::vector<double> covariance;
    double variance = 0;  // of the residuals: their squares over the degrees of freedom; 0 without any
    int freedom = 0;      // residuals − parameters
    double condition = 1; // of the Jacobian with columns scaled to length 1; > 10⁶: not determined

    double error(std::size_t parameter) const; // standard error
    // Variance of a function of the parameters with this gradient (first order).
    double varianceOf(std::span<const double> gradient) const;
};

// Finds the parameters, from `start`, with the least sum of squared residuals (Levenberg and Marquardt with
// central differences; at most 200 steps). A residual that is not finite rejects a step, so a model can
// refuse parameters. Fails when there are fewer residuals than parameters, or none is finite at the start.
using Residuals = std::function<std::vector<double>(std::span<const double> parameters)>;
Result<LeastSquares> leastSquares(const Residuals &residuals, std::vector<double> start);

} // namespace sb
