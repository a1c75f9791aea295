// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report.h"

#include "core/report_neutral.h"
#include "core/report_tables.h"
#include "core/topology_meaning.h"
#include "core/topology_parser.h"
#include "core/units.h"

#include <algorithm>
#include <map>
#include <set>

namespace sb {

namespace {

std::string dayOf(const Run &run)
{
    const std::string &stamp = run.finishedUtc.empty() ? run.createdUtc : run.finishedUtc;
    return stamp.substr(0, 10);
}

// The nodes of the runs, each as last seen.
std::vector<NodeFacts> nodesOf(std::span<const Run> runs)
{
    std::map<std::string, std::pair<std::string, const NodeFacts *>> newest;
    for (const Run &run : runs)
        for (const NodeFacts &node : run.nodeFacts) {
            auto &known = newest[node.name];
            if (!known.second || known.first <= run.createdUtc)
                known = {run.createdUtc, &node};
        }
    std::vector<NodeFacts> nodes;
    for (const auto &[name, facts] : newest)
        nodes.push_back(*facts.second);
    return nodes;
}

// Each way of wiring with the nodes that have it, in the order of the nodes.
std::vector<ReportTopology> topologiesOf(std::span<const Run> runs)
{
    std::vector<ReportTopology> all;
    for (const NodeFacts &node : nodesOf(runs)) {
        if (!node.topologyText)
            continue;
        Topology topology = parseTopology(*node.topologyText);
        topology.readAtUtcS.reset(); // nodes are never read at the same moment
        if (topology.gpuCount() == 0)
            continue;
        const auto same = std::find_if(all.begin(), all.end(), [&topology](const ReportTopology &known) {
            return known.topology == topology;
        });
        if (same != all.end())
            same->nodes.push_back(node.name);
        else
            all.push_back({{node.name}, std::move(topology)});
    }
    return all;
}

class Builder {
public:
    Builder(std::span<const Run> runs, const ReportOptions &options)
        : m_language(options.language)
        , m_runs(runs.begin(), runs.end())
        , m_neutral(options.neutralNames)
        , m_comparisons(options.comparisons)
    {
        std::stable_sort(m_runs.begin(), m_runs.end(),
                         [](const Run &a, const Run &b) { return a.id < b.id; });
        if (m_neutral)
            makeNeutral(m_runs);
        m_report.language = m_language;
        m_report.title = options.title.value_or(text("title"));
        for (const Run &run : m_runs) {
            m_report.date = std::max(m_report.date, dayOf(run));
            m_report.simulated = m_report.simulated || run.simulated;
        }
        m_report.topologies = topologiesOf(m_runs);
        const std::vector<CaseResult> results = aggregate(m_runs);
        m_report.groups = scalingGroups(results);
        for (ScalingGroup &group : strongScalingGroups(results))
            m_report.groups.push_back(std::move(group));
        for (ScalingGroup &group : m_report.groups) {
            group.curves = rankedCurves(std::move(group.curves));
            labelIn(group.curves, m_language);
        }
        m_report.provenance =
            text("summary.provenance", {options.program, count("count.run", m_runs.size()), m_report.date});
    }

    // Names first, so that a page can list sections without building them all.
    std::vector<ReportSectionName> names() const
    {
        std::vector<ReportSectionName> all;
        for (const char *id : {"summary", "environment", "topology", "method", "frameworks"})
            if (!m_report.topologies.empty() || std::string_view(id) != "topology")
                all.push_back({id, text(std::string("section.") + id)});
        for (const ScalingGroup &group : m_report.groups)
            all.push_back({"group:" + groupId(group), groupTitle(group, m_language)});
        for (const char *id : {"comparisons", "findings", "problems", "appendix"})
            if (!m_comparisons.empty() || std::string_view(id) != "comparisons")
                all.push_back({id, text(std::string("section.") + id)});
        return all;
    }

    Report build(const std::optional<std::vector<std::string>> &wanted)
    {
        std::vector<ReportSectionName> chosen;
        const std::vector<ReportSectionName> all = names();
        if (!wanted)
            chosen = all;
        else
            for (const std::string &id : *wanted)
                for (const ReportSectionName &name : all)
                    if (name.id == id)
                        chosen.push_back(name);
        for (const ReportSectionName &name : chosen)
            m_report.sections.push_back({name.id, name.title, blocks(name.id)});
        numberBlocks(m_report);
        return std::move(m_report);
    }

private:
    std::string text(std::string_view key, std::initializer_list<std::string> arguments = {}) const
    {
        return reportText(m_language, key, arguments);
    }
    std::string count(std::string_view noun, std::size_t n) const
    {
        return reportCount(m_language, noun, static_cast<long long>(n));
    }

