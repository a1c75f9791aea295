// SPDX-License-Identifier: GPL-3.0-or-later
// Logs that were made elsewhere → runs of a workspace. First a preview, which changes nothing; then the
// import of what the preview found good.
#pragma once

#include "catalog/manifest.h"
#include "catalog/pattern_trial.h"
#include "core/case.h"
#include "core/measurement.h"
#include "session/import_table.h"
#include "session/log_files.h"
#include "store/workspace.h"

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sb {

inline constexpr const char *kImportPlan = "import"; // what imported runs say instead of a plan's name

struct ImportOptions {
    std::string framework;               // whose logs these are; empty: told from their lines
    std::string workload;                // what they train; empty: told from their paths
    std::string pattern;                 // for logs of no known form: RE2 with the group `rate` (and `step`)
    std::optional<MeasurementRule> rule; // absent: chosen by importRule
    std::map<std::string, std::string> columns; // of tables: role → name or number (import_table.h)
    bool trial = false;                         // also make the preview's `trial`
    int threads = 2;
};

enum class ImportSource {
    Log,   // of a training run
    Row,   // of a table, or an entry of a file of results: a number without a log
    Links, // what a benchmark of links printed: no run, but a measurement of the node's links
};

// One file of the preview.
struct ImportItem {
    ImportSource source = ImportSource::Log;
    std::string path;
    std::int64_t bytes = 0;
    std::string format; // who printed it
    LineKind kind = LineKind::Rate;
    CaseKey key; // a batch size of 0: not said anywhere
    int repeat = 1;
    std::string unit;
    std::size_t values = 0;
    RunFacts facts;
    std::optional<Measurement> measurement;
    std::optional<LogFailure> failure;
    std::string evidence; // of a row: the text that is kept as its raw log
    std::string links;    // of links: what was measured, in words
    std::string problem;  // why it is left out; empty: it will be taken

    bool good() const { return problem.empty(); }
    bool isRun() const { return good() && source != ImportSource::Links; } // with a measurement
};

// A throughput that somebody published, as a measurement of a case. One step of its time, if the batch is
// known.
Measurement publishedMeasurement(double throughput, const CaseKey &key);

struct ImportPreview {
    std::vector<ImportItem> items; // by path
    std::int64_t bytes = 0;
    std::int64_t lines = 0;
    std::optional<TableHead> table;    // of the first table
    std::optional<PatternTrial> trial; // of the first log, with the pattern or without
    std::string trialPath;
};

// Reads a file, or every file of a folder and the folders in it; links are not followed. Every line is read,
// in pieces and by `threads` threads, so memory does not grow with the files' size; a measurement is of the
// first 5000 numbers at most. `cancel` is looked at between files.
Result<ImportPreview> previewImport(const std::string &path, const Catalog &catalog,
                                    const ImportOptions &options, const std::atomic<bool> *cancel = nullptr);

// How logs are measured where nobody says it: 20 steps left out and 100 averaged as in the 2020-10 report;
// where there is a line every N steps, whole lines, all after the warm-up; of a shorter log, all after the
// first sixth.
MeasurementRule importRule(std::span<const Sample> samples);

struct ImportReport {
    int imported = 0; // runs
    int known = 0;    // were in the workspace already
    int links = 0;    // measurements of links that are new
    std::vector<std::string> runIds;
};

// Copies the logs of the good items into the workspace and writes a record for each; measurements of links go
// to its folder `links` (link_files.h). Importing the same file twice changes nothing. Stops at the first
// error, with what is done kept whole.
Result<ImportReport> applyImport(Workspace &workspace, const ImportPreview &preview, const Catalog &catalog,
                                 const std::function<void(int, int)> &step = {});

} // namespace sb
