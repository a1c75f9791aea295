// SPDX-License-Identifier: GPL-3.0-or-later
// What libarchive has against an archive, for messages.
#pragma once

#include <string>

struct archive;

namespace sb {

std::string archiveReason(archive *a);

} // namespace sb
