// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/mlperf_log.h"

#include "core/json.h"

#include <algorithm>
#include <cmath>

namespace sb {

namespace {

constexpr std::string_view kMark = ":::MLLOG ";
constexpr std::size_t kLongestHead = 64;
constexpr std::size_t kMostIntervals = 100'000;

std::optional<std::int64_t> countIn(const JsonNode &node, std::string_view key)
{
    const JsonNode *value = node.find(key);
    if (!value || value->kind != JsonNode::Kind::Integer || value->integer <= 0)
        return std::nullopt;
    return value->integer;
}

} // namespace

struct MlperfReader::Entry {
    double timeMs = 0;
    std::string key;
    std::optional<std::int64_t> value, epochs, samples;
};

std::optional<MlperfReader::Entry> MlperfReader::entryOf(std::string_view line)
{
    const auto node = parseJson(line, "");
    if (!node || node->kind != JsonNode::Kind::Object)
        return std::nullopt;
    const JsonNode *time = node->find("time_ms"), *key = node->find("key");
    if (!time || !key || time->number <= 0)
        return std::nullopt;
    Entry entry{time->number, key->text, countIn(*node, "value"), {}, {}};
    if (const JsonNode *metadata = node->find("metadata")) {
        entry.epochs = countIn(*metadata, "epoch_count");
        entry.samples = countIn(*metadata, "samples_count");
    }
    return entry;
}

bool MlperfReader::readLine(std::string_view line, std::int64_t offset)
{
    const std::size_t at = line.substr(0, kLongestHead).find(kMark); // after what a launcher puts before
    if (at == std::string_view::npos)
        return false;
    line.remove_prefix(at + kMark.size());
    // Most entries are of no use here: they are not taken apart.
    for (const std::string_view wanted :
         {"_start\"", "_stop\"", "\"train_samples\"", "\"global_batch_size\""})
        if (line.find(wanted) != std::string_view::npos) {
            if (const auto entry = entryOf(line))
                take(*entry, offset);
            break;
        }
    return true;
}

void MlperfReader::take(const Entry &entry, std::int64_t offset)
{
    if (entry.key == "train_samples" && entry.value)
        m_trainSamples = entry.value;
    if (entry.key == "global_batch_size" && entry.value)
        m_globalBatch = entry.value;
    for (const char *name : {"epoch", "block"}) {
        if (entry.key == std::string(name) + "_start")
            m_open[name] = {entry.timeMs, entry.epochs.value_or(1)};
        const auto open = m_open.find(name);
        if (entry.key != std::string(name) + "_stop" || open == m_open.end())
            continue;
        const double seconds = (entry.timeMs - open->second.startMs) / 1000;
        if (seconds > 0 && m_ended[name].size() < kMostIntervals)
            m_ended[name].push_back(
                {seconds, entry.timeMs / 1000, open->second.epochs, entry.samples, offset});
        m_open.erase(open);
    }
}

LogSeries MlperfReader::series() const
{
    LogSeries series{"mlperf", LineKind::Rate, "samples/s", "total", {}, 0};
    const auto epochs = m_ended.find("epoch"), blocks = m_ended.find("block");
    const auto &chosen = epochs != m_ended.end() ? epochs : blocks;
    if (chosen == m_ended.end())
        return series;
    std::int64_t number = 0, counted = 0;
    for (const Ended &ended : chosen->second) {
        ++number;
        // `samples_count` goes on over the run where it grows, and is of the interval where it does not.
        std::optional<double> samples;
        if (ended.samples)
            samples =
                static_cast<double>(*ended.samples > counted ? *ended.samples - counted : *ended.samples);
        else if (m_trainSamples)
            samples = static_cast<double>(*m_trainSamples) * static_cast<double>(ended.epochs);
        counted = std::max(counted, ended.samples.value_or(0));
        if (!samples || !std::isfinite(*samples / ended.seconds))
            continue;
        LogPoint point;
        point.value = *samples / ended.seconds;
        point.step = number;
        point.clockS = ended.clockS;
        point.offset = ended.offset;
        series.points.push_back(point);
    }
    series.printed = series.points.size();
    return series;
}

} // namespace sb
