// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/result.h"

#include <QByteArray>

#include <string>

namespace sb {

// The regular files of a folder as a tar archive (POSIX ustar), for every tar to unpack. The same files give
// the same bytes: names sorted, no owners, no times. Left out: names that begin with a dot, and "build".
// Errors: the folder cannot be read, a path is too long for the format, more than kMostArchiveBytes.
Result<QByteArray> sourceArchive(const std::string &folder);

inline constexpr qint64 kMostArchiveBytes = 64 * 1024 * 1024;

} // namespace sb
