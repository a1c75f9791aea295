// SPDX-License-Identifier: GPL-3.0-or-later
// The load of a run's first node, kept beside its logs: telemetry.jsonl, a JSON object a line.
//
//   {"time_s":3.01,"cpu_load_percent":12.5,"memory_used_bytes":8.1e9}
//   {"time_s":3.01,"gpu":0,"load_percent":98,"sm_clock_mhz":1830,"power_w":512.3,"temperature_c":61}
//
// Times are seconds since the run's own clock began, as far as telemetry, a sample a second, can tell.
#pragma once

#include "core/result.h"
#include "core/sample.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sb {

inline constexpr const char *kTelemetryFile = "telemetry.jsonl";

// Whole or not at all. `startS` is the telemetry time at which the run's clock was 0. Writes nothing for no
// samples.
Result<void> writeTelemetry(const std::string &path, std::span<const TelemetrySample> samples, double startS);
// Empty where there is no such file; lines that are something else are skipped.
std::vector<TelemetrySample> readTelemetry(const std::string &path);

// The lowest of the GPUs' median clocks between two times; nothing where no GPU told its clock.
std::optional<double> slowestClockMHz(std::span<const TelemetrySample> samples, double fromS, double untilS);

} // namespace sb
