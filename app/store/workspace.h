// SPDX-License-Identifier: GPL-3.0-or-later
// A workspace is one folder:
//
//   workspace.json         name and schema of the folder
//   scaleboard.db          SQLite index (WAL); can be made again from the rest
//   logs/<run>/run.json    record of a run, written whole at every change of its state
//   logs/<run>/rank<r>.log the raw bytes that rank wrote to its standard output: the truth
//   logs/<run>/node<n>.err standard error of a node's ranks
//   bundle.json            only in an unpacked bundle: what it holds; makes the workspace read-only
//   lock                   held while a program has the workspace open
//
// One thread (the one that opened it).
#pragma once

#include "core/result.h"
#include "core/run.h"
#include "core/sample.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sb {

class Workspace {
public:
    // Makes the folder; one that exists must be empty or a workspace already (then it is opened).
    static Result<std::unique_ptr<Workspace>> create(const std::string &folder);
    // NotFound: no workspace there. Newer: made by a newer version. Unavailable: another program has it
    // open. A missing or damaged index is made again from the run records, without samples; see needsRebuild.
    static Result<std::unique_ptr<Workspace>> open(const std::string &folder);
    ~Workspace();

    const std::string &folder() const;
    const std::string &name() const;
    // The index had to be made again, so samples are missing until session/rebuild has read the raw logs.
    bool needsRebuild() const;

    // It was unpacked from a bundle (it has a bundle.json): runs cannot be added, and no record or log is
    // written; only the index, which is nobody's truth, is.
    bool readOnly() const;

    // Oldest first. Records that cannot be read are skipped and named in problems().
    const std::vector<Run> &runs() const;
    const std::vector<std::string> &problems() const;

    // Writes the record (atomically), then the index. A full disk is an error and leaves the old record.
    // Where it is read-only, a known run changes in the index alone and a new one is an error.
    Result<void> saveRun(const Run &run);

    // A sample that is there already (same run, rank and step) is replaced.
    Result<void> appendSamples(const std::string &runId, std::span<const Sample> samples);
    Result<void> dropSamples(const std::string &runId);
    Result<std::vector<Sample>> samples(const std::string &runId, int rank) const; // by step

    std::string runFolder(const std::string &runId) const;
    std::string rankLogPath(const std::string &runId, int rank) const;
    std::string nodeErrorPath(const std::string &runId, int node) const;

private:
    Workspace();
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace sb
