// SPDX-License-Identifier: GPL-3.0-or-later
// One case over time: a place for each group of runs that were made together, oldest left.
#pragma once

#include "charts/chart_style.h"
#include "charts/painted_figure.h"
#include "core/comparison.h"

#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace sb {

struct HistoryFigure {
    struct Point {
        std::string place; // sorts in time: day and plan
        QString day;       // "2026-11-29"
        double value = 0;
        double low = 0; // interval of the median, or the range of the runs
        double high = 0;
        std::optional<Verdict> change; // against the one before
        QString tip;
    };
    struct Line {
        QString name;
        SeriesStyle style;
        std::vector<Point> points; // in time
    };
    std::vector<Line> lines;
    QString axis;    // "images/s"
    QString message; // where there is nothing to draw
};

PaintedFigure paintedHistory(const HistoryFigure &figure);

} // namespace sb
