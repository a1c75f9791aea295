// SPDX-License-Identifier: GPL-3.0-or-later
// What a device could do against what it did: the roof of its peak and its memory, and a point for each
// curve.
#pragma once

#include "charts/chart_style.h"
#include "charts/painted_figure.h"

#include <QString>

#include <optional>
#include <vector>

namespace sb {

struct RooflineFigure {
    struct Roof {
        QString name;     // "V100-SXM2, FP16"
        double flops = 0; // of a device, FLOP/s
        std::optional<double> memoryBytesPerS;
        bool operator==(const Roof &) const = default;
    };
    struct Point {
        QString name; // "OneFlow · 32 · 68 %"
        SeriesStyle style;
        double intensity = 0; // FLOPs a byte
        double flops = 0;     // reached by a device
        QString tip;
    };
    std::vector<Roof> roofs;
    std::vector<Point> points;
    QString message; // in place of everything: why nothing is drawn
    QString intensityAxis;
    QString flopsAxis;
};

PaintedFigure paintedRoofline(const RooflineFigure &figure);

} // namespace sb
