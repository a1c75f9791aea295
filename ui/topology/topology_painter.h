// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a laid-out topology with any QPainter: window, SVG, PDF and PNG have the same strokes.
#pragma once

#include "charts/tokens.h"
#include "core/link_measurements.h"
#include "core/topology.h"
#include "core/topology_words.h"
#include "topology/topology_layout.h"

#include <QFont>

#include <optional>
#include <utility>

class QPainter;

namespace sb {

using DevicePair = std::pair<std::size_t, std::size_t>;

struct GraphStyle {
    const Tokens *tokens = &Tokens::light();
    QFont font; // body; smaller text derives from it
    WordLanguage language = WordLanguage::English;
    std::optional<DevicePair> selected;       // in the accent colour
    std::optional<DevicePair> hovered;        // everything else at 40 %
    std::optional<std::size_t> hoveredDevice; // its links stay at 100 %
    std::optional<LinkMeasurements> measured; // drawn in place of the words of links
};

void paintTopology(QPainter &painter, const Topology &topology, const GraphLayout &layout,
                   const GraphStyle &style);

// "GPU0–3" style names of what a node stands for: "mlx5_0", "NIC3, NIC4", "4 NICs".
QString nodeText(const Topology &topology, const LayoutNode &node, WordLanguage language);

} // namespace sb
