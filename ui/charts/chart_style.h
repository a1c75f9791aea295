// SPDX-License-Identifier: GPL-3.0-or-later
// How a framework looks in every chart, table and report: colour, marker and dash, fixed by the framework and
// not by its place in a list. The table is resources/palettes/frameworks.json.
#pragma once

#include <QColor>
#include <QPainter>
#include <QString>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sb {

enum class Marker {
    Disc,
    Square,
    Diamond,
    Triangle,
    TriangleDown,
    Circle,
    OpenSquare,
    Cross,
    Star,
    OpenDiamond,
    Plus,
    PlusSquare,
};

// What a figure is drawn for. Print is the light colours on white; Grey is black with markers and dashes.
enum class ChartPalette { Light, Dark, Print, Grey };

// "light", "dark", "print", "grey".
std::optional<ChartPalette> chartPaletteFromName(std::string_view name);

struct SeriesStyle {
    QColor light;
    QColor dark;
    Marker marker = Marker::Disc;
    std::vector<double> dash; // lengths in pen widths' units of 1 px, on and off in turn; empty = solid
    bool hollow = false;      // filled markers are drawn open: published results beside one's own

    QColor colour(ChartPalette palette) const;
    bool operator==(const SeriesStyle &) const = default;
};

struct PaletteEntry {
    std::string name; // of the plugin
    QString title;
    SeriesStyle style;
    bool spare = false;
};

// The table as read from the resource, known frameworks first, then the spare ones.
const std::vector<PaletteEntry> &frameworkPalette();

// One style an entry of `frameworks` (plugin names or titles, in any order; a name may occur again). Known
// frameworks have their own; unknown ones take the spares in alphabetical order; where colours run out or a
// framework occurs twice, marker and dash change, so no two of the first 36 are alike.
std::vector<SeriesStyle> seriesStyles(std::span<const std::string> frameworks);

// The style of one framework by itself.
SeriesStyle frameworkStyle(const std::string &framework);

// Draws the marker of `size` px around `centre` with the painter's own colour `colour`; `ground` fills the
// open markers.
void drawMarker(QPainter &painter, QPointF centre, const SeriesStyle &style, double size,
                const QColor &colour, const QColor &ground);

// A short piece of line with the marker on it, as used by tables and legends.
void drawSeriesKey(QPainter &painter, const QRectF &rect, const SeriesStyle &style, ChartPalette palette,
                   const QColor &ground);

// A pen of `widthPx` with the dashes of the style.
QPen seriesPen(const SeriesStyle &style, const QColor &colour, double widthPx);

// `colour` at `share` (0–1) over `ground`, as an opaque colour: opaque pens draw faster than clear ones.
QColor mixed(const QColor &colour, const QColor &ground, double share);

} // namespace sb
