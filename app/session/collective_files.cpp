// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/collective_files.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

namespace sb {

namespace {

constexpr const char *kFolder = "/measurements";
constexpr qint64 kLargest = 64 << 20; // a sweep over sizes has kilobytes

Result<QByteArray> bytesOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{ErrorCode::NotFound,
                     path.toStdString() + " cannot be read: " + file.errorString().toStdString() + "."};
    if (file.size() > kLargest)
        return Error{ErrorCode::BadInput,
                     path.toStdString() + " is larger than 64 MiB; the output of a benchmark of collectives "
                                          "has some kilobytes."};
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
    const QDir dir(QString::fromStdString(workspaceFolder + kFolder));
    for (const QString &name : dir.entryList(QDir::Files | QDir::NoSymLinks, QDir::Name))
        if (auto file = readCollectiveFile(dir.filePath(name).toStdString()))
            files.push_back(std::move(*file));
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
    const QString folder = QString::fromStdString(workspaceFolder + kFolder);
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
