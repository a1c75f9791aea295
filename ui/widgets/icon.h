// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/text.h"

#include <QIcon>

namespace sb {

// A line icon of resources/icons, drawn in the colour of `tone` in whatever theme is on when it is painted.
// `name` is the file's name without ".svg". Needs no SVG plugin of Qt, which Debian 13 packs apart.
QIcon toneIcon(const QString &name, Tone tone = Tone::Normal);

// The same as a picture, for delegates: `size` in logical pixels.
void paintIcon(QPainter *painter, const QString &name, const QRectF &rect, const QColor &colour);

} // namespace sb
