// SPDX-License-Identifier: GPL-3.0-or-later
// A study as one file: a tar archive in Zstandard whose first entry, bundle.json, lists the others.
//
//   bundle.json                schema, title, date, and size and SHA-256 of every other entry
//   workspace.json             so that the unpacked folder opens as a workspace, read-only
//   logs/<run>/…               run records and raw logs
//   links/…                    measured links, as their tools printed them
//   comparisons.json           comparisons that belong to its report, if there are any
//   extract/runs.csv           a line a run; extract/results.csv a line a case
//   environment.json           facts of the nodes, as last seen
//   plans/<n>.json             what was asked for, to be run again
//   manifests/<framework>.json plugin manifests of the frameworks that were run
//   report/…                   a report with its figures, if there was one to put in
//
// Any thread.
#pragma once

#include "core/plan.h"
#include "core/result.h"
#include "store/archive_file.h"
#include "store/workspace.h"

#include <functional>
#include <string>
#include <vector>

namespace sb {

// What is to be packed: a workspace, as values.
struct BundleSource {
    std::string folder;
    std::string name;
    std::vector<Run> runs;
};
BundleSource bundleSource(const Workspace &workspace);

struct BundleOptions {
    std::string pluginFolder;  // where manifests are; empty: none are put in
    std::string reportFolder;  // an exported report to put in; empty: none
    bool neutralNames = false; // in records and in every line of the logs
    std::string program = "Scaleboard";
    std::string userPluginFolder = {}; // manifests of the user's own plugins
};

// Writes the bundle, whole or not at all. Runs that have not ended are left out. The
// same workspace gives the same bytes. `step` is told files done and all; false stops it (Cancelled).
Result<void> writeBundle(const BundleSource &source, const std::string &path, const BundleOptions &options,
                         const std::function<bool(int, int)> &step = {});

struct BundleInfo {
    std::string name;
    std::string date; // of the newest run
    std::string program;
    int runs = 0;
    bool neutralNames = false;
    bool simulated = false;
    std::vector<ArchiveFile> files;
};

// What a bundle says of itself; reads no more than its first entry.
Result<BundleInfo> readBundleInfo(const std::string &path);

// Unpacks into a new folder, which then opens as a read-only workspace. Anything in the archive that a bundle
// does not have is an error and nothing is kept; see unpackArchive.
Result<void> unpackBundle(const std::string &path, const std::string &folder,
                          const ArchiveLimits &limits = {},
                          const std::function<bool(std::int64_t)> &step = {});

// Plans in the folder of an unpacked bundle, in their order.
Result<std::vector<Plan>> bundlePlans(const std::string &folder);

} // namespace sb
