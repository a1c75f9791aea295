// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/scaling_insight.h"

#include "charts/scaling_figure.h"
#include "core/units.h"
#include "pages/scaling_table.h"
#include "widgets/text.h"

#include <QCoreApplication>

#include <algorithm>

namespace sb {

namespace {

// Texts of this file.
class Insight {
    Q_DECLARE_TR_FUNCTIONS(sb::ScalingInsight)
};

QString milliseconds(double ms)
{
    return toQString(formatNumber(ms, 2));
}

QString partEvidence(const LossPart &part, bool clocksKnown)
{
    const QString before = milliseconds(part.before);
    const QString after = milliseconds(part.after);
    switch (part.cause) {
    case LossCause::Communication:
        return Insight::tr("the rank that waits least waits %1 → %2 ms for collectives").arg(before, after);
    case LossCause::Data:
        return Insight::tr("the median rank waits %1 → %2 ms for input").arg(before, after);
    case LossCause::Straggler:
        return Insight::tr("rank %1 works %2 ms a step, the median rank %3 ms")
            .arg(part.rank.value_or(0))
            .arg(after, before);
    case LossCause::Clock:
        return Insight::tr("clock of the slowest GPU %1 → %2 MHz")
            .arg(toQString(formatNumber(part.before, 0)), toQString(formatNumber(part.after, 0)));
    case LossCause::Work:
        return clocksKnown ? Insight::tr("the median rank works %1 → %2 ms, more than its clocks explain")
                                 .arg(before, after)
                           : Insight::tr("the median rank works %1 → %2 ms; clocks were not recorded")
                                 .arg(before, after);
    case LossCause::Unexplained:
        break;
    }
    return Insight::tr("nothing in the logs says where it went");
}

QString evidenceOf(const LossAccount &account, const StepParts &scaled, const QString &scale, bool strong)
{
    const double gained = -account.lostMs;
    QStringList lines;
    const QString ideal = strong ? Insight::tr("an even share of the work") : Insight::tr("one device alone");
    if (account.lostMs <= 0)
        lines << Insight::tr("%1: a step takes %2 ms, %3 ms less than %4. Nothing is lost.")
                     .arg(scale, milliseconds(account.scaledMs), milliseconds(gained), ideal);
    else
        lines << Insight::tr("%1: a step takes %2 ms, %3 ms more than %4.")
                     .arg(scale, milliseconds(account.scaledMs), milliseconds(account.lostMs), ideal);
    if (account.withinNoise)
        lines << Insight::tr("Noise: the difference is within what the two results are uncertain by.");
    for (const LossPart &part : account.parts)
        lines << Insight::tr("%1: %2 ms, %3 of the loss: %4.")
                     .arg(causeText(part.cause), milliseconds(part.ms),
                          toQString(formatPercent(part.share, 0)),
                          partEvidence(part, scaled.clockMHz.has_value()));
    if (account.lostMs > 0 && scaled.commMs.empty())
        lines << Insight::tr("Not every rank logs its waits and its own work, so they cannot be told apart.");
    return lines.join(QLatin1Char('\n'));
}

QString missingText(const ScalingCurve &curve, const CaseResult &point)
{
    if (!curve.published.empty())
        return Insight::tr("published results have no steps to account for");
    if (point.stepTimeMs <= 0)
        return Insight::tr("the logs tell no step times");
    return Insight::tr("no steps in the index; scaleboard-cli rebuild reads them again");
}

} // namespace

QString causeText(LossCause cause)
{
    switch (cause) {
    case LossCause::Communication:
        return Insight::tr("Communication");
    case LossCause::Data:
        return Insight::tr("Input data");
    case LossCause::Straggler:
        return Insight::tr("Straggler");
    case LossCause::Clock:
        return Insight::tr("Clock");
    case LossCause::Work:
        return Insight::tr("Slower work");
    case LossCause::Unexplained:
        break;
    }
    return Insight::tr("Unexplained");
}

QString devicesText(int devices, const std::string &device)
{
    return device == "cuda" ? Insight::tr("%n GPU(s)", nullptr, devices)
                            : Insight::tr("%n device(s)", nullptr, devices);
}

LossFigure lossFigure(const ScalingCurve &curve, bool strong, const InsightSource &source)
{
    LossFigure figure;
    figure.axis = Insight::tr("Milliseconds lost a step");
    figure.causeWord = causeText;
    const auto alone = curve.hasBaseline() ? source.partsOf(curve.points.front()) : std::nullopt;
    for (const CaseResult &point : curve.points) {
        if (point.key.devices() == 1)
            continue;
        LossFigure::Bar bar;
        bar.name = devicesText(point.key.devices(), point.key.device);
        const auto scaled = source.partsOf(point);
        const auto account =
            alone && scaled
                ? accountForLoss(strong ? sharedOut(*alone, point.key.devices()) : *alone, *scaled)
                : std::nullopt;
        if (!account) {
            bar.missing = curve.hasBaseline() ? missingText(curve, point)
                                              : Insight::tr("the run on 1 device is missing");
            figure.evidence.push_back(bar.name + QStringLiteral(": ") + bar.missing);
        } else {
            bar.parts = account->parts;
            bar.remark =
                QStringLiteral("%1 ms · %2")
                    .arg(milliseconds(account->scaledMs), toQString(formatPercent(account->efficiency)));
            figure.evidence.push_back(evidenceOf(*account, *scaled, bar.name, strong));
        }
        figure.bars.push_back(std::move(bar));
    }
    if (!figure.bars.empty())
        figure.chosen = figure.bars.size() - 1;
    return figure;
}

std::vector<Utilisation> utilisationsOf(const ScalingGroup &group, const InsightSource &source)
{
    std::vector<Utilisation> uses;
    for (const ScalingCurve &curve : group.curves) {
        const CaseResult &largest = curve.points.back();
        uses.push_back(utilisationOf(largest, source.runOf(largest),
                                     curve.published.empty() ? std::string() : source.publishedDevice));
    }
    return uses;
}

RooflineFigure rooflineFigure(const ScalingGroup &group, std::span<const Utilisation> uses,
                              const std::set<std::size_t> &hidden)
{
    RooflineFigure figure;
    figure.intensityAxis = Insight::tr("FLOPs a byte of memory traffic, at most");
    figure.flopsAxis = Insight::tr("TFLOP/s a device");
    const std::vector<SeriesStyle> styles = curveStyles(group.curves);
    for (std::size_t i = 0; i < uses.size(); ++i) {
        const Utilisation &use = uses[i];
        if (hidden.contains(i))
            continue;
        if (!use.known() || !use.intensity) {
            figure.message = use.known()
                                 ? Insight::tr("Not drawn: how much memory traffic this model needs is not "
                                               "known.")
                                 : utilisationText(use);
            continue;
        }
        const RooflineFigure::Roof roof{
            QStringLiteral("%1 · %2").arg(toQString(use.peak.device), precisionText(group.precision)),
            use.peak.flops, use.peak.memoryBytesPerS};
        if (std::find(figure.roofs.begin(), figure.roofs.end(), roof) == figure.roofs.end())
            figure.roofs.push_back(roof);
        const int devices = group.curves[i].points.back().key.devices();
        QString tip = curveLabel(group.curves[i]) + QLatin1Char('\n') + utilisationText(use);
        if (use.peak.memoryBytesPerS) {
            const RooflinePoint limit = roofline(use.peak.flops, *use.peak.memoryBytesPerS, *use.intensity);
            tip += QLatin1Char('\n') +
                   (limit.memoryBound
                        ? Insight::tr("Limited by memory: at %1 FLOPs a byte it feeds %2 TFLOP/s at most.")
                        : Insight::tr(
                              "Limited by arithmetic: %1 FLOPs a byte let memory feed %2 TFLOP/s or more."))
                       .arg(toQString(formatNumber(*use.intensity, 0)),
                            toQString(formatNumber(limit.flops / 1e12, 1)));
        }
        figure.points.push_back({QStringLiteral("%1 · %2 · %3")
                                     .arg(curveLabel(group.curves[i]))
                                     .arg(devices)
                                     .arg(toQString(formatPercent(use.share))),
                                 styles[i], *use.intensity, use.flopsPerDevice, tip});
    }
    if (!figure.points.empty())
        figure.message.clear();
    else if (figure.message.isEmpty())
        figure.message = Insight::tr("Every curve is hidden");
    return figure;
}

QString rooflineSources(std::span<const Utilisation> uses)
{
    std::set<std::string> sources;
    bool noMemory = false;
    bool known = false;
    QStringList missing;
    for (const Utilisation &use : uses) {
        if (!use.known()) {
            if (const QString text = utilisationText(use); !missing.contains(text))
                missing.append(text);
            continue;
        }
        known = true;
        sources.insert(use.peak.source);
        noMemory = noMemory || !use.peak.memoryBytesPerS;
    }
    QStringList sentences;
    if (known) {
        QStringList names;
        for (const std::string &one : sources)
            names.append(toQString(one));
        sentences << Insight::tr("Peaks: %1, dense, at boost clock.").arg(names.join(QStringLiteral(", ")));
        sentences << Insight::tr(
            "Memory traffic is the least there is without fusing layers, so a point can lie "
            "further left, never further right.");
        if (noMemory)
            sentences << Insight::tr(
                "The memory bandwidth of this device depends on its size, which its name does "
                "not tell: no slope is drawn.");
    }
    return (sentences + missing).join(QLatin1Char(' '));
}

} // namespace sb
