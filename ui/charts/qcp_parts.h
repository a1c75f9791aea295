// SPDX-License-Identifier: GPL-3.0-or-later
// Small pieces shared by the charts' .cpp files; it includes QCustomPlot, so headers stay away from it.
#pragma once

#include "charts/qcp.h"

#include "charts/tokens.h"

namespace sb {

// Ticks at multiples of a 1-2-5 step, written as in every other place of the program.
class FigureTicker : public QCPAxisTicker {
public:
    // At most `mostSteps` intervals; `least` is the smallest step (1 for counts).
    explicit FigureTicker(int mostSteps, double least = 0);
    void setStep(double step) { m_step = step; } // 0: chosen from the range

protected:
    double getTickStep(const QCPRange &range) override;
    int getSubTickCount(double) override { return 0; }
    QString getTickLabel(double tick, const QLocale &, QChar, int) override;

private:
    int m_mostSteps;
    double m_least;
    double m_step = 0;
};

struct AxisLook {
    QColor axis;
    QColor grid;
    QColor text;  // label
    QColor text2; // tick labels
    QFont font;
    double scale = 1; // units a design pixel
};

// Left and bottom axes only, ticks outside, horizontal grid only.
void dressAxis(QCPAxis *axis, const AxisLook &look);

} // namespace sb
