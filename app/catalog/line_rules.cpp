// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/line_rules.h"

#include "catalog/rule_patterns.h"
#include "core/text.h"

#include <cctype>
#include <deque>

namespace sb {

namespace {

constexpr std::size_t kLongestLine = 64 * 1024; // what is beyond says nothing
constexpr double kClockFromS = 1e8;             // a "time" beyond three years is a clock

constexpr std::size_t kSafeDigits = 18; // that always fit

constexpr std::int64_t kMostSteps = 1'000'000'000'000; // a larger number is none; sums of epochs must fit

// Most integers of a log are a few digits long, and there are several a line.
std::optional<std::int64_t> integerOf(std::string_view text)
{
    if (text.empty())
        return std::nullopt;
    if (text.size() > kSafeDigits) {
        const auto number = toInteger(text);
        return number && *number >= 0 ? number : std::nullopt;
    }
    std::int64_t number = 0;
    for (const char c : text) {
        if (c < '0' || c > '9')
            return std::nullopt;
        number = number * 10 + (c - '0');
    }
    return number;
}

double factorOf(std::string_view suffix)
{
    if (suffix.empty())
        return 1;
    switch (suffix.front()) {
    case 'k':
    case 'K':
        return 1e3;
    case 'M':
        return 1e6;
    default:
        return 1e9;
    }
}

} // namespace

std::optional<double> printedNumber(std::string_view text, bool &isNumber)
{
    isNumber = true;
    if (const auto number = toDouble(text)) // mostly it is as plain as this
        return number;
    std::string plain;
    for (const char c : text)
        if (c != ',' && !(c == '+' && plain.empty()))
            plain += c;
    if (const auto number = toDouble(plain))
        return number;
    const std::string lower = lowered(plain);
    isNumber = lower.find("nan") != std::string::npos || lower.find("inf") != std::string::npos;
    return std::nullopt;
}

namespace {

// "3,14" may be a decimal comma: it is not guessed at.
bool besideComma(std::string_view line, const LineSpan &number)
{
    const auto digitAt = [&](std::size_t at) {
        return at < line.size() && std::isdigit(static_cast<unsigned char>(line[at]));
    };
    const std::size_t end = number.at + number.length;
    return (end < line.size() && line[end] == ',' && digitAt(end + 1)) ||
           (number.at >= 2 && line[number.at - 1] == ',' && digitAt(number.at - 2));
}

LineFacts factsOf(const RuleHit &hit, std::string_view line)
{
    const auto number = [&](RuleGroup which) { return integerOf(hit.groups[which].of(line)).value_or(0); };
    return {number(Batch), number(GlobalBatch), number(Nodes), number(PerNode), number(World)};
}

std::optional<double> valueOf(const RuleHit &hit, std::string_view line)
{
    bool ignored = false;
    auto value = printedNumber(hit.value().of(line), ignored);
    if (value)
        *value *= factorOf(hit.groups[Suffix].of(line));
    return value;
}

// Whether the number is one to be taken. Most begin with a digit, and then the pattern has seen to it.
bool hasValue(const RuleHit &hit, LineKind kind, std::string_view line)
{
    const LineSpan &number = hit.value();
    if (number.length == 0)
        return kind == LineKind::Clock;
    if (hit.ofEvaluation || besideComma(line, number))
        return false;
    const char first = line[number.at];
    bool isNumber = first >= '0' && first <= '9';
    if (!isNumber)
        printedNumber(number.of(line), isNumber);
    return isNumber && (kind != LineKind::Time || valueOf(hit, line).value_or(0) < kClockFromS);
}

} // namespace

class LineRules::Private {
public:
    Private(std::vector<LineFormat> all, const LogWords &common, Shapes use)
        : formats(std::move(all))
        , words(common)
        , patterns(formats, words)
        , learns(use == Shapes::Learn && patterns.shapesCount())
    {
    }

    std::vector<LineFormat> formats;
    LogWords words;
    RulePatterns patterns;
    bool learns;
    ShapeTable<LineShape> shapes;
    LineSays says;

    bool saidBy(const RulePatterns::Owner &owner) const
    {
        return owner.kind == RulePatterns::Kind::Format && !says.matches.empty() &&
               says.matches.back().format == owner.format;
    }

    // `step` gives the StepSpans of the line, and is asked only where they are needed.
    template <typename StepOf>
    void say(const RuleHit &hit, std::string_view line, StepOf &&step);
    void sayShape(const LineShape &shape, std::string_view line);
    void sayLine(const std::vector<int> &candidates, std::string_view line);

