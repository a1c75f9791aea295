// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/log_files.h"

#include "catalog/log_reader.h"
#include "catalog/mlperf_log.h"
#include "remote/line_splitter.h"

#include <QFile>

#include <algorithm>
#include <memory>

namespace sb {

namespace {

constexpr qint64 kChunkBytes = 256 << 10; // stays in the cache between reading and splitting

// Calls give(bytes) for each piece of a file; its size. One buffer for all pieces, and none of QFile's.
template <typename Give>
Result<std::int64_t> readPieces(const std::string &path, Give &&give)
{
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return Error{file.exists() ? ErrorCode::Io : ErrorCode::NotFound,
                     "The log " + path + " cannot be read: " + file.errorString().toStdString() + "."};
    const auto buffer = std::make_unique_for_overwrite<char[]>(kChunkBytes);
    std::int64_t total = 0;
    qint64 got = 0;
    while ((got = file.read(buffer.get(), kChunkBytes)) > 0) {
        total += got;
        give(std::string_view(buffer.get(), static_cast<std::size_t>(got)));
    }
    if (got < 0 || file.error() != QFile::NoError)
        return Error{ErrorCode::Io,
                     "The log " + path + " cannot be read: " + file.errorString().toStdString() + "."};
    return total;
}

} // namespace

std::vector<LineFormat> lineFormats(std::span<const Framework> frameworks, const LogWords &words,
                                    const std::string &only)
{
    std::vector<LineFormat> formats;
    for (const Framework &framework : frameworks)
        if (framework.log.rule == LogRule::Lines && (only.empty() || only == framework.name))
            formats.push_back({framework.name, framework.log.lines});
    for (const LineFormat &format : words.formats)
        if (only.empty() || only == format.name)
            formats.push_back(format);
    return formats;
}

namespace {

// Reads a file into a ParsedLog.
class LogParser {
public:
    LogParser(const LineRules &rules, std::size_t mostNumbers)
        : m_mostNumbers(mostNumbers)
        , m_collector(rules, LogCollector::Keep::All, mostNumbers)
        , m_events(LogFormat(), 0)
    {
    }

    Result<ParsedLog> parse(const std::string &path)
    {
        const auto take = [this](std::string_view line, std::int64_t offset) { this->take(line, offset); };
        const auto read = readPieces(path, [&](std::string_view bytes) { m_splitter.feed(bytes, take); });
        if (!read)
            return read.error();
        m_complete = false;
        m_splitter.finish(take);
        m_parsed.bytes = *read;
        return finish();
    }

private:
    void take(std::string_view line, std::int64_t offset)
    {
        m_parsed.lines += 1;
        if (m_complete && line.front() == '{') {
            const auto kind = m_events.readLine(line, offset);
            if (kind == LogReader::Kind::Step)
                takeStep();
            if (kind != LogReader::Kind::Other)
                return;
        }
        if (m_complete)
            m_mlperf.readLine(line, offset);
        m_collector.read(line, offset, m_complete);
    }

    void takeStep()
    {
        ++m_steps;
        if (m_contents.samples.size() < m_mostNumbers)
            m_contents.samples.push_back(m_events.sample());
    }

    ParsedLog finish()
    {
        m_parsed.series = m_collector.series();
        if (m_parsed.series.points.empty())
            if (LogSeries derived = m_mlperf.series(); !derived.points.empty())
                m_parsed.series = std::move(derived);
        m_parsed.failure = m_collector.failure();
        m_parsed.finished = m_collector.finished();
        m_parsed.globalBatch = m_collector.globalBatch();
        if (!m_parsed.globalBatch)
            m_parsed.globalBatch = m_mlperf.globalBatch();
        m_parsed.devices = m_collector.devices();
        m_contents.facts = m_events.facts();
        m_contents.end = m_events.end();
        m_parsed.printed = m_steps > 0 ? m_steps : m_parsed.series.printed;
        if (!m_contents.samples.empty() || m_contents.end)
            m_parsed.events = std::move(m_contents);
        return std::move(m_parsed);
    }

    std::size_t m_mostNumbers;
    std::size_t m_steps = 0; // of events
    LogCollector m_collector;
    MlperfReader m_mlperf;
    LogReader m_events;
    LogContents m_contents;
    LineSplitter m_splitter;
    ParsedLog m_parsed;
    bool m_complete = true;
};

} // namespace

Result<ParsedLog> parseLog(const std::string &path, const LineRules &rules, std::size_t mostNumbers)
{
    return LogParser(rules, mostNumbers).parse(path);
}

LogContents contentsOf(ParsedLog log, int rank)
{
    LogContents contents;
    if (log.events) {
        contents = std::move(*log.events);
    } else {
        contents.samples = samplesOf(log.series, log.devices);
        contents.facts.globalBatchSize = log.globalBatch;
        if (log.finished)
            contents.end = RunEnd{true, {}, {}};
    }
    for (Sample &sample : contents.samples)
        sample.rank = rank;
    return contents;
}

Result<LogContents> readRankLog(const std::string &path, const LogFormat &format, int rank)
{
    if (format.rule == LogRule::Lines && format.words) {
        const LineRules rules({{"", format.lines}}, *format.words);
        auto parsed = parseLog(path, rules);
        if (!parsed)
            return parsed.error();
        return contentsOf(std::move(*parsed), rank);
    }
    LogContents contents;
    LogReader reader(format, rank);
    LineSplitter splitter;
    const auto take = [&](std::string_view line, std::int64_t offset) {
        if (reader.readLine(line, offset) == LogReader::Kind::Step)
            contents.samples.push_back(reader.sample());
    };
    const auto read = readPieces(path, [&](std::string_view bytes) { splitter.feed(bytes, take); });
    if (!read)
        return read.error();
    splitter.finish(take);
    contents.facts = reader.facts();
    contents.end = reader.end();
    return contents;
}

} // namespace sb
