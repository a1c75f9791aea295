// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/node_prober.h"

#include "core/text.h"
#include "session/network_choice.h"
#include "session/probe_script.h"

#include <QDateTime>

#include <map>
#include <utility>

namespace sb {

namespace {

constexpr const char *kShell = R"sh(eval "$1")sh";

std::optional<std::string> nonEmpty(std::string_view value)
{
    return value.empty() ? std::nullopt : std::optional(validUtf8(value));
}

std::optional<double> kibibytes(std::string_view value)
{
    const auto number = toDouble(value);
    return number ? std::optional(*number * 1024.0) : std::nullopt;
}

std::optional<std::string> simdOf(std::string_view flags)
{
    const auto has = [flags](std::string_view flag) {
        for (const std::string_view word : split(flags, ' '))
            if (word == flag)
                return true;
        return false;
    };
    if (has("avx512f"))
        return "AVX-512";
    if (has("avx2"))
        return "AVX2";
    if (has("sve"))
        return "SVE";
    return has("asimd") ? std::optional<std::string>("NEON") : std::nullopt;
}

// cgroup v2 "cpu.max": "200000 100000" is two cores, "max 100000" no limit.
std::optional<int> quotaCores(std::string_view value)
{
    const auto parts = split(value, ' ');
    if (parts.size() != 2)
        return std::nullopt;
    const auto quota = toDouble(parts[0]);
    const auto period = toDouble(parts[1]);
    if (!quota || !period || *period <= 0 || *quota <= 0)
        return std::nullopt;
    return std::max(1, static_cast<int>(*quota / *period));
}

// "0, NVIDIA H200, GPU-…, 00000000:18:00.0, 143771, 580.95"
void takeGpu(NodeFacts &facts, std::string_view value)
{
    const auto parts = split(value, ',');
    if (parts.size() != 6)
        return;
    const auto index = toInteger(trimmed(parts[0]));
    if (!index)
        return;
    GpuFacts gpu;
    gpu.index = static_cast<int>(*index);
    gpu.name = validUtf8(trimmed(parts[1]));
    gpu.uuid = nonEmpty(trimmed(parts[2]));
    gpu.pciBusId = nonEmpty(trimmed(parts[3]));
    if (const auto mebibytes = toDouble(trimmed(parts[4])))
        gpu.memoryBytes = *mebibytes * 1024 * 1024;
    facts.driverVersion = nonEmpty(trimmed(parts[5]));
    facts.gpus.push_back(std::move(gpu));
}

void takeInterface(NodeFacts &facts, std::string_view value)
{
    const auto parts = split(value, ' ');
    NetworkInterface interface;
    interface.name = validUtf8(parts[0]);
    if (parts.size() > 1)
        if (const auto megabits = toDouble(parts[1]); megabits && *megabits > 0)
            interface.speedGbps = *megabits / 1000.0;
    facts.interfaces.push_back(std::move(interface));
}

void takeAddress(NodeFacts &facts, std::string_view value)
{
    const auto parts = split(value, ' ');
    if (parts.size() != 2)
        return;
    // "eth0@if5" is how ip names one end of a pair.
    const std::string_view name = parts[0].substr(0, parts[0].find('@'));
    for (NetworkInterface &interface : facts.interfaces)
        if (interface.name == name) {
            interface.addresses.push_back(validUtf8(parts[1].substr(0, parts[1].find('/'))));
            interface.networks.push_back(networkOf(parts[1]));
        }
}

void takeFact(NodeFacts &facts, std::string_view key, std::string_view value)
{
    if (key == "hostname")
        facts.hostname = nonEmpty(value);
    else if (key == "kernel")
        facts.kernel = nonEmpty(value);
    else if (key == "architecture")
        facts.architecture = nonEmpty(value);
    else if (key == "os")
        facts.os = nonEmpty(value);
    else if (key == "cpu")
        facts.cpuModel = nonEmpty(value);
    else if (key == "cores") {
        if (const auto cores = toInteger(value); cores && *cores > 0 && *cores < 1'000'000)
            facts.cores = static_cast<int>(*cores);
    } else if (key == "quota") {
        if (const auto cores = quotaCores(value))
            facts.cores = std::min(facts.cores.value_or(*cores), *cores);
    } else if (key == "flags")
        facts.simd = simdOf(value);
    else if (key == "memory")
        facts.memoryBytes = kibibytes(value);
    else if (key == "memory_free")
        facts.memoryFreeBytes = kibibytes(value);
    else if (key == "interface")
        takeInterface(facts, value);
    else if (key == "address")
        takeAddress(facts, value);
    else if (key == "gpus") // another round says them again
        facts.gpus.clear();
    else if (key == "gpu")
        takeGpu(facts, value);
    else if (key == "cuda")
        facts.cudaVersion = nonEmpty(value);
    else if (key == "engine")
        facts.containerEngines.push_back(validUtf8(value));
    else if (key == "environment" && !value.empty())
        facts.environments.push_back(validUtf8(value));
    else if (key == "infiniband")
        facts.infiniband = true;
    else if (key == "slurm")
        facts.slurmVersion = nonEmpty(value);
}

// Calls take(key, value) for each "@sb key value" line.
template <typename Take>
void eachFact(std::string_view output, Take &&take)
{
    constexpr std::string_view kMark = "@sb ";
    for (std::string_view line : split(output, '\n')) {
        line = trimmed(line);
        if (!line.starts_with(kMark))
            continue;
        line.remove_prefix(kMark.size());
        const std::size_t space = line.find(' ');
        if (space != std::string_view::npos)
            take(line.substr(0, space), trimmed(line.substr(space + 1)));
    }
}

} // namespace

ProcessSpec probeSpec()
{
    ProcessSpec spec = scriptSpec(kShell, {probeScript()});
    spec.keepInputOpen = true;
    return spec;
}

NodeProbe::NodeProbe(Host *host, QObject *parent)
    : QObject(parent)
    , m_host(host)
{
}

NodeProbe::~NodeProbe()
{
    if (m_process) {
        m_process->disconnect(this);
        m_process->close();
    }
}

void NodeProbe::ask()
{
    if (m_asking)
        return;
    m_asking = true;
    m_round.clear();
    m_timeSeenUtcS.reset();
    if (m_process) {
        m_process->write("again\n");
        return;
    }
    m_first.clear();
    m_process = m_host->start(probeSpec());
    connect(m_process, &HostProcess::outputReady, this, &NodeProbe::take);
    connect(m_process, &HostProcess::finished, this, [this](const ProcessEnd &end) {
        m_process = nullptr; // started anew the next time
        if (std::exchange(m_asking, false))
            Q_EMIT answered(ProbeAnswer{false, end, {}, {}, !m_round.empty()});
    });
}

void NodeProbe::take(const QByteArray &bytes)
{
    constexpr std::size_t kMost = 1 << 20; // a start-up file that never stops talking
    if (!m_asking || m_round.size() > kMost)
        return;
    m_round += bytes.toStdString();
    if (!m_timeSeenUtcS && m_round.find("@sb time ") != std::string::npos)
        m_timeSeenUtcS = static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / 1000.0;
    if (m_round.find("@sb end\n") == std::string::npos)
        return;
    m_asking = false;
    if (m_first.empty() || m_round.find("@sb anew ") != std::string::npos)
        m_first = m_round;
    const std::string &name = m_host->name();
    ProbeAnswer answer;
    answer.whole = true;
    answer.facts = parseProbe(m_first == m_round ? m_first : m_first + m_round, name);
    answer.workFolder = parseWorkFolder(m_first);
    answer.saidSomething = true;
    if (const auto time = parseProbeTime(m_round); time && m_timeSeenUtcS)
        answer.facts.clockOffsetS = *time - *m_timeSeenUtcS;
    Q_EMIT answered(answer);
}

NodeFacts parseProbe(std::string_view output, const std::string &name)
{
    NodeFacts facts;
    facts.name = name;
    eachFact(output, [&facts](std::string_view key, std::string_view value) { takeFact(facts, key, value); });
    return facts;
}

std::optional<double> parseProbeTime(std::string_view output)
{
    std::optional<double> timeS;
    eachFact(output, [&timeS](std::string_view key, std::string_view value) {
        if (key == "time")
            timeS = toDouble(value);
    });
    return timeS;
}

std::string parseWorkFolder(std::string_view output)
{
    std::string folder;
    eachFact(output, [&folder](std::string_view key, std::string_view value) {
        if (key == "work" && value.starts_with('/'))
            folder = value;
    });
    return folder;
}

} // namespace sb
