// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/line_rules.h"

#include "core/text.h"

#include <re2/filtered_re2.h>
#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

namespace sb {

namespace {

using Piece = re2::StringPiece;

// Groups by meaning; a name may end in "2" for a second place in the same pattern.
enum Group {
    Rate,
    Time,
    Suffix,
    Unit,
    TimeUnit,
    Count,
    Each,
    Key,
    Step,
    Last,
    Epoch,
    Loss,
    Rank,
    ClockS,
    ClockMs,
    Batch,
    GlobalBatch,
    Nodes,
    PerNode,
    World,
    GroupCount
};
constexpr std::array<const char *, GroupCount> kGroups{
    "rate",  "time", "suffix", "unit",  "time_unit", "count", "each",         "key",   "step",     "last",
    "epoch", "loss", "rank",   "clock", "clock_ms",  "batch", "global_batch", "nodes", "per_node", "world"};

constexpr std::size_t kLongestLine = 64 * 1024; // what is beyond says nothing
constexpr std::int64_t kMostMemory = 64 << 20;  // of the automaton that looks for words
constexpr int kShortestWord = 3;
constexpr const char *kNothing = "nothing\\z\\b"; // never matches
constexpr double kClockFromS = 1e8;               // a "time" beyond three years is a clock

std::unique_ptr<re2::RE2> compiled(const std::string &pattern)
{
    return pattern.empty() ? nullptr : std::make_unique<re2::RE2>(pattern, re2::RE2::Quiet);
}

struct CompiledRule {
    LineRule rule;
    int format = -1; // -1: facts
    int index = 0;
    bool any = false; // of the format for any text, whose numbers may be of an evaluation
    std::unique_ptr<re2::RE2> pattern, unless;
    std::array<std::array<int, 2>, GroupCount> groups{};
    int groupCount = 0;
};

CompiledRule compileRule(const LineRule &rule)
{
    CompiledRule result;
    result.rule = rule;
    result.pattern = compiled(rule.pattern);
    result.unless = compiled(rule.unless);
    if (!result.pattern || !result.pattern->ok())
        return result;
    result.groupCount = result.pattern->NumberOfCapturingGroups() + 1;
    for (const auto &[name, number] : result.pattern->NamedCapturingGroups()) {
        const bool second = name.size() > 1 && name.back() == '2';
        const std::string plain = second ? name.substr(0, name.size() - 1) : name;
        for (std::size_t i = 0; i < kGroups.size(); ++i)
            if (plain == kGroups[i])
                result.groups[i][second ? 1 : 0] = number;
    }
    return result;
}

std::optional<std::int64_t> integerOf(std::string_view text)
{
    const auto number = toInteger(text);
    return number && *number >= 0 ? number : std::nullopt;
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
    std::string plain;
    for (const char c : text)
        if (c != ',' && !(c == '+' && plain.empty()))
            plain += c;
    const auto number = toDouble(plain);
    isNumber = true;
    if (number && std::isfinite(*number))
        return number;
    std::string lower = plain;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    isNumber = lower.find("nan") != std::string::npos || lower.find("inf") != std::string::npos;
    return std::nullopt;
}

class LineRules::Private {
public:
    std::vector<LineFormat> formats;
    LogWords words;
    std::vector<CompiledRule> rules; // in the order of the formats, then facts
    std::vector<std::unique_ptr<re2::RE2>> failures, failureUnless, finished, steps;
    std::unique_ptr<re2::RE2> notTraining;
    // Every pattern needs some plain words. One automaton looks for all of the words at once, and only the
    // patterns whose words are there are tried: most lines of a log have none.
    re2::FilteredRE2 filter{kShortestWord};
    std::unique_ptr<re2::RE2::Set> wordSet;
    mutable std::vector<int> foundWords;
    mutable std::vector<int> hits;
    mutable std::vector<Piece> groups;

    std::string_view group(const CompiledRule &rule, Group which) const
    {
        for (const int number : rule.groups[which])
            if (number > 0 && !groups[static_cast<std::size_t>(number)].empty()) {
                const Piece &piece = groups[static_cast<std::size_t>(number)];
                return {piece.data(), piece.size()};
            }
        return {};
    }

