// SPDX-License-Identifier: GPL-3.0-or-later
// nvidia-smi -L and nvlink -s: the names of the GPUs and the state of their NVLinks.
#pragma once

#include "core/topology.h"

#include <string>
#include <string_view>
#include <vector>

namespace sb {

struct SmiGpu {
    int index = 0;
    std::string product; // "NVIDIA H200"
    NvlinkStatus nvlink;
    bool hasNvlinkLines = false; // links or the driver's word that there are none

    bool operator==(const SmiGpu &) const = default;
};

// GPUs in the order of the text, from lines without escapes such as
//   GPU 0: NVIDIA RTX A6000 (UUID: GPU-…)
//        Link 0: 14.062 GB/s
//        Link 1: <inactive>
std::vector<SmiGpu> readSmiGpus(const std::vector<std::string_view> &lines);

} // namespace sb