    // Of a line without a shape.
    std::deque<RuleHit> hits;
    StepSpans steps;
    HeadSpans head;
};

template <typename StepOf>
void LineRules::Private::say(const RuleHit &hit, std::string_view line, StepOf &&step)
{
    const RulePatterns::Owner &owner = patterns.owner(hit.number);
    switch (owner.kind) {
    case RulePatterns::Kind::Format:
        if (!saidBy(owner) && hasValue(hit, owner.line, line)) {
            const StepSpans *apart = hit.groups[Step].length > 0 ? nullptr : step();
            says.matches.push_back({owner.format, owner.rule, owner.line, hit.groups[Key].of(line),
                                    hit.groups[hit.isRate() ? Unit : TimeUnit].of(line),
                                    hit.groups[Each].length > 0, !apart || apart->step.length > 0, &hit,
                                    apart});
        }
        break;
    case RulePatterns::Kind::Fact:
        says.facts.push_back(factsOf(hit, line));
        break;
    case RulePatterns::Kind::Failure:
        says.failures.push_back(owner.rule);
        break;
    case RulePatterns::Kind::End:
        says.finished = true;
        break;
    }
}

void LineRules::Private::sayShape(const LineShape &shape, std::string_view line)
{
    for (const RuleHit &hit : shape.hits)
        say(hit, line, [&] { return &shape.step; });
    if (!says.matches.empty())
        says.head = &shape.head;
}

// Without a shape: patterns that cannot matter any more are not tried.
void LineRules::Private::sayLine(const std::vector<int> &candidates, std::string_view line)
{
    hits.clear();
    bool known = false;
    const auto step = [&] {
        if (!known)
            steps = patterns.stepOf(line);
        known = true;
        return &steps;
    };
    for (const int candidate : candidates) {
        const auto number = static_cast<std::size_t>(candidate);
        if (saidBy(patterns.owner(number)))
            continue;
        if (const auto hit = patterns.hitOf(number, line))
            say(hits.emplace_back(*hit), line, step);
    }
    if (!says.matches.empty()) {
        head = patterns.headOf(line);
        says.head = &head;
    }
}

LineNumbers LineRules::numbersOf(const LineMatch &match, std::string_view line)
{
    const RuleHit &hit = *match.hit;
    const auto group = [&](RuleGroup which) { return hit.groups[which].of(line); };
    LineNumbers numbers;
    if (hit.value().length > 0)
        numbers.value = valueOf(hit, line);
    numbers.step = integerOf(group(Step));
    numbers.last = integerOf(group(Last));
    numbers.count = integerOf(group(Count));
    if (!numbers.step && match.steps) {
        numbers.step = integerOf(match.steps->step.of(line));
        if (match.steps->last.length > 0)
            numbers.last = integerOf(match.steps->last.of(line));
    }
    for (std::optional<std::int64_t> *step : {&numbers.step, &numbers.last})
        if (*step && **step > kMostSteps)
            step->reset();
    bool ignored = false;
    if (hit.groups[Loss].length > 0)
        numbers.loss = printedNumber(group(Loss), ignored);
    if (const auto rank = integerOf(group(Rank)); rank && *rank < 1'000'000)
        numbers.rank = static_cast<int>(*rank);
    if (hit.groups[ClockS].length > 0)
        numbers.clockS = toDouble(group(ClockS));
    if (hit.groups[ClockMs].length > 0)
        if (const auto ms = toDouble(group(ClockMs)))
            numbers.clockS = *ms / 1000;
    return numbers;
}

LineRules::LineRules(std::vector<LineFormat> formats, const LogWords &words, Shapes shapes)
    : d(std::make_unique<Private>(std::move(formats), words, shapes))
{
}

LineRules::~LineRules() = default;

const LineSays &LineRules::read(std::string_view line) const
{
    line = line.substr(0, kLongestLine);
    LineSays &says = d->says;
    says.matches.clear();
    says.facts.clear();
    says.failures.clear();
    says.finished = false;
    says.head = nullptr;
    const bool shaped = d->learns && line.size() <= ShapeTable<LineShape>::kLongestLine;
    const LineShape *shape = shaped ? d->shapes.find(line) : nullptr;
    if (shape && !shape->varies) {
        d->sayShape(*shape, line);
        return says;
    }
    const std::vector<int> &candidates = d->patterns.candidates(line);
    if (!shape && shaped && d->shapes.cameBefore())
        d->shapes.learn(d->patterns.shapeOf(candidates, line));
    d->sayLine(candidates, line);
    return says;
}

const std::vector<LineFormat> &LineRules::formats() const
{
    return d->formats;
}

const LogWords &LineRules::words() const
{
    return d->words;
}

std::string LineRules::unitName(std::string_view printed, const LineRule &rule) const
{
    const std::string lower = lowered(printed);
    for (const auto &[word, name] : d->words.units)
        if (word == lower)
            return name + "/s";
    const bool isTime = rule.kind == LineKind::Time || rule.kind == LineKind::Bar;
    if (isTime || printed.empty())
        return rule.unit.empty() ? "samples/s" : rule.unit;
    return std::string(printed);
}

} // namespace sb
