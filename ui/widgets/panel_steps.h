// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

class QWidget;

namespace sb {

// Moves the keyboard focus to the next (1) or previous (-1) panel inside `roots`, the first root counting as
// a panel itself; wraps around. Panels that hold nothing to focus are passed over.
void focusNextPanel(const QList<QWidget *> &roots, int direction);

} // namespace sb
