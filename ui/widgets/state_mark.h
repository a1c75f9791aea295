// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/tokens.h"

#include <QRectF>

class QPainter;

namespace sb {

// ○ nothing yet, ◐ current or in progress, ✓ done, ⚠ needs you, ⊗ broken: the shape carries the meaning.
enum class StepState { Nothing, Current, Done, NeedsYou, Broken };

void paintStateMark(QPainter *painter, const QRectF &rect, StepState state, const Tokens &tokens);

} // namespace sb
