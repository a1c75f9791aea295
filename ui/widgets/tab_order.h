// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace sb {

// Lets Tab go through `root` as its layouts stand, row by row, whatever was made first.
void orderTabs(QWidget *root);

} // namespace sb
