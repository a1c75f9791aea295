// SPDX-License-Identifier: GPL-3.0-or-later
// The only way to QCustomPlot. Its header is written with Qt's keyword macros, which this project turns off;
// include this in .cpp files of ui/charts only (it costs seconds to compile).
#pragma once

#include <QtGlobal>

#ifdef QT_NO_KEYWORDS
#define signals Q_SIGNALS
#define slots Q_SLOTS
#define emit
#endif
#ifdef QT_NO_FOREACH
#define foreach(variable, container) for (variable : container)
#endif

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#include <qcustomplot.h>
#pragma GCC diagnostic pop

#ifdef QT_NO_FOREACH
#undef foreach
#endif
#ifdef QT_NO_KEYWORDS
#undef signals
#undef slots
#undef emit
#endif
