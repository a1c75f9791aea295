// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/topology_rates.h"

#include <array>

namespace sb {

namespace {

constexpr double kGen3 = 15.75; // 16 lanes × 8 GT/s × 128/130 ÷ 8
constexpr double kGen4 = 31.51;
constexpr double kGen5 = 63.02;

// Data sheets give the sum of both directions over all links of a GPU; a link's rate in one direction is
// that ÷ links ÷ 2. Example: H100 900 GB/s ÷ 18 ÷ 2 = 25 GB/s.
constexpr std::array kRates{
    GpuRates{"P100", 20.0, 4, kGen3, "NVIDIA Tesla P100 data sheet: NVLink 160 GB/s over 4 links, PCIe 3.0"},
    GpuRates{"V100", 25.0, 6, kGen3, "NVIDIA V100 data sheet: NVLink 300 GB/s over 6 links, PCIe 3.0"},
    GpuRates{"A100", 25.0, 12, kGen4, "NVIDIA A100 data sheet: NVLink 600 GB/s over 12 links, PCIe 4.0"},
    GpuRates{"A800", 25.0, 8, kGen4, "NVIDIA A800 data sheet: NVLink 400 GB/s over 8 links, PCIe 4.0"},
    GpuRates{"A30", 25.0, 4, kGen4, "NVIDIA A30 data sheet: NVLink 200 GB/s over 4 links, PCIe 4.0"},
    GpuRates{"A40", 14.0625, 4, kGen4, "NVIDIA A40 data sheet: NVLink 112.5 GB/s over 4 links, PCIe 4.0"},
    GpuRates{"A6000", 14.0625, 4, kGen4,
             "NVIDIA RTX A6000 data sheet: NVLink 112.5 GB/s over 4 links, PCIe 4.0"},
    GpuRates{"A5000", 14.0625, 4, kGen4,
             "NVIDIA RTX A5000 data sheet: NVLink 112.5 GB/s over 4 links, PCIe 4.0"},
    GpuRates{"RTX 3090", 14.0625, 4, kGen4,
             "NVIDIA GA102 white paper: NVLink 112.5 GB/s over 4 links, PCIe 4.0"},
    GpuRates{"Quadro RTX 8000", 25.0, 2, kGen3,
             "NVIDIA Quadro RTX 8000 data sheet: NVLink 100 GB/s over 2 links"},
    GpuRates{"Quadro RTX 6000", 25.0, 2, kGen3,
             "NVIDIA Quadro RTX 6000 data sheet: NVLink 100 GB/s over 2 links"},
    GpuRates{"H100", 25.0, 18, kGen5, "NVIDIA H100 data sheet: NVLink 900 GB/s over 18 links, PCIe 5.0"},
    GpuRates{"H200", 25.0, 18, kGen5, "NVIDIA H200 data sheet: NVLink 900 GB/s over 18 links, PCIe 5.0"},
    GpuRates{"H800", 25.0, 8, kGen5, "NVIDIA H800 data sheet: NVLink 400 GB/s over 8 links, PCIe 5.0"},
    GpuRates{"H20", 25.0, 18, kGen5, "NVIDIA H20 data sheet: NVLink 900 GB/s over 18 links, PCIe 5.0"},
    GpuRates{"GH200", 25.0, 18, kGen5, "NVIDIA GH200 data sheet: NVLink 900 GB/s over 18 links"},
    GpuRates{"B200", 50.0, 18, kGen5, "NVIDIA HGX B200 data sheet: NVLink 1800 GB/s over 18 links, PCIe 5.0"},
    GpuRates{"GB200", 50.0, 18, kGen5, "NVIDIA GB200 data sheet: NVLink 1800 GB/s over 18 links"},
    GpuRates{"B300", 50.0, 18, kGen5, "NVIDIA HGX B300 data sheet: NVLink 1800 GB/s over 18 links"},
    GpuRates{"L40", 0, 0, kGen4, "NVIDIA L40 data sheet: PCIe 4.0, no NVLink"},
    GpuRates{"L40S", 0, 0, kGen4, "NVIDIA L40S data sheet: PCIe 4.0, no NVLink"},
    GpuRates{"P40", 0, 0, kGen3, "NVIDIA Tesla P40 data sheet: PCIe 3.0, no NVLink"},
    GpuRates{"RTX 4090", 0, 0, kGen4, "NVIDIA RTX 4090 specification: PCIe 4.0, no NVLink"},
};

bool isWordCharacter(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// "A40" must not be found in "A400" or "RTXA40".
bool hasWord(std::string_view text, std::string_view word)
{
    for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const bool startsHere = at == 0 || !isWordCharacter(text[at - 1]);
        const std::size_t end = at + word.size();
        if (startsHere && (end == text.size() || !isWordCharacter(text[end])))
            return true;
    }
    return false;
}

std::optional<GpuRates> ratesOf(const Topology &topology, std::size_t device)
{
    const auto &product = topology.devices[device].product;
    return product ? gpuRates(*product) : std::nullopt;
}

} // namespace

std::optional<GpuRates> gpuRates(std::string_view product)
{
    const GpuRates *best = nullptr;
    for (const GpuRates &rates : kRates)
        if (hasWord(product, rates.product) &&
            (best == nullptr || rates.product.size() > best->product.size()))
            best = &rates;
    return best == nullptr ? std::nullopt : std::optional(*best);
}

std::optional<NominalRate> nominalRate(const Topology &topology, std::size_t a, std::size_t b)
{
    const auto word = topology.link(a, b);
    if (a == b || !word || !topology.devices[a].gpu || !topology.devices[b].gpu)
        return std::nullopt;
    const LinkKind kind = linkKind(*word);
    const auto rates = ratesOf(topology, a);
    if (!rates || kind.linkClass == LinkClass::Unknown)
        return std::nullopt;
    if (kind.linkClass != LinkClass::Fabric)
        return pcieRate(topology, a);
    if (rates->nvlinkGBps <= 0 || !word->starts_with("NV"))
        return std::nullopt;
    return NominalRate{rates->nvlinkGBps * kind.lanes, false, std::string(rates->source)};
}

std::optional<NominalRate> pcieRate(const Topology &topology, std::size_t a)
{
    const auto rates = ratesOf(topology, a);
    if (!rates)
        return std::nullopt;
    return NominalRate{rates->pcieGBps, true, std::string(rates->source)};
}

} // namespace sb
