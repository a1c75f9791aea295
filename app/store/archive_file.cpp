// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/archive_file.h"

#include "core/text.h"
#include "core/units.h"
#include "store/archive_reason.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QStorageInfo>

#include <map>
#include <set>
#include <vector>

#include <archive.h>
#include <archive_entry.h>

namespace sb {

namespace {

constexpr std::size_t kBlock = 1 << 16;
constexpr std::size_t kLongestPart = 200;
constexpr std::size_t kLongestName = 1000;

struct FreeReader {
    void operator()(archive *a) const { archive_read_free(a); }
};
using Reader = std::unique_ptr<archive, FreeReader>;

Error readError(const std::string &path, archive *a)
{
    return {ErrorCode::BadInput, path + " cannot be read as an archive: " + archiveReason(a) +
                                     "; it is damaged, cut short, or something else."};
}

// Only what we write: tar in Zstandard.
Result<Reader> openReader(const std::string &path)
{
    Reader reader(archive_read_new());
    archive_read_support_filter_zstd(reader.get());
    archive_read_support_format_tar(reader.get());
    if (archive_read_open_filename(reader.get(), path.c_str(), kBlock) != ARCHIVE_OK)
        return readError(path, reader.get());
    return reader;
}

// The name of an entry that is a plain file and nothing else.
Result<std::string> plainName(const std::string &path, archive_entry *entry)
{
    const char *raw = archive_entry_pathname_utf8(entry);
    if (!raw)
        raw = archive_entry_pathname(entry);
    const std::string name = raw ? raw : "";
    const auto refuse = [&](const std::string &what) {
        return Error{ErrorCode::BadInput, path + " was not unpacked: its entry \"" + validUtf8(name) + "\" " +
                                              what + ", which a bundle never has."};
    };
    if (const std::string fault = archiveNameFault(name); !fault.empty())
        return refuse(fault);
    if (archive_entry_hardlink(entry) || archive_entry_symlink(entry))
        return refuse("is a link");
    if (archive_entry_filetype(entry) != AE_IFREG)
        return refuse("is not a regular file");
    if (archive_entry_sparse_count(entry) > 0 || !archive_entry_size_is_set(entry) ||
        archive_entry_size(entry) < 0)
        return refuse("has no plain size");
    return name;
}

// Reads the entry's bytes in blocks; more than its size is an error.
Result<void> readBytes(const std::string &path, archive *reader, std::int64_t size,
                       const std::function<Result<void>(const char *, qint64)> &take)
{
    std::vector<char> block(kBlock);
    std::int64_t done = 0;
    while (true) {
        const la_ssize_t got = archive_read_data(reader, block.data(), block.size());
        if (got < 0)
            return readError(path, reader);
        if (got == 0)
            break;
        done += got;
        if (done > size)
            break;
        if (auto taken = take(block.data(), got); !taken)
            return taken;
    }
    if (done != size)
        return Error{ErrorCode::BadInput, path + " is damaged: an entry has not the size that it says."};
    return {};
}

struct Unpacking {
    const std::string &path;
    QDir folder;
    const std::function<bool(std::int64_t)> &step;
    std::int64_t done = 0;

    Result<void> write(archive *reader, const ArchiveFile &wanted)
    {
        const QString target = folder.filePath(QString::fromStdString(wanted.path));
        QFile file(target);
        if (!QFileInfo(target).absoluteDir().mkpath(QStringLiteral(".")) ||
            !file.open(QIODevice::WriteOnly | QIODevice::NewOnly))
            return diskError(wanted.path, file.errorString());
        QCryptographicHash hash(QCryptographicHash::Sha256);
        auto read =
            readBytes(path, reader, wanted.bytes, [&](const char *bytes, qint64 size) -> Result<void> {
                hash.addData(QByteArrayView(bytes, size));
                if (file.write(bytes, size) != size)
                    return diskError(wanted.path, file.errorString());
                done += size;
                if (step && !step(done))
                    return Error{ErrorCode::Cancelled, "Unpacking was stopped; nothing was kept."};
                return {};
            });
        if (!read)
            return read;
        file.close();
        if (file.error() != QFileDevice::NoError)
            return diskError(wanted.path, file.errorString());
        if (hash.result().toHex().toStdString() != wanted.sha256)
            return Error{ErrorCode::BadInput, path + " is damaged: " + wanted.path +
                                                  " has not the contents that it was made with."};
        return {};
    }

    Result<void> writeHead(archive *reader, const std::string &name, std::int64_t size)
    {
        QFile file(folder.filePath(QString::fromStdString(name)));
        if (name.find('/') != std::string::npos || !file.open(QIODevice::WriteOnly | QIODevice::NewOnly))
            return diskError(name, file.errorString());
        return readBytes(path, reader, size, [&](const char *bytes, qint64 count) -> Result<void> {
            if (file.write(bytes, count) != count)
                return diskError(name, file.errorString());
            return {};
        });
    }

    Error diskError(const std::string &name, const QString &reason) const
    {
        return {ErrorCode::Io, "Cannot write " + name + " of " + path + " below " +
                                   folder.absolutePath().toStdString() + ": " + reason.toStdString() +
                                   "; nothing was kept. Free some space or choose another folder."};
    }

