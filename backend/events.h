// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device.h"

#include <string>
#include <string_view>

namespace sbtrain {

// One flat JSON object on one line, written by hand. Strings may hold any bytes: what is not UTF-8 becomes
// U+FFFD, what JSON does not allow is escaped. Numbers that are not finite become null.
class JsonLine {
public:
    JsonLine &text(std::string_view key, std::string_view value);
    JsonLine &integer(std::string_view key, std::int64_t value);
    JsonLine &fixed(std::string_view key, double value, int decimals);
    JsonLine &number(std::string_view key, double value); // 7 significant digits
    std::string str() const { return m_text + "}"; }      // without the line's end

private:
    void add_key(std::string_view key);
    std::string m_text = "{";
};

// What the first event says about the run. See EVENTS.md.
struct RunFacts {
    std::string model, device, device_name, precision, unit, optimizer, data, path;
    std::string jpeg; // what decodes JPEG files; empty: there are none
    std::int64_t batch_size = 0;
    std::int64_t micro_batches = 1;
    int rank = 0;
    int world_size = 1;
    int local_rank = 0;
    int threads = 1;
    std::int64_t steps = 0;
    std::int64_t parameters = 0;
    std::int64_t gradient_bytes = 0;
    double flops_per_sample = 0.0;
    std::uint64_t seed = 0;
};

struct StepFacts {
    StepReport report;
    double step_ms = 0.0;
    std::int64_t samples = 0; // of all processes
};

// Writes events to a file descriptor, each with one write, so that lines of processes that share a pipe do
// not mix. Ranks other than 0 add "rank" to every line. Failure: ExitCode::OutputLost (nobody reads, or the
// disk is full).
class EventWriter {
public:
    EventWriter(int fd, double start_time_s)
        : m_fd(fd)
        , m_start_time_s(start_time_s)
    {
    }

    Result<void> start(const RunFacts &facts);
    Result<void> ready();
    Result<void> step(const StepFacts &facts);
    // device_memory_bytes: 0 for devices that compute in the host's memory.
    Result<void> end(std::string_view status, std::int64_t steps, std::int64_t device_memory_bytes = 0);
    Result<void> error(const Error &error);

private:
    Result<void> write_line(JsonLine &line);
    double seconds() const;

    int m_fd;
    double m_start_time_s;
    int m_rank = 0;
};

} // namespace sbtrain
