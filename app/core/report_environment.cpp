// SPDX-License-Identifier: GPL-3.0-or-later
// Environment, method and frameworks: what a reader needs to repeat the study.
#include "core/report_tables.h"

#include "core/units.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace sb {

namespace {

using FactOf = std::function<std::string(const NodeFacts &)>;

std::string gpuText(const NodeFacts &node, ReportLanguage language)
{
    if (node.gpus.empty())
        return reportText(language, "env.nogpu");
    std::map<std::string, int> counts;
    for (const GpuFacts &gpu : node.gpus)
        counts[gpu.memoryBytes ? gpu.name + ", " + formatBytes(*gpu.memoryBytes) : gpu.name] += 1;
    std::string text;
    for (const auto &[name, count] : counts)
        text += (text.empty() ? "" : "; ") + std::to_string(count) + " × " + name;
    return text;
}

std::string networkText(const NodeFacts &node)
{
    std::string text;
    for (const NetworkInterface &card : node.interfaces) {
        if (card.name == "lo")
            continue;
        text += (text.empty() ? "" : ", ") + card.name;
        if (card.speedGbps)
            text += " (" + formatNumber(*card.speedGbps, *card.speedGbps < 1 ? 1 : 0) + " Gb/s)";
    }
    return text;
}

std::string joined(const std::vector<std::string> &parts)
{
    std::string text;
    for (const std::string &part : parts)
        text += (text.empty() ? "" : ", ") + part;
    return text;
}

// One value where all nodes agree, else each value with its nodes. Empty when no node says.
std::string factText(std::span<const NodeFacts> nodes, const FactOf &factOf, ReportLanguage language)
{
    std::vector<std::pair<std::string, std::vector<std::string>>> values; // in order of the nodes
    for (const NodeFacts &node : nodes) {
        std::string value = factOf(node);
        if (value.empty())
            value = "—";
        const auto same = std::find_if(values.begin(), values.end(),
                                       [&value](const auto &known) { return known.first == value; });
        if (same == values.end())
            values.push_back({value, {node.name}});
        else
            same->second.push_back(node.name);
    }
    if (values.size() == 1)
        return values.front().first == "—" ? std::string() : values.front().first;
    std::string text;
    for (const auto &[value, names] : values)
        text += (text.empty() ? "" : "; ") + value + " (" + reportList(language, names) + ")";
    return text;
}

std::string repeatsText(std::span<const Run> runs, ReportLanguage language)
{
    int fewest = 0;
    int most = 0;
    for (const CaseResult &result : aggregate(runs)) {
        fewest = fewest == 0 ? result.repeats : std::min(fewest, result.repeats);
        most = std::max(most, result.repeats);
    }
    if (most == 0)
        return {};
    if (most == 1)
        return reportText(language, "method.once");
    return fewest == most
               ? reportText(language, "method.times", {std::to_string(most)})
               : reportText(language, "method.range", {std::to_string(fewest), std::to_string(most)});
}

std::string threadsText(int threads, ReportLanguage language)
{
    return threads == 0   ? reportText(language, "method.threads.free")
           : threads == 1 ? reportText(language, "method.thread")
                          : reportText(language, "method.threads", {std::to_string(threads)});
}

} // namespace

ReportTable environmentTable(std::span<const NodeFacts> nodes, ReportLanguage language)
{
    ReportTable table;
    table.id = "environment";
    table.title = reportText(language, "env.title");
    table.columns = {{reportText(language, "fact"), false, {}}, {reportText(language, "value"), false, {}}};
    const auto text = [](const std::optional<std::string> &value) { return value.value_or(std::string()); };
    const std::vector<std::pair<const char *, FactOf>> facts{
        {"env.os", [&](const NodeFacts &n) { return text(n.os); }},
        {"env.kernel", [&](const NodeFacts &n) { return text(n.kernel); }},
        {"env.architecture", [&](const NodeFacts &n) { return text(n.architecture); }},
        {"env.cpu", [&](const NodeFacts &n) { return text(n.cpuModel); }},
        {"env.cores", [&](const NodeFacts &n) { return n.cores ? std::to_string(*n.cores) : std::string(); }},
        {"env.simd", [&](const NodeFacts &n) { return text(n.simd); }},
        {"env.memory",
         [&](const NodeFacts &n) { return n.memoryBytes ? formatBytes(*n.memoryBytes) : std::string(); }},
        {"env.gpus", [&](const NodeFacts &n) { return gpuText(n, language); }},
        {"env.driver", [&](const NodeFacts &n) { return text(n.driverVersion); }},
        {"env.cuda", [&](const NodeFacts &n) { return text(n.cudaVersion); }},
        {"env.network", [&](const NodeFacts &n) { return networkText(n); }},
        {"env.containers", [&](const NodeFacts &n) { return joined(n.containerEngines); }},
        {"env.slurm", [&](const NodeFacts &n) { return text(n.slurmVersion); }},
    };
    std::vector<std::string> names;
    for (const NodeFacts &node : nodes)
        names.push_back(node.name);
    table.rows.push_back(
        {{reportText(language, "env.nodes"), std::nullopt, {}, {}},
         {reportCount(language, "count.node", static_cast<long long>(names.size())) + ": " + joined(names),
          std::nullopt,
          {},
          {}}});
    for (const auto &[key, factOf] : facts)
        if (const std::string value = factText(nodes, factOf, language); !value.empty())
            table.rows.push_back(
                {{reportText(language, key), std::nullopt, {}, {}}, {value, std::nullopt, {}, {}}});
    return table;
}

