// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_style.h"
#include "charts/painted_figure.h"

#include <QString>

#include <optional>
#include <utility>
#include <vector>

namespace sb {

// Every run of two sides as a dot on one axis, with the median and its interval: how far apart they are and
// how much they scatter. The axis does not begin at 0; nothing filled stands on it.
struct RunDots {
    struct Side {
        QString name;
        SeriesStyle style;
        std::vector<double> runs; // empty: only the median is known
        double median = 0;
        std::optional<std::pair<double, double>> interval;
    };
    std::vector<Side> sides; // two
    QString axis;
};

PaintedFigure paintedDots(std::vector<RunDots::Side> sides, const QString &axis);

} // namespace sb
