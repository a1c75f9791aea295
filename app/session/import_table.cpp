// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/import_table.h"

#include "core/text.h"
#include "session/import.h"

#include <QFile>

#include <algorithm>
#include <iterator>
#include <tuple>

namespace sb {

namespace {

constexpr qint64 kLargestTable = 64 << 20;
constexpr std::size_t kShownRows = 5;

// "Batch Size" → "batch_size", "Throughput (images/s)" → "throughput", with "images/s" as its unit.
std::string plainName(std::string_view text, std::string *unit = nullptr)
{
    text = trimmed(text);
    if (text.starts_with("\xEF\xBB\xBF")) // a byte order mark, as spreadsheets write it
        text.remove_prefix(3);
    const std::size_t open = text.find_first_of("([");
    if (open != std::string_view::npos && open > 0) {
        const std::size_t close = text.find_first_of(")]", open);
        if (unit && close != std::string_view::npos)
            *unit = text.substr(open + 1, close - open - 1);
        text = trimmed(text.substr(0, open));
    }
    std::string name;
    for (const char c : text)
        name += c == ' ' || c == '-' ? '_' : c;
    return lowered(name);
}

// Names of columns as people write them.
const std::map<std::string, std::string> &columnNames()
{
    static const std::map<std::string, std::string> kNames = [] {
        const std::map<std::string, std::vector<std::string>> roles{
            {"throughput", {"throughput",    "median_speed", "speed",
                            "ips",           "fps",          "average_speed",
                            "images/s",      "images/sec",   "imgs/s",
                            "img/s",         "img/sec",      "images_per_second",
                            "samples/s",     "samples/sec",  "samples_per_second",
                            "examples/s",    "examples/sec", "sequences/s",
                            "sequences/sec", "seq/s",        "tokens/s",
                            "tokens/sec",    "tok/s",        "tokens_per_second"}},
            {"framework", {"framework", "library", "software"}},
            {"workload", {"workload", "model", "network", "benchmark"}},
            {"precision", {"precision", "dtype", "data_type"}},
            {"device", {"device", "accelerator_kind"}},
            {"data", {"data", "dataset"}},
            {"batch", {"batch", "batch_size", "bsz", "bs", "batch_size_per_device", "batch_size_per_gpu"}},
            {"nodes", {"nodes", "num_nodes", "node_num", "nnodes"}},
            {"per_node", {"devices_per_node", "gpus_per_node", "gpu_num_per_node", "nproc_per_node"}},
            {"devices", {"devices", "gpus", "num_gpus", "gpu_num", "n_gpus", "world_size", "total_gpus"}},
            {"case", {"case", "scale"}},
            {"unit", {"unit"}}};
        std::map<std::string, std::string> names;
        for (const auto &[role, written] : roles)
            for (const std::string &name : written)
                names.emplace(name, role);
        return names;
    }();
    return kNames;
}

// "images/sec" → "images": what the unit of a table's numbers counts.
std::string countedBy(std::string_view unit)
{
    const std::string word = plainName(unit.substr(0, unit.find('/')));
    for (const auto &[start, name] : {std::pair{"im", "images"},
                                      {"tok", "tokens"},
                                      {"seq", "sequences"},
                                      {"sent", "sequences"},
                                      {"ex", "examples"},
                                      {"fra", "frames"}})
        if (word.starts_with(start))
            return name;
    return "samples";
}

// The cells of one row by what they hold.
class RowCells {
public:
    RowCells(const TableRow &row, const TableHead &head)
        : m_row(row)
        , m_head(head)
    {
    }

