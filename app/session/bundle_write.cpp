// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/bundle.h"

#include "catalog/plan_file.h"
#include "core/json.h"
#include "core/report_neutral.h"
#include "core/scaling.h"
#include "core/units.h"
#include "session/kept_comparisons.h"
#include "session/link_files.h"
#include "session/telemetry_file.h"
#include "store/run_record.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace sb {

namespace {

constexpr int kBundleSchema = 1;

// An entry: a text, or a file on the disk that goes in as it is.
struct Part {
    ArchiveFile file;
    std::string diskPath;
    std::string text;
};

std::string csvField(const std::string &text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string out = "\"";
    for (const char c : text) {
        out += c;
        if (c == '"')
            out += '"';
    }
    return out + "\"";
}

std::string csvLine(const std::vector<std::string> &fields)
{
    std::string line;
    for (std::size_t i = 0; i < fields.size(); ++i)
        line += (i ? "," : "") + csvField(fields[i]);
    return line + "\n";
}

std::vector<std::string> keyFields(const CaseKey &key)
{
    return {key.framework,
            key.workload,
            key.precision,
            key.device,
            key.data,
            std::to_string(key.batchSizePerDevice),
            std::to_string(key.nodes),
            std::to_string(key.devicesPerNode)};
}

const std::vector<std::string> kKeyNames{
    "framework", "workload",        "precision", "device", "data", "batch_size_per_device",
    "nodes",     "devices_per_node"};

std::string runsCsv(const std::vector<Run> &runs)
{
    std::vector<std::string> names{"run", "repeat", "state"};
    names.insert(names.end(), kKeyNames.begin(), kKeyNames.end());
    names.insert(names.end(), {"unit", "throughput_per_s", "step_time_ms", "finished_utc", "simulated"});
    std::string out = csvLine(names);
    for (const Run &run : runs) {
        std::vector<std::string> fields{run.id, std::to_string(run.repeat), runStateName(run.state)};
        const auto key = keyFields(run.key);
        fields.insert(fields.end(), key.begin(), key.end());
        const auto &m = run.measurement;
        fields.insert(fields.end(),
                      {run.unit, m ? plainNumber(m->throughput) : "", m ? plainNumber(m->stepTimeMs) : "",
                       run.finishedUtc, run.simulated ? "1" : "0"});
        out += csvLine(fields);
    }
    return out;
}

std::string resultsCsv(const std::vector<Run> &runs)
{
    std::vector<std::string> names = kKeyNames;
    names.insert(names.end(), {"unit", "repeats", "throughput_per_s", "low", "high", "coverage", "speedup",
                               "efficiency", "simulated"});
    const auto number = [](const std::optional<double> &value) {
        return value ? plainNumber(*value) : std::string();
    };
    std::string out = csvLine(names);
    std::vector<CaseResult> results = aggregate(runs);
    for (const ScalingCurve &curve : scalingCurves(results))
        for (const CaseResult &point : curve.points) {
            std::vector<std::string> fields = keyFields(point.key);
            const auto &interval = point.interval;
            fields.insert(fields.end(),
                          {point.unit, std::to_string(point.repeats), plainNumber(point.throughput),
                           interval ? plainNumber(interval->low) : "",
                           interval ? plainNumber(interval->high) : "",
                           interval ? plainNumber(interval->coverage) : "", number(point.speedup),
                           number(point.efficiency), point.simulated ? "1" : "0"});
            out += csvLine(fields);
        }
    return out;
}

// Facts of each node as last seen, in the form of run records.
Result<std::string> environmentJson(const std::vector<Run> &runs)
{
    std::map<std::string, JsonNode> nodes;
    for (const Run &run : runs) { // oldest first, so the last one stays
        const auto record = parseJson(writeRunRecord(run, -1), run.id);
        if (!record)
            return record.error();
        if (const JsonNode *list = record->find("nodes"))
            for (const JsonNode &node : list->items)
                if (const JsonNode *name = node.find("name"))
                    nodes[name->text] = node;
    }
    JsonNode list = JsonNode::array();
    for (const auto &[name, node] : nodes)
        list.push(node);
    return writeJson(JsonNode::object().set("schema", 1).set("nodes", list)) + "\n";
}

class Bundle {
public:
    Bundle(const BundleSource &source, const BundleOptions &options)
        : m_source(source)
        , m_options(options)
    {
        for (const Run &run : source.runs)
            if (isFinal(run.state))
                m_runs.push_back(run);
        if (options.neutralNames) {
            m_neutral.emplace(std::span<const Run>(m_runs));
            for (Run &run : m_runs)
                m_neutral->apply(run);
        }
    }

