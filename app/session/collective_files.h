// SPDX-License-Identifier: GPL-3.0-or-later
// Measured collectives that belong to a workspace: the output of `sbtrain bench allreduce` and of nccl-tests'
// all_reduce_perf among its files of links.
#pragma once

#include "core/comm_model.h"
#include "core/result.h"

#include <string>
#include <vector>

namespace sb {

struct CollectiveFile {
    std::string name; // of the file: "allreduce.jsonl"
    CollectiveBench bench;
};

// Every file there that has all-reduce times, those over the most ranks first.
std::vector<CollectiveFile> collectiveFiles(const std::string &workspaceFolder);
// Reads a file from anywhere; fails with a sentence where it has no all-reduce times.
Result<CollectiveFile> readCollectiveFile(const std::string &path);
// Copies it to the workspace. A file of that name and other content there is an error.
Result<CollectiveFile> keepCollectiveFile(const std::string &workspaceFolder, const std::string &path);

} // namespace sb
