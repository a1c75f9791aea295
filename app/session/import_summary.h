// SPDX-License-Identifier: GPL-3.0-or-later
// Files of results as the scripts of the 2020-10 report write them:
// {"resnet50": {"2n8g": {"average_speed": 4850.1, "batch_size_per_device": 128, "median_speed": 4849.68, …}}}
#pragma once

#include "catalog/path_facts.h"

#include <string>
#include <string_view>
#include <vector>

namespace sb {

struct ImportItem;

// By its name and the names in it: a JSON file that holds something else is none.
bool isSummary(const std::string &path, std::string_view beginning);

// One item for each case of each model: its median, else its mean. The framework is not in the file;
// `framework` is used. What cannot be read is an item with a problem that names its line.
std::vector<ImportItem> readSummary(const std::string &path, const PathFacts &facts,
                                    const std::string &framework);

} // namespace sb
