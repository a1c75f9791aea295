// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/qcp_parts.h"

#include "charts/chart_math.h"
#include "charts/chart_text.h"
#include "core/units.h"

#include <algorithm>
#include <cmath>

namespace sb {

FigureTicker::FigureTicker(int mostSteps, double least)
    : m_mostSteps(std::max(1, mostSteps))
    , m_least(least)
{
}

double FigureTicker::getTickStep(const QCPRange &range)
{
    return m_step > 0 ? m_step : std::max(m_least, niceStep(range.size() / m_mostSteps));
}

QString FigureTicker::getTickLabel(double tick, const QLocale &, QChar, int)
{
    int decimals = 0;
    while (decimals < 9 && std::abs(tick - std::round(tick * std::pow(10, decimals)) /
                                               std::pow(10, decimals)) > 1e-9 * std::max(1.0, std::abs(tick)))
        ++decimals;
    return painted(formatNumber(tick, decimals));
}

void dressAxis(QCPAxis *axis, const AxisLook &look)
{
    const auto px = [&look](double design) { return static_cast<int>(std::lround(design * look.scale)); };
    const bool bottom = axis->axisType() == QCPAxis::atBottom;
    axis->setLayer(QStringLiteral("axes"));
    axis->grid()->setLayer(QStringLiteral("grid"));
    axis->setBasePen(QPen(look.axis, look.scale));
    axis->setTickPen(QPen(look.axis, look.scale));
    axis->setSubTicks(false);
    axis->setTickLength(0, px(bottom ? 5 : 0));
    axis->setTickLabelFont(look.font);
    axis->setLabelFont(look.font);
    axis->setTickLabelColor(look.text2);
    axis->setLabelColor(look.text);
    axis->setTickLabelPadding(px(bottom ? 3 : 7));
    axis->setLabelPadding(px(3));
    axis->setLowerEnding(QCPLineEnding::esNone);
    axis->setUpperEnding(QCPLineEnding::esNone);
    axis->grid()->setVisible(!bottom);
    axis->grid()->setPen(QPen(look.grid, look.scale));
    axis->grid()->setZeroLinePen(Qt::NoPen);
    axis->grid()->setAntialiased(false);
}

} // namespace sb
