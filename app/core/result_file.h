// SPDX-License-Identifier: GPL-3.0-or-later
// Results as JSON, as `scaleboard-cli results --json` prints and `compare` and `fit` read them.
#pragma once

#include "core/json.h"
#include "core/scaling.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sb {

// {"schema":1,"workspace":name,"results":[…]}, one object a case.
std::string writeResults(const std::string &name, std::span<const CaseResult> results);

// Errors name file, line and key. Files of older versions have no single runs ("runs"), so their results
// compare without an interval.
Result<std::vector<CaseResult>> readResults(std::string_view text, const std::string &source);

} // namespace sb
