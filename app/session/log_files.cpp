// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/log_files.h"

#include "catalog/log_reader.h"
#include "remote/line_splitter.h"

#include <QFile>

namespace sb {

Result<LogContents> readRankLog(const std::string &path, const LogFormat &format, int rank)
{
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly))
        return Error{file.exists() ? ErrorCode::Io : ErrorCode::NotFound,
                     "The log " + path + " cannot be read: " + file.errorString().toStdString() + "."};
    LogContents contents;
    LogReader reader(format, rank);
    LineSplitter splitter;
    const auto take = [&](std::string_view line, std::int64_t offset) {
        if (reader.readLine(line, offset) == LogReader::Kind::Step)
            contents.samples.push_back(reader.sample());
    };
    constexpr qint64 kChunkBytes = 1 << 20;
    for (QByteArray bytes = file.read(kChunkBytes); !bytes.isEmpty(); bytes = file.read(kChunkBytes))
        splitter.feed(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())), take);
    if (file.error() != QFile::NoError)
        return Error{ErrorCode::Io,
                     "The log " + path + " cannot be read: " + file.errorString().toStdString() + "."};
    splitter.finish(take);
    contents.facts = reader.facts();
    contents.end = reader.end();
    return contents;
}

} // namespace sb
