// SPDX-License-Identifier: GPL-3.0-or-later
// The report of published results: the same tables and figures, from what others printed.
#include "core/report_reference.h"

#include "core/report_tables.h"
#include "core/units.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace sb {

namespace {

ReportCell cellOf(std::string text)
{
    if (text.empty())
        text = "—";
    return {std::move(text), std::nullopt, {}, {}};
}

ReportCell numberCell(double value, int decimals)
{
    return {formatNumber(value, decimals), value, {}, {}};
}

class ReferenceBuilder {
public:
    ReferenceBuilder(const ReferenceSet &set, const ReportOptions &options)
        : m_set(set)
        , m_language(options.language)
    {
        m_report.language = m_language;
        m_report.title = options.title.value_or(text("ref.title", {set.published}));
        m_report.date = set.published;
        m_report.provenance = set.citation();
        for (const ReferenceTable &table : set.tables)
            addGroup(table);
    }

    Report build(const std::optional<std::vector<std::string>> &wanted)
    {
        std::vector<std::string> ids{"summary", "environment", "method", "frameworks"};
        for (const ReferenceTable &table : m_set.tables)
            ids.push_back("group:" + table.id);
        ids.insert(ids.end(), {"findings", "problems", "appendix"});
        for (const std::string &id : wanted.value_or(ids))
            if (std::find(ids.begin(), ids.end(), id) != ids.end())
                m_report.sections.push_back({id, titleOf(id), blocks(id)});
        numberBlocks(m_report);
        return std::move(m_report);
    }

private:
    std::string text(std::string_view key, std::initializer_list<std::string> arguments = {}) const
    {
        return reportText(m_language, key, arguments);
    }

    // Curves in the order they were printed in; one that is not like the others says so in its name.
    void addGroup(const ReferenceTable &table)
    {
        ScalingGroup group = referenceGroup(m_set, table);
        for (ScalingCurve &curve : group.curves)
            if (!curve.unlike.empty())
                curve.label += " †";
        m_report.groups.push_back(std::move(group));
        m_report.groupTitles.push_back(tableTitle(table));
    }

