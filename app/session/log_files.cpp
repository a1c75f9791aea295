// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/log_files.h"

#include "catalog/log_reader.h"
#include "remote/line_splitter.h"

#include <QFile>

#include <algorithm>

namespace sb {

namespace {

constexpr qint64 kChunkBytes = 1 << 20;

// Calls give(bytes) for each piece of a file.
template <typename Give>
Result<std::int64_t> readPieces(const std::string &path, Give &&give)
{
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly))
        return Error{file.exists() ? ErrorCode::Io : ErrorCode::NotFound,
                     "The log " + path + " cannot be read: " + file.errorString().toStdString() + "."};
    std::int64_t total = 0;
    for (QByteArray bytes = file.read(kChunkBytes); !bytes.isEmpty(); bytes = file.read(kChunkBytes)) {
        total += bytes.size();
        give(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
    }
    if (file.error() != QFile::NoError)
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

constexpr qint64 kQuickChunkBytes = 64 << 10;
constexpr qint64 kEndBytes = 64 << 10;

// Reads a file into a ParsedLog, whole or only what counts.
class LogParser {
public:
    explicit LogParser(const LineRules &rules)
        : m_collector(rules)
        , m_events({}, 0)
    {
    }

    Result<ParsedLog> parse(const std::string &path, std::optional<LogEnough> enough)
    {
        QFile file(QString::fromStdString(path));
        if (!file.open(QIODevice::ReadOnly))
            return Error{file.exists() ? ErrorCode::Io : ErrorCode::NotFound, unreadable(path, file)};
        const qint64 chunk = enough ? kQuickChunkBytes : kChunkBytes;
        for (QByteArray bytes = file.read(chunk); !bytes.isEmpty(); bytes = file.read(chunk)) {
            feed(bytes);
            if (!enough || m_parsed.passedOver || !has(*enough) || file.pos() >= file.size() - kEndBytes)
                continue;
            m_parsed.passedOver = true;
            file.seek(file.size() - kEndBytes);
            m_splitter = LineSplitter(file.pos());
        }
        if (file.error() != QFile::NoError)
            return Error{ErrorCode::Io, unreadable(path, file)};
        m_complete = false;
        m_splitter.finish([this](std::string_view line, std::int64_t offset) { take(line, offset); });
        m_parsed.bytes = file.size();
        return finish();
    }

private:
    static std::string unreadable(const std::string &path, const QFile &file)
    {
        return "The log " + path + " cannot be read: " + file.errorString().toStdString() + ".";
    }

    bool has(const LogEnough &enough) const
    {
        auto [numbers, step] = m_collector.furthest();
        if (m_contents.samples.size() > numbers) {
            numbers = m_contents.samples.size();
            step = m_contents.samples.back().step;
        }
        return numbers >= 8 * enough.numbers || (numbers >= enough.numbers && step >= enough.steps);
    }

    void feed(const QByteArray &bytes)
    {
        m_splitter.feed(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())),
                        [this](std::string_view line, std::int64_t offset) { take(line, offset); });
    }

    void take(std::string_view line, std::int64_t offset)
    {
        m_parsed.lines += 1;
        // The first line after a gap may be half a line; numbers after it would leave a hole in the steps.
        const bool numbersCount = m_complete && !m_parsed.passedOver;
        if (m_complete && line.front() == '{') {
            const auto kind = m_events.readLine(line, offset);
            if (kind == LogReader::Kind::Step && numbersCount)
                m_contents.samples.push_back(m_events.sample());
            if (kind != LogReader::Kind::Other)
                return;
        }
        m_collector.read(line, offset, numbersCount);
    }

    ParsedLog finish()
    {
        m_parsed.series = m_collector.series();
        m_parsed.failure = m_collector.failure();
        m_parsed.finished = m_collector.finished();
        m_parsed.globalBatch = m_collector.globalBatch();
        m_parsed.devices = m_collector.devices();
        m_contents.facts = m_events.facts();
        m_contents.end = m_events.end();
        if (!m_contents.samples.empty() || m_contents.end)
            m_parsed.events = std::move(m_contents);
        return std::move(m_parsed);
    }

    LogCollector m_collector;
    LogReader m_events;
    LogContents m_contents;
    LineSplitter m_splitter;
    ParsedLog m_parsed;
    bool m_complete = true;
};

} // namespace

Result<ParsedLog> parseLog(const std::string &path, const LineRules &rules, std::optional<LogEnough> enough)
{
    return LogParser(rules).parse(path, enough);
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
