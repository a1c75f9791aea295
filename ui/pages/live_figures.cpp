// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/live_figures.h"

#include "charts/chart_text.h"
#include "core/units.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace sb {

namespace {

struct LiveText {
    Q_DECLARE_TR_FUNCTIONS(LiveText)
};

constexpr double kLeastStaleS = 2.0;
constexpr double kLoadWindowS = 5.0;

// Values of rank 0 from the first measured step on.
std::span<const double> measured(const LiveRun &live, const std::vector<double> Series::*values)
{
    if (live.ranks.empty())
        return {};
    const Series &series = live.ranks.front();
    const auto first = std::upper_bound(series.step.begin(), series.step.end(),
                                        static_cast<double>(live.run.key.warmupSteps));
    const auto offset = static_cast<std::size_t>(first - series.step.begin());
    return std::span(series.*values).subspan(offset);
}

QString figureText(double value)
{
    return toQString(formatThroughput(value));
}

QString stepTimeText(double milliseconds)
{
    return toQString(formatNumber(milliseconds, milliseconds >= 100 ? 1 : 2));
}

Figure throughputFigure(const LiveRun &live, const LiveFigures &known, std::optional<double> staleS)
{
    Figure figure;
    figure.unit = rateUnit(live.run.unit);
    const bool any = !live.ranks.empty() && !live.ranks.front().empty();
    if (live.run.measurement) {
        figure.value = figureText(live.run.measurement->throughput);
        figure.remark = LiveText::tr("measured: steps %1–%2")
                            .arg(live.run.measurement->firstStep)
                            .arg(live.run.measurement->lastStep);
    } else if (known.median) {
        figure.value = figureText(*known.median);
        if (known.interval)
            figure.remark = QStringLiteral("%1: %2 – %3")
                                .arg(toQString(formatPercent(known.interval->coverage)),
                                     figureText(known.interval->low), figureText(known.interval->high));
        else
            figure.remark = LiveText::tr("one step measured");
    } else if (any) {
        figure.value = figureText(live.ranks.front().throughput.back());
        figure.remark = LiveText::tr("warm-up, not counted");
    } else {
        figure.remark = LiveText::tr("before the first step");
    }
    if (staleS) {
        figure.stale = true;
        figure.remark = LiveText::tr("stale · %1 s old").arg(std::floor(*staleS));
    }
    return figure;
}

Figure stepTimeFigure(const LiveRun &live, bool stale)
{
    Figure figure;
    figure.unit = LiveText::tr("ms a step");
    figure.stale = stale;
    std::span<const double> times = measured(live, &Series::stepTimeMs);
    if (times.empty() && !live.ranks.empty())
        times = live.ranks.front().stepTimeMs;
    if (const auto middle = median(times))
        figure.value = stepTimeText(*middle);
    if (const auto high = quantile(times, 0.95); high && times.size() > 1)
        figure.remark = LiveText::tr("p95 %1 ms").arg(stepTimeText(*high));
    return figure;
}

Figure speedupFigure(const LiveRun &live, const LiveFigures &known, std::span<const CaseResult> results)
{
    const CaseKey &key = live.run.key;
    Figure figure;
    figure.unit = key.device == "cuda" ? LiveText::tr("× 1 GPU") : LiveText::tr("× 1 worker");
    const std::optional<double> now =
        live.run.measurement ? std::optional(live.run.measurement->throughput) : known.median;
    if (key.devices() == 1) {
        figure.remark = LiveText::tr("this is the baseline");
        return figure;
    }
    const auto baseline = std::find_if(results.begin(), results.end(),
                                       [&](const CaseResult &r) { return r.key == key.baseline(); });
    if (baseline == results.end() || baseline->throughput <= 0) {
        figure.remark = LiveText::tr("no result for one device yet");
        return figure;
    }
    if (now) {
        const double speedup = *now / baseline->throughput;
        figure.value = toQString(formatNumber(speedup, speedup >= 10 ? 1 : 2));
        figure.remark = LiveText::tr("%1 of ideal").arg(toQString(formatPercent(speedup / key.devices())));
    }
    return figure;
}

Figure stepsFigure(const LiveRun &live, std::int64_t steps, bool stale)
{
    const CaseKey &key = live.run.key;
    Figure figure;
    figure.value = QString::number(steps);
    figure.unit = LiveText::tr("of %1 steps").arg(key.warmupSteps + key.measuredSteps);
    figure.remark = LiveText::tr("%1 of %2 measured")
                        .arg(std::clamp<std::int64_t>(steps - key.warmupSteps, 0, key.measuredSteps))
                        .arg(key.measuredSteps);
    figure.stale = stale;
    return figure;
}

// Energy per sample where the GPUs tell their power; else the load of the CPU.
Figure loadFigure(const LiveRun &live, const LiveFigures &known)
{
    Figure figure;
    const double newest = live.telemetry.empty() ? 0 : live.telemetry.back().timeS;
    double powerW = 0;
    std::vector<double> loads;
    for (auto at = live.telemetry.rbegin(); at != live.telemetry.rend() && at->timeS >= newest - kLoadWindowS;
         ++at)
        if (at->cpuLoadPercent)
            loads.push_back(*at->cpuLoadPercent);
    if (!live.telemetry.empty())
        for (const TelemetrySample::Gpu &gpu : live.telemetry.back().gpus)
            powerW += gpu.powerW.value_or(0);
    if (powerW > 0 && known.median && live.run.hosts.size() <= 1) {
        figure.value = toQString(formatNumber(powerW / *known.median, 2));
        figure.unit = LiveText::tr("J a sample");
        figure.remark =
            LiveText::tr("%1 kW over %n GPU(s)", nullptr, static_cast<int>(live.telemetry.back().gpus.size()))
                .arg(toQString(formatNumber(powerW / 1000, 2)));
        return figure;
    }
    figure.unit = LiveText::tr("% CPU load");
    if (const auto load = mean(loads))
        figure.value = toQString(formatNumber(*load, 0));
    if (!live.telemetry.empty() && live.telemetry.back().memoryUsedBytes)
        figure.remark =
            LiveText::tr("%1 in use").arg(toQString(formatBytes(*live.telemetry.back().memoryUsedBytes)));
    return figure;
}

} // namespace

