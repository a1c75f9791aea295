// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a plugin's folder holds what its author meant: manifest, files, and recorded logs with their
// numbers.
#pragma once

#include "catalog/manifest.h"

#include <string>
#include <vector>

namespace sb {

struct PluginCheck {
    std::string name;                  // of the framework; empty where the manifest cannot be read
    int samples = 0;                   // recorded logs that were compared
    std::vector<std::string> problems; // a sentence each
};

// `folder` holds plugin.json; `catalog` gives what is common to all logs. samples/NAME.log is compared with
// samples/NAME.expected.json, whose keys plugins/README.md explains.
PluginCheck checkPlugin(const std::string &folder, const Catalog &catalog);

} // namespace sb
