// SPDX-License-Identifier: GPL-3.0-or-later
// plugins/logs.json → LogWords, and "log" of a plugin.json → LogFormat. What the keys mean: core/log_format.h
// and plugins/plugin.schema.json.
#pragma once

#include "core/json.h"
#include "core/log_format.h"
#include "core/result.h"

#include <map>
#include <string>
#include <string_view>

namespace sb {

// Names that patterns may use as "{NAME}", with the pattern each stands for.
using LogDefinitions = std::map<std::string, std::string>;

struct LogWordsFile {
    LogWords words;
    LogDefinitions definitions; // of the file, for the patterns of plugins
};

// Errors name file, line and key, and what RE2 has against a pattern.
Result<LogWordsFile> readLogWords(std::string_view text, const std::string &source);
Result<LogWordsFile> readLogWordsFile(const std::string &path);

// Adds "define" of `node` to `definitions` and reads its "lines". Problems are told to `parent`.
LogFormat readLogFormat(const JsonNode &node, ObjectReader &parent, LogDefinitions definitions);

// "{N} images" → the pattern; "{3}" and the like are left alone. An unknown NAME is an error.
Result<std::string> expandPattern(const std::string &pattern, const LogDefinitions &definitions);

} // namespace sb
