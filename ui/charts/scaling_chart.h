// SPDX-License-Identifier: GPL-3.0-or-later
// A scaling figure on screen: hover, click, keyboard.
#pragma once

#include "charts/scaling_figure.h"
#include "charts/scaling_plot.h"

#include <QWidget>

#include <memory>
#include <optional>

class QCustomPlot;

namespace sb {

class ChartTip;

class ScalingChart : public QWidget {
    Q_OBJECT
public:
    explicit ScalingChart(QWidget *parent = nullptr);
    ~ScalingChart() override;

    // Shows the figure; hidden and emphasised curves are part of it.
    void setFigure(const ScalingFigure &figure);
    const ScalingFigure &figure() const { return m_figure; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void curveClicked(int curve);            // a point or a label
    void logRequested(const QString &runId); // "Show the run" in the tip

protected:
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void rebuild();
    void describe();
    void showPoint(const CurvePoint &point);
    void hidePoint();
    void hover(QPointF position);
    void click(QPointF position);
    void stepAlong(int by);
    void stepAcross(int by);

    QCustomPlot *m_canvas;
    std::unique_ptr<ScalingPlot> m_plot;
    ChartTip *m_tip;
    ScalingFigure m_figure;
    std::optional<CurvePoint> m_point; // ringed
};

} // namespace sb
