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
constexpr std::array<double, 10> kTens{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};

constexpr std::size_t kDateParts = 7;

struct Head {
    ShapePattern pattern;
    int rank = 0; // numbers of the groups; 0: none
    int host = 0;
    std::array<int, kDateParts> date{};
    int groups = 0;
    bool isStamp = false;
};

// Of a few digits, which the patterns have seen to.
int digitsOf(std::string_view text)
{
    int number = 0;
    for (const char c : text)
        number = number * 10 + (c - '0');
    return number;
}

int monthNumber(std::string_view text)
{
    static constexpr std::string_view kNames = "JanFebMarAprMayJunJulAugSepOctNovDec";
    if (text.front() >= '0' && text.front() <= '9')
        return digitsOf(text);
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
double secondsOf(std::string_view line, const std::array<LineSpan, kDateParts> &date)
{
    const auto number = [&](std::size_t part, int otherwise) {
        const std::string_view text = date[part].of(line);
        if (text.empty())
            return otherwise;
        return part == 1 ? monthNumber(text) : digitsOf(text);
    };
    const double days = daysOf(number(0, 1970), std::clamp(number(1, 1), 1, 12), number(2, 1));
    double seconds = days * 86400 + number(3, 0) * 3600.0 + number(4, 0) * 60.0 + number(5, 0);
    const std::string_view digits = date[6].of(line);
    if (!digits.empty() && digits.size() < kTens.size())
        seconds += digitsOf(digits) / kTens[digits.size()];
    return seconds;
}

Head headFrom(const std::string &pattern, bool isStamp)
{
    Head head{.pattern = ShapePattern(pattern), .isStamp = isStamp};
    if (!head.pattern)
        return head;
    head.groups = head.pattern->NumberOfCapturingGroups() + 1;
    static constexpr std::array<const char *, kDateParts> kDate{"year",   "month",  "day",     "hour",
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

    // Takes one prefix or stamp off the rest of the line.
    bool takeHead(const Head &head, std::string_view line, HeadSpans &spans) const;
    bool takeAny(std::string_view line, HeadSpans &spans) const;
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

bool LineHeadReader::Private::takeHead(const Head &head, std::string_view line, HeadSpans &spans) const
{
    if (!head.pattern || (head.isStamp && spans.date))
        return false;
    const Piece text(line.data() + spans.length, line.size() - spans.length);
    if (!head.pattern->Match(text, 0, text.size(), re2::RE2::ANCHOR_START, groups.data(), head.groups) ||
        groups[0].empty())
        return false;
    const auto spanOf = [&](int group) {
        const Piece &piece = groups[static_cast<std::size_t>(group)];
        if (group == 0 || piece.empty())
            return LineSpan();
        return LineSpan{static_cast<std::uint32_t>(piece.data() - line.data()),
                        static_cast<std::uint32_t>(piece.size())};
    };
    if (head.isStamp) {
        std::array<LineSpan, kDateParts> &date = spans.date.emplace();
        std::transform(head.date.begin(), head.date.end(), date.begin(), spanOf);
    }
    if (head.rank > 0)
        spans.ranks.push_back(spanOf(head.rank));
    if (head.host > 0)
        spans.host = spanOf(head.host);
    spans.length += static_cast<std::uint32_t>(groups[0].size());
    return true;
}

bool LineHeadReader::Private::takeAny(std::string_view line, HeadSpans &spans) const
{
    for (std::size_t i = 0; i < heads.size(); ++i) {
        if (!heads[i].pattern)
            continue;
        spans.varies = spans.varies || heads[i].pattern.varies(line.substr(spans.length), true);
        if (takeHead(heads[i], line, spans)) {
            last.push_back(i);
            return true;
        }
    }
    return false;
}

LineHead LineHeadReader::headOf(std::string_view line, const HeadSpans &spans)
{
    LineHead head;
    head.rank = rankOf(line, spans);
    head.host = spans.host.of(line);
    if (spans.date)
        head.clockS = secondsOf(line, *spans.date);
    head.rest = line.substr(spans.length);
    return head;
}

std::optional<int> LineHeadReader::rankOf(std::string_view line, const HeadSpans &spans)
{
    std::optional<int> known;
    for (const LineSpan &span : spans.ranks)
        if (const auto rank = toInteger(span.of(line)); rank && *rank < 1'000'000)
            known = static_cast<int>(*rank);
    return known;
}

HeadSpans LineHeadReader::spans(std::string_view line) const
{
    HeadSpans spans;
    d->last.clear();
    for (int taken = 0; taken < kMostHeads && spans.length < line.size(); ++taken)
        if (!d->takeAny(line, spans))
            break;
    d->lastFirst = spans.length < line.size() ? line[spans.length] : '\0';
    return spans;
}

LineHead LineHeadReader::read(std::string_view line) const
{
    return headOf(line, quickSpans(line));
}

HeadSpans LineHeadReader::quickSpans(std::string_view line) const
{
    HeadSpans spans;
    const auto matchesAsLast = [&] {
        for (const std::size_t head : d->last)
            if (!d->takeHead(d->heads[head], line, spans))
                return false;
        return spans.length < line.size() && line[spans.length] == d->lastFirst;
    };
    if (!d->last.empty() && matchesAsLast())
        return spans;
    return this->spans(line);
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
