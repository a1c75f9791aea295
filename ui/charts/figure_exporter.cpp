// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/figure_exporter.h"

#include "charts/pdf_bytes.h"
#include "charts/qcp_parts.h"
#include "charts/scaling_plot.h"

#include <QApplication>
#include <QBuffer>
#include <QImage>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgGenerator>

#include <cmath>

namespace sb {

namespace {

constexpr double kHeightShare = 0.62;
constexpr double kLegendBelowMm = 110; // narrower figures have their legend under the plot
constexpr double kPngDpi = 300;
constexpr int kTextUnits = 80;  // 8 pt
constexpr int kFineUnits = 70;  // 7 pt, the least
constexpr int kTitleUnits = 90; // 9 pt

FigureLook lookOf(const FigureStyle &style)
{
    FigureLook look;
    look.palette = style.palette;
    QFont font = QApplication::font();
    if (!style.fontFamily.isEmpty())
        font.setFamily(style.fontFamily);
    font.setHintingPreference(QFont::PreferNoHinting); // letters keep their widths at every scale
    font.setPixelSize(kTextUnits);
    look.font = font;
    font.setPixelSize(kFineUnits);
    look.fineFont = font;
    font.setPixelSize(kTitleUnits);
    font.setWeight(QFont::DemiBold);
    look.titleFont = font;
    look.scale = kTextUnits / 11.0;
    look.lineWidth = 7.5; // 0.75 pt
    look.markerSize = 35; // 3.5 pt
    look.exported = true;
    look.legendRow = style.widthMm < kLegendBelowMm;
    return look;
}

// A figure laid out and ready to be drawn.
struct Sheet {
    QCustomPlot canvas;
    ScalingPlot plot{&canvas};
    QSize size;

    Sheet(const ScalingFigure &figure, const FigureStyle &style)
    {
        const double width = unitsFromMm(style.widthMm);
        size =
            QSize(static_cast<int>(std::lround(width)), static_cast<int>(std::lround(width * kHeightShare)));
        const FigureLook look = lookOf(style);
        canvas.setViewport(QRect(QPoint(0, 0), size));
        plot.build(figure, look, size);
        if (plot.extraHeight() == 0)
            return;
        size.rheight() += plot.extraHeight();
        canvas.setViewport(QRect(QPoint(0, 0), size));
        plot.build(figure, look, size);
    }
};

void drawSheet(Sheet &sheet, QCPPainter &painter)
{
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    painter.setMode(QCPPainter::pmNonCosmetic);
    painter.setRenderHint(QPainter::Antialiasing);
    sheet.canvas.toPainter(&painter, sheet.size.width(), sheet.size.height());
}

QByteArray toPng(const Drawing &drawing)
{
    const double scale = kPngDpi / kUnitsPerInch;
    QImage image(static_cast<int>(std::ceil(drawing.size.width() * scale)),
                 static_cast<int>(std::ceil(drawing.size.height() * scale)), QImage::Format_RGB32);
    image.fill(Qt::white);
    const int dotsPerMetre = static_cast<int>(std::lround(kPngDpi / 0.0254));
    QCPPainter painter(&image);
    painter.scale(scale, scale);
    drawing.draw(painter);
    painter.end();
    image.setDotsPerMeterX(dotsPerMetre);
    image.setDotsPerMeterY(dotsPerMetre);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

QByteArray toSvg(const Drawing &drawing)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(static_cast<int>(kUnitsPerInch));
    generator.setSize(drawing.size);
    generator.setViewBox(QRect(QPoint(0, 0), drawing.size));
    generator.setTitle(drawing.title);
    generator.setDescription(drawing.provenance);
    QCPPainter painter(&generator);
    drawing.draw(painter);
    painter.end();
    buffer.close();
    // Qt rounds the size to whole units; the width that was asked for is exact.
    const double mm = 25.4 / kUnitsPerInch;
    const QRegularExpression size(QStringLiteral("<svg width=\"[0-9.]+mm\" height=\"[0-9.]+mm\""));
    return QString::fromUtf8(bytes)
        .replace(size, QStringLiteral("<svg width=\"%1mm\" height=\"%2mm\"")
                           .arg(drawing.widthMm)
                           .arg(std::round(drawing.size.height() * mm * 100) / 100))
        .toUtf8();
}

QByteArray toPdf(const Drawing &drawing)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setResolution(static_cast<int>(kUnitsPerInch));
        writer.setTitle(drawing.title);
        writer.setCreator(QStringLiteral("Scaleboard"));
        writer.setPageSize(QPageSize(QSizeF(drawing.size) / (kUnitsPerInch / 72), QPageSize::Point, QString(),
                                     QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF());
        QCPPainter painter(&writer);
        drawing.draw(painter);
        painter.end();
    }
    buffer.close();
    return canonicalPdf(bytes);
}

Result<void> checkWidth(double widthMm)
{
    if (widthMm >= 40 && widthMm <= 400)
        return {};
    return Error{ErrorCode::BadInput, "A figure is 40 to 400 mm wide, not " + std::to_string(widthMm) +
                                          " mm; choose 85, 120 or 174."};
}

} // namespace

double unitsFromMm(double mm)
{
    return mm / 25.4 * kUnitsPerInch;
}

QSizeF figureSize(const ScalingFigure &figure, const FigureStyle &style)
{
    return Sheet(figure, style).size;
}

Result<QByteArray> exportDrawing(const Drawing &drawing, FigureFormat format)
{
    if (auto width = checkWidth(drawing.widthMm); !width)
        return width.error();
    switch (format) {
    case FigureFormat::Png:
        return toPng(drawing);
    case FigureFormat::Svg:
        return toSvg(drawing);
    case FigureFormat::Pdf:
        return toPdf(drawing);
    }
    return Error{ErrorCode::BadInput, "This figure format is not known."};
}

Result<QByteArray> exportFigure(const ScalingFigure &figure, const FigureStyle &style, FigureFormat format)
{
    if (auto width = checkWidth(style.widthMm); !width)
        return width.error();
    Sheet sheet(figure, style);
    // Every device above is drawn on by a QCPPainter.
    const auto draw = [&sheet](QPainter &painter) { drawSheet(sheet, static_cast<QCPPainter &>(painter)); };
    return exportDrawing({sheet.size, style.widthMm, figure.texts.title, figure.texts.provenance, draw},
                         format);
}

class DocumentPainter::Private {
public:
    explicit Private(QPaintDevice *device)
        : painter(device)
    {
    }
    QCPPainter painter;
};

DocumentPainter::DocumentPainter(QPaintDevice *device)
    : d(std::make_unique<Private>(device))
{
}

DocumentPainter::~DocumentPainter() = default;

QPainter &DocumentPainter::painter()
{
    return d->painter;
}

void DocumentPainter::drawFigure(const ScalingFigure &figure, const FigureStyle &style, QPointF corner)
{
    Sheet sheet(figure, style);
    d->painter.save();
    d->painter.translate(corner);
    drawSheet(sheet, d->painter);
    d->painter.restore();
}

bool DocumentPainter::end()
{
    return d->painter.end();
}

} // namespace sb
