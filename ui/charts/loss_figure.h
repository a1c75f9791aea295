// SPDX-License-Identifier: GPL-3.0-or-later
// Where the loss goes: what each cause added to the step of a scale, as a bar. The step itself is not drawn;
// it would dwarf what is lost.
#pragma once

#include "charts/painted_figure.h"
#include "core/scaling_loss.h"

#include <QString>

#include <vector>

namespace sb {

struct LossFigure {
    struct Bar {
        QString name; // "8 GPUs"
        std::vector<LossPart> parts;
        QString remark;  // right of the bar: "27.56 ms · 94.3 %"
        QString missing; // in place of the bar: why there is none
    };
    std::vector<Bar> bars;
    std::vector<QString> evidence; // parallel to bars: their tips
    std::optional<std::size_t> chosen;
    QString axis; // "Milliseconds lost a step"
    std::function<QString(LossCause)> causeWord;
};

QColor causeColour(LossCause cause, ChartPalette palette);
// The figure's `paint`, `tip` and `partAt` (a bar) are set; the words around it are the caller's.
PaintedFigure paintedLoss(const LossFigure &figure);

} // namespace sb
