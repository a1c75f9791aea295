// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/rule_patterns.h"

#include "catalog/word_finder.h"

#include <re2/filtered_re2.h>
#include <re2/re2.h>

#include <algorithm>
#include <string>

namespace sb {

namespace {

using Piece = re2::StringPiece;

constexpr std::array<const char *, GroupCount> kGroups{
    "rate",  "time", "suffix", "unit",  "time_unit", "count", "each",         "key",   "step",     "last",
    "epoch", "loss", "rank",   "clock", "clock_ms",  "batch", "global_batch", "nodes", "per_node", "world"};

constexpr int kShortestWord = 3;
constexpr const char *kNothing = "nothing\\z\\b"; // never matches

struct CompiledPattern {
    RulePatterns::Owner owner;
    ShapePattern pattern, unless;
    bool any = false; // of the format for any text, whose numbers may be of an evaluation
    std::array<std::array<int, 2>, GroupCount> groups{}; // numbers; the second is of a name that ends in "2"
    int groupCount = 0;
};

CompiledPattern compilePattern(const RulePatterns::Owner &owner, const std::string &pattern,
                               const std::string &unless)
{
    CompiledPattern result{.owner = owner, .pattern = ShapePattern(pattern), .unless = ShapePattern(unless)};
    if (!result.pattern || owner.kind == RulePatterns::Kind::Failure || owner.kind == RulePatterns::Kind::End)
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

} // namespace

class RulePatterns::Private {
public:
    explicit Private(const LogWords &words)
        : heads(words)
        , notTraining(words.notTraining)
    {
    }

    std::vector<CompiledPattern> patterns;
    std::vector<ShapePattern> steps;
    LineHeadReader heads;
    ShapePattern notTraining;
    // Every pattern needs some plain words. One automaton looks for all of the words at once, and only the
    // patterns whose words are there are tried: most lines of a log have none.
    re2::FilteredRE2 filter{kShortestWord};
    std::optional<WordFinder> finder;
    bool shapesCount = true;
    mutable std::vector<int> foundWords, candidates;
    mutable std::vector<Piece> groups;

