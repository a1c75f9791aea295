// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology/topology_exporter.h"

#include "topology/matrix_cells.h"
#include "topology/topology_painter.h"

#include "charts/pdf_bytes.h"

#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <cmath>

namespace sb {

namespace {

constexpr double kMargin = 12;
constexpr QSizeF kGraphSize(640, 420);
constexpr int kPngScale = 3;

struct Drawing {
    const Topology &topology;
    TopologyPicture picture;
    QFont font;
    WordLanguage language;

    QSizeF size() const
    {
        if (picture == TopologyPicture::Graph)
            return kGraphSize;
        MatrixModel model;
        model.setTopology(topology);
        return matrixSize(model, font) + QSizeF(2 * kMargin, 2 * kMargin);
    }

    void draw(QPainter &painter) const
    {
        painter.fillRect(QRectF(QPointF(), size()), Tokens::light().base);
        painter.translate(kMargin, kMargin);
        if (picture == TopologyPicture::Graph) {
            GraphStyle style;
            style.font = font;
            style.language = language;
            const GraphLayout layout =
                layoutTopology(topology, kGraphSize.width() - 2 * kMargin, kGraphSize.height() - 2 * kMargin);
            paintTopology(painter, topology, layout, style);
            return;
        }
        MatrixModel model;
        model.setTopology(topology);
        paintMatrix(painter, model, Tokens::light(), font);
    }
};

// One logical pixel is 1/96 inch on paper.
QByteArray pdfOf(const Drawing &drawing)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setResolution(96);
        writer.setPageSize(
            QPageSize(drawing.size() * 72 / 96, QPageSize::Point, QString(), QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF());
        QPainter painter(&writer);
        drawing.draw(painter);
    }
    buffer.close();
    return canonicalPdf(bytes);
}

QByteArray svgOf(const Drawing &drawing)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(96);
    generator.setSize(drawing.size().toSize());
    generator.setViewBox(QRectF(QPointF(), drawing.size()));
    generator.setTitle(QStringLiteral("Topology"));
    QPainter painter(&generator);
    drawing.draw(painter);
    painter.end();
    return bytes;
}

QByteArray pngOf(const Drawing &drawing)
{
    const QSize size = (drawing.size() * kPngScale).toSize();
    QImage image(size, QImage::Format_RGB32);
    image.setDevicePixelRatio(kPngScale);
    image.fill(Qt::white);
    QPainter painter(&image);
    drawing.draw(painter);
    painter.end();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

} // namespace

Result<QByteArray> exportTopology(const Topology &topology, TopologyPicture picture, TopologyFormat format,
                                  const QFont &font, WordLanguage language)
{
    if (topology.size() == 0 || (picture == TopologyPicture::Graph && topology.gpuCount() == 0))
        return Error{ErrorCode::BadInput, "There is nothing to draw: the topology has no GPU."};
    const Drawing drawing{topology, picture, font, language};
    switch (format) {
    case TopologyFormat::Svg:
        return svgOf(drawing);
    case TopologyFormat::Pdf:
        return pdfOf(drawing);
    case TopologyFormat::Png:
        break;
    }
    return pngOf(drawing);
}

} // namespace sb