ReportTable frameworkTable(std::span<const Run> runs, ReportLanguage language)
{
    struct Row {
        std::string title;
        std::set<std::string> versions, images, sources, features, paths, devices, workloads;
        int runs = 0;
        bool simulated = false;
    };
    std::map<std::string, Row> rows; // by plugin name
    for (const Run &run : runs) {
        Row &row = rows[run.key.framework];
        row.title = run.frameworkTitle;
        row.runs += 1;
        row.simulated = row.simulated || run.simulated;
        row.workloads.insert(run.workloadTitle);
        if (run.facts.programVersion)
            row.versions.insert(*run.facts.programVersion);
        if (run.facts.path)
            row.paths.insert(*run.facts.path);
        if (run.facts.deviceName)
            row.devices.insert(*run.facts.deviceName);
        if (run.origin.image)
            row.images.insert(*run.origin.image);
        if (run.origin.source || run.origin.commit)
            row.sources.insert(run.origin.source.value_or("") +
                               (run.origin.commit ? "@" + *run.origin.commit : ""));
        row.features.insert(run.origin.features.begin(), run.origin.features.end());
        for (const auto &[name, value] : run.key.options)
            row.features.insert(name + " " + value);
    }
    ReportTable table;
    table.id = "frameworks";
    table.title = reportText(language, "frameworks.title");
    for (const char *column : {"col.framework", "col.version", "col.image", "col.source", "col.features",
                               "col.path", "col.device", "col.workloads", "col.runs"})
        table.columns.push_back({reportText(language, column), std::string_view(column) == "col.runs", {}});
    const auto cell = [](const std::set<std::string> &values) {
        const std::string text = joined({values.begin(), values.end()});
        return ReportCell{text.empty() ? "—" : text, std::nullopt, {}, {}};
    };
    for (const auto &[name, row] : rows) {
        table.rows.push_back({{row.title, std::nullopt, {}, {}},
                              cell(row.versions),
                              cell(row.images),
                              cell(row.sources),
                              cell(row.features),
                              cell(row.paths),
                              cell(row.devices),
                              cell(row.workloads),
                              {std::to_string(row.runs), static_cast<double>(row.runs), {}, {}}});
        table.simulated = table.simulated || row.simulated;
    }
    // A column that says nothing of any framework is left out.
    for (std::size_t column = table.columns.size(); column-- > 0;) {
        const bool empty = std::all_of(table.rows.begin(), table.rows.end(),
                                       [column](const auto &row) { return row[column].text == "—"; });
        if (!empty || table.rows.empty())
            continue;
        table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(column));
        for (auto &row : table.rows)
            row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
    }
    return table;
}

std::vector<std::string> methodSentences(std::span<const Run> runs, ReportLanguage language)
{
    std::set<std::pair<int, int>> rules;
    std::set<int> threads;
    std::set<std::string> data;
    bool gpu = false;
    for (const Run &run : runs) {
        rules.insert({run.key.warmupSteps, run.key.measuredSteps});
        gpu = gpu || run.key.device == "cuda";
        if (run.key.device != "cuda")
            threads.insert(run.key.threadsPerDevice);
        data.insert(run.key.data == "synthetic" ? reportText(language, "method.data.synthetic")
                                                : run.key.data);
    }
    std::vector<std::string> sentences;
    for (const auto &[warmup, measured] : rules)
        sentences.push_back(
            reportText(language, "method.rule", {std::to_string(warmup), std::to_string(measured)}));
    sentences.push_back(reportText(language, "method.throughput"));
    if (const std::string repeats = repeatsText(runs, language); !repeats.empty())
        sentences.push_back(reportText(language, "method.median", {repeats}));
    sentences.push_back(reportText(language, "method.interval"));
    sentences.push_back(reportText(language, "method.speedup"));
    sentences.push_back(reportText(language, "method.noise"));
    if (gpu)
        sentences.push_back(reportText(language, "method.device.gpu"));
    for (const int count : threads)
        sentences.push_back(reportText(language, "method.device.cpu", {threadsText(count, language)}));
    if (!data.empty())
        sentences.push_back(reportText(language, "method.data", {reportList(language, data)}));
    return sentences;
}

} // namespace sb