    bool matches(const CompiledRule &rule, std::string_view line) const
    {
        const Piece text(line.data(), line.size());
        return rule.pattern && rule.pattern->ok() &&
               !(rule.unless && re2::RE2::PartialMatch(text, *rule.unless)) &&
               rule.pattern->Match(text, 0, text.size(), re2::RE2::UNANCHORED, groups.data(),
                                   rule.groupCount);
    }

    bool take(const CompiledRule &rule, std::string_view line, LineMatch &match) const;
    void findStep(std::string_view line, LineMatch &match) const;
    LineFacts factsOf(const CompiledRule &rule) const;
    bool ofEvaluation(const CompiledRule &rule, std::string_view line, std::string_view number) const;
    void scan(std::string_view line) const;
    void addPattern(const std::string &pattern);
    void compileWords();
};

bool LineRules::Private::ofEvaluation(const CompiledRule &rule, std::string_view line,
                                      std::string_view number) const
{
    if (!rule.any || !notTraining || number.empty())
        return false;
    const Piece before(line.data(), static_cast<std::size_t>(number.data() - line.data()));
    return re2::RE2::PartialMatch(before, *notTraining);
}

void LineRules::Private::findStep(std::string_view line, LineMatch &match) const
{
    const Piece text(line.data(), line.size());
    for (const auto &pattern : steps) {
        const int count = pattern->NumberOfCapturingGroups() + 1;
        if (!pattern->Match(text, 0, text.size(), re2::RE2::UNANCHORED, groups.data(), count))
            continue;
        match.step = integerOf({groups[1].data(), groups[1].size()});
        if (count > 2 && !groups[2].empty())
            match.last = integerOf({groups[2].data(), groups[2].size()});
        return;
    }
}

LineFacts LineRules::Private::factsOf(const CompiledRule &rule) const
{
    const auto number = [&](Group which) { return integerOf(group(rule, which)).value_or(0); };
    return {number(Batch), number(GlobalBatch), number(Nodes), number(PerNode), number(World)};
}

bool LineRules::Private::take(const CompiledRule &rule, std::string_view line, LineMatch &match) const
{
    const std::string_view rate = group(rule, Rate);
    const std::string_view text = rate.empty() ? group(rule, Time) : rate;
    if (text.empty() && rule.rule.kind != LineKind::Clock)
        return false;
    if (!text.empty()) {
        bool isNumber = false;
        match.value = printedNumber(text, isNumber);
        // "3,14" may be a decimal comma: it is not guessed at.
        const char *end = text.data() + text.size();
        const char *lineEnd = line.data() + line.size();
        const char *begin = text.data();
        const bool commaBefore = begin >= line.data() + 2 && begin[-1] == ',' &&
                                 std::isdigit(static_cast<unsigned char>(begin[-2]));
        const bool comma =
            end + 1 < lineEnd && *end == ',' && std::isdigit(static_cast<unsigned char>(end[1]));
        if (!isNumber || comma || commaBefore || ofEvaluation(rule, line, text))
            return false;
    }
    match.format = rule.format;
    match.rule = rule.index;
    match.kind = rule.rule.kind;
    match.key = group(rule, Key);
    match.unit = rate.empty() ? group(rule, TimeUnit) : group(rule, Unit);
    match.each = !group(rule, Each).empty();
    match.step = integerOf(group(rule, Step));
    match.last = integerOf(group(rule, Last));
    match.epoch = integerOf(group(rule, Epoch));
    match.count = integerOf(group(rule, Count));
    match.batch = integerOf(group(rule, Batch));
    bool ignored = false;
    match.loss = printedNumber(group(rule, Loss), ignored);
    if (const auto rank = integerOf(group(rule, Rank)); rank && *rank < 1'000'000)
        match.rank = static_cast<int>(*rank);
    match.clockS = toDouble(group(rule, ClockS));
    if (const auto ms = toDouble(group(rule, ClockMs)))
        match.clockS = *ms / 1000;
    if (match.value)
        *match.value *= factorOf(group(rule, Suffix));
    if (match.kind == LineKind::Time && match.value && *match.value >= kClockFromS)
        return false;
    if (!match.step)
        findStep(line, match); // overwrites the groups: the last thing done
    match.ranged = match.step && match.last;
    return true;
}

// Numbers of the patterns that may match, in their order.
void LineRules::Private::scan(std::string_view line) const
{
    foundWords.clear();
    hits.clear();
    if (!wordSet)
        return;
    wordSet->Match(Piece(line.data(), line.size()), &foundWords);
    filter.AllPotentials(foundWords, &hits);
    std::sort(hits.begin(), hits.end());
}

void LineRules::Private::addPattern(const std::string &pattern)
{
    int id = 0;
    re2::RE2::Options options(re2::RE2::Quiet);
    if (filter.Add(pattern, options, &id) != re2::RE2::NoError)
        filter.Add(kNothing, options, &id); // keeps the numbers; catalogs refuse such patterns
}

void LineRules::Private::compileWords()
{
    if (filter.NumRegexps() == 0)
        return;
    std::vector<std::string> atoms;
    filter.Compile(&atoms);
    re2::RE2::Options options(re2::RE2::Quiet);
    options.set_literal(true);
    options.set_case_sensitive(false);
    options.set_max_mem(kMostMemory);
    wordSet = std::make_unique<re2::RE2::Set>(options, re2::RE2::UNANCHORED);
    for (const std::string &atom : atoms)
        wordSet->Add(atom, nullptr);
    wordSet->Compile();
}

LineRules::LineRules(std::vector<LineFormat> formats, const LogWords &words)
    : d(std::make_unique<Private>())
{
    d->formats = std::move(formats);
    d->words = words;
    const std::string *any = words.formats.empty() ? nullptr : &words.formats.back().name;
    for (std::size_t f = 0; f < d->formats.size(); ++f)
        for (std::size_t i = 0; i < d->formats[f].lines.size(); ++i) {
            d->rules.push_back(compileRule(d->formats[f].lines[i]));
            d->rules.back().format = static_cast<int>(f);
            d->rules.back().index = static_cast<int>(i);
            d->rules.back().any = any && d->formats[f].name == *any;
        }
    for (const LineRule &fact : words.facts)
        d->rules.push_back(compileRule(fact));
    for (const std::string &pattern : words.steps)
        if (auto step = compiled(pattern); step && step->ok())
            d->steps.push_back(std::move(step));
    for (const FailureRule &failure : words.failures)
        d->failureUnless.push_back(compiled(failure.unless));
    d->notTraining = compiled(words.notTraining);
    std::size_t most = 3;
    for (const CompiledRule &rule : d->rules) {
        d->addPattern(rule.rule.pattern);
        most = std::max(most, static_cast<std::size_t>(rule.groupCount));
    }
    for (const FailureRule &failure : words.failures) {
        d->addPattern(failure.pattern);
        d->failures.push_back(compiled(failure.pattern));
    }
    for (const std::string &pattern : words.finished) {
        d->addPattern(pattern);
        d->finished.push_back(compiled(pattern));
    }
    d->compileWords();
    d->groups.resize(most);
}

LineRules::~LineRules() = default;

bool LineRules::read(std::string_view line, const Visitor &visitor) const
{
    line = line.substr(0, kLongestLine);
    d->scan(line);
    const Piece text(line.data(), line.size());
    const auto holds = [&](const std::unique_ptr<re2::RE2> &pattern) {
        return pattern && re2::RE2::PartialMatch(text, *pattern);
    };
    int seen = -1; // the format that has had its match
    bool said = false;
    const std::size_t ruleCount = d->rules.size(), failureCount = d->failures.size();
    for (const int hit : d->hits) {
        const auto number = static_cast<std::size_t>(hit);
        if (number >= ruleCount + failureCount) {
            if (!holds(d->finished[number - ruleCount - failureCount]))
                continue;
            visitor.finished();
        } else if (number >= ruleCount) {
            if (!holds(d->failures[number - ruleCount]) || holds(d->failureUnless[number - ruleCount]))
                continue;
            visitor.failure(hit - static_cast<int>(ruleCount));
        } else {
            const CompiledRule &rule = d->rules[number];
            LineMatch match;
            if ((rule.format >= 0 && rule.format == seen) || !d->matches(rule, line))
                continue;
            if (rule.format < 0) {
                visitor.facts(d->factsOf(rule));
            } else if (d->take(rule, line, match)) {
                seen = rule.format;
                visitor.match(match);
            }
        }
        said = true;
    }
    return said;
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
    std::string lower(printed);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const auto &[word, name] : d->words.units)
        if (word == lower)
            return name + "/s";
    const bool isTime = rule.kind == LineKind::Time || rule.kind == LineKind::Bar;
    if (isTime || printed.empty())
        return rule.unit.empty() ? "samples/s" : rule.unit;
    return std::string(printed);
}

} // namespace sb
