// SPDX-License-Identifier: GPL-3.0-or-later
// What the table says of fits and of utilisation.
#include "pages/scaling_table.h"

#include "charts/chart_text.h"
#include "core/units.h"
#include "widgets/text.h"

#include <algorithm>
#include <cmath>

namespace sb {

namespace {

const QString kDash = QStringLiteral("—");

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

QString percentWithInterval(const FittedParameter &parameter)
{
    return QStringLiteral("%1 (%2 – %3)")
        .arg(toQString(formatPercent(parameter.value, 0)), toQString(formatPercent(parameter.low, 0)),
             toQString(formatPercent(parameter.high, 0)));
}

QString signedPercent(double share)
{
    return (share > 0 ? QStringLiteral("+") : QString()) + toQString(formatPercent(share, 2));
}

QString fitTip(const ScalingFit &fit)
{
    if (!fit.identifiable())
        return fitFaultText(fit.fault, fit.scales);
    QString tip = toQString(scalingModelName(fit.model)) + QLatin1Char('\n') +
                  ScalingTableModel::tr("One device: %1 (%2 – %3)")
                      .arg(number(fit.rate.value, 2), number(fit.rate.low, 2), number(fit.rate.high, 2)) +
                  QLatin1Char('\n') + ScalingTableModel::tr("Residuals, measured over fitted:");
    for (const ScalingFit::Residual &residual : fit.residuals)
        tip += QStringLiteral("\n%1: %2").arg(residual.devices).arg(signedPercent(residual.relative));
    if (const auto peak = fit.peakDevices())
        tip += QLatin1Char('\n') +
               ScalingTableModel::tr("Greatest throughput at about %1 devices").arg(number(*peak, 0));
    return tip;
}

// The bandwidth and latency that a curve is explained with, and how well they fit their measurements.
QString commTip(const CommFit &comm)
{
    QString tip =
        ScalingTableModel::tr("β %1 GB/s bus bandwidth, from %n size(s) over %2 ranks", nullptr, comm.sizes)
            .arg(withInterval(comm.busGBps, 2))
            .arg(comm.ranks);
    tip += QLatin1Char('\n') +
           (comm.latencyKnown
                ? ScalingTableModel::tr("α %1 µs a step of the ring").arg(withInterval(comm.latencyUs, 1))
                : ScalingTableModel::tr("α not identifiable: taken as 0"));
    double worst = 0;
    for (const CommFit::Residual &residual : comm.residuals)
        worst = std::max(worst, std::abs(residual.relative));
    return tip + QLatin1Char('\n') +
           ScalingTableModel::tr("Their residuals: spread %1, at most %2")
               .arg(toQString(formatPercent(comm.spread, 0)), toQString(formatPercent(worst, 0)));
}

QString exposedTip(const ExposedFit &fit, const CommFit &comm, const std::optional<double> &gradientBytes,
                   int devices)
{
    if (!gradientBytes)
        return ScalingTableModel::tr(
            "Not identifiable: neither the runs nor the program know how many bytes of "
            "gradients this model has");
    QString tip = ScalingTableModel::tr("Gradients: %1 a step").arg(toQString(formatBytes(*gradientBytes)));
    tip += QLatin1Char('\n') + commTip(comm);
    if (fit.stepMsAlone <= 0)
        return ScalingTableModel::tr("Not identifiable: the run on 1 device is missing") + QLatin1Char('\n') +
               tip;
    const double ownMs = fit.strong ? fit.stepMsAlone / devices : fit.stepMsAlone;
    const CommForecast forecast = forecastStep(ownMs, *gradientBytes, devices, comm.busGBps.value * 1e9,
                                               comm.latencyKnown ? comm.latencyUs.value * 1e-6 : 0);
    tip += QLatin1Char('\n') +
           ScalingTableModel::tr("All-reduce over %1: %2 ms a step of %3 ms; efficiency %4 if none of it is "
                                 "hidden, %5 if all that can be is")
               .arg(devices)
               .arg(number(forecast.commMs, 2), number(ownMs, 2),
                    toQString(formatPercent(forecast.worstEfficiency)),
                    toQString(formatPercent(forecast.bestEfficiency)));
    if (!fit.identifiable())
        tip = (fit.fault == FitFault::Confounded
                   ? ScalingTableModel::tr("Not identifiable: communication hardly changes a step")
                   : fitFaultText(fit.fault, fit.scales)) +
              QLatin1Char('\n') + tip;
    else
        tip += QLatin1Char('\n') + ScalingTableModel::tr("Residuals of the curve: spread %1")
                                       .arg(toQString(formatPercent(fit.spread, 1)));
    return tip;
}

} // namespace

QString fitFaultText(FitFault fault, int scales)
{
    switch (fault) {
    case FitFault::None:
        return {};
    case FitFault::TooFewScales:
    case FitFault::Loose:
        return ScalingTableModel::tr("Not identifiable from %n scale(s)", nullptr, scales);
    case FitFault::Confounded:
        return ScalingTableModel::tr("Not identifiable: the scales do not tell the parameters apart");
    case FitFault::Superlinear:
        return ScalingTableModel::tr("Not identifiable: grows faster than the devices");
    case FitFault::NotConverged:
        break;
    }
    return ScalingTableModel::tr("Not identifiable: the fit found no end");
}

TableFits tableFits(std::span<const ScalingFit> fits, int devices)
{
    TableFits table;
    table.devices = devices;
    for (const ScalingFit &fit : fits) {
        const bool usl = fit.model == ScalingModel::Usl;
        if (table.names.isEmpty()) {
            table.names << QStringLiteral("σ");
            table.tips << ScalingTableModel::tr(
                "Share of a step that does not get shorter by sharing it, with its 95 % interval.");
            if (usl) {
                table.names << QStringLiteral("κ");
                table.tips << ScalingTableModel::tr(
                    "Cost of every pair of devices talking to each other, with its 95 % interval.");
            }
        }
        TableFit row;
        row.parameters << (fit.identifiable() ? withInterval(fit.serial, 4)
                                              : ScalingTableModel::tr("not identifiable"));
        if (usl)
            row.parameters << (fit.identifiable() ? withInterval(fit.crosstalk, 6) : kDash);
        row.expected = fit.at(devices);
        row.tip = fitTip(fit);
        table.rows.push_back(std::move(row));
    }
    return table;
}

TableFits tableFits(std::span<const ExposedFit> fits, const CommFit &comm,
                    std::span<const std::optional<double>> gradientBytes, int devices)
{
    TableFits table;
    table.devices = devices;
    table.names << ScalingTableModel::tr("Not hidden");
    table.tips << ScalingTableModel::tr(
        "How much of the gradients' communication a step pays for, by the measured all-reduce; the "
        "rest is hidden behind the backward pass. With its 95 % interval.");
    for (std::size_t i = 0; i < fits.size(); ++i) {
        TableFit row;
        row.parameters << (fits[i].identifiable() ? percentWithInterval(fits[i].exposed)
                                                  : ScalingTableModel::tr("not identifiable"));
        if (gradientBytes[i])
            row.expected = exposedAt(fits[i], comm, *gradientBytes[i], devices);
        row.tip = exposedTip(fits[i], comm, gradientBytes[i], devices);
        table.rows.push_back(std::move(row));
    }
    return table;
}

const TableFit *ScalingTableModel::fitOf(int row) const
{
    const auto at = static_cast<std::size_t>(row);
    return at < m_fits.rows.size() ? &m_fits.rows[at] : nullptr;
}

QString ScalingTableModel::fitText(int row, const Column &column) const
{
    const TableFit *fit = fitOf(row);
    if (!fit)
        return kDash;
    if (column.kind == Kind::Parameter)
        return fit->parameters.value(column.parameter, kDash);
    if (!fit->expected)
        return kDash;
    return QStringLiteral("%1 (%2 – %3)")
        .arg(toQString(formatThroughput(fit->expected->value)),
             toQString(formatThroughput(fit->expected->low)),
             toQString(formatThroughput(fit->expected->high)));
}

QString utilisationText(const Utilisation &use)
{
    switch (use.gap) {
    case UtilisationGap::UnknownModel:
        return ScalingTableModel::tr(
            "No utilisation: nothing says how many FLOPs a sample of this model takes.");
    case UtilisationGap::UnnamedDevice:
        return ScalingTableModel::tr("No utilisation: the runs do not say what device they ran on.");
    case UtilisationGap::UnknownDevice:
        return ScalingTableModel::tr("No utilisation: the peak of “%1” is not known.")
            .arg(toQString(use.deviceName));
    case UtilisationGap::NoUnits:
        return ScalingTableModel::tr("No utilisation: “%1” has no units of this precision.")
            .arg(toQString(use.deviceName));
    case UtilisationGap::None:
        break;
    }
    QString text = ScalingTableModel::tr("%1 TFLOP/s of %2 a device (%3; %4)")
                       .arg(number(use.flopsPerDevice / 1e12, 2), number(use.peak.flops / 1e12, 1),
                            toQString(use.deviceName), toQString(use.peak.source));
    text += QLatin1Char('\n') +
            (use.logged ? ScalingTableModel::tr("%1 GFLOP a sample, as the program logged it")
                        : ScalingTableModel::tr("%1 GFLOP a sample, counted from the model's layers"))
                .arg(number(use.flopsPerSample / 1e9, 2));
    if (use.share > 1)
        text += QLatin1Char('\n') +
                ScalingTableModel::tr("Above the peak: the program must have used faster units "
                                      "(TF32 or half precision) than the case says.");
    return text;
}

} // namespace sb
