// SPDX-License-Identifier: GPL-3.0-or-later
// A figure of a report, of whatever kind, ready to be drawn or written to a file. UI thread.
#pragma once

#include "charts/figure_exporter.h"
#include "core/report.h"

#include <memory>

namespace sb {

class ReportDrawing {
public:
    // Keeps references: report and figure outlive it.
    ReportDrawing(const Report &report, const ReportFigure &figure, const FigureStyle &style);

    QSizeF size() const; // in units
    void draw(DocumentPainter &painter, QPointF corner) const;
    // Errors: a width outside 40–400 mm.
    Result<QByteArray> file(FigureFormat format) const;

private:
    bool wiring() const { return m_figure.kind == ReportFigureKind::Topology; }

    const Report &m_report;
    const ReportFigure &m_figure;
    FigureStyle m_style;
};

} // namespace sb