    std::vector<ReportBlock> blocks(const std::string &id) const
    {
        if (id == "summary")
            return summary();
        if (id == "environment")
            return environment();
        if (id == "topology")
            return topology();
        if (id == "method")
            return {ReportBullets{methodSentences(m_runs, m_language)}};
        if (id == "frameworks")
            return {frameworkTable(m_runs, m_language)};
        if (id == "comparisons")
            return comparisonBlocks(m_comparisons, m_language);
        if (id == "findings")
            return {ReportBullets{findings()}};
        if (id == "problems")
            return problems();
        if (id == "appendix")
            return appendix();
        for (std::size_t i = 0; i < m_report.groups.size(); ++i)
            if (id == "group:" + groupId(m_report.groups[i]))
                return groupBlocks(i);
        return {};
    }

    std::vector<ReportBlock> summary() const
    {
        const auto bad = static_cast<std::size_t>(std::count_if(m_runs.begin(), m_runs.end(), isProblem));
        std::set<std::string> frameworks;
        std::set<std::string> hosts;
        for (const Run &run : m_runs) {
            frameworks.insert(run.key.framework);
            hosts.insert(run.hosts.begin(), run.hosts.end());
        }
        std::vector<ReportBlock> all;
        if (m_report.simulated)
            all.push_back(ReportParagraph{text("simulated.note")});
        if (m_report.groups.empty())
            all.push_back(ReportParagraph{text("none")});
        all.push_back(ReportParagraph{text(
            "summary.scope",
            {count("count.run", m_runs.size()), count("count.framework", frameworks.size()),
             count("count.node", hosts.size()), std::to_string(m_runs.size() - bad), std::to_string(bad)})});
        if (!m_report.groups.empty())
            all.push_back(ReportBullets{findings(2)});
        return all;
    }

    std::vector<ReportBlock> environment() const
    {
        const std::vector<NodeFacts> nodes = nodesOf(m_runs);
        if (nodes.empty())
            return {ReportParagraph{text("env.none")}};
        std::vector<ReportBlock> all{ReportParagraph{text("env.intro")}, environmentTable(nodes, m_language)};
        if (m_neutral)
            all.push_back(ReportParagraph{text("neutral")});
        return all;
    }

    // A drawing of each way of wiring, and what follows from it.
    std::vector<ReportBlock> topology() const
    {
        const WordLanguage words =
            m_language == ReportLanguage::Chinese ? WordLanguage::Chinese : WordLanguage::English;
        std::vector<ReportBlock> all;
        for (std::size_t i = 0; i < m_report.topologies.size(); ++i) {
            const ReportTopology &wiring = m_report.topologies[i];
            all.push_back(ReportFigure{"topology-" + std::to_string(i + 1), 0,
                                       topologyTitle(wiring, m_language), ReportFigureKind::Topology, i});
            if (wiring.nodes.size() > 2)
                all.push_back(ReportParagraph{text("env.nodes") + text("list.colon") +
                                              reportList(m_language, wiring.nodes)});
            std::vector<std::string> sentences;
            for (const Sentence &sentence : topologyMeaning(wiring.topology).sentences)
                sentences.push_back(sentenceText(sentence, words));
            if (!sentences.empty())
                all.push_back(ReportBullets{std::move(sentences)});
        }
        return all;
    }

    // Of every group the first `most` sentences; the first two say who is fastest and who scales best.
    std::vector<std::string> findings(std::size_t most = 1000) const
    {
        std::vector<std::string> sentences;
        for (const ScalingGroup &group : m_report.groups) {
            const std::string where =
                m_report.groups.size() > 1 ? text("find.where", {groupTitle(group, m_language)}) : "";
            std::vector<std::string> all = groupFindings(group, m_language);
            all.resize(std::min(all.size(), most));
            for (const std::string &sentence : all)
                sentences.push_back(where + sentence);
        }
        if (sentences.empty())
            sentences.push_back(text("none"));
        return sentences;
    }

    std::vector<ReportBlock> groupBlocks(std::size_t index) const
    {
        const ScalingGroup &group = m_report.groups[index];
        std::vector<ReportBlock> all{throughputTable(group, m_language)};
        const std::string title = std::get<ReportTable>(all.front()).title;
        const auto speedup = speedupTable(group, m_language);
        if (speedup) {
            all.push_back(*speedup);
            all.push_back(*efficiencyTable(group, m_language));
        }
        if (const auto epoch = epochTable(group, m_language))
            all.push_back(*epoch);
        // Figures one after the other, so that a page can set them side by side.
        all.push_back(ReportFigure{groupId(group) + "-throughput-figure", 0, title,
                                   ReportFigureKind::Throughput, index});
        if (speedup) {
            all.push_back(ReportFigure{groupId(group) + "-speedup-figure", 0, speedup->title,
                                       ReportFigureKind::Speedup, index});
            all.push_back(ReportFigure{groupId(group) + "-efficiency-figure", 0, text("efficiency.title"),
                                       ReportFigureKind::Efficiency, index});
        }
        all.push_back(ReportBullets{groupFindings(group, m_language)});
        return all;
    }