    std::string tableTitle(const ReferenceTable &table) const
    {
        const ReferenceWorkload *workload = m_set.workload(table.workload);
        std::string precision = table.precision;
        std::transform(precision.begin(), precision.end(), precision.begin(),
                       [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
        if (table.id.find("-amp") != std::string::npos)
            precision = "AMP";
        return text(table.id.ends_with("-max") ? "ref.section.max" : "ref.section",
                    {workload ? workload->title : table.workload, precision,
                     std::to_string(table.batchSizePerDevice)});
    }

    std::string titleOf(const std::string &id) const
    {
        for (const ReferenceTable &table : m_set.tables)
            if (id == "group:" + table.id)
                return tableTitle(table);
        return text(id == "appendix" ? "ref.section.appendix" : "section." + id);
    }

    std::vector<ReportBlock> blocks(const std::string &id) const
    {
        if (id == "summary")
            return {ReportParagraph{text("ref.summary", {m_set.citation()})}, ReportBullets{findings(1)}};
        if (id == "environment")
            return {ReportParagraph{text("ref.environment")}, environment()};
        if (id == "method")
            return {ReportBullets{method()}};
        if (id == "frameworks")
            return {frameworks()};
        if (id == "findings")
            return {ReportBullets{findings(2)}};
        if (id == "problems")
            return problems();
        if (id == "appendix")
            return {ReportParagraph{text("ref.appendix", {m_set.publisher, m_set.commit})}, sources()};
        for (std::size_t i = 0; i < m_set.tables.size(); ++i)
            if (id == "group:" + m_set.tables[i].id)
                return groupBlocks(i);
        return {};
    }

    ReportTable environment() const
    {
        ReportTable table;
        table.id = "environment";
        table.title = text("env.title");
        table.columns = {{text("fact"), false, {}}, {text("value"), false, {}}};
        const std::vector<std::pair<const char *, std::string>> facts{
            {"env.nodes", reportCount(m_language, "count.node", m_set.clusterNodes)},
            {"env.gpus", std::to_string(m_set.devicesPerNode) + " × " + m_set.deviceName},
            {"env.network", m_set.network},
            {"env.driver", m_set.driver},
            {"env.cuda", m_set.cuda}};
        for (const auto &[key, value] : facts)
            if (!value.empty())
                table.rows.push_back({cellOf(text(key)), cellOf(value)});
        return table;
    }

    std::vector<std::string> method() const
    {
        std::vector<std::string> all{
            text("method.rule", {std::to_string(m_set.warmupSteps), std::to_string(m_set.measuredSteps)}),
            text("ref.method.median"), text("method.speedup"), text("method.device.gpu"),
            text("ref.method.unlike")};
        std::set<std::string> differences;
        for (const ScalingGroup &group : m_report.groups)
            for (const ScalingCurve &curve : group.curves)
                differences.insert(curve.unlike.begin(), curve.unlike.end());
        for (const std::string &one : differences)
            all.push_back("† " + unlikeText(one));
        return all;
    }

    // What the data file says in English, in the report's language where it is of a known form.
    std::string unlikeText(const std::string &english) const
    {
        if (m_language == ReportLanguage::English)
            return english;
        static const std::map<std::string, std::string> kKnown{
            {"runs ResNet-50 v1b (gluon-cv), not v1.5", "ref.unlike.v1b"},
            {"FP16 without automatic mixed precision", "ref.unlike.fp16"},
            {"without gradient clipping", "ref.unlike.clip"}};
        if (const auto known = kKnown.find(english); known != kKnown.end())
            return text(known->second);
        int mine = 0;
        int theirs = 0;
        if (std::sscanf(english.c_str(), "batch %d per device, not %d", &mine, &theirs) == 2)
            return text("ref.unlike.batch", {std::to_string(mine), std::to_string(theirs)});
        return english;
    }

    ReportTable frameworks() const
    {
        struct Row {
            std::set<std::string> versions, variants, sources;
        };
        std::map<std::string, Row> rows;
        for (const ReferenceTable &table : m_set.tables)
            for (const ReferenceTable::Column &column : table.columns) {
                const ReferenceSeries *series = m_set.find(column.series);
                if (!series)
                    continue;
                Row &row = rows[series->framework];
                row.versions.insert(series->version);
                if (!series->variant.empty())
                    row.variants.insert(series->variant);
                // Where its scripts and logs are: the table beside them.
                for (const ReferenceSeries &beside : m_set.series)
                    if (beside.kind == ReferenceKind::Median && beside.framework == series->framework &&
                        beside.workload == series->workload && beside.version == series->version)
                        row.sources.insert(beside.source);
            }
        ReportTable table;
        table.id = "frameworks";
        table.title = text("frameworks.title");
        table.columns = {{text("col.framework"), false, {}},
                         {text("col.version"), false, {}},
                         {text("col.features"), false, {}},
                         {text("col.source"), false, {}}};
        const auto joined = [](const std::set<std::string> &values) {
            std::string all;
            for (const std::string &value : values)
                all += (all.empty() ? "" : "; ") + value;
            return cellOf(all);
        };
        for (const auto &[name, row] : rows)
            table.rows.push_back({cellOf(m_set.frameworkTitle(name)), joined(row.versions),
                                  joined(row.variants), joined(row.sources)});
        table.notes.push_back(text("ref.commit", {m_set.publisher, m_set.commit}));
        return table;
    }

    // Of curves that can be compared.
    std::vector<std::string> findings(std::size_t most) const
    {
        std::vector<std::string> sentences;
        for (std::size_t i = 0; i < m_report.groups.size(); ++i) {
            ScalingGroup like = m_report.groups[i];
            std::erase_if(like.curves, [](const ScalingCurve &curve) { return !curve.unlike.empty(); });
            std::vector<std::string> all = groupFindings(like, m_language);
            all.resize(std::min(all.size(), most));
            for (const std::string &sentence : all)
                sentences.push_back(text("find.where", {tableTitle(m_set.tables[i])}) + sentence);
        }
        return sentences;
    }

    std::vector<ReportBlock> groupBlocks(std::size_t index) const
    {
        const ScalingGroup &group = m_report.groups[index];
        const ReferenceTable &printed = m_set.tables[index];
        const auto named = [&printed](ReportTable table, const char *kind) {
            table.id = printed.id + "-" + kind;
            return table;
        };
        ReportTable throughput = named(throughputTable(group, m_language), "throughput");
        for (const ScalingCurve &curve : group.curves)
            if (!curve.unlike.empty()) {
                std::string how;
                for (const std::string &one : curve.unlike)
                    how += (how.empty() ? "" : text("list.comma")) + unlikeText(one);
                throughput.notes.push_back(text("ref.unlike", {curve.label, how}));
            }
        throughput.notes.push_back(text("ref.printed", {printed.source, std::to_string(printed.firstLine),
                                                        std::to_string(printed.lastLine)}));
        const std::string title = throughput.title;
        std::vector<ReportBlock> all{std::move(throughput)};
        const auto speedup = speedupTable(group, m_language);
        if (speedup) {
            all.push_back(named(*speedup, "speedup"));
            all.push_back(named(*efficiencyTable(group, m_language), "efficiency"));
        }
        all.push_back(
            ReportFigure{printed.id + "-throughput-figure", 0, title, ReportFigureKind::Throughput, index});
        if (speedup)
            all.push_back(ReportFigure{printed.id + "-speedup-figure", 0, speedup->title,
                                       ReportFigureKind::Speedup, index});
        return all;
    }

    // Printed speedups that do not follow, and cases with two values.
    std::vector<ReportBlock> problems() const
    {
        std::vector<ReportBlock> all;
        ReportTable odd;
        odd.id = "printed-speedups";
        odd.title = text("ref.odd.title");
        odd.columns = {{text("col.case"), false, {}},
                       {text("ref.printed.value"), true, {}},
                       {text("ref.recomputed"), true, {}},
                       {text("ref.where"), false, {}}};
        for (const SpeedupCheck &check : checkSpeedups(m_set)) {
            if (check.verdict != SpeedupCheck::Verdict::Differs)
                continue;
            const ReferenceSeries *series = m_set.find(check.series);
            const ReferencePoint *point = series ? series->at(check.nodes, check.devicesPerNode) : nullptr;
            odd.rows.push_back({cellOf(caseText(series, check.nodes, check.devicesPerNode)),
                                numberCell(check.printed, 2), numberCell(*check.recomputed, 4),
                                cellOf(series ? place(*series, point ? point->line : 0) : check.series)});
        }
        all.push_back(ReportParagraph{text("ref.odd")});
        if (!odd.rows.empty())
            all.push_back(std::move(odd));
        return all;
    }

    std::string caseText(const ReferenceSeries *series, int nodes, int devicesPerNode) const
    {
        if (!series)
            return {};
        const ReferenceWorkload *workload = m_set.workload(series->workload);
        const std::string name = m_set.frameworkTitle(series->framework) +
                                 (series->variant.empty() ? "" : " (" + series->variant + ")");
        return text("case", {name, workload ? workload->title : series->workload, series->precision,
                             std::to_string(series->batchSizePerDevice),
                             std::to_string(nodes) + "n" + std::to_string(devicesPerNode) + "g"});
    }

    static std::string place(const ReferenceSeries &series, int line)
    {
        return series.source + (line > 0 ? ":" + std::to_string(line) : "");
    }

    // The series of every table, and the lines that its numbers stand in.
    ReportTable sources() const
    {
        ReportTable table;
        table.id = "sources";
        table.title = text("ref.sources");
        table.columns = {
            {text("col.table"), false, {}}, {text("ref.columns"), false, {}}, {text("ref.where"), false, {}}};
        for (const ReferenceTable &printed : m_set.tables) {
            std::string columns;
            for (const ReferenceTable::Column &column : printed.columns)
                if (const ReferenceSeries *series = m_set.find(column.series))
                    columns += (columns.empty() ? "" : "; ") + m_set.frameworkTitle(series->framework) + " " +
                               series->version +
                               (series->variant.empty() ? "" : " (" + series->variant + ")");
            table.rows.push_back({cellOf(tableTitle(printed)), cellOf(columns),
                                  cellOf(printed.source + ":" + std::to_string(printed.firstLine) + "–" +
                                         std::to_string(printed.lastLine))});
        }
        return table;
    }

    const ReferenceSet &m_set;
    ReportLanguage m_language;
    Report m_report;
};

} // namespace

Report buildReferenceReport(const ReferenceSet &set, const ReportOptions &options)
{
    return ReferenceBuilder(set, options).build(options.sections);
}

} // namespace sb
