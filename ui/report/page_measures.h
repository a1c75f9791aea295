// SPDX-License-Identifier: GPL-3.0-or-later
// Measures and colours of a report's page. Private to ui/report. Lengths in 1/720 inch.
#pragma once

#include "charts/figure_exporter.h"

#include <QColor>

namespace sb::page {

inline const double kWidth = unitsFromMm(210);
inline const double kHeight = unitsFromMm(297);
inline const double kSide = unitsFromMm(18);
inline const double kTop = unitsFromMm(24);
inline const double kBottom = unitsFromMm(18);
inline const double kTextWidth = kWidth - 2 * kSide;
inline const double kGap = 60; // 6 pt between blocks
inline const QColor kInk(0x1B, 0x1F, 0x24);
inline const QColor kGrey(0x52, 0x5A, 0x66);
inline const QColor kHair(0xCD, 0xD2, 0xD9);
inline const QColor kSimulated(0x64, 0x38, 0xA8);

} // namespace sb::page
