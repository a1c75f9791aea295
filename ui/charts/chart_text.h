// SPDX-License-Identifier: GPL-3.0-or-later
// Figures and fonts as charts paint them.
#pragma once

#include "core/report_text.h"

#include <QFont>
#include <QString>

#include <string>

namespace sb {

// A figure from core/units.h for painting: thin spaces (U+2009), which more fonts have than U+202F.
QString painted(const std::string &figure);

// `font` made `points` larger or smaller, whichever way its size is given; never below 8.25 pt (11 px).
QFont resized(const QFont &font, double points, int weight = QFont::Normal);

// The window's language, where it has to choose among texts that are not the window's own.
ReportLanguage windowLanguage();

// "images" → "images/s", and the Chinese unit where the window speaks it.
QString rateUnit(const std::string &unit);

} // namespace sb
