// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/telemetry_file.h"

#include "core/json.h"
#include "core/statistics.h"
#include "core/text.h"

#include <QFile>
#include <QSaveFile>

#include <algorithm>
#include <map>

namespace sb {

namespace {

void set(JsonNode &node, const char *key, const std::optional<double> &value)
{
    if (value)
        node.set(key, *value);
}

std::string gpuLine(double timeS, const TelemetrySample::Gpu &gpu)
{
    JsonNode node = JsonNode::object().set("time_s", timeS).set("gpu", gpu.index);
    set(node, "load_percent", gpu.loadPercent);
    set(node, "sm_clock_mhz", gpu.smClockMHz);
    set(node, "power_w", gpu.powerW);
    set(node, "memory_used_bytes", gpu.memoryUsedBytes);
    set(node, "temperature_c", gpu.temperatureC);
    return writeJson(node, -1) + "\n";
}

struct Line {
    std::optional<double> timeS;
    std::optional<int> gpu;
    std::map<std::string, double> values;

    std::optional<double> value(const std::string &key) const
    {
        const auto found = values.find(key);
        return found == values.end() ? std::nullopt : std::optional(found->second);
    }
};

Line lineOf(std::string_view text)
{
    Line line;
    visitFlatObject(text, [&](const FlatMember &member) {
        if (member.kind != JsonNode::Kind::Number && member.kind != JsonNode::Kind::Integer)
            return;
        const double value =
            member.kind == JsonNode::Kind::Integer ? static_cast<double>(member.integer) : member.number;
        if (member.key == "time_s")
            line.timeS = value;
        else if (member.key == "gpu")
            line.gpu = static_cast<int>(value);
        else
            line.values[std::string(member.key)] = value;
    });
    return line;
}

} // namespace

Result<void> writeTelemetry(const std::string &path, std::span<const TelemetrySample> samples, double startS)
{
    if (samples.empty())
        return {};
    std::string text;
    for (const TelemetrySample &sample : samples) {
        const double timeS = sample.timeS - startS;
        JsonNode node = JsonNode::object().set("time_s", timeS);
        set(node, "cpu_load_percent", sample.cpuLoadPercent);
        set(node, "memory_used_bytes", sample.memoryUsedBytes);
        text += writeJson(node, -1) + "\n";
        for (const TelemetrySample::Gpu &gpu : sample.gpus)
            text += gpuLine(timeS, gpu);
    }
    QSaveFile file(QString::fromStdString(path));
    const auto size = static_cast<qint64>(text.size());
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), size) != size || !file.commit())
        return Error{ErrorCode::Io, path + " cannot be written: " + file.errorString().toStdString() +
                                        ". The run is kept, its clocks and power are not."};
    return {};
}

std::vector<TelemetrySample> readTelemetry(const std::string &path)
{
    std::vector<TelemetrySample> samples;
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly))
        return samples;
    const std::string text = file.readAll().toStdString();
    for (const std::string_view raw : split(text, '\n')) {
        const Line line = lineOf(raw);
        if (!line.timeS)
            continue;
        if (!line.gpu) {
            samples.push_back(
                {*line.timeS, line.value("cpu_load_percent"), line.value("memory_used_bytes"), {}});
            continue;
        }
        if (samples.empty())
            samples.push_back({*line.timeS, {}, {}, {}});
        samples.back().gpus.push_back({*line.gpu, line.value("load_percent"), line.value("sm_clock_mhz"),
                                       line.value("power_w"), line.value("memory_used_bytes"),
                                       line.value("temperature_c")});
    }
    return samples;
}

std::optional<double> slowestClockMHz(std::span<const TelemetrySample> samples, double fromS, double untilS)
{
    std::map<int, std::vector<double>> clocks;
    for (const TelemetrySample &sample : samples)
        if (sample.timeS >= fromS && sample.timeS <= untilS)
            for (const TelemetrySample::Gpu &gpu : sample.gpus)
                // Idle ones, which this run does not use, clock down.
                if (gpu.smClockMHz && gpu.loadPercent.value_or(100) > 0)
                    clocks[gpu.index].push_back(*gpu.smClockMHz);
    std::optional<double> slowest;
    for (const auto &[gpu, values] : clocks)
        if (const auto middle = median(values))
            slowest = std::min(slowest.value_or(*middle), *middle);
    return slowest;
}

} // namespace sb
