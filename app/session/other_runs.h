// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of another workspace or of a bundle, to be compared with.
#pragma once

#include "core/result.h"
#include "core/run.h"

#include <string>
#include <vector>

namespace sb {

struct OtherRuns {
    std::string name; // of the workspace
    std::vector<Run> runs;
};

// A file that begins like a bundle (Zstandard's magic number).
bool looksLikeBundle(const std::string &path);

// `path` is a workspace's folder or a bundle's file. The workspace is closed again; a bundle is unpacked to a
// temporary folder, which goes again. Errors are those of opening it.
Result<OtherRuns> readOtherRuns(const std::string &path);

} // namespace sb
