// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/source_archive.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QStringList>

#include <algorithm>
#include <cstdio>

namespace sb {

namespace {

constexpr qsizetype kBlock = 512;
constexpr qsizetype kNameBytes = 100;
constexpr qsizetype kPrefixBytes = 155;

void put(QByteArray &header, qsizetype at, const QByteArray &text)
{
    header.replace(at, text.size(), text);
}

QByteArray octal(qint64 value, int digits)
{
    return QByteArray::number(value, 8).rightJustified(digits, '0');
}

// One file: header, content, zeros up to a whole block. False when its name does not fit.
bool append(QByteArray &archive, const QByteArray &name, const QByteArray &content)
{
    QByteArray file = name;
    QByteArray prefix;
    if (file.size() > kNameBytes) { // "prefix/name", divided at a slash
        const qsizetype slash = file.indexOf('/', file.size() - kNameBytes - 1);
        if (slash < 0 || slash > kPrefixBytes)
            return false;
        prefix = file.left(slash);
        file.remove(0, slash + 1);
    }
    QByteArray header(kBlock, '\0');
    put(header, 0, file);
    put(header, 100, octal(0644, 7));
    put(header, 108, octal(0, 7));
    put(header, 116, octal(0, 7));
    put(header, 124, octal(content.size(), 11));
    put(header, 136, octal(0, 11));
    put(header, 148, "        "); // the sum counts its own field as blanks
    header[156] = '0';
    put(header, 257,
        QByteArray("ustar\0"
                   "00",
                   8));
    put(header, 345, prefix);
    qint64 sum = 0;
    for (const char c : header)
        sum += static_cast<unsigned char>(c);
    put(header, 148, octal(sum, 6) + QByteArray("\0 ", 2));
    archive += header + content;
    archive += QByteArray((kBlock - content.size() % kBlock) % kBlock, '\0');
    return true;
}

} // namespace

Result<QByteArray> sourceArchive(const std::string &folder)
{
    const QDir root(QString::fromStdString(folder));
    if (!root.exists())
        return Error{ErrorCode::NotFound, "The source folder " + folder + " is not there."};
    QStringList names;
    QDirIterator files(root.path(), QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString name = root.relativeFilePath(files.next());
        if (!name.startsWith(QLatin1String("build/")) && !name.startsWith(u'.') &&
            !name.contains(QLatin1String("/.")))
            names << name;
    }
    std::sort(names.begin(), names.end());
    QByteArray archive;
    for (const QString &name : names) {
        QFile file(root.filePath(name));
        if (!file.open(QIODevice::ReadOnly))
            return Error{ErrorCode::Io, file.fileName().toStdString() +
                                            " cannot be read: " + file.errorString().toStdString() + "."};
        if (!append(archive, QFile::encodeName(name), file.readAll()) || archive.size() > kMostArchiveBytes)
            return Error{ErrorCode::BadInput,
                         "The source folder " + folder +
                             " cannot be packed: a path is too long, or it has more than "
                             "64 MiB."};
    }
    return archive + QByteArray(2 * kBlock, '\0');
}

} // namespace sb
