// SPDX-License-Identifier: GPL-3.0-or-later
// Colours of link classes. Ink is bandwidth: darker is faster in light, brighter is faster in dark, so that
// grey print and any colour vision keep the order. The word always stands beside the colour.
#pragma once

#include "charts/tokens.h"
#include "core/topology.h"

#include <QColor>
#include <QPen>

namespace sb {

struct LinkColours {
    QColor fill, text; // of a cell
    QColor line;       // of an edge
    Qt::PenStyle style = Qt::SolidLine;
    QList<qreal> dashes; // when the style is CustomDashLine, in pixels
    double width = 1.6;
    bool known = true; // false: base with a dashed frame
};

LinkColours linkColours(const LinkKind &kind, const Tokens &tokens);
bool isDark(const Tokens &tokens);

// Number of parallel strokes that stand for that many lanes: 1, 2, … 4; one broad one from 8 on.
int strokesFor(int lanes);

} // namespace sb
