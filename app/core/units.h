// SPDX-License-Identifier: GPL-3.0-or-later
// How figures are written for people, alike on screen, in tables and in reports, in every language: decimal
// point, narrow no-break space (U+202F) between thousands, unit after a space. For machines (CSV, JSON) use
// plainNumber. UTF-8.
#pragma once

#include <optional>
#include <string>

namespace sb {

// 12411.968, 2 → "12 411.97" with U+202F as the separator.
std::string formatNumber(double value, int decimals);

// As many decimals as tell runs apart: 0 from 10 000 on, 1 from 1 000, 2 below, 3 below 1.
std::string formatThroughput(double value);

std::string formatPercent(double ratio, int decimals = 1); // 0.975 → "97.5 %"
std::string formatRatio(double ratio);                     // 1.0331 → "1.033 ×"
std::string formatBytes(double bytes);                     // 1536000000 → "1.54 GB" (powers of 1000)
std::string formatDuration(double seconds);                // 37140 → "10 h 19 min"; 42.3 → "42 s"

// Shortest text that reads back as the same value; "." as the point. For CSV and JSON.
std::string plainNumber(double value);

} // namespace sb
