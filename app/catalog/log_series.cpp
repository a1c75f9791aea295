// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/log_series.h"

#include "core/text.h"

#include <algorithm>
#include <set>

namespace sb {

namespace {

constexpr std::size_t kMostCandidates = 200;
constexpr std::size_t kShownBytes = 300;
constexpr std::size_t kFewPoints = 3;
constexpr double kHalfDayS = 43200;
constexpr std::int64_t kMostCounted = 1'000'000; // samples of a batch, nodes, devices

double secondsPer(const std::string &unit)
{
    if (unit.starts_with("ms"))
        return 1e-3;
    if (unit.starts_with("us"))
        return 1e-6;
    return 1;
}

} // namespace

Sample sampleOf(const LogPoint &point, const LogSeries &series, std::int64_t world)
{
    Sample sample;
    sample.step = point.last.value_or(point.step.value_or(0));
    sample.timeS = point.clockS;
    sample.loss = point.loss;
    sample.logOffset = point.offset;
    if (!point.value)
        return sample;
    switch (series.kind) {
    case LineKind::Rate:
    case LineKind::Mean:
        sample.samplesPerS = *point.value;
        if (series.scope == "per_gpu" && world > 0)
            *sample.samplesPerS *= static_cast<double>(world);
        break;
    case LineKind::Time: {
        const auto steps = static_cast<double>(std::max<std::int64_t>(point.count.value_or(1), 1));
        sample.stepTimeMs = *point.value * secondsPer(series.unit) * 1000 / steps;
        break;
    }
    case LineKind::Steps:
        if (*point.value > 0)
            sample.stepTimeMs = 1000 / *point.value;
        break;
    case LineKind::Bandwidth:
    case LineKind::Clock:
    case LineKind::Bar:
    case LineKind::Fact:
        break;
    }
    return sample;
}

std::vector<Sample> samplesOf(const LogSeries &series, std::int64_t world)
{
    std::vector<Sample> samples;
    std::int64_t base = 0, previous = 0, shift = 0;
    double day = 0;
    std::optional<double> clock;
    if (series.points.size() > 1 && series.points[0].step && series.points[1].step &&
        !series.points[0].last) { // from 0 on, one by one (0, 1, …) or by intervals (19, 39, …)
        const std::int64_t first = *series.points[0].step;
        const std::int64_t interval = *series.points[1].step - first;
        shift = first == 0 || (interval > 1 && (first + 1) % interval == 0) ? 1 : 0;
    }
    for (const LogPoint &point : series.points) {
        Sample sample = sampleOf(point, series, world);
        if (!point.step)
            sample.step = previous + 1;
        else
            sample.step += shift;
        if (sample.step < previous) // counted anew: the next epoch
            base += previous;
        previous = sample.step;
        sample.step += base;
        if (sample.timeS) { // a clock without date goes back at midnight
            if (clock && *sample.timeS + kHalfDayS < *clock)
                day += 2 * kHalfDayS;
            clock = sample.timeS;
            *sample.timeS += day;
        }
        samples.push_back(sample);
    }
    return samples;
}

LogCollector::LogCollector(const LineRules &rules, Keep keep, std::size_t mostPoints)
    : m_rules(rules)
    , m_keep(keep)
    , m_mostPoints(mostPoints)
{
}

void LogCollector::read(std::string_view line, std::int64_t offset, bool complete)
{
    std::string clean;
    if (line.find('\x1b') != std::string_view::npos) {
        clean = withoutColours(line);
        line = clean;
    }
    const LineSays &says = m_rules.read(line);
    if (says.nothing())
        return;
    if (complete)
        for (const LineMatch &match : says.matches)
            take(match, line, *says.head, offset);
    for (const LineFacts &facts : says.facts)
        takeFacts(facts);
    for (const int failure : says.failures)
        takeFailure(failure, line);
    m_finished = m_finished || says.finished;
}

void LogCollector::takeFailure(int failure, std::string_view line)
{
    if (m_finished && m_rules.words().failures[static_cast<std::size_t>(failure)].afterFinish.empty())
        return;
    if (m_failure && *m_failure <= failure)
        return;
    m_failure = failure;
    m_failureLine = validUtf8(trimmed(line).substr(0, kShownBytes));
    m_failedAfterFinish = m_finished;
}

void LogCollector::takeFacts(const LineFacts &facts)
{
    // Larger ones are of something else, and their products would not fit.
    const auto keep = [](std::int64_t &known, std::int64_t said, std::int64_t most = kMostCounted) {
        if (known == 0 && said <= most)
            known = said;
    };
    keep(m_facts.batch, facts.batch);
    keep(m_facts.globalBatch, facts.globalBatch, kMostCounted * kMostCounted); // of tokens, at times
    keep(m_facts.nodes, facts.nodes);
    keep(m_facts.perNode, facts.perNode);
    keep(m_facts.world, facts.world);
}

std::optional<std::int64_t> LogCollector::globalBatch() const
{
    if (m_facts.globalBatch > 0)
        return m_facts.globalBatch;
    if (m_facts.batch > 0 && devices() > 0)
        return m_facts.batch * devices();
    return std::nullopt;
}

std::int64_t LogCollector::devices() const
{
    return m_facts.world > 0 ? m_facts.world : std::max<std::int64_t>(m_facts.nodes, 1) * m_facts.perNode;
}

std::optional<Sample> LogCollector::readLive(std::string_view line, std::int64_t offset)
{
    m_taken.reset();
    read(line, offset);
    if (!m_taken)
        return std::nullopt;
    const Candidate &candidate = m_candidates[*m_taken];
    const int rank = rankOf(candidate);
    if (rank > m_bestLive || candidate.points.empty())
        return std::nullopt;
    m_bestLive = rank;
    Sample sample = sampleOf(candidate.points.back(), seriesOf(candidate), devices());
    if (!candidate.hasStep)
        sample.step = static_cast<std::int64_t>(candidate.count);
    return sample;
}

LogCollector::Candidate &LogCollector::candidateOf(const LineMatch &match)
{
    for (Candidate &candidate : m_candidates)
        if (candidate.format == match.format && candidate.rule == match.rule &&
            candidate.hasStep == match.hasStep && candidate.each == match.each &&
            candidate.key == match.key && candidate.unit == match.unit)
            return candidate;
    if (m_candidates.size() >= kMostCandidates)
        return m_candidates.back();
    Candidate candidate;
    candidate.format = match.format;
    candidate.rule = match.rule;
    candidate.kind = match.kind;
    candidate.hasStep = match.hasStep;
    candidate.each = match.each;
    candidate.key = match.key;
    candidate.unit = match.unit;
    m_candidates.push_back(std::move(candidate));
    return m_candidates.back();
}

void LogCollector::take(const LineMatch &match, std::string_view line, const HeadSpans &head,
                        std::int64_t offset)
{
    Candidate &candidate = candidateOf(match);
    const std::string_view rest = line.substr(head.length);
    const int rank = LineHeadReader::rankOf(line, head).value_or(-1);
    const bool hasDate = head.date.has_value();
    // Two loggers write one message: the same words, one line with a date and one without.
    if (candidate.count > 0 && candidate.lastRank == rank && hasDate != candidate.lastHadDate &&
        candidate.lastRest == rest) {
        const bool isKept = m_keep == Keep::Last || candidate.count == candidate.points.size();
        if (std::optional<double> &clock = candidate.points.back().clockS; isKept && !clock)
            clock = LineHeadReader::headOf(line, head).clockS;
        candidate.lastRest.clear();
        return;
    }
    candidate.lastRest = rest;
    candidate.lastRank = rank;
    candidate.lastHadDate = hasDate;
    candidate.count += 1;
    m_taken = static_cast<std::size_t>(&candidate - m_candidates.data());
    if (m_keep == Keep::Last)
        candidate.points.clear();
    if (candidate.points.size() >= m_mostPoints)
        return;
    LineNumbers numbers = LineRules::numbersOf(match, line);
    const LineFormat &format = m_rules.formats()[static_cast<std::size_t>(match.format)];
    for (std::optional<std::int64_t> *step : {&numbers.step, &numbers.last})
        if (*step) // ours count from 1
            **step += 1 - format.lines[static_cast<std::size_t>(match.rule)].countsFrom;
    LogPoint point{numbers.value,
                   numbers.step,
                   numbers.last,
                   numbers.count,
                   numbers.clockS,
                   numbers.loss,
                   numbers.rank.value_or(rank),
                   offset};
    if (!point.clockS && hasDate)
        point.clockS = LineHeadReader::headOf(line, head).clockS;
    candidate.points.push_back(point);
}

// The lower the better: which of the numbers of one program is its throughput.
int LogCollector::rankOf(const Candidate &candidate) const
{
    const bool many = candidate.count >= kFewPoints;
    switch (candidate.kind) {
    case LineKind::Bandwidth:
        return 0;
    case LineKind::Rate:
        return candidate.hasStep ? 1 : many ? 2 : 6;
    case LineKind::Steps:
        return candidate.hasStep || many ? 3 : 7;
    case LineKind::Time:
        return candidate.hasStep || many ? 4 : 8;
    case LineKind::Mean:
        return 5;
    case LineKind::Bar:
        return 9;
    case LineKind::Clock:
        return 10;
    case LineKind::Fact:
        break;
    }
    return 11;
}

LogSeries LogCollector::seriesOf(const Candidate &candidate) const
{
    const LineFormat &format = m_rules.formats()[static_cast<std::size_t>(candidate.format)];
    const LineRule &rule = format.lines[static_cast<std::size_t>(candidate.rule)];
    LogSeries series{format.name, candidate.kind,   m_rules.unitName(candidate.unit, rule),
                     rule.scope,  candidate.points, candidate.count};
    if (candidate.kind == LineKind::Time) { // "ms/iteration", "s/100 iterations"
        const std::string printed =
            candidate.unit.empty() ? rule.unit.substr(0, rule.unit.find('/')) : candidate.unit;
        const auto count = candidate.points.empty() ? std::nullopt : candidate.points.front().count;
        series.unit =
            printed + (count && *count > 1 ? "/" + std::to_string(*count) + " iterations" : "/iteration");
    }
    if (candidate.kind == LineKind::Bar) { // a bar rewrites itself: its last state counts
        std::erase_if(series.points, [](const LogPoint &point) { return point.step != point.count; });
        if (series.points.empty())
            series.points = candidate.points;
        series.printed = series.points.size();
    }
    if (candidate.each)
        series.scope = "per_gpu";
    std::set<int> ranks;
    for (const LogPoint &point : series.points)
        ranks.insert(point.rank);
    if (series.scope.empty() && (candidate.kind == LineKind::Bar || ranks.size() > 1))
        series.scope = "per_rank";
    if (series.scope.empty())
        series.scope = "total";
    return series;
}

// A program that is known is believed before the rules for any text, if it says about as much.
LogSeries LogCollector::series() const
{
    const Candidate *known = nullptr, *any = nullptr;
    const int anyFormat = static_cast<int>(m_rules.formats().size()) - 1;
    for (const Candidate &candidate : m_candidates) {
        const Candidate *&best = candidate.format == anyFormat ? any : known;
        if (!best || rankOf(candidate) < rankOf(*best) ||
            (rankOf(candidate) == rankOf(*best) && candidate.count > best->count))
            best = &candidate;
    }
    if (known && any) {
        const bool saysAsMuch = rankOf(*known) <= rankOf(*any) + 1 && 2 * known->count >= any->count;
        return seriesOf(rankOf(*known) < rankOf(*any) || saysAsMuch ? *known : *any);
    }
    return known || any ? seriesOf(known ? *known : *any) : LogSeries();
}

std::optional<LogFailure> LogCollector::failure() const
{
    if (!m_failure)
        return std::nullopt;
    const FailureRule &rule = m_rules.words().failures[static_cast<std::size_t>(*m_failure)];
    return LogFailure{m_failedAfterFinish ? rule.afterFinish : rule.name, m_failureLine, rule.advice};
}

} // namespace sb
