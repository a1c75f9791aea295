// SPDX-License-Identifier: GPL-3.0-or-later
// Graph and matrix as files, by the painters of the window, in light colours on white.
#pragma once

#include "core/result.h"
#include "core/topology.h"
#include "core/topology_words.h"

#include <QByteArray>
#include <QFont>

namespace sb {

enum class TopologyPicture { Graph, Matrix };
enum class TopologyFormat { Svg, Pdf, Png };

// The file's bytes. `font` is the body font; a graph is 640 × 420 logical pixels, a matrix as large as it
// needs; PNG has three device pixels for each. Errors: a topology that has nothing to draw.
Result<QByteArray> exportTopology(const Topology &topology, TopologyPicture picture, TopologyFormat format,
                                  const QFont &font, WordLanguage language);

} // namespace sb
