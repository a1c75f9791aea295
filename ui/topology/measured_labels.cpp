// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology/measured_labels.h"

#include "core/topology_rates.h"
#include "core/units.h"

#include <algorithm>
#include <cmath>

namespace sb {

namespace {

constexpr double kHeight = 15;
constexpr double kDigitWidth = 7;
constexpr double kPadding = 6;

LayoutRect frameOf(LayoutPoint centre, const std::string &text)
{
    const double width = kDigitWidth * static_cast<double>(text.size()) + kPadding;
    return {centre.x - width / 2, centre.y - kHeight / 2, width, kHeight};
}

LayoutPoint along(const LayoutEdge &edge, double part)
{
    // An arc stands highest in its middle: a quadratic curve through three points.
    const double lift = 2 * part * (1 - part) * edge.bow;
    return {edge.from.x + (edge.to.x - edge.from.x) * part,
            edge.from.y + (edge.to.y - edge.from.y) * part - lift};
}

} // namespace

std::string rateFigure(double gbps)
{
    return formatNumber(gbps, gbps < 100 ? 1 : 0);
}

bool isSlowLink(const Topology &topology, std::size_t a, std::size_t b, double gbps)
{
    const auto nominal = nominalRate(topology, a, b);
    return nominal && !nominal->atMost && gbps < kSlowLinkShare * nominal->gbps;
}

std::string barFigure(const Topology &topology, const LayoutBar &bar, const LinkMeasurements &measured)
{
    std::optional<double> least, most;
    for (const std::size_t a : bar.members)
        for (const std::size_t b : bar.members)
            if (const auto gbps = a < b ? measuredPairGBps(measured, topology, a, b) : std::nullopt) {
                least = std::min(least.value_or(*gbps), *gbps);
                most = std::max(most.value_or(*gbps), *gbps);
            }
    if (!least)
        return {};
    const std::string low = rateFigure(*least);
    const std::string high = rateFigure(*most);
    return low == high ? low : low + "–" + high;
}

std::vector<MeasuredLabel> measuredLabels(const Topology &topology, const GraphLayout &layout,
                                          const LinkMeasurements &measured)
{
    std::vector<MeasuredLabel> labels;
    std::vector<LayoutRect> taken;
    for (const LayoutNode &node : layout.nodes)
        taken.push_back(node.rect);
    for (const LayoutEdge &edge : layout.edges) {
        const auto gbps = measuredPairGBps(measured, topology, edge.a, edge.b);
        if (!gbps)
            continue;
        MeasuredLabel label{edge.a, edge.b, along(edge, 0.5), rateFigure(*gbps),
                            isSlowLink(topology, edge.a, edge.b, *gbps)};
        for (const double part : {0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78}) {
            const LayoutRect frame = frameOf(along(edge, part), label.text);
            if (std::any_of(taken.begin(), taken.end(),
                            [&](const LayoutRect &other) { return other.overlaps(frame); }))
                continue;
            label.centre = along(edge, part);
            break;
        }
        taken.push_back(frameOf(label.centre, label.text));
        labels.push_back(std::move(label));
    }
    return labels;
}

} // namespace sb
