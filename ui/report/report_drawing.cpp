// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_drawing.h"

#include "report/report_figures.h"
#include "topology/topology_painter.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace sb {

namespace {

// One pixel of the topology's drawing in units: its smallest text, 11 pixels, is then 7 pt.
constexpr double kUnitsPerPixel = 70.0 / 11;
constexpr double kHeightShare = 0.70;
constexpr double kEdge = 30;

bool covered(const GraphLayout &layout, const LayoutRect &rect)
{
    return std::any_of(layout.nodes.begin(), layout.nodes.end(),
                       [&rect](const LayoutNode &node) { return node.rect.overlaps(rect); });
}

// In a narrow drawing words of links can come to lie under boxes: they move to the nearest free place, and go
// where there is none, since the colour of the line says the same.
void clearLabels(GraphLayout &layout)
{
    for (LayoutEdge &edge : layout.edges) {
        if (!edge.label || edge.pill)
            continue;
        const double w = 8.0 * static_cast<double>(edge.word.size()) + 4;
        const double h = 15;
        std::optional<LayoutPoint> best;
        double nearest = 40;
        for (int dx = -32; dx <= 32; dx += 4)
            for (int dy = -20; dy <= 20; dy += 4) {
                const LayoutPoint at{edge.label->x + dx, edge.label->y + dy};
                const double far = std::hypot(dx, 2 * dy); // rather along a line than off it
                if (far < nearest && !covered(layout, {at.x - w / 2, at.y - h / 2, w, h})) {
                    nearest = far;
                    best = at;
                }
            }
        edge.label = best;
    }
}

// Title, drawing and provenance, one under the other.
struct WiringSheet {
    const Report &report;
    const ReportTopology &wiring;
    FigureStyle style;
    QFont title, fine;
    double width = 0, top = 0, picture = 0, bottom = 0;
    std::vector<QString> provenance;

    WiringSheet(const Report &whole, const ReportTopology &shown, const FigureStyle &look)
        : report(whole)
        , wiring(shown)
        , style(look)
        , width(unitsFromMm(look.widthMm))
    {
        title = QApplication::font();
        if (!style.fontFamily.isEmpty())
            title.setFamily(style.fontFamily);
        title.setHintingPreference(QFont::PreferNoHinting);
        fine = title;
        title.setPixelSize(90);
        title.setWeight(QFont::DemiBold);
        fine.setPixelSize(70);
        top = QFontMetricsF(title).height() + kEdge;
        picture = (width - 2 * kEdge) * kHeightShare;
        wrapProvenance();
        bottom = QFontMetricsF(fine).height() * static_cast<double>(provenance.size()) + kEdge;
    }

    void wrapProvenance()
    {
        const QString text = QString::fromStdString(report.provenance);
        QTextLayout layout(text, fine);
        layout.beginLayout();
        for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
            line.setLineWidth(width - 2 * kEdge);
            provenance.push_back(text.mid(line.textStart(), line.textLength()).trimmed());
        }
        layout.endLayout();
    }

    QString name() const { return QString::fromStdString(topologyTitle(wiring, report.language)); }

    QSizeF size() const { return {std::round(width), std::round(top + picture + bottom)}; }

    void draw(QPainter &painter) const
    {
        const bool dark = style.palette == ChartPalette::Dark;
        const Tokens &tokens = dark ? Tokens::dark() : Tokens::light();
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.fillRect(QRectF(QPointF(), size()), dark ? tokens.base : QColor(Qt::white));
        painter.setPen(tokens.text);
        painter.setFont(title);
        painter.drawText(QPointF(kEdge, kEdge / 2 + QFontMetricsF(title).ascent()),
                         QFontMetricsF(title).elidedText(name(), Qt::ElideRight, width - 2 * kEdge));
        painter.setPen(tokens.text2);
        painter.setFont(fine);
        double y = top + picture + kEdge / 2;
        for (const QString &line : provenance) {
            painter.drawText(QPointF(kEdge, y + QFontMetricsF(fine).ascent()), line);
            y += QFontMetricsF(fine).height();
        }
        GraphStyle look;
        look.tokens = &tokens;
        look.font = title;
        look.font.setWeight(QFont::Normal);
        look.font.setPixelSize(13);
        look.language =
            report.language == ReportLanguage::Chinese ? WordLanguage::Chinese : WordLanguage::English;
        painter.translate(kEdge, top);
        painter.scale(kUnitsPerPixel, kUnitsPerPixel);
        GraphLayout layout =
            layoutTopology(wiring.topology, (width - 2 * kEdge) / kUnitsPerPixel, picture / kUnitsPerPixel);
        clearLabels(layout);
        paintTopology(painter, wiring.topology, layout, look);
        painter.restore();
    }
};

} // namespace

ReportDrawing::ReportDrawing(const Report &report, const ReportFigure &figure, const FigureStyle &style)
    : m_report(report)
    , m_figure(figure)
    , m_style(style)
{
}

QSizeF ReportDrawing::size() const
{
    if (wiring())
        return WiringSheet(m_report, m_report.topologies.at(m_figure.group), m_style).size();
    return figureSize(scalingFigure(m_report, m_figure), m_style);
}

void ReportDrawing::draw(DocumentPainter &painter, QPointF corner) const
{
    if (!wiring())
        return painter.drawFigure(scalingFigure(m_report, m_figure), m_style, corner);
    painter.painter().save();
    painter.painter().translate(corner);
    WiringSheet(m_report, m_report.topologies.at(m_figure.group), m_style).draw(painter.painter());
    painter.painter().restore();
}

Result<QByteArray> ReportDrawing::file(FigureFormat format) const
{
    if (!wiring())
        return exportFigure(scalingFigure(m_report, m_figure), m_style, format);
    const WiringSheet sheet(m_report, m_report.topologies.at(m_figure.group), m_style);
    return exportDrawing({sheet.size().toSize(), m_style.widthMm, sheet.name(),
                          QString::fromStdString(m_report.provenance),
                          [&sheet](QPainter &painter) { sheet.draw(painter); }},
                         format);
}

} // namespace sb
