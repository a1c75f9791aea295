// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/import_table.h"

#include "core/text.h"

#include <QFile>

#include <algorithm>
#include <cctype>
#include <map>

namespace sb {

namespace {

constexpr qint64 kLargestTable = 64 << 20;

std::string plain(std::string_view text)
{
    std::string name;
    for (const char c : trimmed(text))
        name += c == ' ' || c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return name;
}

// Names of columns as people write them.
const std::map<std::string, std::string> &columnNames()
{
    static const std::map<std::string, std::string> kNames{{"throughput", "throughput"},
                                                           {"images/s", "throughput"},
                                                           {"samples/s", "throughput"},
                                                           {"framework", "framework"},
                                                           {"workload", "workload"},
                                                           {"model", "workload"},
                                                           {"precision", "precision"},
                                                           {"dtype", "precision"},
                                                           {"device", "device"},
                                                           {"data", "data"},
                                                           {"batch", "batch"},
                                                           {"batch_size", "batch"},
                                                           {"bsz", "batch"},
                                                           {"batch_size_per_device", "batch"},
                                                           {"nodes", "nodes"},
                                                           {"devices_per_node", "per_node"},
                                                           {"gpus_per_node", "per_node"},
                                                           {"case", "case"},
                                                           {"unit", "unit"}};
    return kNames;
}

std::map<std::string, std::size_t> columnsOf(const std::string &header)
{
    std::map<std::string, std::size_t> columns;
    const std::vector<std::string> cells = tableCells(header);
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (const auto known = columnNames().find(plain(cells[i])); known != columnNames().end())
            columns.emplace(known->second, i);
    return columns;
}

// "2n8g" → 2, 8.
bool readCaseName(const std::string &text, CaseKey &key)
{
    const std::size_t n = text.find('n');
    if (n == std::string::npos || text.back() != 'g')
        return false;
    const auto nodes = toInteger(std::string_view(text).substr(0, n));
    const auto devices = toInteger(std::string_view(text).substr(n + 1, text.size() - n - 2));
    if (!nodes || !devices || *nodes < 1 || *devices < 1 || *nodes > 65536 || *devices > 65536)
        return false;
    key.nodes = static_cast<int>(*nodes);
    key.devicesPerNode = static_cast<int>(*devices);
    return true;
}

ImportItem rowItem(const std::vector<std::string> &cells, const std::map<std::string, std::size_t> &columns)
{
    const auto cell = [&](const char *name) {
        const auto column = columns.find(name);
        return column != columns.end() && column->second < cells.size() ? cells[column->second]
                                                                        : std::string();
    };
    const auto text = [&](const char *name, const char *otherwise) {
        const std::string value = cell(name);
        return value.empty() ? std::string(otherwise) : value;
    };
    const auto count = [&](const char *name, int otherwise) {
        const auto value = toInteger(cell(name));
        return value && *value > 0 && *value < 1'000'000'000 ? static_cast<int>(*value) : otherwise;
    };
    ImportItem item;
    item.format = text("framework", "table");
    item.unit = text("unit", "samples");
    item.key = {.framework = item.format,
                .workload = text("workload", "unknown"),
                .precision = text("precision", "fp32"),
                .device = text("device", "cuda"),
                .data = text("data", "unknown"),
                .batchSizePerDevice = count("batch", 0),
                .nodes = count("nodes", 1),
                .devicesPerNode = count("per_node", 1),
                .threadsPerDevice = 0,
                .warmupSteps = 0,
                .measuredSteps = 0,
                .options = {}};
    if (const std::string name = cell("case"); !name.empty() && !readCaseName(name, item.key))
        item.problem = "the case \"" + name + "\" is not of the form 2n8g";
    const auto throughput = toDouble(cell("throughput"));
    if (!throughput || *throughput <= 0) {
        item.problem = "the throughput \"" + cell("throughput") + "\" is no number above zero";
        return item;
    }
    item.values = 1;
    Measurement measured;
    measured.throughput = *throughput;
    if (item.key.batchSizePerDevice > 0)
        measured.stepTimeMs = item.key.batchSizePerDevice * item.key.devices() / *throughput * 1000;
    item.measurement = measured;
    return item;
}

std::string firstLine(const std::string &path)
{
    QFile file(QString::fromStdString(path));
    return file.open(QIODevice::ReadOnly) ? file.readLine(64 * 1024).trimmed().toStdString() : std::string();
}

} // namespace

std::vector<std::string> tableCells(const std::string &line)
{
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
            cells.back() += line[++i];
        else if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            cells.emplace_back();
        else
            cells.back() += c;
    }
    for (std::string &cell : cells)
        cell = std::string(trimmed(cell));
    return cells;
}

bool isTable(const std::string &path)
{
    return path.size() > 4 && plain(std::string_view(path).substr(path.size() - 4)) == ".csv" &&
           columnsOf(firstLine(path)).contains("throughput");
}

std::vector<ImportItem> readTable(const std::string &path)
{
    std::vector<ImportItem> items;
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly) || file.size() > kLargestTable) {
        ImportItem item;
        item.path = path;
        item.problem = "the table cannot be read, or is larger than 64 MB";
        return {item};
    }
    const auto columns = columnsOf(file.readLine().trimmed().toStdString());
    for (int row = 2; !file.atEnd(); ++row) {
        const QByteArray line = file.readLine();
        if (line.trimmed().isEmpty())
            continue;
        ImportItem item = rowItem(tableCells(line.trimmed().toStdString()), columns);
        item.path = path + ":" + std::to_string(row);
        item.bytes = line.size();
        items.push_back(std::move(item));
    }
    return items;
}

} // namespace sb
