// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report.h"

#include "core/units.h"

#include <algorithm>
#include <set>

namespace sb {

namespace {

// A value with the interval that its repeats allow.
struct Standing {
    const ScalingCurve *curve = nullptr;
    const CaseResult *result = nullptr;
    double value = 0;
    std::optional<double> low;
    std::optional<double> high;
};

const CaseResult *pointAt(const ScalingCurve &curve, int devices)
{
    for (const CaseResult &point : curve.points)
        if (point.key.devices() == devices)
            return &point;
    return nullptr;
}

void sortBestFirst(std::vector<Standing> &standings)
{
    std::stable_sort(standings.begin(), standings.end(),
                     [](const Standing &a, const Standing &b) { return a.value > b.value; });
}

std::vector<Standing> throughputsAt(const ScalingGroup &group, int devices)
{
    std::vector<Standing> standings;
    for (const ScalingCurve &curve : group.curves)
        if (const CaseResult *point = pointAt(curve, devices)) {
            Standing standing{&curve, point, point->throughput, std::nullopt, std::nullopt};
            if (point->interval) {
                standing.low = point->interval->low;
                standing.high = point->interval->high;
            }
            standings.push_back(standing);
        }
    sortBestFirst(standings);
    return standings;
}

// The interval of a quotient of two medians is bounded by the quotients of their ends: wider than need be,
// so a difference that it shows is real.
std::vector<Standing> efficienciesAt(const ScalingGroup &group, int devices)
{
    std::vector<Standing> standings;
    for (const ScalingCurve &curve : group.curves) {
        const CaseResult *point = pointAt(curve, devices);
        if (!point || !point->efficiency)
            continue;
        Standing standing{&curve, point, *point->efficiency, std::nullopt, std::nullopt};
        const CaseResult *base = pointAt(curve, 1);
        if (base && base->interval && point->interval && base->interval->low > 0) {
            standing.low = point->interval->low / base->interval->high / devices;
            standing.high = point->interval->high / base->interval->low / devices;
        }
        standings.push_back(standing);
    }
    sortBestFirst(standings);
    return standings;
}

bool overlap(const Standing &best, const Standing &other)
{
    return best.low && other.high && *other.high >= *best.low;
}

bool judgeable(const Standing &best, const Standing &other)
{
    return best.low && other.low;
}

// Names of those whose interval reaches into the best one's.
std::vector<std::string> equals(const std::vector<Standing> &standings)
{
    std::vector<std::string> names;
    for (std::size_t i = 1; i < standings.size(); ++i)
        if (overlap(standings.front(), standings[i]))
            names.push_back(standings[i].curve->label);
    return names;
}

std::string throughputSentence(const std::vector<Standing> &standings, const ScalingGroup &group,
                               ReportLanguage language)
{
    const Standing &best = standings[0];
    const Standing &second = standings[1];
    const std::string where = reportDevices(best.result->key.devices(), group.device, language);
    const std::string rate = reportRate(best.value, group.unit, language);
    if (const std::vector<std::string> names = equals(standings); !names.empty())
        return reportText(language, "find.tie",
                          {where, best.curve->label, rate, reportList(language, names)});
    if (!judgeable(best, second))
        return reportText(language, "find.noint",
                          {where, best.curve->label, rate, reportRate(second.value, group.unit, language),
                           second.curve->label});
    const std::string more = formatNumber((best.value / second.value - 1) * 100, 1);
    return reportText(language, "find.best", {where, best.curve->label, rate, more, second.curve->label});
}

std::string efficiencySentence(const std::vector<Standing> &standings, const ScalingGroup &group,
                               ReportLanguage language)
{
    const Standing &best = standings[0];
    const std::string where = reportDevices(best.result->key.devices(), group.device, language);
    if (const std::vector<std::string> names = equals(standings); !names.empty())
        return reportText(language, "find.eff.tie",
                          {best.curve->label, formatPercent(best.value), where, reportList(language, names)});
    if (!judgeable(best, standings[1]))
        return reportText(language, "find.eff.noint", {best.curve->label, formatPercent(best.value), where});
    return reportText(language, "find.eff",
                      {best.curve->label, formatPercent(best.value), where, formatPercent(standings[1].value),
                       standings[1].curve->label});
}

std::string aloneSentence(const Standing &only, const ScalingGroup &group, ReportLanguage language)
{
    const int devices = only.result->key.devices();
    std::string sentence = reportText(language, "find.one",
                                      {only.curve->label, reportRate(only.value, group.unit, language),
                                       reportDevices(devices, group.device, language)});
    if (only.result->speedup && devices > 1) {
        const std::string device = reportText(language, group.device == "cuda" ? "device.gpu" : "device.cpu");
        sentence += (language == ReportLanguage::English ? " " : "") +
                    reportText(language, "find.one.speedup",
                               {formatNumber(*only.result->speedup, 2), device,
                                formatPercent(*only.result->efficiency)});
    }
    return sentence;
}

void addRemarks(const ScalingGroup &group, int devices, ReportLanguage language,
                std::vector<std::string> &sentences)
{
    const std::string device = reportText(language, group.device == "cuda" ? "device.gpu" : "device.cpu");
    std::vector<std::string> noBaseline;
    std::vector<std::string> noisy;
    std::set<int> fewRepeats;
    std::optional<double> coverage;
    for (const ScalingCurve &curve : group.curves) {
        if (!curve.points.empty() && !curve.hasBaseline())
            noBaseline.push_back(curve.label);
        if (!curve.points.empty() && curve.points.back().key.devices() < devices)
            sentences.push_back(reportText(
                language, "find.short",
                {curve.label, reportDevices(curve.points.back().key.devices(), group.device, language)}));
        for (const CaseResult &point : curve.points) {
            if (point.noise == NoiseGrade::C)
                noisy.push_back(
                    reportText(language, "find.at",
                               {curve.label, reportDevices(point.key.devices(), group.device, language)}));
            if (point.interval && point.interval->coverage < 0.95 && fewRepeats.insert(point.repeats).second)
                coverage = point.interval->coverage;
        }
    }
    if (!noBaseline.empty())
        sentences.push_back(reportText(language, "find.nobase", {reportList(language, noBaseline), device}));
    if (!noisy.empty())
        sentences.push_back(reportText(language, "find.noise", {reportList(language, noisy)}));
    if (fewRepeats.size() == 1)
        sentences.push_back(reportText(
            language, "find.coverage",
            {reportCount(language, "count.repeat", *fewRepeats.begin()), formatPercent(*coverage)}));
}

} // namespace

std::vector<std::string> groupFindings(const ScalingGroup &group, ReportLanguage language)
{
    std::vector<std::string> sentences;
    const std::vector<int> devices = groupDevices(group.curves);
    if (devices.empty())
        return sentences;
    const std::vector<Standing> throughputs = throughputsAt(group, devices.back());
    if (throughputs.size() == 1)
        sentences.push_back(aloneSentence(throughputs.front(), group, language));
    else
        sentences.push_back(throughputSentence(throughputs, group, language));
    if (devices.back() > 1)
        if (const auto standings = efficienciesAt(group, devices.back()); standings.size() > 1)
            sentences.push_back(efficiencySentence(standings, group, language));
    addRemarks(group, devices.back(), language, sentences);
    return sentences;
}

} // namespace sb
