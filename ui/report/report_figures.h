// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/scaling_figure.h"
#include "core/report.h"

namespace sb {

// What a figure of curves draws, with all its words in the report's language. Not for topologies.
ScalingFigure scalingFigure(const Report &report, const ReportFigure &figure);

// Words of a figure of `group` in a report's language, without title and provenance.
FigureTexts reportFigureTexts(const ScalingGroup &group, FigureKind kind, ReportLanguage language);

} // namespace sb
