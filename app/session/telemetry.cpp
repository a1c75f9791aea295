// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/telemetry.h"

#include "core/text.h"

#include <QTimer>

namespace sb {

namespace {

// Only shell built-ins between two sleeps: on a small node every process started here is taken from the
// training. nvidia-smi keeps running and prints a line a second by itself.
constexpr const char *kTelemetry = R"sh(LC_ALL=C
export LC_ALL
if command -v nvidia-smi >/dev/null 2>&1; then
  nvidia-smi --query-gpu=index,utilization.gpu,clocks.sm,power.draw,memory.used,temperature.gpu --format=csv,noheader,nounits -l 1 2>/dev/null |
    while IFS= read -r l; do echo "gpu $l" || exit; done &
fi
while :; do
  read -r up x </proc/uptime
  read -r cpu </proc/stat
  t= a=
  while read -r k v x; do
    case $k in MemTotal:) t=$v ;; MemAvailable:) a=$v; break ;; esac
  done </proc/meminfo
  echo "mem $t $a"
  echo "$cpu"
  echo "end $up" || exit
  sleep 1
done)sh";

constexpr qsizetype kLongestLine = 4096;

std::optional<double> field(const std::vector<std::string_view> &parts, std::size_t index)
{
    return index < parts.size() ? toDouble(trimmed(parts[index])) : std::nullopt;
}

std::optional<double> mebibytes(std::optional<double> value)
{
    return value ? std::optional(*value * 1024 * 1024) : std::nullopt;
}

std::vector<std::string_view> words(std::string_view line)
{
    std::vector<std::string_view> parts;
    for (const std::string_view part : split(line, ' '))
        if (!part.empty())
            parts.push_back(part);
    return parts;
}

} // namespace

ProcessSpec telemetrySpec()
{
    ProcessSpec spec;
    spec.argv = {"sh", "-c", kTelemetry};
    return spec;
}

std::optional<TelemetrySample> TelemetryReader::readLine(std::string_view line)
{
    const auto parts = words(line);
    if (parts.size() < 2)
        return std::nullopt;
    if (parts[0] == "mem") {
        const auto total = field(parts, 1);
        const auto available = field(parts, 2);
        if (total && available)
            m_next.memoryUsedBytes = (*total - *available) * 1024.0;
    } else if (parts[0] == "cpu") {
        // /proc/stat: user nice system idle iowait irq softirq steal (proc(5)); idle and iowait are rest.
        double total = 0;
        for (std::size_t i = 1; i < parts.size() && i <= 8; ++i)
            total += field(parts, i).value_or(0);
        const double busy = total - field(parts, 4).value_or(0) - field(parts, 5).value_or(0);
        if (m_total && total > *m_total)
            m_next.cpuLoadPercent = 100.0 * (busy - *m_busy) / (total - *m_total);
        m_total = total;
        m_busy = busy;
    } else if (parts[0] == "gpu") {
        const auto values = split(line.substr(4), ',');
        TelemetrySample::Gpu gpu;
        const auto index = field(values, 0);
        if (!index)
            return std::nullopt;
        gpu.index = static_cast<int>(*index);
        gpu.loadPercent = field(values, 1);
        gpu.smClockMHz = field(values, 2);
        gpu.powerW = field(values, 3);
        gpu.memoryUsedBytes = mebibytes(field(values, 4));
        gpu.temperatureC = field(values, 5);
        std::erase_if(m_next.gpus, [&](const auto &known) { return known.index == gpu.index; });
        m_next.gpus.push_back(gpu);
    } else if (parts[0] == "end") {
        const auto uptime = field(parts, 1);
        if (!uptime)
            return std::nullopt;
        if (!m_startS)
            m_startS = *uptime;
        TelemetrySample sample = m_next;
        sample.timeS = *uptime - *m_startS;
        m_next = TelemetrySample();
        return sample;
    }
    return std::nullopt;
}

Telemetry::Telemetry(Host *host, QObject *parent)
    : QObject(parent)
    , m_host(host)
{
    start();
}

Telemetry::~Telemetry()
{
    if (m_process) {
        m_process->disconnect(this);
        m_process->close();
    }
}

void Telemetry::start()
{
    m_process = m_host->start(telemetrySpec());
    m_pending.clear();
    connect(m_process, &HostProcess::outputReady, this, [this](const QByteArray &bytes) {
        m_pending += bytes;
        qsizetype end = 0;
        while ((end = m_pending.indexOf('\n')) >= 0) {
            const std::string line = m_pending.left(end).toStdString();
            m_pending.remove(0, end + 1);
            if (const auto sample = m_reader.readLine(line))
                Q_EMIT sampled(*sample);
        }
        if (m_pending.size() > kLongestLine)
            m_pending.clear();
    });
    connect(m_process, &HostProcess::finished, this,
            [this](const ProcessEnd &) { QTimer::singleShot(2000, this, [this] { start(); }); });
}

} // namespace sb
