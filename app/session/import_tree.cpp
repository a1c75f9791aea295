// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/import.h"

#include "catalog/path_facts.h"
#include "core/text.h"
#include "session/import_summary.h"
#include "session/link_files.h"

#include <QDirIterator>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <future>
#include <map>

namespace sb {

namespace {

constexpr std::size_t kMostFiles = 100'000;
constexpr qint64 kSniffedBytes = 64 << 10;
constexpr qint64 kTriedBytes = 256 << 10;      // of the log that a pattern is shown on
constexpr std::size_t kMeasuredNumbers = 5000; // a measurement is of the first; all are read and counted

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
    if (!isScale(key.nodes, key.devicesPerNode))
        key.nodes = key.devicesPerNode = 1;
    if (path.nodes == 0 && log.devices > 1 && isScale(1, log.devices))
        key.devicesPerNode = static_cast<int>(log.devices);
    if (path.batch > 0)
        key.batchSizePerDevice = path.batch;
    else if (item.facts.globalBatchSize && *item.facts.globalBatchSize / key.devices() <= INT32_MAX)
        key.batchSizePerDevice = static_cast<int>(*item.facts.globalBatchSize / key.devices());
    if (!item.facts.globalBatchSize && key.batchSizePerDevice > 0)
        item.facts.globalBatchSize = key.globalBatchSize();
}

std::string beginningOf(const std::string &path, qint64 bytes)
{
    QFile file(QString::fromStdString(path));
    return file.open(QIODevice::ReadOnly) ? file.read(bytes).toStdString() : std::string();
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

    // What a file holds, whichever of the known kinds it is.
    std::vector<ImportItem> readAny(const std::string &path, std::int64_t &lines) const
    {
        if (isTable(path))
            return readTable(path, m_options.columns);
        if (path.ends_with(".json")) {
            const std::string beginning = beginningOf(path, kSniffedBytes);
            if (isSummary(path, beginning))
                return readSummary(path, m_paths.read(path), frameworkOf(path));
            if (beginning.find("\"bandwidth_matrix\"") != std::string::npos)
                return {linksItem(path)};
        }
        return {readLog(path, lines)};
    }

private:
    // Named by the user, else by a folder or the file.
    std::string frameworkOf(const std::string &path) const
    {
        std::string found = m_options.framework;
        for (const Framework &framework : m_catalog.frameworks)
            if (m_options.framework.empty() && framework.name.size() > found.size() &&
                path.find(framework.name) != std::string::npos)
                found = framework.name;
        return found;
    }

    static ImportItem linksItem(const std::string &path)
    {
        ImportItem item;
        item.source = ImportSource::Links;
        item.path = path;
        item.bytes = QFileInfo(QString::fromStdString(path)).size();
        item.kind = LineKind::Bandwidth;
        const auto file = readLinkFile(path);
        if (!file) {
            item.problem = file.error().message;
            return item;
        }
        item.format = file->collective ? file->collective->program : file->rates->tool;
        item.links = file->title();
        item.values = file->collective ? file->collective->times.size() : file->rates->links.size();
        return item;
    }

    ImportItem readLog(const std::string &path, std::int64_t &lines) const
    {
        ImportItem item;
        item.path = path;
        std::size_t most = kMeasuredNumbers;
        if (m_options.rule)
            most = std::max(most, static_cast<std::size_t>(m_options.rule->totalSteps()));
        auto log = parseLog(path, m_rules, most);
        if (!log) {
            item.problem = log.error().message;
            return item;
        }
        lines = log->lines;
        if (log->series.kind == LineKind::Bandwidth && !log->events && !log->series.points.empty())
            if (ImportItem links = linksItem(path); links.good())
                return links;
        item.bytes = log->bytes;
        item.failure = log->failure;
        item.format = log->series.format;
        item.kind = log->series.kind;
        item.unit = log->series.unit.substr(0, log->series.unit.find('/'));
        item.values = log->printed;
        item.facts.globalBatchSize = log->globalBatch;
        if (log->events) {
            item.facts = log->events->facts;
            item.unit = item.facts.unit.value_or("samples");
            takeEventKey(item, *log->events, m_catalog);
        }
        takeKey(item, m_paths.read(path), *log, m_options);
        measureItem(item, *log);
        return item;
    }

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
            item.problem = "a benchmark of links, but not between the GPUs of a node";
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
        if (item.isRun())
            item.repeat = ++seen[item.key];
}

// The first table and the first log are shown with their text.
void showFirst(ImportPreview &preview, const ImportOptions &options)
{
    for (const ImportItem &item : preview.items) {
        const std::string path =
            item.path.substr(0, isTable(item.path) ? std::string::npos : item.path.rfind(':'));
        if (!preview.table && item.source == ImportSource::Row && isTable(path))
            if (auto head = readTableHead(path, options.columns))
                preview.table = std::move(*head);
        if (options.trial && !preview.trial && item.source == ImportSource::Log) {
            preview.trial = tryPattern(options.pattern, beginningOf(item.path, kTriedBytes));
            preview.trialPath = item.path;
        }
    }
}

} // namespace

Measurement publishedMeasurement(double throughput, const CaseKey &key)
{
    Measurement measured;
    measured.throughput = throughput;
    if (key.batchSizePerDevice > 0)
        measured.stepTimeMs = static_cast<double>(key.globalBatchSize()) / throughput * 1000;
    return measured;
}

MeasurementRule importRule(std::span<const Sample> samples)
{
    std::int64_t last = 0, interval = 0, previous = 0;
    int gaps = 0;
    for (const Sample &sample : samples) {
        // The first gap of several may be short: 1, 20, 40, 60 …
        if (previous > 0 && sample.step > previous && (++gaps <= 2 || sample.step - previous < interval))
            interval = sample.step - previous;
        previous = sample.step;
        last = std::max(last, sample.step);
    }
    MeasurementRule rule;
    rule.repeats = 1;
    if (last > MeasurementRule::kMostSteps)
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
            std::int64_t count = 0;
            found[i] = reader.readAny(files[i], count);
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
    showFirst(preview, options);
    return preview;
}

} // namespace sb
