// SPDX-License-Identifier: GPL-3.0-or-later
// Measured rates between the GPUs of one node, from what the tools print: sbtrain bench p2p, nvbandwidth (as
// text and as JSON), NVIDIA's p2pBandwidthLatencyTest, and nccl-tests.
#pragma once

#include "core/result.h"
#include "core/topology.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sb {

// What a collective over more than two GPUs reached: its bus bandwidth, which is comparable with the rate of
// one link in one direction (nccl-tests, PERFORMANCE.md).
struct GroupRate {
    std::vector<int> gpus;
    double busGBps = 0;

    bool operator==(const GroupRate &) const = default;
};

struct LinkMeasurements {
    std::string tool; // "nvbandwidth"
    // GB/s (10^9 bytes) from one GPU to another, by the numbers that the tool gives them. Where a tool
    // measured a way several times (by copy engine and by kernel), the best.
    std::map<std::pair<int, int>, double> links;
    std::optional<GroupRate> group;

    bool operator==(const LinkMeasurements &) const = default;
};

// Tables of both directions at once and those of CPU and GPU are passed over. Error: the text has no
// measurement between two GPUs.
Result<LinkMeasurements> readLinkMeasurements(std::string_view text);

// From device `a` to `b` of a topology; nothing when it was not measured.
std::optional<double> measuredGBps(const LinkMeasurements &measured, const Topology &topology, std::size_t a,
                                   std::size_t b);
// The slower of the two directions; that of one if only one was measured.
std::optional<double> measuredPairGBps(const LinkMeasurements &measured, const Topology &topology,
                                       std::size_t a, std::size_t b);

// Below this share of the nominal rate a link deserves a look.
inline constexpr double kSlowLinkShare = 0.8;

} // namespace sb
