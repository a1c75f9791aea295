// SPDX-License-Identifier: GPL-3.0-or-later
// plugin.json → Framework. The format is described in plugins/plugin.schema.json.
#pragma once

#include "catalog/log_words.h"
#include "core/framework.h"
#include "core/result.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sb {

// `source` is the path for messages; the folder's name must equal "name". `logs`: what is common to all logs
// (plugins/logs.json), for patterns that use its names; may be null.
Result<Framework> readManifest(std::string_view text, const std::string &source,
                               const LogWordsFile *logs = nullptr);

// Every plugin of a folder, sorted by name. A broken manifest does not hide the others: it is named in
// `problems` with file, line and key.
struct Catalog {
    std::vector<Framework> frameworks;
    std::vector<std::string> problems;
    LogDefinitions definitions;            // names that patterns may use, of the folder's logs.json
    std::shared_ptr<const LogWords> words; // of the folder's logs.json; null where there is none
};
// `userFolder` holds plugins of the user's own, beside those that came with Scaleboard; it need not exist. A
// plugin in it that has the name of one of those is not used and named in `problems`: results of two
// different programs would meet under one name.
Catalog readCatalog(const std::string &folder, const std::string &userFolder = {});

} // namespace sb
