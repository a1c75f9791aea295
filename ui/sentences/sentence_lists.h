// SPDX-License-Identifier: GPL-3.0-or-later
// The sentences that the layers below the window make, a list for each, as templates: "%1 cannot be read:
// %2.". They are here, and not where they are made, since those layers have no translations;
// tests/sentences.py finds those that are missing here.
#pragma once

#include <span>

namespace sb {

std::span<const char *const> coreSentences();
std::span<const char *const> topologySentences();
std::span<const char *const> remoteSentences();
std::span<const char *const> sessionSentences();
std::span<const char *const> storeSentences();

} // namespace sb
