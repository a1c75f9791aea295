// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/smi_parser.h"

#include "core/text.h"
#include "core/topology_lines.h"

#include <algorithm>

namespace sb {

namespace {

std::optional<SmiGpu> gpuLine(std::string_view line)
{
    const std::string_view text = trimmed(line);
    if (!text.starts_with("GPU "))
        return std::nullopt;
    const auto colon = text.find(':');
    const auto uuid = text.rfind(" (UUID");
    if (colon == std::string_view::npos || uuid == std::string_view::npos || uuid < colon)
        return std::nullopt;
    const auto index = toInteger(text.substr(4, colon - 4));
    if (!index || *index < 0 || *index >= static_cast<std::int64_t>(kMaxTopologyDevices))
        return std::nullopt;
    SmiGpu gpu;
    gpu.index = static_cast<int>(*index);
    gpu.nvlink.gpu = gpu.index;
    gpu.product = validUtf8(trimmed(text.substr(colon + 1, uuid - colon - 1)).substr(0, 96));
    return gpu;
}

void linkLine(std::string_view line, SmiGpu &gpu)
{
    const std::string_view text = trimmed(line);
    if (text.starts_with("NVML:") && text.find("NVLink") != std::string_view::npos) {
        gpu.hasNvlinkLines = true;
        return;
    }
    const auto tokens = tokensOf(text);
    if (tokens.size() < 3 || tokens[0] != "Link" || !tokens[1].ends_with(':') ||
        !toInteger(tokens[1].substr(0, tokens[1].size() - 1)))
        return;
    gpu.hasNvlinkLines = true;
    const auto rate = toDouble(tokens[2]);
    if (rate && *rate > 0 && tokens.size() > 3 && tokens[3].starts_with("GB/s")) {
        gpu.nvlink.linksUp += 1;
        // Links of one GPU run at one rate; if one is slower, that is the rate to reckon with.
        gpu.nvlink.linkGBps = gpu.nvlink.linkGBps ? std::min(*gpu.nvlink.linkGBps, *rate) : *rate;
    } else {
        gpu.nvlink.linksDown += 1;
    }
}

} // namespace

std::vector<SmiGpu> readSmiGpus(const std::vector<std::string_view> &lines)
{
    std::vector<SmiGpu> gpus;
    constexpr std::size_t kNone = ~std::size_t{0};
    std::size_t current = kNone; // the GPU that link lines belong to
    for (const std::string_view line : lines) {
        if (auto gpu = gpuLine(line)) {
            // -L and nvlink -s in one text name each GPU twice.
            const auto known = std::find_if(gpus.begin(), gpus.end(),
                                            [&](const SmiGpu &g) { return g.index == gpu->index; });
            current = static_cast<std::size_t>(known - gpus.begin());
            if (known == gpus.end())
                gpus.push_back(std::move(*gpu));
            else if (known->hasNvlinkLines)
                current = kNone; // a second listing of the same links
        } else if (current != kNone) {
            linkLine(line, gpus[current]);
        }
    }
    return gpus;
}

} // namespace sb
