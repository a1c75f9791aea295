// SPDX-License-Identifier: GPL-3.0-or-later
// The colours of the window that QPalette has no role for, for one theme. Widgets and charts ask for them
// when they paint, so a change of theme needs a repaint and nothing else.
#pragma once

#include <QColor>
#include <QPalette>
#include <Qt>

namespace sb {

struct Tokens {
    QColor window, base, alt, rail, bar, btn;
    QColor border, strong;
    QColor text, text2, dis;
    QColor accent, onAccent, sel, onSel;
    QColor ok, okBg;
    QColor warn, warnBg, warnLine;
    QColor err, errBg, errLine;
    QColor info, infoBg, infoLine;
    QColor sim, simBg, simLine;
    QColor axis, grid, shade, steady;

    static const Tokens &light();
    static const Tokens &dark();
    // The theme of a palette made by toPalette(), or of the desktop's: told by the lightness of the window.
    static const Tokens &of(const QPalette &palette);

    QPalette toPalette() const;
};

} // namespace sb