    void add(CompiledPattern pattern, const std::string &text);
    void compileWords();
    LineSpan spanOf(int group, std::string_view line) const;
    bool varies(const CompiledPattern &pattern, std::string_view line) const;
};

void RulePatterns::Private::add(CompiledPattern pattern, const std::string &text)
{
    int id = 0;
    const re2::RE2::Options options(re2::RE2::Quiet);
    const auto loose = withLooseDigits(text); // so that lines of a shape have the same words
    shapesCount = shapesCount && loose;
    if (filter.Add(loose.value_or(text), options, &id) != re2::RE2::NoError)
        filter.Add(kNothing, options, &id); // keeps the numbers; catalogs refuse such patterns
    groups.resize(std::max(groups.size(), static_cast<std::size_t>(pattern.groupCount)));
    patterns.push_back(std::move(pattern));
}

void RulePatterns::Private::compileWords()
{
    if (filter.NumRegexps() == 0)
        return;
    std::vector<std::string> words;
    filter.Compile(&words);
    finder.emplace(words);
}

LineSpan RulePatterns::Private::spanOf(int group, std::string_view line) const
{
    const Piece &piece = groups[static_cast<std::size_t>(group)];
    if (group == 0 || piece.empty())
        return {};
    return {static_cast<std::uint32_t>(piece.data() - line.data()), static_cast<std::uint32_t>(piece.size())};
}

bool RulePatterns::Private::varies(const CompiledPattern &pattern, std::string_view line) const
{
    return pattern.pattern.varies(line) || pattern.unless.varies(line) ||
           (pattern.any && notTraining.varies(line));
}

RulePatterns::RulePatterns(const std::vector<LineFormat> &formats, const LogWords &words)
    : d(std::make_unique<Private>(words))
{
    d->groups.resize(3); // of steps
    const auto add = [&](const Owner &owner, const std::string &pattern, const std::string &unless) {
        CompiledPattern compiled = compilePattern(owner, pattern, unless);
        compiled.any = owner.kind == Kind::Format && !words.formats.empty() &&
                       formats[static_cast<std::size_t>(owner.format)].name == words.formats.back().name;
        d->add(std::move(compiled), pattern);
    };
    const auto number = [](std::size_t i) { return static_cast<int>(i); };
    for (std::size_t f = 0; f < formats.size(); ++f)
        for (std::size_t i = 0; i < formats[f].lines.size(); ++i) {
            const LineRule &rule = formats[f].lines[i];
            add({Kind::Format, number(f), number(i), rule.kind}, rule.pattern, rule.unless);
        }
    for (std::size_t i = 0; i < words.facts.size(); ++i)
        add({Kind::Fact, -1, number(i), LineKind::Fact}, words.facts[i].pattern, words.facts[i].unless);
    for (std::size_t i = 0; i < words.failures.size(); ++i)
        add({Kind::Failure, -1, number(i), LineKind::Fact}, words.failures[i].pattern,
            words.failures[i].unless);
    for (std::size_t i = 0; i < words.finished.size(); ++i)
        add({Kind::End, -1, number(i), LineKind::Fact}, words.finished[i], "");
    for (const std::string &pattern : words.steps)
        if (ShapePattern step(pattern); step)
            d->steps.push_back(std::move(step));
    d->compileWords();
}

RulePatterns::~RulePatterns() = default;

const RulePatterns::Owner &RulePatterns::owner(std::size_t number) const
{
    return d->patterns[number].owner;
}

bool RulePatterns::shapesCount() const
{
    return d->shapesCount;
}

const std::vector<int> &RulePatterns::candidates(std::string_view line) const
{
    d->candidates.clear();
    if (d->finder) {
        d->finder->find(line, d->foundWords);
        d->filter.AllPotentials(d->foundWords, &d->candidates);
        std::sort(d->candidates.begin(), d->candidates.end());
    }
    return d->candidates;
}

std::optional<RuleHit> RulePatterns::hitOf(std::size_t number, std::string_view line) const
{
    RuleHit hit{.number = number};
    const CompiledPattern &pattern = d->patterns[number];
    const Piece text(line.data(), line.size());
    if (!pattern.pattern || pattern.unless.holds(line) ||
        !pattern.pattern->Match(text, 0, text.size(), re2::RE2::UNANCHORED, d->groups.data(),
                                pattern.groupCount))
        return std::nullopt;
    for (std::size_t i = 0; i < GroupCount; ++i)
        for (const int group : pattern.groups[i])
            if (hit.groups[i].length == 0)
                hit.groups[i] = d->spanOf(group, line);
    const LineSpan &value = hit.value();
    hit.ofEvaluation = pattern.any && value.length > 0 && d->notTraining.holds(line.substr(0, value.at));
    return hit;
}

StepSpans RulePatterns::stepOf(std::string_view line) const
{
    const Piece text(line.data(), line.size());
    for (const ShapePattern &pattern : d->steps) {
        const int count = std::min(pattern->NumberOfCapturingGroups() + 1, 3);
        if (pattern->Match(text, 0, text.size(), re2::RE2::UNANCHORED, d->groups.data(), count))
            return {d->spanOf(1, line), count > 2 ? d->spanOf(2, line) : LineSpan()};
    }
    return {};
}

HeadSpans RulePatterns::headOf(std::string_view line) const
{
    return d->heads.quickSpans(line);
}

LineShape RulePatterns::shapeOf(const std::vector<int> &candidates, std::string_view line) const
{
    LineShape shape;
    bool numbers = false;
    for (const int candidate : candidates) {
        const auto number = static_cast<std::size_t>(candidate);
        shape.varies = shape.varies || d->varies(d->patterns[number], line);
        if (const auto hit = hitOf(number, line)) {
            numbers = numbers || owner(number).kind == Kind::Format;
            shape.hits.push_back(*hit);
        }
    }
    if (numbers) {
        const auto stepVaries = [&](const ShapePattern &step) { return step.varies(line); };
        shape.step = stepOf(line);
        shape.head = d->heads.spans(line);
        shape.varies =
            shape.varies || shape.head.varies || std::any_of(d->steps.begin(), d->steps.end(), stepVaries);
    }
    return shape;
}

} // namespace sb