LiveFigures liveFigures(const LiveRun &live, std::span<const CaseResult> results,
                        std::optional<double> staleS)
{
    LiveFigures known;
    if (!live.ranks.empty() && !live.ranks.front().empty())
        known.stepsDone = static_cast<std::int64_t>(live.ranks.front().step.back());
    const std::span<const double> rates = measured(live, &Series::throughput);
    known.median = median(rates);
    known.interval = medianInterval(rates);
    known.figures.push_back(throughputFigure(live, known, staleS));
    known.figures.push_back(stepTimeFigure(live, staleS.has_value()));
    known.figures.push_back(speedupFigure(live, known, results));
    known.figures.push_back(stepsFigure(live, known.stepsDone, staleS.has_value()));
    known.figures.push_back(loadFigure(live, known));
    return known;
}

double staleAfterS(const LiveRun &live)
{
    if (live.ranks.empty())
        return kLeastStaleS;
    const auto step = median(live.ranks.front().stepTimeMs);
    return std::max(kLeastStaleS, 3.0 * step.value_or(0) / 1000.0);
}

std::vector<double> rankDeviations(const LiveRun &live, int steps)
{
    if (live.ranks.size() < 2)
        return {};
    std::vector<double> times;
    for (const Series &series : live.ranks) {
        if (series.empty())
            return {};
        const std::size_t count = std::min(series.size(), static_cast<std::size_t>(steps));
        times.push_back(mean(std::span(series.stepTimeMs).last(count)).value_or(0));
    }
    const double middle = median(times).value_or(0);
    if (middle <= 0)
        return {};
    for (double &time : times)
        time = time / middle - 1.0;
    return times;
}

QString runTitle(const Run &run)
{
    return QStringLiteral("%1 · %2 · %3 · %4 · %5")
        .arg(toQString(run.frameworkTitle), toQString(run.workloadTitle), precisionText(run.key.precision))
        .arg(run.key.batchSizePerDevice)
        .arg(toQString(run.key.scaleName()));
}

QString jobText(const RunJob &job)
{
    const QString text =
        LiveText::tr("%1 job %2: %3").arg(toQString(job.queue), toQString(job.id), toQString(job.state));
    return job.reason.empty() ? text : QStringLiteral("%1 (%2)").arg(text, toQString(job.reason));
}

QString runStateText(RunState state)
{
    switch (state) {
    case RunState::Queued:
        return LiveText::tr("next");
    case RunState::Starting:
        return LiveText::tr("starting");
    case RunState::Running:
        return LiveText::tr("running");
    case RunState::Done:
        return LiveText::tr("done");
    case RunState::Failed:
        return LiveText::tr("failed");
    case RunState::Cancelled:
        return LiveText::tr("stopped");
    case RunState::Lost:
        return LiveText::tr("lost");
    }
    return {};
}

} // namespace sb
