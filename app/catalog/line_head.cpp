// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/line_head.h"

#include "core/text.h"

#include <re2/re2.h>

#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace sb {

namespace {

using Piece = re2::StringPiece;

constexpr int kMostHeads = 6; // prefixes and stamps before one line

struct Head {
    std::unique_ptr<re2::RE2> pattern;
    int rank = 0; // numbers of the groups; 0: none
    int host = 0;
    std::array<int, 7> date{}; // year, month, day, hour, minute, second, fraction
    int groups = 0;
    bool isStamp = false;
};

std::string_view viewOf(const Piece &piece)
{
    return {piece.data(), piece.size()};
}

int monthNumber(std::string_view text)
{
    static constexpr std::string_view kNames = "JanFebMarAprMayJunJulAugSepOctNovDec";
    if (const auto number = toInteger(text))
        return static_cast<int>(*number);
    const std::size_t at = text.size() == 3 ? kNames.find(text) : std::string_view::npos;
    return at == std::string_view::npos ? 1 : static_cast<int>(at / 3) + 1;
}

// Days since 1970-01-01 of the civil calendar.
double daysOf(int year, int month, int day)
{
    const int y = year - (month <= 2);
    const int era = y / 400;
    const int yearOfEra = y - era * 400;
    const int dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    const int dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
    return era * 146097.0 + dayOfEra - 719468.0;
}

// A stamp without year or day counts from 1970; only differences mean something then.
double secondsOf(const Head &head, const std::vector<Piece> &groups)
{
    const auto number = [&](std::size_t part, int otherwise) {
        const int group = head.date[part];
        const std::string_view text =
            group > 0 ? viewOf(groups[static_cast<std::size_t>(group)]) : std::string_view();
        if (text.empty())
            return otherwise;
        return part == 1 ? monthNumber(text) : static_cast<int>(toInteger(text).value_or(otherwise));
    };
    const double days = daysOf(number(0, 1970), std::clamp(number(1, 1), 1, 12), number(2, 1));
    double seconds = days * 86400 + number(3, 0) * 3600.0 + number(4, 0) * 60.0 + number(5, 0);
    if (const int group = head.date[6]; group > 0) {
        const std::string_view digits = viewOf(groups[static_cast<std::size_t>(group)]);
        if (const auto value = toInteger(digits))
            seconds += static_cast<double>(*value) / std::pow(10.0, static_cast<double>(digits.size()));
    }
    return seconds;
}

Head headFrom(const std::string &pattern, bool isStamp)
{
    Head head;
    head.pattern = std::make_unique<re2::RE2>(pattern, re2::RE2::Quiet);
    head.isStamp = isStamp;
    head.groups = head.pattern->NumberOfCapturingGroups() + 1;
    static constexpr std::array<const char *, 7> kDate{"year",   "month",  "day",     "hour",
                                                       "minute", "second", "fraction"};
    for (const auto &[name, group] : head.pattern->NamedCapturingGroups()) {
        if (name == "rank")
            head.rank = group;
        if (name == "host")
            head.host = group;
        for (std::size_t i = 0; i < kDate.size(); ++i)
            if (name == kDate[i])
                head.date[i] = group;
    }
    return head;
}

} // namespace

class LineHeadReader::Private {
public:
    std::vector<Head> heads;
    mutable std::vector<Piece> groups;
    mutable std::vector<std::size_t> last; // heads of the line before: the next one mostly begins alike

    mutable char lastFirst = '\0'; // what followed them

    bool takeHead(const Head &head, LineHead &result) const;
};

LineHeadReader::LineHeadReader(const LogWords &words)
    : d(std::make_unique<Private>())
{
    for (const std::string &pattern : words.stamps)
        d->heads.push_back(headFrom(pattern, true));
    for (const std::string &pattern : words.prefixes)
        d->heads.push_back(headFrom(pattern, false));
    std::size_t most = 1;
    for (const Head &head : d->heads)
        most = std::max(most, static_cast<std::size_t>(head.groups));
    d->groups.resize(most);
}

LineHeadReader::~LineHeadReader() = default;
LineHeadReader::LineHeadReader(LineHeadReader &&) noexcept = default;
LineHeadReader &LineHeadReader::operator=(LineHeadReader &&) noexcept = default;

// Takes one prefix or stamp off the rest of the line.
bool LineHeadReader::Private::takeHead(const Head &head, LineHead &result) const
{
    if (!head.pattern->ok() || (head.isStamp && result.clockS))
        return false;
    const Piece text(result.rest.data(), result.rest.size());
    if (!head.pattern->Match(text, 0, text.size(), re2::RE2::ANCHOR_START, groups.data(), head.groups) ||
        groups[0].empty())
        return false;
    if (head.isStamp)
        result.clockS = secondsOf(head, groups);
    if (head.rank > 0)
        if (const auto rank = toInteger(viewOf(groups[static_cast<std::size_t>(head.rank)]));
            rank && *rank < 1'000'000)
            result.rank = static_cast<int>(*rank);
    if (head.host > 0)
        result.host = viewOf(groups[static_cast<std::size_t>(head.host)]);
    result.rest.remove_prefix(groups[0].size());
    return true;
}

LineHead LineHeadReader::read(std::string_view line) const
{
    LineHead result;
    result.rest = line;
    const auto matchesAsLast = [&] {
        for (const std::size_t head : d->last)
            if (!d->takeHead(d->heads[head], result))
                return false;
        return !result.rest.empty() && result.rest.front() == d->lastFirst;
    };
    if (!d->last.empty() && matchesAsLast())
        return result;
    result = {};
    result.rest = line;
    d->last.clear();
    for (int taken = 0; taken < kMostHeads && !result.rest.empty(); ++taken) {
        std::size_t head = 0;
        while (head < d->heads.size() && !d->takeHead(d->heads[head], result))
            ++head;
        if (head == d->heads.size())
            break;
        d->last.push_back(head);
    }
    d->lastFirst = result.rest.empty() ? '\0' : result.rest.front();
    return result;
}

std::string withoutColours(std::string_view line)
{
    std::string clean;
    clean.reserve(line.size());
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] != '\x1b') {
            clean += line[i];
            continue;
        }
        const char next = i + 1 < line.size() ? line[i + 1] : '\0';
        if (next == '[') { // parameters, then one letter
            i += 2;
            while (i < line.size() && (line[i] < '@' || line[i] > '~'))
                ++i;
        } else if (next == ']') { // a title, up to BEL or ESC
            i += 2;
            while (i < line.size() && line[i] != '\x07' && line[i] != '\x1b')
                ++i;
        } else {
            ++i;
        }
    }
    return clean;
}

} // namespace sb
