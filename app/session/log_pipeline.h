// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes of one log file of a run → raw bytes on our disk, and what they mean. I/O thread.
#pragma once

#include "catalog/log_reader.h"
#include "core/result.h"
#include "remote/line_splitter.h"
#include "session/log_batch.h"

#include <QByteArray>
#include <QFile>

#include <memory>
#include <string>

namespace sb {

class LogPipeline {
public:
    // `rank` < 0: standard error of a node, which is kept and shown but has no samples.
    // `rules` are LogReader's, shared by the logs of a run.
    LogPipeline(std::shared_ptr<const LineRules> rules, int rank, const std::string &localPath);

    // Opens the local file and reads again what an earlier session kept. The next byte wanted from the node
    // is size(). Error: cannot be opened or read.
    Result<void> open(LogBatch &batch);

    // Writes first, then reads: a batch never tells of bytes that are not on our disk. On a full disk
    // nothing of `bytes` counts and the error says up to which byte the log is kept.
    Result<void> append(const QByteArray &bytes, LogBatch &batch);

    void finish(LogBatch &batch); // the last line without line end

    qint64 size() const { return m_size; }
    // The way to fail that the lines so far name; also of standard error.
    const std::optional<LogFailure> &failure() const { return m_reader.failure(); }

private:
    void read(std::string_view bytes, LogBatch &batch);
    void takeLine(std::string_view line, std::int64_t offset, LogBatch &batch);

    LogReader m_reader;
    LineSplitter m_splitter;
    int m_rank;
    QFile m_file;
    qint64 m_size = 0;
};

} // namespace sb
