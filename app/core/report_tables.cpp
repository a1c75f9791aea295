// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report_tables.h"

#include "core/units.h"

#include <algorithm>
#include <functional>
#include <map>

namespace sb {

namespace {

constexpr const char *kDash = "—";

ReportCell textCell(std::string text)
{
    return {std::move(text), std::nullopt, {}, {}};
}

ReportCell countCell(long long count)
{
    return {formatNumber(static_cast<double>(count), 0), static_cast<double>(count), {}, {}};
}

const CaseResult *pointAt(const ScalingCurve &curve, int devices)
{
    for (const CaseResult &point : curve.points)
        if (point.key.devices() == devices)
            return &point;
    return nullptr;
}

std::string unitWord(const std::string &unit, ReportLanguage language)
{
    if (unit == "images" || unit == "sequences")
        return reportText(language, "unit." + unit);
    return unit.empty() ? reportText(language, "unit.samples") : unit;
}

std::string deviceWord(const ScalingGroup &group, ReportLanguage language)
{
    return reportText(language, group.device == "cuda" ? "device.gpu" : "device.cpu");
}

// formatDuration() with the units of the language: "10 小时 19 分".
std::string durationText(double seconds, ReportLanguage language)
{
    std::string text = formatDuration(seconds);
    for (const char *unit : {"h", "min", "s"}) {
        const std::string written = std::string("\u00A0") + unit;
        const std::size_t at = text.find(written);
        if (at != std::string::npos &&
            (at + written.size() == text.size() || text[at + written.size()] == ' '))
            text.replace(at, written.size(), "\u00A0" + reportText(language, std::string("time.") + unit));
    }
    return text;
}

bool anySimulated(const ScalingGroup &group)
{
    return std::any_of(group.curves.begin(), group.curves.end(),
                       [](const ScalingCurve &curve) { return curve.simulated; });
}

using CellOf = std::function<std::optional<ReportCell>(const CaseResult &)>;

// One row a curve, one column a number of devices from `fewest` on.
ReportTable scaleTable(const ScalingGroup &group, ReportLanguage language, int fewest, const CellOf &cellOf)
{
    ReportTable table;
    table.simulated = anySimulated(group);
    table.columns.push_back({reportText(language, "col.framework"), false, {}});
    std::vector<int> scales;
    for (const int devices : groupDevices(group.curves))
        if (devices >= fewest) {
            scales.push_back(devices);
            table.columns.push_back({table.columns.size() == 1
                                         ? reportDevices(devices, group.device, language)
                                         : std::to_string(devices),
                                     true,
                                     {},
                                     devices});
        }
    for (const ScalingCurve &curve : group.curves) {
        std::vector<ReportCell> row{textCell(curve.label)};
        for (const int devices : scales) {
            const CaseResult *point = pointAt(curve, devices);
            std::optional<ReportCell> cell = point ? cellOf(*point) : std::nullopt;
            if (cell) {
                cell->runIds = point->runIds;
                cell->source = point->source;
            }
            row.push_back(cell.value_or(textCell(kDash)));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

bool hasNumber(const ReportTable &table)
{
    for (const auto &row : table.rows)
        for (const ReportCell &cell : row)
            if (cell.value)
                return true;
    return false;
}

// "1 = 1n1g, 8 = 1n8g …", so that a number of devices can be told from its shape.
std::string scaleNote(const ScalingGroup &group, ReportLanguage language)
{
    std::map<int, std::string> shapes;
    for (const ScalingCurve &curve : group.curves)
        for (const CaseResult &point : curve.points) {
            std::string &names = shapes[point.key.devices()];
            if (names.find(point.key.scaleName()) == std::string::npos)
                names += (names.empty() ? "" : "/") + point.key.scaleName();
        }
    std::string list;
    for (const auto &[devices, names] : shapes)
        list += (list.empty() ? "" : reportText(language, "list.comma")) +
                reportText(language, "scale.is", {std::to_string(devices), names});
    return reportText(language, "group.note.scales",
                      {reportText(language, group.device == "cuda" ? "devices.gpu" : "devices.cpu"), list});
}

// The interval at the largest scale, how many runs there are, and how far apart they lie.
void addRepeats(const ScalingGroup &group, ReportLanguage language, ReportTable &table)
{
    const int most = groupDevices(group.curves).back();
    table.columns.push_back({reportText(language, "col.interval", {std::to_string(most)}),
                             true,
                             {reportText(language, "col.low"), reportText(language, "col.high"),
                              reportText(language, "col.coverage")}});
    table.columns.push_back({reportText(language, "col.runs"), true, {}});
    table.columns.push_back({reportText(language, "col.noise"), false, {}});
    for (std::size_t i = 0; i < group.curves.size(); ++i) {
        const CaseResult *last = pointAt(group.curves[i], most);
        ReportCell interval = textCell(kDash);
        if (last && last->interval) {
            const MedianInterval &found = *last->interval;
            interval.text =
                reportText(language, "range", {formatThroughput(found.low), formatThroughput(found.high)}) +
                " (" + formatPercent(found.coverage) + ")";
            interval.parts = {found.low, found.high, found.coverage};
        }
        table.rows[i].push_back(std::move(interval));
        table.rows[i].push_back(last && last->repeats > 0 ? countCell(last->repeats) : textCell(kDash));
        table.rows[i].push_back(
            textCell(last && last->noise ? std::string(1, noiseGradeLetter(*last->noise)) : kDash));
    }
}

} // namespace

ReportTable throughputTable(const ScalingGroup &group, ReportLanguage language)
{
    ReportTable table =
        scaleTable(group, language, 1, [](const CaseResult &point) -> std::optional<ReportCell> {
            return ReportCell{formatNumber(point.throughput, 2), point.throughput, {}, {}};
        });
    table.id = groupId(group) + "-throughput";
    table.title = reportText(language, "throughput.title", {unitWord(group.unit, language)});
    // Published results come without the runs behind them.
    if (std::any_of(group.curves.begin(), group.curves.end(), [](const ScalingCurve &curve) {
            return std::any_of(curve.points.begin(), curve.points.end(),
                               [](const CaseResult &point) { return point.repeats > 0; });
        }))
        addRepeats(group, language, table);
    table.notes.push_back(scaleNote(group, language));
    return table;
}

std::optional<ReportTable> speedupTable(const ScalingGroup &group, ReportLanguage language)
{
    ReportTable table =
        scaleTable(group, language, 2, [](const CaseResult &point) -> std::optional<ReportCell> {
            if (!point.speedup)
                return std::nullopt;
            return ReportCell{formatNumber(*point.speedup, 2), *point.speedup, {}, {}};
        });
    if (!hasNumber(table))
        return std::nullopt;
    table.id = groupId(group) + "-speedup";
    table.title = reportText(language, "speedup.title", {deviceWord(group, language)});
    return table;
}

std::optional<ReportTable> efficiencyTable(const ScalingGroup &group, ReportLanguage language)
{
    ReportTable table =
        scaleTable(group, language, 2, [](const CaseResult &point) -> std::optional<ReportCell> {
            if (!point.efficiency)
                return std::nullopt;
            return ReportCell{formatPercent(*point.efficiency), *point.efficiency, {}, {}};
        });
    if (!hasNumber(table))
        return std::nullopt;
    table.id = groupId(group) + "-efficiency";
    table.title = reportText(language, "efficiency.title");
    return table;
}

std::optional<ReportTable> epochTable(const ScalingGroup &group, ReportLanguage language)
{
    std::optional<std::int64_t> size;
    ReportTable table = scaleTable(
        group, language, 1, [&size, language](const CaseResult &point) -> std::optional<ReportCell> {
            if (!point.secondsPerEpoch)
                return std::nullopt;
            size = point.datasetSize;
            return ReportCell{durationText(*point.secondsPerEpoch, language), *point.secondsPerEpoch, {}, {}};
        });
    if (!size)
        return std::nullopt;
    table.id = groupId(group) + "-epoch";
    table.title = reportText(language, "epoch.title",
                             {formatNumber(static_cast<double>(*size), 0), unitWord(group.unit, language)});
    return table;
}

std::string topologyTitle(const ReportTopology &wiring, ReportLanguage language)
{
    const std::size_t count = wiring.nodes.size();
    const std::string nodes =
        count <= 2 ? reportList(language, wiring.nodes)
                   : reportText(language, "topology.nodes",
                                {reportCount(language, "count.node", static_cast<long long>(count))});
    return reportText(language, "topology.title", {nodes});
}

bool isProblem(const Run &run)
{
    return !(run.state == RunState::Done && run.measurement);
}

ReportTable problemTable(std::span<const Run> runs, ReportLanguage language)
{
    ReportTable table;
    table.id = "problems";
    table.title = reportText(language, "problems.title");
    for (const char *column : {"col.case", "col.state", "col.reason", "col.run"})
        table.columns.push_back({reportText(language, column), false, {}});
    for (const Run &run : runs) {
        if (!isProblem(run))
            continue;
        const std::string state = isFinal(run.state) ? "state." + runStateName(run.state) : "state.open";
        const std::string name =
            reportText(language, "case",
                       {run.frameworkTitle, run.workloadTitle, run.key.precision,
                        std::to_string(run.key.batchSizePerDevice), run.key.scaleName()});
        table.rows.push_back({textCell(name), textCell(reportText(language, state)),
                              textCell(run.reason.empty() ? reportText(language, "noreason") : run.reason),
                              textCell(run.id)});
    }
    return table;
}

} // namespace sb
