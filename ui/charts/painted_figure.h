// SPDX-License-Identifier: GPL-3.0-or-later
// Charts that paint themselves without axes of QCustomPlot: the same painter for the screen and for files.
#pragma once

#include "charts/figure_exporter.h"
#include "charts/tokens.h"

#include <QFont>
#include <QPainter>
#include <QRectF>
#include <QString>
#include <QWidget>

#include <functional>
#include <optional>

namespace sb {

// What a painter needs besides its values. Lengths are design pixels, 1/96 inch.
struct PaintLook {
    const Tokens &tokens;
    ChartPalette palette;
    QFont font; // body
    QFont fine; // axes
};

struct PaintedFigure {
    QString title;             // in exports only
    QString description;       // one sentence that says what can be seen, for assistive technology
    QString provenance;        // in exports only
    QString simulated;         // "SIMULATED" where values are made up
    double heightShare = 0.55; // of the width, in exports
    std::function<void(QPainter &, const QRectF &, const PaintLook &)> paint;
    // What is said of a place, when the figure fills the rectangle; empty: nothing.
    std::function<QString(QPointF, const QRectF &)> tip;
    // Which part of the figure a place belongs to, for clicks.
    std::function<std::optional<int>(QPointF, const QRectF &)> partAt;
};

// As a file: title above, provenance below, on white or on the dark ground.
Drawing drawingOf(const PaintedFigure &figure, const FigureStyle &style);

class PaintedChart : public QWidget {
    Q_OBJECT
public:
    explicit PaintedChart(QWidget *parent = nullptr);

    void setFigure(const PaintedFigure &figure);
    const PaintedFigure &figure() const { return m_figure; }

    QSize sizeHint() const override { return {520, 240}; }
    QSize minimumSizeHint() const override { return {260, 120}; }

Q_SIGNALS:
    void partClicked(int part);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    bool event(QEvent *event) override;

private:
    QRectF area() const { return QRectF(rect()).adjusted(8, 6, -8, -6); }
    PaintedFigure m_figure;
};

} // namespace sb
