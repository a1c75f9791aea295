// SPDX-License-Identifier: GPL-3.0-or-later
// A tar archive compressed with Zstandard, written with stable bytes and read with distrust. Any thread.
#pragma once

#include "core/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sb {

struct ArchiveFile {
    std::string path; // in the archive: relative, '/' between parts
    std::int64_t bytes = 0;
    std::string sha256; // hexadecimal
    bool operator==(const ArchiveFile &) const = default;
};

// SHA-256 of a text, and size and SHA-256 of a file on the disk.
std::string sha256Of(const std::string &bytes);
Result<ArchiveFile> describeFile(const std::string &archivePath, const std::string &diskPath);

// Writes beside the target and moves the archive to its place in finish(); without that nothing is left. The
// same files in the same order give the same bytes: no times, owners or modes are kept.
class ArchiveWriter {
public:
    static Result<std::unique_ptr<ArchiveWriter>> create(const std::string &path);
    ~ArchiveWriter();

    Result<void> addText(const std::string &archivePath, const std::string &text);
    Result<void> addFile(const ArchiveFile &file, const std::string &diskPath);
    Result<void> finish();

private:
    ArchiveWriter();
    class Private;
    std::unique_ptr<Private> d;
};

struct ArchiveLimits {
    std::int64_t headBytes = 64 << 20; // of the first entry
    std::int64_t totalBytes = std::int64_t{64} << 30;
    std::size_t files = 200000;
};

// What is wrong with a name of an entry, or empty: absolute, "..", empty parts, control characters,
// backslashes, more than 200 bytes a part or 1000 in all.
std::string archiveNameFault(const std::string &name);

// The text of the first entry, which must be called `name`.
Result<std::string> readArchiveHead(const std::string &path, const std::string &name,
                                    const ArchiveLimits &limits = {});

// Unpacks into `folder`, which must not exist or be empty; it appears only when all is well. After the first
// entry, which readArchiveHead has checked, the archive must hold exactly `files`, as regular files of these
// sizes and sums: links, devices, other names, doubled names, and anything beyond the limits or the space on
// the disk are errors, before anything that they would do. `step` is told the bytes done; when it says false,
// the error is Cancelled.
Result<void> unpackArchive(const std::string &path, const std::string &folder,
                           const std::vector<ArchiveFile> &files, const ArchiveLimits &limits = {},
                           const std::function<bool(std::int64_t)> &step = {});

} // namespace sb
