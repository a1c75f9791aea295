// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/log_pipeline.h"

#include "core/text.h"

namespace sb {

namespace {
constexpr qint64 kReplayBytes = 1 << 20;
constexpr std::size_t kShownBytes = 4000; // of one line in the window; the raw log has all of it
} // namespace

LogPipeline::LogPipeline(std::shared_ptr<const LineRules> rules, int rank, const std::string &localPath)
    : m_reader(std::move(rules), rank)
    , m_rank(rank)
    , m_file(QString::fromStdString(localPath))
{
}

Result<void> LogPipeline::open(LogBatch &batch)
{
    if (!m_file.open(QIODevice::ReadWrite | QIODevice::Unbuffered))
        return Error{ErrorCode::Io, "The log " + m_file.fileName().toStdString() +
                                        " cannot be opened: " + m_file.errorString().toStdString() + "."};
    while (!m_file.atEnd()) {
        const QByteArray bytes = m_file.read(kReplayBytes);
        if (bytes.isEmpty())
            return Error{ErrorCode::Io, "The log " + m_file.fileName().toStdString() + " cannot be read."};
        m_size += bytes.size();
        read(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())), batch);
    }
    return {};
}

Result<void> LogPipeline::append(const QByteArray &bytes, LogBatch &batch)
{
    if (m_file.write(bytes) != bytes.size()) {
        const std::string cause = m_file.errorString().toStdString();
        m_file.resize(m_size);
        m_file.seek(m_size);
        return Error{ErrorCode::Io, "The disk took no more of " + m_file.fileName().toStdString() + " (" +
                                        cause + "). The log is kept up to byte " + std::to_string(m_size) +
                                        "; free some space and start again to go on from there."};
    }
    m_size += bytes.size();
    read(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())), batch);
    return {};
}

void LogPipeline::finish(LogBatch &batch)
{
    m_splitter.finish([&](std::string_view line, std::int64_t offset) { takeLine(line, offset, batch); });
}

void LogPipeline::read(std::string_view bytes, LogBatch &batch)
{
    m_splitter.feed(bytes,
                    [&](std::string_view line, std::int64_t offset) { takeLine(line, offset, batch); });
}

void LogPipeline::takeLine(std::string_view line, std::int64_t offset, LogBatch &batch)
{
    bool warning = m_rank < 0;
    if (m_rank < 0)
        m_reader.readLine(line, offset); // for ways to fail only
    if (m_rank >= 0) {
        switch (m_reader.readLine(line, offset)) {
        case LogReader::Kind::Step:
            batch.samples.push_back(m_reader.sample());
            break;
        case LogReader::Kind::Start:
            if (m_rank == 0)
                batch.facts = m_reader.facts();
            break;
        case LogReader::Kind::Ready:
            batch.ready = batch.ready || m_rank == 0;
            break;
        case LogReader::Kind::End:
            batch.ends.emplace_back(m_rank, *m_reader.end());
            warning = !m_reader.end()->ok;
            break;
        case LogReader::Kind::Other:
            break;
        }
    }
    batch.lineCount += 1;
    if (batch.lines.size() >= 2 * LogBatch::kMostLines) // amortised: drop the older half
        batch.lines.erase(batch.lines.begin(), batch.lines.begin() + LogBatch::kMostLines);
    batch.lines.push_back({m_rank, validUtf8(line.substr(0, kShownBytes)), warning});
}

} // namespace sb
