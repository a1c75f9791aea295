// SPDX-License-Identifier: GPL-3.0-or-later
// What the table says of fits.
#include "pages/scaling_table.h"

#include "charts/chart_text.h"
#include "core/units.h"
#include "widgets/text.h"

#include <algorithm>

namespace sb {

namespace {

QString number(double value, int decimals)
{
    return toQString(formatNumber(value, decimals));
}

QString withInterval(const FittedParameter &parameter, int decimals)
{
    return QStringLiteral("%1 (%2 – %3)")
        .arg(number(parameter.value, decimals), number(parameter.low, decimals),
             number(parameter.high, decimals));
}

} // namespace

QString fitFaultText(const ScalingFit &fit)
{
    switch (fit.fault) {
    case FitFault::None:
        return {};
    case FitFault::TooFewScales:
    case FitFault::Loose:
        return ScalingTableModel::tr("Not identifiable from %n scale(s)", nullptr, fit.scales);
    case FitFault::Confounded:
        return ScalingTableModel::tr("Not identifiable: the scales do not tell the parameters apart");
    case FitFault::Superlinear:
        return ScalingTableModel::tr("Not identifiable: grows faster than the devices");
    case FitFault::NotConverged:
        break;
    }
    return ScalingTableModel::tr("Not identifiable: the fit found no end");
}

const ScalingFit *ScalingTableModel::fitOf(int row) const
{
    const auto at = static_cast<std::size_t>(row);
    return at < m_fits.size() ? &m_fits[at] : nullptr;
}

QString ScalingTableModel::fitText(int row, const Column &column) const
{
    const ScalingFit *fit = fitOf(row);
    if (!fit)
        return QStringLiteral("—");
    if (!fit->identifiable())
        return column.kind == Kind::Serial ? tr("not identifiable") : QStringLiteral("—");
    if (column.kind == Kind::Serial)
        return withInterval(fit->serial, 4);
    if (column.kind == Kind::Crosstalk)
        return withInterval(fit->crosstalk, 6);
    const auto band = fit->at(column.devices);
    if (!band)
        return QStringLiteral("—");
    return QStringLiteral("%1 (%2 – %3)")
        .arg(toQString(formatThroughput(band->value)), toQString(formatThroughput(band->low)),
             toQString(formatThroughput(band->high)));
}

QString ScalingTableModel::fitTip(int row) const
{
    const ScalingFit *fit = fitOf(row);
    if (!fit)
        return {};
    if (!fit->identifiable())
        return fitFaultText(*fit);
    QString tip = toQString(scalingModelName(fit->model)) + QLatin1Char('\n') +
                  tr("One device: %1 (%2 – %3)")
                      .arg(number(fit->rate.value, 2), number(fit->rate.low, 2), number(fit->rate.high, 2)) +
                  QLatin1Char('\n') + tr("Residuals, measured over fitted:");
    for (const ScalingFit::Residual &residual : fit->residuals)
        tip += QStringLiteral("\n%1: %2%3")
                   .arg(residual.devices)
                   .arg(residual.relative > 0 ? QStringLiteral("+") : QString(),
                        toQString(formatPercent(residual.relative, 2)));
    if (const auto peak = fit->peakDevices())
        tip += QLatin1Char('\n') + tr("Greatest throughput at about %1 devices").arg(number(*peak, 0));
    return tip;
}

} // namespace sb