    std::string cell(const char *role) const
    {
        const auto column = m_head.columns.find(role);
        return column != m_head.columns.end() && column->second < m_row.cells.size()
                   ? m_row.cells[column->second]
                   : std::string();
    }
    std::string text(const char *role, const std::string &otherwise) const
    {
        const std::string value = cell(role);
        return value.empty() ? otherwise : value;
    }
    // A count that is written but is none is a problem of the row, not a default.
    int count(const char *role, int otherwise, std::string &problem) const
    {
        const std::string written = cell(role);
        if (written.empty())
            return otherwise;
        const auto value = toInteger(written);
        if (value && *value > 0 && *value < 1'000'000'000)
            return static_cast<int>(*value);
        problem = "the " + std::string(role) + " \"" + written + "\" is no count";
        return otherwise;
    }
    std::string unit() const
    {
        std::string unit;
        const auto column = m_head.columns.find("throughput");
        if (column != m_head.columns.end() && m_head.named) {
            const std::string name = plainName(m_head.names[column->second], &unit);
            if (unit.empty())
                unit = name;
        }
        return text("unit", countedBy(unit));
    }

private:
    const TableRow &m_row;
    const TableHead &m_head;
};

void takeScale(const RowCells &cells, ImportItem &item)
{
    item.key.nodes = cells.count("nodes", 1, item.problem);
    item.key.devicesPerNode = cells.count("per_node", 1, item.problem);
    const int devices = cells.count("devices", 0, item.problem);
    if (devices > 0 && cells.cell("per_node").empty()) {
        if (devices % item.key.nodes != 0)
            item.problem = std::to_string(devices) + " devices cannot be spread evenly over " +
                           std::to_string(item.key.nodes) + " nodes";
        item.key.devicesPerNode = std::max(1, devices / item.key.nodes);
    }
    const std::string name = cells.cell("case");
    if (const auto scale = scaleNamed(name))
        std::tie(item.key.nodes, item.key.devicesPerNode) = *scale;
    else if (!name.empty())
        item.problem = "the case \"" + name + "\" is not of the form 2n8g";
    if (!isScale(item.key.nodes, item.key.devicesPerNode)) {
        item.problem = std::to_string(item.key.nodes) + " nodes of " +
                       std::to_string(item.key.devicesPerNode) + " devices are more than any cluster has";
        item.key.nodes = item.key.devicesPerNode = 1;
    }
}

ImportItem rowItem(const TableRow &row, const TableHead &head)
{
    const RowCells cells(row, head);
    ImportItem item;
    item.source = ImportSource::Row;
    item.path = head.path + ":" + std::to_string(row.line);
    item.bytes = static_cast<std::int64_t>(row.text.size()) + 1;
    item.format = cells.text("framework", "table");
    item.unit = cells.unit();
    item.key.framework = item.format;
    item.key.workload = cells.text("workload", "unknown");
    item.key.precision = cells.text("precision", "fp32");
    item.key.device = cells.text("device", "cuda");
    item.key.data = cells.text("data", "unknown");
    item.key.batchSizePerDevice = cells.count("batch", 0, item.problem);
    takeScale(cells, item);
    const std::string written = cells.cell("throughput");
    const auto throughput = toDouble(written);
    if (!throughput || *throughput <= 0)
        item.problem = "the throughput \"" + written + "\" is no number above zero";
    else
        item.measurement = publishedMeasurement(*throughput, item.key);
    item.values = item.measurement ? 1 : 0;
    if (!item.problem.empty())
        item.problem = "line " + std::to_string(row.line) + ": " + item.problem;
    return item;
}

ImportItem problemOf(const std::string &path, const std::string &problem)
{
    ImportItem item;
    item.source = ImportSource::Row;
    item.path = path;
    item.problem = problem;
    return item;
}

Result<QByteArray> textOf(const std::string &path, qint64 most)
{
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly))
        return Error{ErrorCode::Io, "it cannot be read: " + file.errorString().toStdString()};
    if (file.size() > kLargestTable)
        return Error{ErrorCode::BadInput, "it is larger than 64 MB"};
    QByteArray text = file.read(most);
    if (text.startsWith("PK\x03\x04"))
        return Error{ErrorCode::BadInput, "it is a workbook (XLSX) in spite of its name; save it as CSV"};
    return text;
}

char separatorOf(std::string_view firstLine)
{
    char best = ',';
    for (const char c : {',', ';', '\t'})
        if (std::count(firstLine.begin(), firstLine.end(), c) >
            std::count(firstLine.begin(), firstLine.end(), best))
            best = c;
    return best;
}

std::string joinedNames(const TableHead &head)
{
    std::string all;
    for (const std::string &name : head.names)
        all += (all.empty() ? "" : ", ") + name;
    return all;
}

// By name, else by number from 1.
std::optional<std::size_t> columnOf(const TableHead &head, const std::string &asked)
{
    for (std::size_t i = 0; i < head.names.size(); ++i)
        if (head.names[i] == asked || plainName(head.names[i]) == plainName(asked))
            return i;
    const auto number = toInteger(asked);
    if (number && *number >= 1 && *number <= static_cast<std::int64_t>(head.names.size()))
        return static_cast<std::size_t>(*number - 1);
    return std::nullopt;
}

Result<TableHead> headOf(const std::string &path, std::string_view text,
                         const std::map<std::string, std::string> &asked)
{
    TableHead head;
    head.path = path;
    head.separator = separatorOf(text.substr(0, text.find_first_of("\r\n")));
    TableReader reader(text, head.separator);
    TableRow row;
    if (!reader.next(row))
        return Error{ErrorCode::BadInput, reader.error().value_or("it is empty")};
    head.named = std::none_of(row.cells.begin(), row.cells.end(),
                              [](const std::string &cell) { return toDouble(cell).has_value(); });
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
        head.names.push_back(head.named ? row.cells[i] : std::to_string(i + 1));
        if (const auto known = columnNames().find(plainName(row.cells[i]));
            head.named && known != columnNames().end())
            head.columns.emplace(known->second, i);
    }
    for (const auto &[role, name] : asked) {
        if (std::find(std::begin(kTableRoles), std::end(kTableRoles), role) == std::end(kTableRoles))
            return Error{ErrorCode::BadInput, "no column can hold \"" + role + "\""};
        if (name == "0") {
            head.columns.erase(role);
            continue;
        }
        const auto column = columnOf(head, name);
        if (!column)
            return Error{ErrorCode::BadInput,
                         "it has no column \"" + name + "\"; its columns are " + joinedNames(head)};
        head.columns[role] = *column;
    }
    if (!head.named)
        head.rows.push_back(row.cells);
    while (head.rows.size() < kShownRows && reader.next(row))
        head.rows.push_back(row.cells);
    return head;
}

} // namespace

