// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/scaling_figure.h"

#include "charts/chart_math.h"
#include "charts/chart_text.h"
#include "core/units.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sb {

bool ScalingFigure::simulated() const
{
    return std::any_of(curves.begin(), curves.end(),
                       [](const ScalingCurve &curve) { return curve.simulated; });
}

std::optional<double> figureValue(FigureKind kind, const CaseResult &result)
{
    switch (kind) {
    case FigureKind::Throughput:
        return result.throughput;
    case FigureKind::Speedup:
        return result.speedup;
    case FigureKind::Efficiency:
        return result.efficiency ? std::optional(*result.efficiency * 100) : std::nullopt;
    }
    return std::nullopt;
}

QString figureValueText(FigureKind kind, double value)
{
    switch (kind) {
    case FigureKind::Throughput:
        return painted(formatNumber(value, value >= 1000 ? 0 : value >= 100 ? 1 : 2));
    case FigureKind::Speedup:
        return painted(formatNumber(value, 2));
    case FigureKind::Efficiency:
        return painted(formatPercent(value / 100));
    }
    return {};
}

std::vector<SeriesStyle> curveStyles(const std::vector<ScalingCurve> &curves)
{
    std::vector<std::string> names;
    for (const ScalingCurve &curve : curves)
        names.push_back(curve.framework);
    std::vector<SeriesStyle> styles = seriesStyles(names);
    for (std::size_t i = 0; i < curves.size(); ++i)
        styles[i].hollow = !curves[i].published.empty();
    return styles;
}

QString curveLabel(const ScalingCurve &curve)
{
    QString label = QString::fromStdString(curve.label);
    if (!curve.published.empty())
        label += QLatin1Char(' ') + QString::fromStdString(curve.published);
    return curve.unlike.empty() ? label : label + QStringLiteral(" †");
}

std::optional<FigureFit> figureLine(FigureKind kind, std::size_t index, const ScalingCurve &curve,
                                    const std::function<std::optional<FitBand>(double)> &at, int mostDevices)
{
    if (curve.points.empty())
        return std::nullopt;
    if (kind != FigureKind::Throughput && !curve.hasBaseline())
        return std::nullopt;
    const double alone = curve.points.front().throughput;
    const auto scaled = [&](double throughput, double devices) {
        return kind == FigureKind::Throughput ? throughput
               : kind == FigureKind::Speedup  ? throughput / alone
                                              : 100 * throughput / alone / devices;
    };
    FigureFit line;
    line.curve = index;
    const double first = curve.points.front().key.devices();
    constexpr int kSteps = 48;
    for (int i = 0; i <= kSteps; ++i) {
        const double devices = first * std::pow(mostDevices / first, static_cast<double>(i) / kSteps);
        if (const auto band = at(devices))
            line.points.push_back({devices, scaled(band->value, devices), scaled(band->low, devices),
                                   scaled(band->high, devices)});
    }
    return line;
}

std::vector<int> measuredDevices(const std::vector<ScalingCurve> &curves)
{
    std::set<int> devices;
    for (const ScalingCurve &curve : curves)
        for (const CaseResult &point : curve.points)
            devices.insert(point.key.devices());
    return {devices.begin(), devices.end()};
}

ValueAxis linearAxis(FigureKind kind, double greatest, int mostSteps)
{
    ValueAxis axis;
    if (!(greatest > 0))
        greatest = 1;
    axis.high = greatest * 1.05;
    double step = niceStep(axis.high / std::max(1, mostSteps));
    if (kind == FigureKind::Speedup)
        step = std::exp2(std::ceil(std::log2(axis.high / std::max(1, mostSteps)) - 1e-9));
    for (int i = 0; i * step <= axis.high * (1 + 1e-12); ++i)
        axis.ticks.push_back(i * step);
    return axis;
}

ValueAxis doublingAxis(double least, double greatest, int mostSteps)
{
    ValueAxis axis;
    if (!(least > 0))
        least = 1;
    greatest = std::max(greatest, least);
    const double above = niceStep(least);
    double start = above > least * (1 + 1e-12) ? above / 2 : above;
    // 2 and 5 give way to rounder halves: half of 5 is 2.
    const double magnitude = std::pow(10.0, std::floor(std::log10(start) + 1e-9));
    start = magnitude * (start / magnitude >= 5 - 1e-9 ? 5 : start / magnitude >= 2 - 1e-9 ? 2 : 1);
    const double doublings = std::max(1.0, std::ceil(std::log2(greatest / start) - 1e-9));
    const double stride = std::max(1.0, std::ceil(doublings / std::max(1, mostSteps)));
    axis.low = std::min(start, least) / std::exp2(0.15);
    axis.high = greatest * std::exp2(0.25);
    for (double tick = start; tick <= axis.high * (1 + 1e-12); tick *= std::exp2(stride))
        axis.ticks.push_back(tick);
    return axis;
}

std::vector<bool> roomyLabels(const std::vector<double> &centres, const std::vector<double> &widths,
                              double gap)
{
    const std::size_t n = centres.size();
    std::vector<bool> shown(n, false);
    if (n == 0)
        return shown;
    const auto left = [&](std::size_t i) { return centres[i] - widths[i] / 2; };
    const auto right = [&](std::size_t i) { return centres[i] + widths[i] / 2; };
    shown[n - 1] = true;
    double border = left(n - 1) - gap; // labels must end left of here
    const bool first = n > 1 && right(0) <= border;
    if (n > 1)
        shown[0] = first;
    const double start = first ? right(0) + gap : -std::numeric_limits<double>::infinity();
    for (std::size_t i = n - 1; i-- > 1;)
        if (right(i) <= border && left(i) >= start) {
            shown[i] = true;
            border = left(i) - gap;
        }
    return shown;
}

} // namespace sb
