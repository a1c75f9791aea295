// SPDX-License-Identifier: GPL-3.0-or-later
// Figures for publication: PNG, SVG and PDF of a given width in mm, by the painter of the screen. The same
// figure gives the same bytes each time. UI thread only (the painter is a widget), but never shown.
#pragma once

#include "charts/scaling_figure.h"
#include "core/result.h"

#include <QByteArray>
#include <QRectF>
#include <QSize>
#include <QSizeF>
#include <QString>

#include <functional>
#include <memory>

class QPaintDevice;
class QPainter;

namespace sb {

enum class FigureFormat { Png, Svg, Pdf };

struct FigureStyle {
    ChartPalette palette = ChartPalette::Print;
    double widthMm = 85; // 40–400
    QString fontFamily;  // empty: the application's
};

// Units of a figure: 1/720 inch, a tenth of a point, so that whole numbers are fine enough.
inline constexpr double kUnitsPerInch = 720;
double unitsFromMm(double mm);

// Size in units of the figure at that width: height 0.62 × the width, plus the legend where it stands under
// the plot, and then the lines of text: they would leave no room for the curves.
QSizeF figureSize(const ScalingFigure &figure, const FigureStyle &style);

// The file's bytes. Errors: a width outside 40–400 mm.
Result<QByteArray> exportFigure(const ScalingFigure &figure, const FigureStyle &style, FigureFormat format);

// Anything else that is to become a file like a figure.
struct Drawing {
    QSize size; // in units
    double widthMm = 85;
    QString title;
    QString provenance;
    std::function<void(QPainter &)> draw; // in units, from (0, 0)
};
Result<QByteArray> exportDrawing(const Drawing &drawing, FigureFormat format);

// A painter on any device that can also draw figures, for documents with text around them.
class DocumentPainter {
public:
    explicit DocumentPainter(QPaintDevice *device);
    ~DocumentPainter();
    DocumentPainter(const DocumentPainter &) = delete;
    DocumentPainter &operator=(const DocumentPainter &) = delete;

    QPainter &painter();
    // Draws the figure, `style.widthMm` wide, with its top left at `corner` (in units, under the painter's
    // present transformation).
    void drawFigure(const ScalingFigure &figure, const FigureStyle &style, QPointF corner);
    bool end();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace sb
