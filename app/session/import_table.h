// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of results (CSV with a line of names) for the import.
#pragma once

#include "session/import.h"

#include <string>
#include <vector>

namespace sb {

bool isTable(const std::string &path); // by its name and first line

// One item a row. Columns, by name: throughput (needed); framework, workload, precision, device, data, batch,
// nodes, devices_per_node, or case ("2n8g"), unit. A row that cannot be read is an item with a problem.
std::vector<ImportItem> readTable(const std::string &path);

// One row as it stands in the file: what is kept as the raw log of its run.
std::vector<std::string> tableCells(const std::string &line);

} // namespace sb
