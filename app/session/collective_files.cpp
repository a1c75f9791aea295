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

std::string nameOf(const std::string &path)
{
    return QFileInfo(QString::fromStdString(path)).fileName().toStdString();
}

Result<CollectiveFile> parsed(const std::string &path, const std::string &text)
{
    auto bench = readCollectiveBench(text, nameOf(path));
    if (!bench)
        return bench.error();
    return CollectiveFile{nameOf(path), std::move(*bench)};
}

} // namespace

Result<CollectiveFile> readCollectiveFile(const std::string &path)
{
    const auto text = readLinkText(path);
    return text ? parsed(path, *text) : Result<CollectiveFile>(text.error());
}

std::vector<CollectiveFile> collectiveFiles(const std::string &workspaceFolder)
{
    std::vector<CollectiveFile> files;
    for (LinkFile &file : linkFiles(workspaceFolder))
        if (file.collective)
            files.push_back({nameOf(file.path), std::move(*file.collective)});
    std::stable_sort(files.begin(), files.end(), [](const CollectiveFile &a, const CollectiveFile &b) {
        return a.bench.ranks > b.bench.ranks;
    });
    return files;
}

Result<CollectiveFile> keepCollectiveFile(const std::string &workspaceFolder, const std::string &path)
{
    const auto text = readLinkText(path);
    if (!text)
        return text.error();
    auto file = parsed(path, *text);
    if (!file)
        return file;
    const QString folder = QString::fromStdString(linkFolder(workspaceFolder));
    const QString to = folder + QLatin1Char('/') + QString::fromStdString(file->name);
    if (QFile::exists(to)) {
        const auto there = readLinkText(to.toStdString());
        if (there && *there == *text)
            return file;
        return Error{ErrorCode::BadInput, "The workspace has another measurement named " + file->name +
                                              " already; give this one another name."};
    }
    QSaveFile target(to);
    if (!QDir().mkpath(folder) || !target.open(QIODevice::WriteOnly) ||
        target.write(text->data(), qint64(text->size())) != qint64(text->size()) || !target.commit())
        return Error{ErrorCode::Io,
                     to.toStdString() + " cannot be written: " + target.errorString().toStdString() + "."};
    return file;
}

} // namespace sb
