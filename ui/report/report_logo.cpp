// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_logo.h"

#include "report/report_pages.h"

#include <QBuffer>
#include <QImage>
#include <QImageReader>
#include <QPainter>
#include <QSvgRenderer>

#include <cmath>

namespace sb {

namespace {

bool isSvg(const QString &path)
{
    return path.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive);
}

} // namespace

QSizeF logoSize(const QString &path)
{
    if (isSvg(path)) {
        QSvgRenderer renderer(path);
        return renderer.isValid() ? renderer.viewBoxF().size() : QSizeF();
    }
    return QImageReader(path).size();
}

void paintLogo(QPainter &painter, const QString &path, const QRectF &place)
{
    if (isSvg(path)) {
        QSvgRenderer renderer(path);
        renderer.render(&painter, place);
    } else {
        painter.drawImage(place, QImage(path));
    }
}

Result<void> applyTemplate(const ReportTemplate &house, PageStyle &style)
{
    const auto text = [](const std::string &value) { return QString::fromStdString(value); };
    if (!house.palette.empty())
        style.palette = chartPaletteFromName(house.palette).value_or(style.palette);
    style.figureWidthMm = house.figureWidthMm.value_or(style.figureWidthMm);
    style.fontFamily = text(house.font);
    style.accent = QColor(text(house.accent));
    style.ink = QColor(text(house.ink));
    style.logo = text(house.logo);
    if (!style.logo.isEmpty() && logoSize(style.logo).isEmpty())
        return Error{ErrorCode::BadInput,
                     "The logo " + house.logo + " cannot be read; it must be an SVG or a PNG file."};
    return {};
}

QByteArray logoPng(const PageStyle &style, int heightPx)
{
    const QSizeF size = style.logo.isEmpty() ? QSizeF() : logoSize(style.logo);
    if (size.isEmpty())
        return {};
    QImage image(static_cast<int>(std::lround(heightPx * size.width() / size.height())), heightPx,
                 QImage::Format_ARGB32);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
    paintLogo(painter, style.logo, QRectF(QPointF(), QSizeF(image.size())));
    painter.end();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

} // namespace sb
