// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/node_prober.h"

#include "core/text.h"
#include "session/network_choice.h"

#include <map>

namespace sb {

namespace {

// Starting a program costs more than reading a file, on every node at once, so the shell reads what it can.
// Every line that counts is "@sb key value"; everything else is noise of start-up files.
constexpr const char *kProbe = R"sh(LC_ALL=C
export LC_ALL
say() { [ -n "$2" ] && printf '@sb %s %s\n' "$1" "$2"; }
t=$(date +%s.%N)
say time "${t%.*N}"
set -- $(uname -nrm)
say hostname "$1"
say kernel "$2"
say architecture "$3"
say work "${XDG_STATE_HOME:-$HOME/.local/state}/scaleboard/runs"
[ -r /etc/os-release ] && say os "$(. /etc/os-release && echo "$PRETTY_NAME")"
m= f=
while IFS=: read -r k v; do
  case $k in
  "model name"*) [ -n "$m" ] || { m=${v# }; say cpu "$m"; } ;;
  flags* | Features*) say flags "${v# }"; f=1 ;;
  esac
  [ -n "$f" ] && break
done 2>/dev/null </proc/cpuinfo
say cores "$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)"
{ read -r q </sys/fs/cgroup/cpu.max && say quota "$q"; } 2>/dev/null
while read -r k v x; do
  case $k in
  MemTotal:) say memory "$v" ;;
  MemAvailable:) say memory_free "$v"; break ;;
  esac
done 2>/dev/null </proc/meminfo
for i in /sys/class/net/*; do
  n=${i##*/}
  [ "$n" = lo ] && continue
  s=
  { read -r s <"$i/speed"; } 2>/dev/null
  say interface "$n $s"
done
ip -o addr show 2>/dev/null | while read -r x n f a x; do
  [ "$n" = lo ] && continue
  case $f in inet | inet6) say address "$n $a" ;; esac
done
if command -v nvidia-smi >/dev/null 2>&1; then
  nvidia-smi --query-gpu=index,name,uuid,pci.bus_id,memory.total,driver_version --format=csv,noheader,nounits 2>/dev/null |
    while IFS= read -r l; do say gpu "$l"; done
  say cuda "$(nvidia-smi 2>/dev/null | sed -n 's/.*CUDA Version: *\([0-9.]*\).*/\1/p' | head -n 1)"
fi
version() {
  for w; do
    case $w in [0-9]*) w=${w%,}; say "$k" "$e$w"; return ;; esac
  done
  return 1
}
set -f
for t in docker podman apptainer enroot; do
  command -v "$t" >/dev/null 2>&1 || continue
  k=engine e="$t "
  version $("$t" --version 2>/dev/null) || version $("$t" version 2>/dev/null) || say engine "$t"
done
k=slurm e=
command -v sinfo >/dev/null 2>&1 && version $(sinfo --version 2>/dev/null)
exit 0)sh";

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
    else if (key == "gpu")
        takeGpu(facts, value);
    else if (key == "cuda")
        facts.cudaVersion = nonEmpty(value);
    else if (key == "engine")
        facts.containerEngines.push_back(validUtf8(value));
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
    ProcessSpec spec;
    spec.argv = {"sh", "-c", kProbe};
    return spec;
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
