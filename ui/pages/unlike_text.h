// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string>

namespace sb {

// Why a published curve is marked †, in the window's language: "batch 224 per device, not 256". A reason of a
// reference file that is not known here is shown as it stands there.
QString unlikeText(const std::string &reason);

} // namespace sb
