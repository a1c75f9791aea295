// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where argument lists become shell text.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sb {

// One word for any POSIX shell. Plain words stay as they are, everything else goes into single quotes.
// A NUL byte cannot be in an argument and is left out.
std::string shellQuote(std::string_view argument);

std::string shellCommand(const std::vector<std::string> &argv);

// "A=1 B='x y' program arg". Names that are not identifiers are left out: they could not be set either.
std::string shellCommand(const std::map<std::string, std::string> &environment,
                         const std::vector<std::string> &argv);

} // namespace sb