TableReader::TableReader(std::string_view text, char separator)
    : m_rest(text)
    , m_separator(separator)
{
    if (m_rest.starts_with("\xEF\xBB\xBF"))
        m_rest.remove_prefix(3);
}

bool TableReader::next(TableRow &row)
{
    while (!m_rest.empty() && (m_rest.front() == '\n' || m_rest.front() == '\r')) {
        m_line += m_rest.front() == '\n' ? 1 : 0;
        m_rest.remove_prefix(1);
    }
    if (m_rest.empty() || m_error)
        return false;
    row = {m_line, std::vector<std::string>(1), {}};
    bool quoted = false;
    std::size_t i = 0;
    for (; i < m_rest.size() && (quoted || m_rest[i] != '\n'); ++i) {
        const char c = m_rest[i];
        m_line += c == '\n' ? 1 : 0;
        if (c == '"' && quoted && i + 1 < m_rest.size() && m_rest[i + 1] == '"')
            row.cells.back() += m_rest[++i];
        else if (c == '"')
            quoted = !quoted;
        else if (c == m_separator && !quoted)
            row.cells.emplace_back();
        else
            row.cells.back() += c;
    }
    if (quoted) {
        m_error = "line " + std::to_string(row.line) + ": a quote is not closed";
        return false;
    }
    row.text = trimmed(m_rest.substr(0, i));
    m_rest.remove_prefix(i);
    for (std::string &cell : row.cells)
        cell = std::string(trimmed(cell));
    return true;
}

std::optional<std::pair<int, int>> scaleNamed(std::string_view name)
{
    const std::size_t n = name.find('n');
    if (n == std::string_view::npos || (name.back() != 'g' && name.back() != 'd'))
        return std::nullopt;
    const auto nodes = toInteger(name.substr(0, n));
    const auto devices = toInteger(name.substr(n + 1, name.size() - n - 2));
    if (!nodes || !devices || !isScale(*nodes, *devices))
        return std::nullopt;
    return std::pair(static_cast<int>(*nodes), static_cast<int>(*devices));
}

bool isTable(const std::string &path)
{
    const std::string end = lowered(path.substr(path.size() > 4 ? path.size() - 4 : 0));
    return end == ".csv" || end == ".tsv";
}

Result<TableHead> readTableHead(const std::string &path, const std::map<std::string, std::string> &asked)
{
    const auto text = textOf(path, 256 << 10);
    if (!text)
        return text.error();
    return headOf(path, {text->constData(), static_cast<std::size_t>(text->size())}, asked);
}

std::vector<ImportItem> readTable(const std::string &path, const std::map<std::string, std::string> &asked)
{
    const auto bytes = textOf(path, kLargestTable);
    if (!bytes)
        return {problemOf(path, bytes.error().message)};
    const std::string_view text(bytes->constData(), static_cast<std::size_t>(bytes->size()));
    const auto head = headOf(path, text, asked);
    if (!head)
        return {problemOf(path, head.error().message)};
    if (!head->columns.contains("throughput"))
        return {problemOf(path, "no column gives the throughput; its columns are " + joinedNames(*head))};
    std::vector<ImportItem> items;
    TableReader reader(text, head->separator);
    TableRow row;
    std::string header;
    if (head->named && reader.next(row))
        header = std::string(row.text) + "\n";
    while (reader.next(row)) {
        items.push_back(rowItem(row, *head));
        items.back().evidence = header + std::string(row.text) + "\n";
    }
    if (reader.error())
        items.push_back(problemOf(path, *reader.error()));
    return items;
}

} // namespace sb
