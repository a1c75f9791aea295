// SPDX-License-Identifier: Apache-2.0
#include "events.h"

#include "clock.h"
#include "version.h"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <sys/resource.h>
#include <unistd.h>

namespace sbtrain {

namespace {

// Bytes of the well-formed UTF-8 character at the front; 0 if there is none.
std::size_t utf8_length(std::string_view text)
{
    const auto byte = [text](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
    };
    const unsigned lead = byte(0);
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xC2 ? 0
                               : lead < 0xE0 ? 2
                               : lead < 0xF0 ? 3
                               : lead < 0xF5 ? 4
                                             : 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80)
            return 0;
    }
    const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
    const bool surrogate = lead == 0xED && byte(1) >= 0xA0;
    const bool too_large = lead == 0xF4 && byte(1) >= 0x90;
    return overlong || surrogate || too_large ? 0 : length;
}

std::string quoted(std::string_view value)
{
    std::string out = "\"";
    while (!value.empty()) {
        const std::size_t length = utf8_length(value);
        const char c = value.front();
        if (length == 0) {
            out += "\xEF\xBF\xBD";
        } else if (c == '"' || c == '\\') {
            out += {'\\', c};
        } else if (static_cast<unsigned char>(c) < 0x20) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
            out += escape;
        } else {
            out += value.substr(0, length);
        }
        value.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return out + "\"";
}

std::string utc_now()
{
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    tm parts{};
    gmtime_r(&now.tv_sec, &parts);
    char text[40];
    const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
    std::snprintf(text + length, sizeof text - length, ".%03dZ", static_cast<int>(now.tv_nsec / 1000000));
    return text;
}

std::string host_name()
{
    char name[256] = {};
    return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

} // namespace

void JsonLine::add_key(std::string_view key)
{
    if (m_text.size() > 1)
        m_text += ',';
    m_text += quoted(key) + ":";
}

JsonLine &JsonLine::text(std::string_view key, std::string_view value)
{
    add_key(key);
    m_text += quoted(value);
    return *this;
}

JsonLine &JsonLine::integer(std::string_view key, std::int64_t value)
{
    add_key(key);
    m_text += std::to_string(value);
    return *this;
}

JsonLine &JsonLine::fixed(std::string_view key, double value, int decimals)
{
    add_key(key);
    char text[400];
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    m_text += std::isfinite(value) ? text : "null";
    return *this;
}

JsonLine &JsonLine::number(std::string_view key, double value)
{
    add_key(key);
    char text[40];
    std::snprintf(text, sizeof text, "%.7g", value);
    m_text += std::isfinite(value) ? text : "null";
    return *this;
}

double EventWriter::seconds() const
{
    return monotonic_s() - m_start_time_s;
}

Result<void> EventWriter::write_line(JsonLine &line)
{
    if (m_rank != 0)
        line.integer("rank", m_rank);
    const std::string text = line.str() + "\n";
    std::string_view rest = text;
    while (!rest.empty()) {
        const ssize_t written = write(m_fd, rest.data(), rest.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return Error{ExitCode::OutputLost,
                         std::string("cannot write events to standard output: ") + std::strerror(errno)};
        rest.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

Result<void> EventWriter::start(const RunFacts &facts)
{
    JsonLine line;
    line.integer("schema", 1).text("event", "start").text("time_utc", utc_now()).text("program", "sbtrain");
    line.text("version", kVersion).text("model", facts.model).text("device", facts.device);
    line.text("device_name", facts.device_name).text("precision", facts.precision);
    line.integer("batch_size", facts.batch_size)
        .integer("global_batch_size", facts.batch_size * facts.micro_batches * facts.world_size);
    if (facts.micro_batches > 1)
        line.integer("micro_batches", facts.micro_batches);
    line.integer("rank", facts.rank).integer("world_size", facts.world_size);
    line.integer("local_rank", facts.local_rank)
        .text("hostname", host_name())
        .integer("threads", facts.threads);
    line.integer("steps", facts.steps).integer("parameters", facts.parameters);
    line.integer("gradient_bytes", facts.gradient_bytes).fixed("flops_per_sample", facts.flops_per_sample, 0);
    line.text("unit", facts.unit).text("optimizer", facts.optimizer).text("data", facts.data);
    if (!facts.jpeg.empty())
        line.text("jpeg", facts.jpeg);
    line.integer("seed", static_cast<std::int64_t>(facts.seed))
        .text("path", facts.path)
        .integer("pid", getpid());
    const Result<void> written = write_line(line);
    m_rank = facts.rank;
    return written;
}

Result<void> EventWriter::ready()
{
    JsonLine line;
    line.text("event", "ready").fixed("time_s", seconds(), 6);
    return write_line(line);
}

Result<void> EventWriter::step(const StepFacts &facts)
{
    const StepReport &report = facts.report;
    JsonLine line;
    line.text("event", "step").integer("step", report.step).fixed("time_s", report.end_time_s, 6);
    line.fixed("step_ms", facts.step_ms, 3).number("loss", report.loss).integer("samples", facts.samples);
    line.fixed("data_ms", report.data_ms, 3).fixed("comm_ms", report.comm_ms, 3);
    line.fixed("compute_ms", report.compute_ms, 3);
    if (report.grad_norm)
        line.number("grad_norm", *report.grad_norm);
    return write_line(line);
}

Result<void> EventWriter::end(std::string_view status, std::int64_t steps, std::int64_t device_memory_bytes)
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    JsonLine line;
    line.text("event", "end").text("status", status).integer("steps", steps).fixed("time_s", seconds(), 6);
    line.integer("peak_memory_bytes", static_cast<std::int64_t>(usage.ru_maxrss) * 1024);
    if (device_memory_bytes > 0)
        line.integer("device_memory_bytes", device_memory_bytes);
    const auto seconds_of = [](const timeval &time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    line.fixed("host_cpu_s", seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime), 3);
    return write_line(line);
}

Result<void> EventWriter::error(const Error &error)
{
    JsonLine line;
    line.text("event", "error")
        .integer("exit_code", static_cast<int>(error.code))
        .text("message", error.message);
    return write_line(line);
}

} // namespace sbtrain
