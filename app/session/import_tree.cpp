// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/import.h"

#include "catalog/path_facts.h"
#include "core/text.h"
#include "session/import_table.h"

#include <QDirIterator>
#include <QFileInfo>

#include <algorithm>
#include <future>
#include <map>

namespace sb {

namespace {

constexpr std::size_t kMostFiles = 100'000;
std::vector<std::string> filesOf(const QString &path)
{
    std::vector<std::string> files;
    if (QFileInfo(path).isFile())
        return {path.toStdString()};
    QDirIterator all(path, QDir::Files | QDir::NoSymLinks, QDirIterator::Subdirectories);
    while (all.hasNext() && files.size() < kMostFiles)
        files.push_back(all.next().toStdString());
    std::sort(files.begin(), files.end());
    return files;
}

std::string precisionNamed(const std::string &written)
{
    if (written == "amp" || written == "float16")
        return "fp16";
    return written.empty() || written == "float32" ? "fp32" : written;
}

// Batch size, nodes and devices: the log's own words first, then its path.
void takeKey(ImportItem &item, const PathFacts &path, const ParsedLog &log, const ImportOptions &options)
{
    CaseKey &key = item.key;
    key.framework = item.format;
    key.workload = options.workload.empty() ? path.model : options.workload;
    if (key.workload.empty())
        key.workload = "unknown";
    key.precision = precisionNamed(path.precision);
    key.device = "cuda";
    key.data = "unknown";
    key.nodes = std::max(1, path.nodes);
    key.devicesPerNode = std::max(1, path.devicesPerNode);
    if (path.nodes == 0 && log.devices > 1 && log.devices < 100'000)
        key.devicesPerNode = static_cast<int>(log.devices);
    if (path.batch > 0)
        key.batchSizePerDevice = path.batch;
    else if (item.facts.globalBatchSize)
        key.batchSizePerDevice = static_cast<int>(*item.facts.globalBatchSize / key.devices());
    if (!item.facts.globalBatchSize && key.batchSizePerDevice > 0)
        item.facts.globalBatchSize = std::int64_t{key.batchSizePerDevice} * key.devices();
}

// A log of events knows its case.
void takeEventKey(ImportItem &item, const LogContents &events, const Catalog &catalog)
{
    for (const Framework &framework : catalog.frameworks)
        if (events.facts.programName == framework.name || events.facts.programName == framework.program)
            item.format = framework.name;
    if (item.format.empty())
        item.format = events.facts.programName.value_or("native");
}

class FileReader {
public:
    FileReader(const Catalog &catalog, const ImportOptions &options)
        : m_catalog(catalog)
        , m_options(options)
        , m_words(catalog.words ? *catalog.words : LogWords())
        , m_paths(m_words)
        , m_rules(formats(), m_words)
    {
    }

    ImportItem read(const std::string &path, std::int64_t &lines) const
    {
        ImportItem item;
        item.path = path;
        LogEnough enough; // the measurement is of the first steps: what comes later changes nothing
        if (m_options.rule)
            enough.steps = std::max<std::int64_t>(enough.steps, m_options.rule->totalSteps());
        auto log = parseLog(path, m_rules, enough);
        if (!log) {
            item.problem = log.error().message;
            return item;
        }
        lines = log->lines;
        item.bytes = log->bytes;
        item.failure = log->failure;
        item.format = log->series.format;
        item.kind = log->series.kind;
        item.unit = log->series.unit.substr(0, log->series.unit.find('/'));
        item.values = log->series.points.size();
        item.facts.globalBatchSize = log->globalBatch;
        if (log->events) {
            item.facts = log->events->facts;
            item.unit = item.facts.unit.value_or("samples");
            item.values = log->events->samples.size();
            takeEventKey(item, *log->events, m_catalog);
        }
        takeKey(item, m_paths.read(path), *log, m_options);
        measureItem(item, *log);
        return item;
    }

private:
    std::vector<LineFormat> formats() const
    {
        if (!m_options.pattern.empty())
            return {{"pattern", {{LineKind::Rate, m_options.pattern, "", "", ""}}}};
        return lineFormats(m_catalog.frameworks, m_words, m_options.framework);
    }

    void measureItem(ImportItem &item, const ParsedLog &log) const
    {
        if (item.values == 0) {
            item.problem = "no number that a training program would print";
            return;
        }
        if (item.kind == LineKind::Bandwidth && !log.events) {
            item.problem = "a benchmark of links, not a training run";
            return;
        }
        const auto samples = log.events ? log.events->samples : samplesOf(log.series, log.devices);
        const MeasurementRule rule = m_options.rule ? *m_options.rule : importRule(samples);
        item.key.warmupSteps = rule.warmupSteps;
        item.key.measuredSteps = rule.measuredSteps;
        const Framework *framework = findFramework(m_catalog.frameworks, item.format);
        const auto measured = measure(samples, rule, item.facts.globalBatchSize,
                                      framework ? framework->log.from : ThroughputFrom::Printed);
        if (measured)
            item.measurement = *measured;
        else
            item.problem = measured.error().message;
    }

    const Catalog &m_catalog;
    const ImportOptions &m_options;
    LogWords m_words;
    PathFactsReader m_paths;
    LineRules m_rules;
};

// Repeats of a case in the order of their paths.
void numberRepeats(std::vector<ImportItem> &items)
{
    std::map<CaseKey, int> seen;
    for (ImportItem &item : items)
        if (item.good())
            item.repeat = ++seen[item.key];
}

} // namespace

MeasurementRule importRule(std::span<const Sample> samples)
{
    std::int64_t last = 0, interval = 0, previous = 0;
    for (const Sample &sample : samples) {
        if (previous > 0 && sample.step > previous && (interval == 0 || sample.step - previous < interval))
            interval = sample.step - previous;
        previous = sample.step;
        last = std::max(last, sample.step);
    }
    MeasurementRule rule;
    rule.repeats = 1;
    if (last > 10'000'000)
        return rule;
    if (interval > 1) {
        const std::int64_t skip = (rule.warmupSteps + interval - 1) / interval * interval;
        rule.warmupSteps = static_cast<int>(skip < last ? skip : 0);
        rule.measuredSteps = static_cast<int>(std::max<std::int64_t>(1, last - rule.warmupSteps));
    } else if (last < rule.totalSteps()) {
        rule.warmupSteps = static_cast<int>(last / 6);
        rule.measuredSteps = static_cast<int>(std::max<std::int64_t>(1, last - rule.warmupSteps));
    }
    return rule;
}

Result<ImportPreview> previewImport(const std::string &path, const Catalog &catalog,
                                    const ImportOptions &options, const std::atomic<bool> *cancel)
{
    const QString start = QString::fromStdString(path);
    if (!QFileInfo::exists(start))
        return Error{ErrorCode::NotFound, "There is no " + path + " to import."};
    if (!options.pattern.empty())
        if (const auto fault = patternFault(options.pattern))
            return Error{ErrorCode::BadInput, "The pattern cannot be used: " + *fault + "."};
    const std::vector<std::string> files = filesOf(start);
    std::vector<std::vector<ImportItem>> found(files.size());
    std::atomic<std::size_t> next = 0;
    std::atomic<std::int64_t> lines = 0;
    const auto work = [&] {
        const FileReader reader(catalog, options); // compiled patterns have scratch of their own
        for (std::size_t i = next++; i < files.size() && !(cancel && *cancel); i = next++) {
            if (isTable(files[i])) {
                found[i] = readTable(files[i]);
                continue;
            }
            std::int64_t count = 0;
            found[i].push_back(reader.read(files[i], count));
            lines += count;
        }
    };
    std::vector<std::future<void>> helpers;
    for (int i = 1; i < options.threads; ++i)
        helpers.push_back(std::async(std::launch::async, work));
    work();
    for (auto &helper : helpers)
        helper.get();
    if (cancel && *cancel)
        return Error{ErrorCode::Cancelled, "The import was cancelled."};
    ImportPreview preview;
    preview.lines = lines;
    for (auto &items : found)
        for (ImportItem &item : items) {
            preview.bytes += item.bytes;
            preview.items.push_back(std::move(item));
        }
    numberRepeats(preview.items);
    return preview;
}

} // namespace sb
