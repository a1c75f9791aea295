// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/least_squares.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sb {

namespace {

constexpr int kMostSteps = 200;
constexpr double kMostDamping = 1e12;

Eigen::VectorXd evaluated(const Residuals &residuals, const Eigen::VectorXd &at)
{
    const std::vector<double> values = residuals({at.data(), static_cast<std::size_t>(at.size())});
    return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

Eigen::MatrixXd jacobian(const Residuals &residuals, const Eigen::VectorXd &at, Eigen::Index rows)
{
    Eigen::MatrixXd derivatives(rows, at.size());
    const double cubeRoot = std::cbrt(std::numeric_limits<double>::epsilon());
    for (Eigen::Index i = 0; i < at.size(); ++i) {
        const double step = cubeRoot * std::max(std::abs(at[i]), 1e-3);
        Eigen::VectorXd above = at;
        Eigen::VectorXd below = at;
        above[i] += step;
        below[i] -= step;
        derivatives.col(i) = (evaluated(residuals, above) - evaluated(residuals, below)) / (2 * step);
    }
    return derivatives;
}

// Lengths of the columns, 1 where one is 0.
Eigen::VectorXd columnLengths(const Eigen::MatrixXd &matrix)
{
    Eigen::VectorXd lengths = matrix.colwise().norm();
    for (double &length : lengths)
        if (!(length > 0))
            length = 1;
    return lengths;
}

struct Position {
    Eigen::VectorXd at;
    Eigen::VectorXd residuals;
    double squares = 0;
};

// The step of one damping: columns are scaled, so that parameters of any size are damped alike.
Eigen::VectorXd dampedStep(const Eigen::MatrixXd &scaled, const Eigen::VectorXd &residuals, double damping)
{
    const Eigen::Index size = scaled.cols();
    Eigen::MatrixXd stacked(scaled.rows() + size, size);
    stacked << scaled, std::sqrt(damping) * Eigen::MatrixXd::Identity(size, size);
    Eigen::VectorXd wanted = Eigen::VectorXd::Zero(stacked.rows());
    wanted.head(residuals.size()) = -residuals;
    return stacked.colPivHouseholderQr().solve(wanted);
}

void descend(const Residuals &residuals, Position &best)
{
    double damping = 1e-3;
    for (int step = 0; step < kMostSteps && damping < kMostDamping; ++step) {
        const Eigen::MatrixXd derivatives = jacobian(residuals, best.at, best.residuals.size());
        if (!derivatives.allFinite())
            return;
        const Eigen::VectorXd lengths = columnLengths(derivatives);
        const Eigen::MatrixXd scaled = derivatives * lengths.cwiseInverse().asDiagonal();
        bool moved = false;
        while (!moved && damping < kMostDamping) {
            const Eigen::VectorXd change = dampedStep(scaled, best.residuals, damping).cwiseQuotient(lengths);
            Position next;
            next.at = best.at + change;
            next.residuals = evaluated(residuals, next.at);
            next.squares = next.residuals.squaredNorm();
            if (std::isfinite(next.squares) && next.squares < best.squares) {
                const double gained = (best.squares - next.squares) / best.squares;
                best = next;
                damping = std::max(damping / 10, 1e-12);
                moved = true;
                if (gained < 1e-14)
                    return;
            } else {
                damping *= 10;
            }
        }
    }
}

} // namespace

double LeastSquares::error(std::size_t parameter) const
{
    return std::sqrt(std::max(0.0, covariance[parameter * parameters.size() + parameter]));
}

double LeastSquares::varianceOf(std::span<const double> gradient) const
{
    double sum = 0;
    for (std::size_t i = 0; i < gradient.size(); ++i)
        for (std::size_t j = 0; j < gradient.size(); ++j)
            sum += gradient[i] * covariance[i * parameters.size() + j] * gradient[j];
    return std::max(0.0, sum);
}

Result<LeastSquares> leastSquares(const Residuals &residuals, std::vector<double> start)
{
    Position best;
    best.at = Eigen::Map<const Eigen::VectorXd>(start.data(), static_cast<Eigen::Index>(start.size()));
    best.residuals = evaluated(residuals, best.at);
    best.squares = best.residuals.squaredNorm();
    if (best.residuals.size() < best.at.size())
        return Error{ErrorCode::BadInput, "A fit of " + std::to_string(start.size()) +
                                              " parameters needs at least as many values, not " +
                                              std::to_string(best.residuals.size()) + "."};
    if (!std::isfinite(best.squares))
        return Error{ErrorCode::BadInput,
                     "The values cannot be fitted: the model has no value where the fit begins."};
    if (best.squares > 0)
        descend(residuals, best);

    const Eigen::MatrixXd derivatives = jacobian(residuals, best.at, best.residuals.size());
    if (!derivatives.allFinite())
        return Error{ErrorCode::Failed, "The fit ended where the model has no value beside it."};
    const Eigen::VectorXd lengths = columnLengths(derivatives);
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(derivatives * lengths.cwiseInverse().asDiagonal(),
                                                Eigen::ComputeThinU | Eigen::ComputeThinV);
    const Eigen::VectorXd singular = svd.singularValues();
    LeastSquares fit;
    fit.parameters.assign(best.at.data(), best.at.data() + best.at.size());
    fit.residuals.assign(best.residuals.data(), best.residuals.data() + best.residuals.size());
    fit.freedom = static_cast<int>(best.residuals.size() - best.at.size());
    fit.variance = fit.freedom > 0 ? best.squares / fit.freedom : 0;
    const double least = singular[singular.size() - 1];
    fit.condition = least > 0 ? singular[0] / least : std::numeric_limits<double>::infinity();
    fit.covariance.assign(start.size() * start.size(), 0.0);
    if (fit.freedom > 0 && least > 0) {
        const Eigen::MatrixXd half = svd.matrixV() * singular.cwiseInverse().asDiagonal();
        const Eigen::MatrixXd inverse = half * half.transpose();
        for (Eigen::Index i = 0; i < inverse.rows(); ++i)
            for (Eigen::Index j = 0; j < inverse.cols(); ++j)
                fit.covariance[static_cast<std::size_t>(i * inverse.cols() + j)] =
                    fit.variance * inverse(i, j) / (lengths[i] * lengths[j]);
    }
    return fit;
}

} // namespace sb