    std::vector<ReportBlock> problems() const
    {
        ReportTable table = problemTable(m_runs, m_language);
        if (table.rows.empty())
            return {ReportParagraph{text("problems.none")}};
        return {std::move(table)};
    }

    std::vector<ReportBlock> appendix() const
    {
        std::vector<ReportBlock> all{ReportParagraph{text("appendix.intro")}};
        for (const Run &run : m_runs) {
            ReportListing listing;
            listing.title = run.id;
            if (run.measurement)
                listing.title += " · " + reportRate(run.measurement->throughput, run.unit, m_language);
            if (!run.launchCommand.empty())
                listing.lines.push_back(run.launchCommand);
            if (!run.commands.empty())
                listing.lines.push_back(run.commands.front());
            if (run.commands.size() > 1)
                listing.lines.push_back(text("appendix.ranks", {std::to_string(run.commands.size())}));
            listing.lines.push_back("logs/" + run.id + "/rank0.log");
            all.push_back(std::move(listing));
        }
        return all;
    }

    ReportLanguage m_language;
    std::vector<Run> m_runs;
    bool m_neutral;
    std::vector<ReportComparison> m_comparisons;
    Report m_report;
};

} // namespace

void numberBlocks(Report &report)
{
    int tables = 0;
    int figures = 0;
    for (ReportSection &section : report.sections)
        for (ReportBlock &block : section.blocks) {
            if (auto *table = std::get_if<ReportTable>(&block))
                table->number = ++tables;
            if (auto *figure = std::get_if<ReportFigure>(&block))
                figure->number = ++figures;
        }
}

Report buildReport(std::span<const Run> runs, const ReportOptions &options)
{
    return Builder(runs, options).build(options.sections);
}

std::vector<ReportSectionName> reportSections(std::span<const Run> runs, ReportLanguage language,
                                              std::span<const ReportComparison> comparisons)
{
    ReportOptions options;
    options.language = language;
    options.comparisons.assign(comparisons.begin(), comparisons.end());
    return Builder(runs, options).names();
}

std::string groupTitle(const ScalingGroup &group, ReportLanguage language)
{
    std::string precision = group.precision;
    std::transform(precision.begin(), precision.end(), precision.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return reportText(language, group.globalBatchSize ? "section.group.strong" : "section.group",
                      {group.workloadTitle, precision,
                       std::to_string(group.globalBatchSize.value_or(group.batchSizePerDevice)),
                       reportText(language, group.device == "cuda" ? "device.gpu" : "device.cpu")});
}

std::string groupId(const ScalingGroup &group)
{
    std::string id = group.workload + "-" + group.precision +
                     (group.globalBatchSize ? "-global" + std::to_string(*group.globalBatchSize)
                                            : "-b" + std::to_string(group.batchSizePerDevice)) +
                     "-" + group.device;
    const std::string data = group.curves.empty() || group.curves.front().points.empty()
                                 ? std::string()
                                 : group.curves.front().points.front().key.data;
    if (!data.empty() && data != "synthetic")
        id += "-" + data;
    for (char &c : id)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '.' && c != '_')
            c = '_';
    return id;
}

std::vector<ScalingCurve> rankedCurves(std::vector<ScalingCurve> curves)
{
    std::stable_sort(curves.begin(), curves.end(), [](const ScalingCurve &a, const ScalingCurve &b) {
        const auto rank = [](const ScalingCurve &curve) {
            return curve.points.empty()
                       ? std::pair(0, 0.0)
                       : std::pair(curve.points.back().key.devices(), curve.points.back().throughput);
        };
        return rank(a) > rank(b);
    });
    return curves;
}

std::vector<int> groupDevices(std::span<const ScalingCurve> curves)
{
    std::set<int> devices;
    for (const ScalingCurve &curve : curves)
        for (const CaseResult &point : curve.points)
            devices.insert(point.key.devices());
    return {devices.begin(), devices.end()};
}

std::string reportRate(double throughput, const std::string &unit, ReportLanguage language)
{
    std::string word = unit.empty() ? "samples" : unit;
    if (word == "images" || word == "sequences" || word == "samples")
        word = reportText(language, "unit." + word);
    return formatNumber(throughput, 2) + " " + word + (language == ReportLanguage::Chinese ? "/秒" : "/s");
}

std::string reportDevices(int count, const std::string &device, ReportLanguage language)
{
    return reportCount(language, device == "cuda" ? "count.gpu" : "count.device", count);
}

} // namespace sb
