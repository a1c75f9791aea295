// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scaling_fit.h"

#include "core/distributions.h"
#include "core/least_squares.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace sb {

namespace {

constexpr double kConfounded = 1e6; // condition of the scaled Jacobian
constexpr double kLoose = 0.10;
constexpr int kLeastFreedom = 2; // with one, Student's t is 12.7 and every band is a guess
constexpr double kGrowthMargin = 0.02;
constexpr double kSuperlinearMargin = 0.005; // half of a printed hundredth

double loss(double devices, double serial, double crosstalk)
{
    return 1 + serial * (devices - 1) + crosstalk * devices * (devices - 1);
}

struct LogPoint {
    double devices;
    double logThroughput;
};

std::vector<LogPoint> logPoints(std::span<const FitPoint> points)
{
    std::map<int, std::vector<double>> byDevices;
    for (const FitPoint &point : points)
        if (point.throughput > 0 && point.devices > 0)
            byDevices[point.devices].push_back(std::log(point.throughput));
    std::vector<LogPoint> merged;
    for (const auto &[devices, logs] : byDevices)
        merged.push_back({static_cast<double>(devices), *mean(logs)});
    return merged;
}

Residuals residualsOf(const std::vector<LogPoint> &points)
{
    return [points](std::span<const double> parameters) {
        std::vector<double> residuals;
        for (const LogPoint &point : points) {
            const double share =
                loss(point.devices, parameters[1], parameters.size() > 2 ? parameters[2] : 0.0);
            residuals.push_back(share > 0 ? parameters[0] + std::log(point.devices) - std::log(share) -
                                                point.logThroughput
                                          : std::numeric_limits<double>::quiet_NaN());
        }
        return residuals;
    };
}

FittedParameter withError(double value, double error, double t)
{
    return {value, value - t * error, value + t * error};
}

FitFault faultOf(const ScalingFit &fit, const LeastSquares &solution, double largest)
{
    if (solution.condition > kConfounded)
        return FitFault::Confounded;
    if (fit.serial.high < 0 || (fit.model == ScalingModel::Usl && fit.crosstalk.high < 0))
        return FitFault::Superlinear;
    const double share = loss(largest, fit.serial.value, fit.crosstalk.value);
    const std::vector<double> gradient{1, -(largest - 1) / share, -largest * (largest - 1) / share};
    const double t = studentQuantile(0.975, solution.freedom);
    const double half =
        t * std::sqrt(solution.varianceOf(std::span(gradient).first(solution.parameters.size())));
    return half > kLoose ? FitFault::Loose : FitFault::None;
}

} // namespace

std::string scalingModelName(ScalingModel model)
{
    return model == ScalingModel::Amdahl ? "Amdahl" : "USL";
}

ScalingFit fitScaling(std::span<const FitPoint> given, ScalingModel model)
{
    const std::vector<LogPoint> points = logPoints(given);
    ScalingFit fit;
    fit.model = model;
    fit.scales = static_cast<int>(points.size());
    const std::size_t parameters = model == ScalingModel::Amdahl ? 2 : 3;
    fit.freedom = fit.scales - static_cast<int>(parameters);
    if (fit.freedom < kLeastFreedom)
        return fit;
    std::vector<double> start{points.front().logThroughput - std::log(points.front().devices), 0.01};
    if (model == ScalingModel::Usl)
        start.push_back(1e-5);
    const auto solution = leastSquares(residualsOf(points), start);
    if (!solution) {
        fit.fault = FitFault::NotConverged;
        return fit;
    }
    const double t = studentQuantile(0.975, fit.freedom);
    const double logRate = solution->parameters[0];
    const double rateError = solution->error(0);
    fit.rate = {std::exp(logRate), std::exp(logRate - t * rateError), std::exp(logRate + t * rateError)};
    fit.serial = withError(solution->parameters[1], solution->error(1), t);
    if (model == ScalingModel::Usl)
        fit.crosstalk = withError(solution->parameters[2], solution->error(2), t);
    for (std::size_t i = 0; i < points.size(); ++i)
        fit.residuals.push_back({static_cast<int>(points[i].devices), std::expm1(-solution->residuals[i])});
    fit.spread = std::sqrt(solution->variance);
    fit.covariance = solution->covariance;
    fit.fault = faultOf(fit, *solution, points.back().devices);
    return fit;
}

ScalingFit fitScaling(const ScalingCurve &curve, ScalingModel model)
{
    std::vector<FitPoint> points;
    for (const CaseResult &result : curve.points)
        points.push_back({result.key.devices(), result.throughput});
    return fitScaling(points, model);
}

std::optional<FitBand> ScalingFit::at(double devices) const
{
    const double share = loss(devices, serial.value, crosstalk.value);
    if (!identifiable() || !(share > 0))
        return std::nullopt;
    const std::size_t size = model == ScalingModel::Amdahl ? 2 : 3;
    const std::vector<double> gradient{1, -(devices - 1) / share, -devices * (devices - 1) / share};
    double variance = spread * spread;
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < size; ++j)
            variance += gradient[i] * covariance[i * size + j] * gradient[j];
    const double reach = studentQuantile(0.975, freedom) * std::sqrt(std::max(variance, 0.0));
    const double value = rate.value * devices / share;
    return FitBand{value, value * std::exp(-reach), value * std::exp(reach)};
}

std::optional<double> ScalingFit::peakDevices() const
{
    if (!identifiable() || crosstalk.value <= 0 || serial.value >= 1)
        return std::nullopt;
    return std::sqrt((1 - serial.value) / crosstalk.value);
}

std::vector<ShapeFlag> shapeFlags(const ScalingCurve &curve)
{
    std::vector<ShapeFlag> flags;
    if (curve.points.empty())
        return flags;
    if (!curve.hasBaseline())
        flags.push_back({ShapeKind::NoBaseline, curve.points.front().key.devices(), 0, 0});
    const CaseResult *before = nullptr;
    for (const CaseResult &point : curve.points) {
        const int devices = point.key.devices();
        if (point.speedup && devices > 1 && *point.speedup >= devices + kSuperlinearMargin)
            flags.push_back({ShapeKind::Superlinear, devices, 1, *point.speedup});
        if (before && before->key.devices() < devices) {
            const double growth = point.throughput / before->throughput;
            const double more = static_cast<double>(devices) / before->key.devices();
            if (growth < 1)
                flags.push_back({ShapeKind::Backward, devices, before->key.devices(), growth});
            else if (growth > more * (1 + kGrowthMargin))
                flags.push_back({ShapeKind::FasterThanDevices, devices, before->key.devices(), growth});
        }
        before = &point;
    }
    return flags;
}

} // namespace sb
