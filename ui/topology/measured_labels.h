// SPDX-License-Identifier: GPL-3.0-or-later
// Where measured rates stand in the drawing of a topology. Pure, like the layout.
#pragma once

#include "core/link_measurements.h"
#include "topology/topology_layout.h"

#include <string>
#include <vector>

namespace sb {

struct MeasuredLabel {
    std::size_t a = 0, b = 0; // devices
    LayoutPoint centre;
    std::string text;  // "24.2", GB/s of the slower direction
    bool slow = false; // below kSlowLinkShare of the nominal rate
};

// One label a drawn link that was measured, moved along its link until it covers no box and no other label;
// one that fits nowhere stays in the middle.
std::vector<MeasuredLabel> measuredLabels(const Topology &topology, const GraphLayout &layout,
                                          const LinkMeasurements &measured);

// "276", "24.2": three digits are as exact as a measurement is.
std::string rateFigure(double gbps);
// Below its nominal rate by so much that it deserves a look. PCIe figures are upper bounds and never count.
bool isSlowLink(const Topology &topology, std::size_t a, std::size_t b, double gbps);
// "268–277" over the pairs of a bar; empty when none was measured.
std::string barFigure(const Topology &topology, const LayoutBar &bar, const LinkMeasurements &measured);

} // namespace sb
