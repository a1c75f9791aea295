// SPDX-License-Identifier: GPL-3.0-or-later
// The writing half of archive_file.h.
#include "store/archive_file.h"
#include "store/archive_reason.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

#include <archive.h>
#include <archive_entry.h>

namespace sb {

namespace {

constexpr std::size_t kBlock = 1 << 16;

struct FreeWriter {
    void operator()(archive *a) const { archive_write_free(a); }
};
struct FreeEntry {
    void operator()(archive_entry *e) const { archive_entry_free(e); }
};

} // namespace

std::string archiveReason(archive *a)
{
    const char *text = archive_error_string(a);
    return text ? text : "unknown reason";
}

std::string sha256Of(const std::string &bytes)
{
    return QCryptographicHash::hash(QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())),
                                    QCryptographicHash::Sha256)
        .toHex()
        .toStdString();
}

Result<ArchiveFile> describeFile(const std::string &archivePath, const std::string &diskPath)
{
    QFile file(QString::fromStdString(diskPath));
    QCryptographicHash hash(QCryptographicHash::Sha256);
    std::int64_t bytes = 0; // that were seen; a log may grow meanwhile
    const bool good = file.open(QIODevice::ReadOnly);
    while (good) {
        const QByteArray block = file.read(kBlock);
        if (block.isEmpty())
            break;
        hash.addData(block);
        bytes += block.size();
    }
    if (!good || file.error() != QFileDevice::NoError)
        return Error{ErrorCode::Io, diskPath + " cannot be read: " + file.errorString().toStdString() + "."};
    return ArchiveFile{archivePath, bytes, hash.result().toHex().toStdString()};
}

class ArchiveWriter::Private {
public:
    std::string path;
    std::string partial;
    std::unique_ptr<archive, FreeWriter> writer;

    Error error(const std::string &what) const
    {
        return {ErrorCode::Io, "Cannot write " + what + " to the archive " + path + ": " +
                                   archiveReason(writer.get()) +
                                   "; nothing was left behind. Free some space or choose another place."};
    }

    Result<void> head(const std::string &name, std::int64_t size)
    {
        const std::unique_ptr<archive_entry, FreeEntry> entry(archive_entry_new());
        archive_entry_set_pathname_utf8(entry.get(), name.c_str());
        archive_entry_set_filetype(entry.get(), AE_IFREG);
        archive_entry_set_perm(entry.get(), 0644);
        archive_entry_set_size(entry.get(), size);
        archive_entry_set_mtime(entry.get(), 0, 0);
        if (archive_write_header(writer.get(), entry.get()) != ARCHIVE_OK)
            return error(name);
        return {};
    }
};

ArchiveWriter::ArchiveWriter()
    : d(std::make_unique<Private>())
{
}

ArchiveWriter::~ArchiveWriter()
{
    d->writer.reset();
    if (!d->partial.empty())
        QFile::remove(QString::fromStdString(d->partial));
}

Result<std::unique_ptr<ArchiveWriter>> ArchiveWriter::create(const std::string &path)
{
    std::unique_ptr<ArchiveWriter> made(new ArchiveWriter);
    Private &d = *made->d;
    const QFileInfo target(QString::fromStdString(path));
    d.path = path;
    if (target.isDir() || !target.absoluteDir().mkpath(QStringLiteral(".")))
        return Error{ErrorCode::BadInput, "The archive " + path + " cannot be made: choose a file's name."};
    d.partial =
        target.absoluteDir().filePath(QStringLiteral(".%1.partial").arg(target.fileName())).toStdString();
    d.writer.reset(archive_write_new());
    archive_write_add_filter_zstd(d.writer.get());
    archive_write_set_filter_option(d.writer.get(), "zstd", "compression-level", "9");
    archive_write_set_format_pax_restricted(d.writer.get());
    if (archive_write_open_filename(d.writer.get(), d.partial.c_str()) != ARCHIVE_OK)
        return d.error("the first bytes");
    return made;
}

Result<void> ArchiveWriter::addText(const std::string &archivePath, const std::string &text)
{
    if (auto head = d->head(archivePath, static_cast<std::int64_t>(text.size())); !head)
        return head;
    if (archive_write_data(d->writer.get(), text.data(), text.size()) != static_cast<la_ssize_t>(text.size()))
        return d->error(archivePath);
    return {};
}

Result<void> ArchiveWriter::addFile(const ArchiveFile &wanted, const std::string &diskPath)
{
    QFile file(QString::fromStdString(diskPath));
    if (!file.open(QIODevice::ReadOnly))
        return Error{ErrorCode::Io, diskPath + " cannot be read: " + file.errorString().toStdString() + "."};
    if (auto head = d->head(wanted.path, wanted.bytes); !head)
        return head;
    std::int64_t left = wanted.bytes; // a log that still grows is cut where it was measured
    while (left > 0) {
        const QByteArray block = file.read(std::min<std::int64_t>(left, kBlock));
        if (block.isEmpty())
            return Error{ErrorCode::Io, diskPath + " became shorter while it was read; try again."};
        if (archive_write_data(d->writer.get(), block.constData(), static_cast<std::size_t>(block.size())) !=
            block.size())
            return d->error(wanted.path);
        left -= block.size();
    }
    return {};
}

Result<void> ArchiveWriter::finish()
{
    if (archive_write_close(d->writer.get()) != ARCHIVE_OK)
        return d->error("the end");
    const QString target = QString::fromStdString(d->path);
    QFile::remove(target);
    if (!QFile::rename(QString::fromStdString(d->partial), target))
        return Error{ErrorCode::Io, "The archive cannot be moved to " + d->path + "."};
    d->partial.clear();
    return {};
}

} // namespace sb
