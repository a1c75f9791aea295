// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of results (CSV with commas, semicolons or tabs) for the import.
#pragma once

#include "core/result.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sb {

struct ImportItem;

// What a column can hold. "throughput" is needed; of the scale, either "case" ("2n8g"), "nodes" and
// "per_node", or "devices".
inline constexpr const char *kTableRoles[] = {"throughput", "framework", "workload", "precision",
                                              "batch",      "case",      "nodes",    "per_node",
                                              "devices",    "device",    "data",     "unit"};

// The beginning of a table, for choosing its columns.
struct TableHead {
    std::string path;
    char separator = ',';
    bool named = false;                         // the first line has names; else they are "1", "2", …
    std::vector<std::string> names;             // of the columns
    std::map<std::string, std::size_t> columns; // role → column, by names as people write them
    std::vector<std::vector<std::string>> rows; // the first few

    bool operator==(const TableHead &) const = default;
};

// One record of a table; a quoted cell may go over several lines.
struct TableRow {
    int line = 0; // its first, from 1
    std::vector<std::string> cells;
    std::string_view text; // as it stands in the file, without its end
};

// Goes over a text. Error: a quote that is not closed, with its line.
class TableReader {
public:
    TableReader(std::string_view text, char separator);
    // False at the end or at the error.
    bool next(TableRow &row);
    const std::optional<std::string> &error() const { return m_error; }

private:
    std::string_view m_rest;
    char m_separator;
    int m_line = 1;
    std::optional<std::string> m_error;
};

// "2n8g" → 2 nodes, 8 devices each.
std::optional<std::pair<int, int>> scaleNamed(std::string_view name);

bool isTable(const std::string &path); // by its name: .csv or .tsv

// `asked`: role → name or number (from 1) of a column, before what the names say; "0": none. Error: no text
// of a table, too large, an unknown role or column.
Result<TableHead> readTableHead(const std::string &path, const std::map<std::string, std::string> &asked);

// One item a row; a row that cannot be read is an item with a problem that names its line, as is a table of
// which no column gives the throughput.
std::vector<ImportItem> readTable(const std::string &path, const std::map<std::string, std::string> &asked);

} // namespace sb