    Result<void> write(const std::string &path, const std::function<bool(int, int)> &step)
    {
        if (m_runs.empty())
            return Error{ErrorCode::NotFound, "The workspace " + m_source.folder +
                                                  " has no run that has ended; there is nothing to bundle."};
        for (const auto &gather : {&Bundle::addWorkspace, &Bundle::addRuns, &Bundle::addMeasurements,
                                   &Bundle::addPlans, &Bundle::addManifests, &Bundle::addReport})
            if (auto gathered = (this->*gather)(); !gathered)
                return gathered;
        std::sort(m_parts.begin(), m_parts.end(),
                  [](const Part &a, const Part &b) { return a.file.path < b.file.path; });
        const auto writer = ArchiveWriter::create(path);
        if (!writer)
            return writer.error();
        if (auto head = (*writer)->addText("bundle.json", listing()); !head)
            return head;
        int done = 0;
        for (const Part &part : m_parts) {
            auto added = part.diskPath.empty() ? (*writer)->addText(part.file.path, part.text)
                                               : (*writer)->addFile(part.file, part.diskPath);
            if (!added)
                return added;
            if (step && !step(++done, static_cast<int>(m_parts.size())))
                return Error{ErrorCode::Cancelled, "The bundle was stopped; nothing was written."};
        }
        return (*writer)->finish();
    }

private:
    void addText(const std::string &path, std::string text)
    {
        ArchiveFile file{path, static_cast<std::int64_t>(text.size()), sha256Of(text)};
        m_parts.push_back({std::move(file), {}, std::move(text)});
    }

    Result<void> addFile(const std::string &path, const std::string &diskPath)
    {
        auto file = describeFile(path, diskPath);
        if (!file)
            return file.error();
        m_parts.push_back({std::move(*file), diskPath, {}});
        return {};
    }

    Result<void> addNeutralFile(const std::string &path, const std::string &diskPath)
    {
        QFile file(QString::fromStdString(diskPath));
        if (!file.open(QIODevice::ReadOnly))
            return Error{ErrorCode::Io,
                         diskPath + " cannot be read: " + file.errorString().toStdString() + "."};
        addText(path, m_neutral->text(file.readAll().toStdString()));
        return {};
    }

    Result<void> addWorkspace()
    {
        if (auto added = addFile("workspace.json", m_source.folder + "/workspace.json"); !added)
            return added;
        const auto environment = environmentJson(m_runs);
        if (!environment)
            return environment.error();
        addText("environment.json", *environment);
        addText("extract/runs.csv", runsCsv(m_runs));
        addText("extract/results.csv", resultsCsv(m_runs));
        return {};
    }

    Result<void> addRuns()
    {
        for (const Run &run : m_runs) {
            const std::string folder = "logs/" + run.id + "/";
            addText(folder + "run.json", writeRunRecord(run) + "\n");
            const QDir dir(QString::fromStdString(m_source.folder + "/logs/" + run.id));
            const QStringList logs{QStringLiteral("*.log"), QStringLiteral("*.err"),
                                   QString::fromLatin1(kTelemetryFile)};
            for (const QString &name : dir.entryList(logs, QDir::Files | QDir::NoSymLinks, QDir::Name)) {
                const std::string path = folder + name.toStdString();
                const std::string disk = dir.filePath(name).toStdString();
                if (auto added = m_neutral ? addNeutralFile(path, disk) : addFile(path, disk); !added)
                    return added;
            }
        }
        return {};
    }

    // Measured links, as their tools printed them, and what was compared.
    Result<void> addMeasurements()
    {
        const std::string comparisons = m_source.folder + "/" + kComparisonsFile;
        if (QFileInfo::exists(QString::fromStdString(comparisons)))
            if (auto added = addFile(kComparisonsFile, comparisons); !added)
                return added;
        for (const LinkFile &file : linkFiles(m_source.folder)) {
            const std::string path =
                "links/" + QFileInfo(QString::fromStdString(file.path)).fileName().toStdString();
            if (auto added = m_neutral ? addNeutralFile(path, file.path) : addFile(path, file.path); !added)
                return added;
        }
        return {};
    }

