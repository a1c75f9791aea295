// SPDX-License-Identifier: GPL-3.0-or-later
// Small text helpers shared by every layer. UTF-8 in, UTF-8 out; no locale.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sb {

std::string_view trimmed(std::string_view text);

// A to Z become a to z; all else stays.
std::string lowered(std::string_view text);

// "a,b" split at ',' gives {"a","b"}; an empty text gives one empty part.
std::vector<std::string_view> split(std::string_view text, char separator);

std::string join(std::span<const std::string> parts, std::string_view separator);

// The whole text must be a number; "1.5x", "" and "nan" give nothing.
std::optional<double> toDouble(std::string_view text);
std::optional<std::int64_t> toInteger(std::string_view text);

// The candidate most like `word` if it is near enough to be a typing error (edit distance at most 2, or a
// third of the word) or if `word` is how it begins, for "did you mean" messages.
std::optional<std::string> closestWord(std::string_view word, std::span<const std::string> candidates);

// Valid UTF-8: every invalid byte becomes U+FFFD, so that hostile logs can be shown.
std::string validUtf8(std::string_view bytes);

} // namespace sb
