// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/other_runs.h"

#include "session/bundle.h"
#include "store/workspace.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

namespace sb {

namespace {

Result<OtherRuns> fromFolder(const std::string &folder)
{
    const auto workspace = Workspace::open(folder);
    if (!workspace)
        return workspace.error();
    return OtherRuns{(*workspace)->name(), (*workspace)->runs()};
}

} // namespace

bool looksLikeBundle(const std::string &path)
{
    QFile file(QString::fromStdString(path));
    return file.open(QIODevice::ReadOnly) && file.read(4) == QByteArray("\x28\xB5\x2F\xFD", 4);
}

Result<OtherRuns> readOtherRuns(const std::string &path)
{
    if (QFileInfo(QString::fromStdString(path)).isDir())
        return fromFolder(path);
    const QTemporaryDir scratch;
    if (!scratch.isValid())
        return Error{ErrorCode::Io, "No temporary folder could be made to unpack " + path +
                                        " into: " + scratch.errorString().toStdString() + "."};
    const std::string folder = scratch.filePath(QStringLiteral("bundle")).toStdString();
    if (const auto unpacked = unpackBundle(path, folder); !unpacked)
        return unpacked.error();
    return fromFolder(folder);
}

} // namespace sb