    Result<void> all(const std::vector<ArchiveFile> &files)
    {
        std::map<std::string, const ArchiveFile *> open;
        for (const ArchiveFile &file : files)
            open[file.path] = &file;
        const auto reader = openReader(path);
        if (!reader)
            return reader.error();
        archive_entry *entry = nullptr;
        for (std::size_t n = 0;; ++n) {
            const int got = archive_read_next_header(reader->get(), &entry);
            if (got == ARCHIVE_EOF)
                break;
            if (got != ARCHIVE_OK)
                return readError(path, reader->get());
            const auto name = plainName(path, entry);
            if (!name)
                return name.error();
            if (n == 0) { // the head, which says what the others are
                if (auto written = writeHead(reader->get(), *name, archive_entry_size(entry)); !written)
                    return written;
                continue;
            }
            const auto wanted = open.find(*name);
            if (wanted == open.end() || wanted->second->bytes != archive_entry_size(entry))
                return Error{ErrorCode::BadInput, path + " was not unpacked: its entry \"" +
                                                      validUtf8(*name) + "\" is not the one in its list."};
            if (auto written = write(reader->get(), *wanted->second); !written)
                return written;
            open.erase(wanted);
        }
        if (!open.empty())
            return Error{ErrorCode::BadInput, path + " is cut short: " + open.begin()->first + " and " +
                                                  std::to_string(open.size() - 1) + " more are missing."};
        return {};
    }
};

// Everything that can be told from the list alone.
Result<void> checkList(const std::string &path, const std::vector<ArchiveFile> &files,
                       const ArchiveLimits &limits)
{
    std::int64_t total = 0;
    std::set<std::string> names;
    for (const ArchiveFile &file : files) {
        if (const std::string fault = archiveNameFault(file.path); !fault.empty())
            return Error{ErrorCode::BadInput, path + " was not unpacked: \"" + validUtf8(file.path) + "\" " +
                                                  fault + ", which a bundle never has."};
        if (!names.insert(file.path).second)
            return Error{ErrorCode::BadInput, path + " was not unpacked: it lists " + file.path + " twice."};
        if (file.bytes < 0 || file.bytes > limits.totalBytes - total)
            return Error{ErrorCode::BadInput, path + " was not unpacked: it would become larger than " +
                                                  formatBytes(static_cast<double>(limits.totalBytes)) + "."};
        total += file.bytes;
    }
    if (files.size() > limits.files)
        return Error{ErrorCode::BadInput, path + " was not unpacked: it has more than " +
                                              std::to_string(limits.files) + " files."};
    return {};
}

std::int64_t totalOf(const std::vector<ArchiveFile> &files)
{
    std::int64_t total = 0;
    for (const ArchiveFile &file : files)
        total += file.bytes;
    return total;
}

} // namespace

std::string archiveNameFault(const std::string &name)
{
    if (name.empty() || name.size() > kLongestName)
        return "has no name or a very long one";
    if (name.front() == '/')
        return "has an absolute path";
    for (const char c : name)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '\\' || c == ':')
            return "has a name with characters that do not belong there";
    for (const std::string_view part : split(name, '/')) {
        if (part.empty() || part == "." || part == "..")
            return "has a path that leaves its folder or has empty parts";
        if (part.size() > kLongestPart)
            return "has a very long name";
    }
    return {};
}

Result<std::string> readArchiveHead(const std::string &path, const std::string &name,
                                    const ArchiveLimits &limits)
{
    const auto reader = openReader(path);
    if (!reader)
        return reader.error();
    archive_entry *entry = nullptr;
    if (archive_read_next_header(reader->get(), &entry) != ARCHIVE_OK)
        return readError(path, reader->get());
    const auto found = plainName(path, entry);
    if (!found)
        return found.error();
    const std::int64_t size = archive_entry_size(entry);
    if (*found != name || size > limits.headBytes)
        return Error{ErrorCode::BadInput,
                     path + " is not a bundle of Scaleboard: it does not begin with " + name + "."};
    std::string text;
    auto read =
        readBytes(path, reader->get(), size, [&text](const char *bytes, qint64 count) -> Result<void> {
            text.append(bytes, static_cast<std::size_t>(count));
            return {};
        });
    if (!read)
        return read.error();
    return text;
}

Result<void> unpackArchive(const std::string &path, const std::string &folder,
                           const std::vector<ArchiveFile> &files, const ArchiveLimits &limits,
                           const std::function<bool(std::int64_t)> &step)
{
    if (auto listed = checkList(path, files, limits); !listed)
        return listed;
    const QFileInfo target(QString::fromStdString(folder));
    if (target.exists() && !(target.isDir() && QDir(target.filePath()).isEmpty()))
        return Error{ErrorCode::BadInput,
                     folder + " is there already; choose a new folder to unpack the bundle into."};
    const QDir parent = target.absoluteDir();
    const QString name = QStringLiteral(".%1.%2.partial")
                             .arg(target.fileName())
                             .arg(QRandomGenerator::global()->generate(), 8, 16, QLatin1Char('0'));
    if (!parent.mkpath(QStringLiteral(".")) || !parent.mkdir(name))
        return Error{ErrorCode::Io, "The folder " + folder + " cannot be made; choose another place."};
    QDir temporary(parent.filePath(name));
    const std::int64_t room = QStorageInfo(temporary.path()).bytesAvailable();
    Result<void> done;
    if (room >= 0 && totalOf(files) > room)
        done = Error{ErrorCode::Io, path + " needs " + formatBytes(static_cast<double>(totalOf(files))) +
                                        ", but only " + formatBytes(static_cast<double>(room)) +
                                        " are left on the disk of " + folder + "; choose another place."};
    else
        done = Unpacking{path, temporary, step}.all(files);
    if (done && target.exists() && !QDir().rmdir(target.absoluteFilePath()))
        done = Error{ErrorCode::Io, "The folder " + folder + " cannot be replaced."};
    if (done && !QDir().rename(temporary.path(), target.absoluteFilePath()))
        done = Error{ErrorCode::Io, "The unpacked bundle cannot be moved to " + folder + "."};
    if (!done)
        temporary.removeRecursively();
    return done;
}

} // namespace sb
