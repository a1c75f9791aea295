// SPDX-License-Identifier: GPL-3.0-or-later
// The shapes of controls, drawn for SbStyle and for own-painted widgets that must look like them.
#pragma once

#include "charts/tokens.h"
#include "widgets/sb_style.h"

class QPainter;
class QStyleOption;
class QStyleOptionButton;

namespace sb {

void paintButtonFace(QPainter *painter, const QStyleOption &option, ButtonRole role, const Tokens &tokens);
// Icon and text of a push button, centred together.
void paintButtonLabel(QPainter *painter, const QStyleOptionButton &button, ButtonRole role,
                      const Tokens &tokens);
void paintField(QPainter *painter, const QStyleOption &option, const Tokens &tokens);
void paintCheckBox(QPainter *painter, const QStyleOption &option, const Tokens &tokens);
void paintFocusRing(QPainter *painter, const QRect &rect, const Tokens &tokens);
void paintChevron(QPainter *painter, const QRect &rect, const QColor &colour);
// A filled rectangle with a one pixel edge and corners of radius 4 (panels, cards).
void paintCard(QPainter *painter, const QRectF &rect, const QColor &fill, const QColor &edge);
// Diagonal lines 6 px apart: refused cells, warm-up.
void paintHatch(QPainter *painter, const QRectF &rect, const QColor &colour);

} // namespace sb
