// SPDX-License-Identifier: GPL-3.0-or-later
// What a scaling figure shows, as values: the same on screen, in an exported file and in a report.
#pragma once

#include "charts/chart_style.h"
#include "core/scaling.h"

#include <QFont>
#include <QString>

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

struct ScalingFigure {
    FigureKind kind = FigureKind::Throughput;
    bool logarithmic = false; // log2 on x, and on y but for efficiency
    std::vector<ScalingCurve> curves;
    std::set<std::size_t> hidden;
    std::optional<std::size_t> emphasised;
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

// Styles of the curves, parallel to them.
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
