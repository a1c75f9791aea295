// SPDX-License-Identifier: GPL-3.0-or-later
// Measurements of links that were brought into a workspace: what nccl-tests, nvbandwidth and other tools
// printed, as files in its folder `links`. Raw, like the logs; read again whenever they are asked for.
#pragma once

#include "core/comm_model.h"
#include "core/link_measurements.h"
#include "core/result.h"

#include <optional>
#include <string>
#include <vector>

namespace sb {

// Of one file: rates between GPUs, or times of a collective over sizes, or both.
struct LinkFile {
    std::string path;
    std::optional<LinkMeasurements> rates;
    std::optional<CollectiveBench> collective;

    std::string title() const; // "nccl-tests: 25 sizes over 16 ranks, up to 140.2 GB/s"
};

// The text of such a file. Error: it cannot be read, or is larger than 16 MB.
Result<std::string> readLinkText(const std::string &path);
// Error: as above, or the text has none of them.
Result<LinkFile> readLinkFile(const std::string &path);

std::string linkFolder(const std::string &workspaceFolder);
// Those of a workspace, by name; files that cannot be read are left out.
std::vector<LinkFile> linkFiles(const std::string &workspaceFolder);

} // namespace sb
