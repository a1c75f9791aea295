// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology/topology_layout.h"

#include "topology/layouter.h"

#include <algorithm>
#include <cmath>

namespace sb {

namespace {

double distanceTo(LayoutPoint p, const LayoutEdge &edge)
{
    // An arc is followed closely enough by a few straight pieces.
    double best = 1e9;
    LayoutPoint before = edge.from;
    const int pieces = edge.bow > 0 ? 12 : 1;
    for (int i = 1; i <= pieces; ++i) {
        const double t = double(i) / pieces;
        const LayoutPoint next{edge.from.x + (edge.to.x - edge.from.x) * t,
                               edge.from.y + (edge.to.y - edge.from.y) * t - edge.bow * 2 * t * (1 - t)};
        const double dx = next.x - before.x;
        const double dy = next.y - before.y;
        const double length = dx * dx + dy * dy;
        const double along =
            length <= 0 ? 0 : std::clamp(((p.x - before.x) * dx + (p.y - before.y) * dy) / length, 0.0, 1.0);
        best = std::min(best, std::hypot(before.x + along * dx - p.x, before.y + along * dy - p.y));
        before = next;
    }
    return best;
}

} // namespace

GraphLayout layoutTopology(const Topology &topology, double width, double height)
{
    return Layouter(topology, std::max(width, 240.0), std::max(height, 160.0)).run();
}

std::optional<GraphHit> hitAt(const GraphLayout &layout, LayoutPoint point)
{
    for (const LayoutNode &node : layout.nodes)
        if (node.rect.contains(point))
            return GraphHit{node.devices[0], std::nullopt};
    const LayoutEdge *best = nullptr;
    double distance = 6;
    for (const LayoutEdge &edge : layout.edges)
        if (const double here = distanceTo(point, edge); here < distance) {
            distance = here;
            best = &edge;
        }
    return best == nullptr ? std::nullopt : std::optional(GraphHit{best->a, best->b});
}

} // namespace sb
