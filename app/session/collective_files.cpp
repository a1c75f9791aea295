// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/collective_files.h"

#include "session/link_files.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include <algorithm>

namespace sb {

namespace {

constexpr qint64 kLargest = 16 << 20; // a sweep over sizes has kilobytes

Result<QByteArray> bytesOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{ErrorCode::NotFound,
                     path.toStdString() + " cannot be read: " + file.errorString().toStdString() + "."};
    if (file.size() > kLargest)
        return Error{ErrorCode::BadInput,
                     path.toStdString() + " is larger than 16 MB; a benchmark of links prints less."};
    return file.readAll();
}

Result<CollectiveFile> parsed(const QString &path, const QByteArray &bytes)
{
    const std::string name = QFileInfo(path).fileName().toStdString();
    auto bench = readCollectiveBench(
        std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())), name);
    if (!bench)
        return bench.error();
    return CollectiveFile{name, std::move(*bench)};
}

} // namespace

Result<CollectiveFile> readCollectiveFile(const std::string &path)
{
    const QString where = QString::fromStdString(path);
    const auto bytes = bytesOf(where);
    return bytes ? parsed(where, *bytes) : Result<CollectiveFile>(bytes.error());
}

std::vector<CollectiveFile> collectiveFiles(const std::string &workspaceFolder)
{
    std::vector<CollectiveFile> files;
    for (LinkFile &file : linkFiles(workspaceFolder))
        if (file.collective)
            files.push_back({QFileInfo(QString::fromStdString(file.path)).fileName().toStdString(),
                             std::move(*file.collective)});
    std::stable_sort(files.begin(), files.end(), [](const CollectiveFile &a, const CollectiveFile &b) {
        return a.bench.ranks > b.bench.ranks;
    });
    return files;
}

Result<CollectiveFile> keepCollectiveFile(const std::string &workspaceFolder, const std::string &path)
{
    const QString from = QString::fromStdString(path);
    const auto bytes = bytesOf(from);
    if (!bytes)
        return bytes.error();
    auto file = parsed(from, *bytes);
    if (!file)
        return file;
    const QString folder = QString::fromStdString(linkFolder(workspaceFolder));
    const QString to = folder + QLatin1Char('/') + QFileInfo(from).fileName();
    if (QFile::exists(to)) {
        const auto there = bytesOf(to);
        if (there && *there == *bytes)
            return file;
        return Error{ErrorCode::BadInput, "The workspace has another measurement named " + file->name +
                                              " already; give this one another name."};
    }
    QSaveFile target(to);
    if (!QDir().mkpath(folder) || !target.open(QIODevice::WriteOnly) ||
        target.write(*bytes) != bytes->size() || !target.commit())
        return Error{ErrorCode::Io,
                     to.toStdString() + " cannot be written: " + target.errorString().toStdString() + "."};
    return file;
}

} // namespace sb
