// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_style.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPen>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

static void initPaletteResource()
{
    Q_INIT_RESOURCE(palettes); // a static library's resources are not registered by themselves
}

namespace sb {

namespace {

constexpr std::array<std::pair<const char *, Marker>, 12> kMarkerNames{{
    {"disc", Marker::Disc},
    {"square", Marker::Square},
    {"diamond", Marker::Diamond},
    {"triangle", Marker::Triangle},
    {"triangle_down", Marker::TriangleDown},
    {"circle", Marker::Circle},
    {"open_square", Marker::OpenSquare},
    {"cross", Marker::Cross},
    {"star", Marker::Star},
    {"open_diamond", Marker::OpenDiamond},
    {"plus", Marker::Plus},
    {"plus_square", Marker::PlusSquare},
}};

Marker markerFromName(const QString &name)
{
    for (const auto &[known, marker] : kMarkerNames)
        if (name == QLatin1String(known))
            return marker;
    qFatal("resources/palettes/frameworks.json names the unknown marker \"%s\"", qPrintable(name));
    return Marker::Disc;
}

void readEntries(const QJsonArray &array, bool spare, std::vector<PaletteEntry> &entries)
{
    for (const QJsonValue &value : array) {
        const QJsonObject object = value.toObject();
        PaletteEntry entry;
        entry.name = object[QLatin1String("name")].toString().toStdString();
        entry.title = object[QLatin1String("title")].toString();
        entry.style.light = QColor(object[QLatin1String("light")].toString());
        entry.style.dark = QColor(object[QLatin1String("dark")].toString());
        entry.style.marker = markerFromName(object[QLatin1String("marker")].toString());
        for (const QJsonValue &length : object[QLatin1String("dash")].toArray())
            entry.style.dash.push_back(length.toDouble());
        entry.spare = spare;
        entries.push_back(std::move(entry));
    }
}

std::vector<PaletteEntry> readPalette()
{
    initPaletteResource();
    QFile file(QStringLiteral(":/scaleboard/palettes/frameworks.json"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("The palette is missing from the program; build it again.");
    const QJsonObject root = QJsonDocument::fromJson(file.readAll()).object();
    std::vector<PaletteEntry> entries;
    readEntries(root[QLatin1String("frameworks")].toArray(), false, entries);
    readEntries(root[QLatin1String("spare")].toArray(), true, entries);
    if (entries.empty())
        qFatal("resources/palettes/frameworks.json has no entry.");
    return entries;
}

const PaletteEntry *findEntry(const std::string &framework)
{
    for (const PaletteEntry &entry : frameworkPalette())
        if (entry.name == framework || entry.title.toStdString() == framework)
            return &entry;
    return nullptr;
}

// The n-th way to draw the same colour: another marker and another dash. 0 is the style itself.
SeriesStyle variant(SeriesStyle style, std::size_t n)
{
    if (n == 0)
        return style;
    static const std::array<std::vector<double>, 4> kDashes{{{2, 2}, {6, 3}, {8, 3, 2, 3}, {}}};
    const auto marker = static_cast<std::size_t>(style.marker) + 5 * n; // 5 and 12 have no common factor
    style.marker = static_cast<Marker>(marker % kMarkerNames.size());
    std::size_t dash = (n - 1) % kDashes.size();
    if (kDashes.at(dash) == style.dash)
        dash = (dash + 1) % kDashes.size();
    style.dash = kDashes.at(dash);
    return style;
}

} // namespace

const std::vector<PaletteEntry> &frameworkPalette()
{
    static const std::vector<PaletteEntry> entries = readPalette();
    return entries;
}

std::optional<ChartPalette> chartPaletteFromName(std::string_view name)
{
    if (name == "light")
        return ChartPalette::Light;
    if (name == "dark")
        return ChartPalette::Dark;
    if (name == "print")
        return ChartPalette::Print;
    if (name == "grey")
        return ChartPalette::Grey;
    return std::nullopt;
}

QColor SeriesStyle::colour(ChartPalette palette) const
{
    switch (palette) {
    case ChartPalette::Dark:
        return dark;
    case ChartPalette::Grey:
        return Qt::black;
    case ChartPalette::Light:
    case ChartPalette::Print:
        break;
    }
    return light;
}

std::vector<SeriesStyle> seriesStyles(std::span<const std::string> frameworks)
{
    std::vector<const PaletteEntry *> spares;
    for (const PaletteEntry &entry : frameworkPalette())
        if (entry.spare && std::find(frameworks.begin(), frameworks.end(), entry.name) == frameworks.end())
            spares.push_back(&entry);
    if (spares.empty())
        spares.push_back(&frameworkPalette().back());

    std::set<std::string> unknown;
    for (const std::string &name : frameworks)
        if (!findEntry(name))
            unknown.insert(name);
    std::map<std::string, std::pair<const PaletteEntry *, std::size_t>> given; // entry and variants used
    std::map<const PaletteEntry *, std::size_t> used;
    std::size_t next = 0;
    for (const std::string &name : unknown)
        given[name] = {spares.at(next++ % spares.size()), 0};

    std::vector<SeriesStyle> styles;
    for (const std::string &name : frameworks) {
        const PaletteEntry *entry = findEntry(name);
        if (!entry)
            entry = given.at(name).first;
        styles.push_back(variant(entry->style, used[entry]++));
    }
    return styles;
}

SeriesStyle frameworkStyle(const std::string &framework)
{
    const std::array<std::string, 1> one{framework};
    return seriesStyles(one).front();
}

QPen seriesPen(const SeriesStyle &style, const QColor &colour, double widthPx)
{
    QPen pen(colour, widthPx);
    pen.setCapStyle(Qt::FlatCap);
    pen.setJoinStyle(Qt::RoundJoin);
    if (!style.dash.empty()) {
        QList<qreal> pattern; // Qt counts dashes in pen widths
        for (const double length : style.dash)
            pattern.append(length / 1.5);
        pen.setDashPattern(pattern);
    }
    return pen;
}

QColor mixed(const QColor &colour, const QColor &ground, double share)
{
    const auto part = [share](int a, int b) { return static_cast<int>(a * share + b * (1 - share) + 0.5); };
    return QColor(part(colour.red(), ground.red()), part(colour.green(), ground.green()),
                  part(colour.blue(), ground.blue()));
}

namespace {

void drawStrokes(QPainter &painter, QPointF c, double r, bool upright, bool diagonal)
{
    const double d = diagonal && upright ? r * 0.75 : r * 0.85;
    if (upright) {
        painter.drawLine(QPointF(c.x() - r, c.y()), QPointF(c.x() + r, c.y()));
        painter.drawLine(QPointF(c.x(), c.y() - r), QPointF(c.x(), c.y() + r));
    }
    if (diagonal) {
        painter.drawLine(QPointF(c.x() - d, c.y() - d), QPointF(c.x() + d, c.y() + d));
        painter.drawLine(QPointF(c.x() - d, c.y() + d), QPointF(c.x() + d, c.y() - d));
    }
}

QPolygonF outline(Marker marker, QPointF c, double r)
{
    switch (marker) {
    case Marker::Square:
    case Marker::OpenSquare:
    case Marker::PlusSquare: {
        const double s = r * 0.89; // the same ink as the disc
        return QPolygonF(QRectF(c.x() - s, c.y() - s, 2 * s, 2 * s));
    }
    case Marker::Diamond:
    case Marker::OpenDiamond: {
        const double s = r * 1.2;
        return {{QPointF(c.x(), c.y() - s), QPointF(c.x() + s, c.y()), QPointF(c.x(), c.y() + s),
                 QPointF(c.x() - s, c.y())}};
    }
    case Marker::Triangle:
        return {{QPointF(c.x(), c.y() - r * 1.15), QPointF(c.x() + r * 1.1, c.y() + r * 0.85),
                 QPointF(c.x() - r * 1.1, c.y() + r * 0.85)}};
    case Marker::TriangleDown:
        return {{QPointF(c.x(), c.y() + r * 1.15), QPointF(c.x() + r * 1.1, c.y() - r * 0.85),
                 QPointF(c.x() - r * 1.1, c.y() - r * 0.85)}};
    default:
        return {};
    }
}

} // namespace

void drawMarker(QPainter &painter, QPointF centre, const SeriesStyle &style, double size,
                const QColor &colour, const QColor &ground)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double r = size / 2;
    const Marker marker = style.marker;
    const bool open = style.hollow || marker == Marker::Circle || marker == Marker::OpenSquare ||
                      marker == Marker::OpenDiamond || marker == Marker::PlusSquare;
    painter.setPen(QPen(colour, size * 0.19, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    if (!open)
        painter.setPen(QPen(ground, size * 0.12)); // a hair of ground keeps filled markers apart
    painter.setBrush(open ? ground : colour);
    if (marker == Marker::Disc || marker == Marker::Circle) {
        painter.drawEllipse(centre, r, r);
    } else if (marker == Marker::Cross || marker == Marker::Star || marker == Marker::Plus) {
        painter.setPen(QPen(colour, size * 0.21));
        drawStrokes(painter, centre, r, marker != Marker::Cross, marker != Marker::Plus);
    } else {
        painter.drawPolygon(outline(marker, centre, r));
        if (marker == Marker::PlusSquare)
            drawStrokes(painter, centre, r * 0.89, true, false);
    }
    painter.restore();
}

void drawSeriesKey(QPainter &painter, const QRectF &rect, const SeriesStyle &style, ChartPalette palette,
                   const QColor &ground)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor colour = style.colour(palette);
    const double scale = rect.height() / 16.0;
    painter.setPen(seriesPen(style, colour, 1.5 * scale));
    const double y = rect.center().y();
    painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right(), y));
    drawMarker(painter, QPointF(rect.center().x(), y), style, 8 * scale, colour, ground);
    painter.restore();
}

} // namespace sb
