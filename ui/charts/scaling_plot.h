// SPDX-License-Identifier: GPL-3.0-or-later
// Puts a ScalingFigure into a QCustomPlot: the one painter of screen, files and reports. Private to
// ui/charts.
#pragma once

#include "charts/scaling_figure.h"

#include <QPointF>
#include <QSize>

#include <optional>

class QCPAxisRect;
class QCustomPlot;

namespace sb {

class CurvesItem;
class LabelColumn;
class ListTicker;

// Which point of which curve of the figure.
struct CurvePoint {
    std::size_t curve = 0;
    std::size_t point = 0;
    bool operator==(const CurvePoint &) const = default;
};

class ScalingPlot {
public:
    explicit ScalingPlot(QCustomPlot *plot);

    // Lays the figure out anew for a canvas of `size` units. Does not repaint.
    void build(const ScalingFigure &figure, const FigureLook &look, QSize size);

    // Nearest drawn point within reach of a pixel.
    std::optional<CurvePoint> pointAt(QPointF position) const;
    // Curve whose label is at a pixel.
    std::optional<std::size_t> labelAt(QPointF position) const;
    // Pixel of a point, if it is drawn.
    std::optional<QPointF> place(const CurvePoint &point) const;
    void setRing(const std::optional<CurvePoint> &point);
    // Height that legend and lines of text above and under a narrow plot add to the figure, in units.
    int extraHeight() const { return m_extraHeight; }

private:
    void addCurves(const ScalingFigure &figure);
    void addFits(const ScalingFigure &figure);
    void addIdeal(const ScalingFigure &figure);
    void scaleAxes(const ScalingFigure &figure, QSize size);
    void setDeviceTicks(const std::vector<int> &devices);
    void layOut(const ScalingFigure &figure, QSize size);

    QCustomPlot *m_plot;
    QCPAxisRect *m_rect = nullptr;
    CurvesItem *m_curves = nullptr;
    LabelColumn *m_labels = nullptr;
    FigureLook m_look;
    int m_extraHeight = 0;
};

} // namespace sb
