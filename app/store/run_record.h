// SPDX-License-Identifier: GPL-3.0-or-later
// Run ⇄ JSON: the record beside the raw logs of a run. Schema 1; readers refuse newer ones.
#pragma once

#include "core/json.h"
#include "core/result.h"
#include "core/run.h"

#include <string>
#include <string_view>

namespace sb {

std::string writeRunRecord(const Run &run, int indent = 2);
// What a node is, as it stands in a run's record.
JsonNode nodeFactsNode(const NodeFacts &facts);

Result<Run> readRunRecord(std::string_view text, const std::string &source);

} // namespace sb
