// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_check.h"

#include "core/link_measurements.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace sb;
    const auto measured = readLinkMeasurements(fuzz::textOf(data, size));
    if (!measured)
        return 0;
    fuzz::require(!measured->tool.empty());
    fuzz::require(!measured->links.empty() || measured->group);
    const auto limit = static_cast<int>(kMaxTopologyDevices);
    for (const auto &[pair, gbps] : measured->links) {
        fuzz::require(pair.first != pair.second && pair.first >= 0 && pair.second >= 0);
        fuzz::require(pair.first < limit && pair.second < limit && gbps > 0 && gbps < 1e6);
    }
    return 0;
}
