// SPDX-License-Identifier: GPL-3.0-or-later
// plugin.json → Framework. The format is described in plugins/plugin.schema.json.
#pragma once

#include "core/framework.h"
#include "core/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace sb {

// `source` is the path for messages; the folder's name must equal "name".
Result<Framework> readManifest(std::string_view text, const std::string &source);

// Every plugin of a folder, sorted by name. A broken manifest does not hide the others: it is named in
// `problems` with file, line and key.
struct Catalog {
    std::vector<Framework> frameworks;
    std::vector<std::string> problems;
};
Catalog readCatalog(const std::string &folder);

} // namespace sb
