// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/log_reader.h"

#include "core/json.h"

#include <string>
#include <utility>
#include <vector>

namespace sb {

class LogReader::Text {
public:
    explicit Text(std::shared_ptr<const LineRules> shared)
        : rules(std::move(shared))
        , collector(*rules, LogCollector::Keep::Last)
    {
    }

    std::shared_ptr<const LineRules> rules;
    LogCollector collector;
};

LogReader::LogReader(const LogFormat &format, int rank)
    : LogReader(rulesOf(format), rank)
{
}

LogReader::LogReader(std::shared_ptr<const LineRules> rules, int rank)
    : m_rank(rank)
{
    if (rules)
        m_text = std::make_unique<Text>(std::move(rules));
}

std::shared_ptr<const LineRules> LogReader::rulesOf(const LogFormat &format)
{
    if (!format.words)
        return nullptr;
    std::vector<LineFormat> formats;
    if (format.rule == LogRule::Lines)
        formats.push_back({"", format.lines});
    return std::make_shared<const LineRules>(std::move(formats), *format.words);
}

LogReader::~LogReader() = default;
LogReader::LogReader(LogReader &&) noexcept = default;
LogReader &LogReader::operator=(LogReader &&) noexcept = default;

LogReader::Kind LogReader::readLine(std::string_view line, std::int64_t offset)
{
    if (!line.empty() && line.front() == '{')
        if (const Kind kind = readJsonLine(line, offset); kind != Kind::Other)
            return kind;
    return m_text ? readTextLine(line, offset) : Kind::Other;
}

LogReader::Kind LogReader::readTextLine(std::string_view line, std::int64_t offset)
{
    const auto sample = m_text->collector.readLive(line, offset);
    if (const auto failure = m_text->collector.failure())
        m_failure = failure;
    // Batch, devices and nodes may stand in lines of their own: each that comes makes it whole.
    if (const auto batch = m_text->collector.globalBatch(); batch && m_facts.globalBatchSize != batch) {
        m_facts.globalBatchSize = batch;
        return Kind::Start;
    }
    if (!sample)
        return Kind::Other;
    m_sample = *sample;
    m_sample.rank = m_rank;
    return Kind::Step;
}

namespace {

// The members of all events of backend/EVENTS.md; which of them matter depends on "event".
struct Event {
    std::string name;
    std::optional<std::int64_t> step;
    Sample sample;
    RunFacts facts;
    std::string status;
    std::string message;
    std::optional<std::int64_t> peakMemoryBytes;
};

void takeText(Event &event, std::string_view key, std::string_view text)
{
    if (key == "event")
        event.name = text;
    else if (key == "status")
        event.status = text;
    else if (key == "message")
        event.message = text;
    else if (key == "device_name")
        event.facts.deviceName = text;
    else if (key == "program")
        event.facts.programName = text;
    else if (key == "version")
        event.facts.programVersion = text;
    else if (key == "path")
        event.facts.path = text;
    else if (key == "unit")
        event.facts.unit = text;
}

void takeInteger(Event &event, std::string_view key, std::int64_t value)
{
    if (key == "step")
        event.step = value;
    else if (key == "samples")
        event.sample.samples = value;
    else if (key == "parameters")
        event.facts.parameters = value;
    else if (key == "gradient_bytes")
        event.facts.gradientBytes = value;
    else if (key == "global_batch_size")
        event.facts.globalBatchSize = value;
    else if (key == "world_size" && value > 0 && value < INT32_MAX)
        event.facts.worldSize = static_cast<int>(value);
    else if (key == "peak_memory_bytes")
        event.peakMemoryBytes = value;
}

void takeNumber(Event &event, std::string_view key, double value)
{
    if (key == "time_s")
        event.sample.timeS = value;
    else if (key == "step_ms")
        event.sample.stepTimeMs = value;
    else if (key == "loss")
        event.sample.loss = value;
    else if (key == "data_ms")
        event.sample.dataTimeMs = value;
    else if (key == "comm_ms")
        event.sample.commTimeMs = value;
    else if (key == "compute_ms")
        event.sample.computeTimeMs = value;
    else if (key == "flops_per_sample")
        event.facts.flopsPerSample = value;
}

} // namespace

LogReader::Kind LogReader::readJsonLine(std::string_view line, std::int64_t offset)
{
    if (line.empty() || line.front() != '{')
        return Kind::Other;
    Event event;
    const bool whole = visitFlatObject(line, [&event](const FlatMember &member) {
        if (member.kind == JsonNode::Kind::String)
            takeText(event, member.key, member.text);
        if (member.kind == JsonNode::Kind::Integer)
            takeInteger(event, member.key, member.integer);
        if (member.kind == JsonNode::Kind::Integer || member.kind == JsonNode::Kind::Number)
            takeNumber(event, member.key, member.number);
    });
    if (!whole)
        return Kind::Other; // a line cut in half says nothing
    if (event.name == "step" && event.step && *event.step > 0) {
        m_sample = event.sample;
        m_sample.rank = m_rank;
        m_sample.step = *event.step;
        m_sample.logOffset = offset;
        return Kind::Step;
    }
    if (event.name == "start") {
        m_facts = event.facts;
        return Kind::Start;
    }
    if (event.name == "ready")
        return Kind::Ready;
    if (event.name == "end") {
        m_end = RunEnd{event.status == "ok", event.status == "ok" ? "" : event.status, event.peakMemoryBytes};
        return Kind::End;
    }
    if (event.name == "error") {
        m_end = RunEnd{false, event.message, std::nullopt};
        return Kind::End;
    }
    return Kind::Other;
}

} // namespace sb
