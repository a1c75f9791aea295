// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/import_summary.h"

#include "core/json.h"
#include "core/text.h"
#include "session/import.h"

#include <QFile>

#include <tuple>

namespace sb {

namespace {

constexpr qint64 kLargestFile = 64 << 20;
constexpr std::int64_t kLargestBatch = 1'000'000;

class SummaryReader {
public:
    SummaryReader(const std::string &path, const PathFacts &facts, const std::string &framework)
        : m_path(path)
        , m_facts(facts)
        , m_framework(framework.empty() ? "table" : framework)
    {
    }

    std::vector<ImportItem> read(const JsonNode &root)
    {
        for (const auto &[model, cases] : root.members)
            if (cases.kind == JsonNode::Kind::Object)
                for (const auto &[name, entry] : cases.members)
                    m_items.push_back(itemOf(model, name, entry));
            else
                m_items.push_back(problemAt(cases, "\"" + model + "\" holds no cases"));
        return std::move(m_items);
    }

    ImportItem problemAt(const JsonNode &node, const std::string &problem) const
    {
        ImportItem item;
        item.source = ImportSource::Row;
        item.path = m_path + ":" + std::to_string(node.line);
        item.problem = "line " + std::to_string(node.line) + ": " + problem;
        return item;
    }

private:
    // "rn50" and "r50" are what the scripts cut out of a log's name.
    static std::string workloadOf(const std::string &model, const PathFacts &facts)
    {
        if (model == "rn50" || model == "r50")
            return "resnet50";
        if (model == "bert")
            return "bert-base";
        return model.empty() ? facts.model : model;
    }

    ImportItem itemOf(const std::string &model, const std::string &name, const JsonNode &entry) const
    {
        ImportItem item = problemAt(entry, "");
        item.problem.clear();
        item.format = m_framework;
        item.unit = model.starts_with("bert") ? "sequences" : "images";
        item.key.framework = m_framework;
        item.key.workload = workloadOf(model, m_facts);
        item.key.precision = m_facts.precision.empty()    ? "fp32"
                             : m_facts.precision == "amp" ? "fp16"
                                                          : m_facts.precision;
        item.key.device = "cuda";
        item.key.data = "unknown";
        const auto scale = scaleNamed(name);
        if (!scale)
            return problemAt(entry, "the case \"" + name + "\" is not of the form 2n8g");
        std::tie(item.key.nodes, item.key.devicesPerNode) = *scale;
        const JsonNode *batch = entry.find("batch_size_per_device");
        if (batch && (batch->integer < 1 || batch->integer > kLargestBatch))
            return problemAt(*batch, "batch_size_per_device is no count");
        item.key.batchSizePerDevice = batch ? static_cast<int>(batch->integer) : m_facts.batch;
        const JsonNode *median = entry.find("median_speed");
        const JsonNode *speed = median ? median : entry.find("average_speed");
        if (!speed)
            return problemAt(entry, "the case \"" + name + "\" has neither median_speed nor average_speed");
        if (speed->number <= 0)
            return problemAt(*speed, "the speed of \"" + name + "\" is no number above zero");
        item.values = 1;
        item.measurement = publishedMeasurement(speed->number, item.key);
        item.evidence = writeJson(JsonNode::object().set(model, JsonNode::object().set(name, entry))) + "\n";
        item.bytes = static_cast<std::int64_t>(item.evidence.size());
        return item;
    }

    std::string m_path;
    PathFacts m_facts;
    std::string m_framework;
    std::vector<ImportItem> m_items;
};

} // namespace

bool isSummary(const std::string &path, std::string_view beginning)
{
    return path.ends_with(".json") && trimmed(beginning).starts_with('{') &&
           (beginning.find("\"median_speed\"") != std::string_view::npos ||
            beginning.find("\"average_speed\"") != std::string_view::npos);
}

std::vector<ImportItem> readSummary(const std::string &path, const PathFacts &facts,
                                    const std::string &framework)
{
    SummaryReader reader(path, facts, framework);
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly) || file.size() > kLargestFile)
        return {reader.problemAt({}, "the file cannot be read, or is larger than 64 MB")};
    const auto root = parseJson(file.readAll().toStdString(), path);
    if (!root) {
        ImportItem item = reader.problemAt({}, "");
        item.path = path;
        item.problem = root.error().message;
        return {item};
    }
    return reader.read(*root);
}

} // namespace sb
