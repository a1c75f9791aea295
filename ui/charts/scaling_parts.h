// SPDX-License-Identifier: GPL-3.0-or-later
// What QCustomPlot does not have: curves with whiskers and markers, direct labels, a legend row. Private to
// ui/charts; for .cpp files only.
#pragma once

#include "charts/qcp_parts.h"

#include "charts/scaling_figure.h"

#include <vector>

namespace sb {

struct FigureColours {
    QColor ground, text, text2, axis, grid, sim;

    static FigureColours of(ChartPalette palette);
};

// Ticks exactly where they are asked for.
class ListTicker : public QCPAxisTicker {
public:
    void setTicks(const QVector<double> &ticks, const QVector<QString> &labels);
    void generate(const QCPRange &range, const QLocale &, QChar, int, QVector<double> &ticks,
                  QVector<double> *subTicks, QVector<QString> *tickLabels) override;

private:
    QVector<double> m_ticks;
    QVector<QString> m_labels;
};

struct DrawnPoint {
    double devices = 0;
    double value = 0;
    double low = 0; // whisker; equal to `high` where there is none
    double high = 0;
    std::size_t index = 0; // in ScalingCurve::points
};

struct DrawnCurve {
    std::size_t index = 0; // in ScalingFigure::curves
    QString label;
    QColor colour;
    SeriesStyle style;
    double width = 1;
    std::vector<DrawnPoint> points;
};

// A fitted line over or beyond a curve.
struct DrawnFit {
    FigureFit fit;
    QColor colour;
    double lastMeasured = 0; // devices
};

// Curves, ideal line and ring, drawn over one axis rect. Shared by all that follows.
class CurvesItem : public QCPAbstractItem {
public:
    CurvesItem(QCustomPlot *plot, QCPAxis *x, QCPAxis *y);

    QPointF pixel(double devices, double value) const;
    double selectTest(const QPointF &, bool, QVariant *) const override { return -1; }

    std::vector<DrawnCurve> curves; // in order of drawing
    std::vector<DrawnFit> fits;
    FigureLook look;
    FigureColours colours;
    std::optional<std::pair<QPointF, QPointF>> ideal; // from and to, in devices and values
    QString idealWord;
    QString message;             // in the middle of the plot
    std::optional<QPointF> ring; // devices and value of the chosen point
    QColor ringColour;

protected:
    void draw(QCPPainter *painter) override;

private:
    void drawCurve(QCPPainter *painter, const DrawnCurve &curve) const;
    void drawFit(QCPPainter *painter, const DrawnFit &fit) const;
    void drawIdeal(QCPPainter *painter) const;

    QCPAxis *m_x;
    QCPAxis *m_y;
};

// Names and last values right of the plot, with leader lines to the ends of the curves.
class LabelColumn : public QCPLayoutElement {
public:
    LabelColumn(QCustomPlot *plot, CurvesItem *curves, FigureKind kind);

    // Width that the longest label needs, in units.
    int neededWidth() const;
    std::optional<std::size_t> curveAt(QPointF position) const;

protected:
    void draw(QCPPainter *painter) override;

private:
    std::vector<double> places(std::vector<const DrawnCurve *> &sorted) const;

    CurvesItem *m_curves;
    FigureKind m_kind;
};

// Keys and names in as many rows as the width needs.
class LegendRow : public QCPLayoutElement {
public:
    LegendRow(QCustomPlot *plot, CurvesItem *curves, int width);
    QSize minimumOuterSizeHint() const override;

protected:
    void draw(QCPPainter *painter) override;

private:
    struct Entry {
        QPointF place; // top left, from the element's corner
        const DrawnCurve *curve;
    };
    std::vector<Entry> entries(int width, int *height) const;

    CurvesItem *m_curves;
    int m_height = 0;
};

// One or more lines of text, wrapped to the width of the figure.
class TextLines : public QCPLayoutElement {
public:
    TextLines(QCustomPlot *plot, const QString &text, const QFont &font, int width);
    QSize minimumOuterSizeHint() const override;
    QColor colour;

protected:
    void draw(QCPPainter *painter) override;

private:
    QString m_text;
    QFont m_font;
    int m_height = 0;
};

} // namespace sb
