// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/units.h"

#include <array>
#include <charconv>
#include <cmath>

namespace sb {

namespace {

constexpr const char *kThousands = "\u202F";
constexpr const char *kNoBreakSpace = "\u00A0";
constexpr const char *kDash = "—";

std::string fixedText(double value, int decimals)
{
    std::array<char, 400> buffer{}; // a double has at most 309 digits before the point
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                            std::chars_format::fixed, decimals);
    return error == std::errc() ? std::string(buffer.data(), end) : std::string();
}

} // namespace

std::string formatNumber(double value, int decimals)
{
    if (!std::isfinite(value))
        return kDash;
    std::string digits = fixedText(std::abs(value), decimals);
    const bool isZero = digits.find_first_not_of("0.") == std::string::npos;
    const std::size_t point = digits.find('.');
    for (std::size_t at = point == std::string::npos ? digits.size() : point; at > 3;) {
        at -= 3;
        digits.insert(at, kThousands);
    }
    return value < 0 && !isZero ? "\u2212" + digits : digits;
}

std::string formatThroughput(double value)
{
    const double size = std::abs(value);
    return formatNumber(value, size >= 10000 ? 0 : size >= 1000 ? 1 : size >= 1 ? 2 : 3);
}

std::string formatPercent(double ratio, int decimals)
{
    return formatNumber(ratio * 100.0, decimals) + kNoBreakSpace + "%";
}

std::string formatRatio(double ratio)
{
    return formatNumber(ratio, 3) + kNoBreakSpace + "×";
}

std::string formatBytes(double bytes)
{
    constexpr std::array<const char *, 6> kUnits{"B", "kB", "MB", "GB", "TB", "PB"};
    std::size_t unit = 0;
    while (std::abs(bytes) >= 1000.0 && unit + 1 < kUnits.size()) {
        bytes /= 1000.0;
        ++unit;
    }
    const int decimals = unit == 0 ? 0 : bytes >= 100 ? 0 : bytes >= 10 ? 1 : 2;
    return formatNumber(bytes, decimals) + kNoBreakSpace + kUnits[unit];
}

std::string formatDuration(double seconds)
{
    if (!std::isfinite(seconds) || seconds < 0)
        return kDash;
    const auto whole = static_cast<long long>(std::llround(seconds));
    const auto part = [](long long count, const char *unit) {
        return std::to_string(count) + kNoBreakSpace + unit;
    };
    if (whole < 60)
        return part(whole, "s");
    if (whole < 3600)
        return whole % 60 == 0 || whole >= 600 ? part((whole + 30) / 60, "min")
                                               : part(whole / 60, "min") + " " + part(whole % 60, "s");
    const long long minutes = (whole + 30) / 60;
    return part(minutes / 60, "h") + (minutes % 60 == 0 ? "" : " " + part(minutes % 60, "min"));
}

std::string plainNumber(double value)
{
    std::array<char, 400> buffer{};
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return error == std::errc() && std::isfinite(value) ? std::string(buffer.data(), end) : std::string();
}

} // namespace sb
