// SPDX-License-Identifier: GPL-3.0-or-later
// What a scaling figure shows, as values: the same on screen, in an exported file and in a report.
#pragma once

#include "charts/chart_style.h"
#include "core/scaling.h"
#include "core/scaling_fit.h"

#include <QFont>
#include <QString>

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sb {

enum class FigureKind { Throughput, Speedup, Efficiency };

// Every word in a figure. The window fills them in its language, a report in its own.
struct FigureTexts {
    QString title;      // in exports only
    QString provenance; // in exports only: what was measured, when, with which program
    QString valueAxis;  // "Throughput (images/s)"
    QString deviceAxis; // "GPUs"
    QString ideal;      // "ideal"
    QString simulated;  // "SIMULATED"
    QString noBaseline; // "No speedup: the 1-GPU run is missing"
    QString nothing;    // "Nothing to draw yet"

    bool operator==(const FigureTexts &) const = default;
};

// A fitted model as a line with its 95 % band, in the figure's values. Beyond the curve's last point it is
// drawn in dashes.
struct FigureFit {
    struct Point {
        double devices = 0;
        double value = 0;
        double low = 0;
        double high = 0;
        bool operator==(const Point &) const = default;
    };
    std::size_t curve = 0; // in ScalingFigure::curves
    std::vector<Point> points;
    bool banded = true; // the band is drawn, too
    bool operator==(const FigureFit &) const = default;
};
// The line of a model that tells its throughput at a number of devices, in the units of `kind` from the
// curve's first scale to `mostDevices`, dense enough for a bend; nothing without the baseline that `kind`
// needs.
std::optional<FigureFit> figureLine(FigureKind kind, std::size_t index, const ScalingCurve &curve,
                                    const std::function<std::optional<FitBand>(double)> &at, int mostDevices);

// As written beside the curve: the label, the year of others' results, † where it is unlike its neighbours.
QString curveLabel(const ScalingCurve &curve);

struct ScalingFigure {
    FigureKind kind = FigureKind::Throughput;
    bool logarithmic = false; // log2 on x, and on y but for efficiency
    std::vector<ScalingCurve> curves;
    std::set<std::size_t> hidden;
    std::optional<std::size_t> emphasised;
    std::vector<FigureFit> fits;
    FigureTexts texts;

    bool simulated() const;
    bool operator==(const ScalingFigure &) const = default;
};

// How it is drawn. Lengths are in units of the painter.
struct FigureLook {
    ChartPalette palette = ChartPalette::Light;
    QFont font; // axes, labels
    QFont titleFont;
    QFont fineFont;   // provenance
    double scale = 1; // units a design pixel
    double lineWidth = 1.5;
    double markerSize = 8;
    bool exported = false;  // title and provenance inside, label column as narrow as can be
    bool legendRow = false; // legend under the plot in place of the label column
};

// The value that the figure shows of a result; nothing where there is none.
std::optional<double> figureValue(FigureKind kind, const CaseResult &result);
// As written beside the curve: "12 412", "31.21", "97.5 %".
QString figureValueText(FigureKind kind, double value);

// Styles of the curves, parallel to them; those of published results with open markers.
std::vector<SeriesStyle> curveStyles(const std::vector<ScalingCurve> &curves);

// Numbers of devices that were measured, ascending.
std::vector<int> measuredDevices(const std::vector<ScalingCurve> &curves);

// A value axis: its range and where its ticks are.
struct ValueAxis {
    double low = 0;
    double high = 1;
    std::vector<double> ticks;
    bool operator==(const ValueAxis &) const = default;
};
// From 0, with about `mostSteps` intervals; speedups get steps of powers of two, since devices do.
ValueAxis linearAxis(FigureKind kind, double greatest, int mostSteps);
// Base 2: ticks double from a round number below `least`; labels only every second one where they would be
// more than `mostSteps`.
ValueAxis doublingAxis(double least, double greatest, int mostSteps);

// Which of the tick labels, with `centres` ascending and these `widths`, can stand without touching. The last
// one always, then the first, then from the right.
std::vector<bool> roomyLabels(const std::vector<double> &centres, const std::vector<double> &widths,
                              double gap);

} // namespace sb