    // One plan for all runs of a name, or for those of one rule of measuring.
    Result<void> addPlans()
    {
        std::map<std::string, std::vector<Run>> parts;
        for (const Run &run : m_runs)
            parts[run.planName + "/" + run.key.device + "/" + run.key.data + "/" +
                  std::to_string(run.key.warmupSteps) + "/" + std::to_string(run.key.measuredSteps)]
                .push_back(run);
        int number = 0;
        for (const auto &[name, runs] : parts)
            if (const auto plan = planOfRuns(runs))
                addText("plans/" + std::to_string(++number) + ".json", writePlan(*plan));
        return {};
    }

    Result<void> addManifests()
    {
        std::set<std::string> frameworks;
        for (const Run &run : m_runs)
            frameworks.insert(run.key.framework);
        for (const std::string &name : frameworks) {
            for (const std::string &folder : {m_options.pluginFolder, m_options.userPluginFolder}) {
                const std::string path = folder + "/" + name + "/plugin.json";
                if (folder.empty() || !archiveNameFault(name).empty() ||
                    !QFile::exists(QString::fromStdString(path)))
                    continue;
                if (auto added = addFile("manifests/" + name + ".json", path); !added)
                    return added;
                break; // the user's own has another name, or is not used
            }
        }
        return {};
    }

    // As far as a file is text; the others were made from the same report.
    bool hasRealNames(const QString &path)
    {
        static const QStringList kTexts{QStringLiteral("html"), QStringLiteral("md"),
                                        QStringLiteral("tex"),  QStringLiteral("csv"),
                                        QStringLiteral("json"), QStringLiteral("svg")};
        QFile file(path);
        if (!kTexts.contains(QFileInfo(path).suffix()) || !file.open(QIODevice::ReadOnly))
            return false;
        const std::string text = file.readAll().toStdString();
        return m_neutral->text(text) != text;
    }

    Result<void> addReport()
    {
        if (m_options.reportFolder.empty())
            return {};
        const QDir root(QString::fromStdString(m_options.reportFolder));
        QDirIterator files(root.path(), QDir::Files | QDir::NoSymLinks, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString path = files.next();
            const std::string name = "report/" + root.relativeFilePath(path).toStdString();
            if (name.ends_with(".tar.zst"))
                continue; // an earlier bundle
            if (m_neutral && hasRealNames(path))
                return Error{ErrorCode::BadInput, path.toStdString() +
                                                      " has names or addresses that are not neutral; export "
                                                      "the report again with neutral names."};
            if (auto added = addFile(name, path.toStdString()); !added)
                return added;
        }
        return {};
    }

    std::string listing() const
    {
        std::string date;
        bool simulated = false;
        for (const Run &run : m_runs) {
            date = std::max(date, (run.finishedUtc.empty() ? run.createdUtc : run.finishedUtc).substr(0, 10));
            simulated = simulated || run.simulated;
        }
        JsonNode files = JsonNode::array();
        for (const Part &part : m_parts)
            files.push(JsonNode::object()
                           .set("path", part.file.path)
                           .set("bytes", part.file.bytes)
                           .set("sha256", part.file.sha256));
        JsonNode root = JsonNode::object();
        root.set("schema", kBundleSchema)
            .set("kind", "scaleboard bundle")
            .set("name", m_source.name)
            .set("date", date)
            .set("program", m_options.program)
            .set("runs", static_cast<std::int64_t>(m_runs.size()))
            .set("neutral_names", m_options.neutralNames)
            .set("simulated", simulated)
            .set("files", files);
        return writeJson(root) + "\n";
    }

    const BundleSource &m_source;
    const BundleOptions &m_options;
    std::vector<Run> m_runs;
    std::optional<Neutral> m_neutral;
    std::vector<Part> m_parts;
};

} // namespace

BundleSource bundleSource(const Workspace &workspace)
{
    return {workspace.folder(), workspace.name(), workspace.runs()};
}

Result<void> writeBundle(const BundleSource &source, const std::string &path, const BundleOptions &options,
                         const std::function<bool(int, int)> &step)
{
    return Bundle(source, options).write(path, step);
}

} // namespace sb
