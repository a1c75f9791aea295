// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/painted_figure.h"

#include "charts/chart_accessible.h"
#include "charts/chart_text.h"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace sb {

namespace {

constexpr double kUnitsPerPixel = kUnitsPerInch / 96;
constexpr double kMargin = 6;
constexpr int kFontPixels = 11;
constexpr int kFinePixels = 10;

QFont pixelFont(const FigureStyle &style, int pixels)
{
    QFont font = QGuiApplication::font();
    if (!style.fontFamily.isEmpty())
        font.setFamily(style.fontFamily);
    font.setPixelSize(pixels);
    return font;
}

double heightOf(const QString &text, const QFont &font, double width)
{
    if (text.isEmpty())
        return 0;
    return QFontMetricsF(font).boundingRect(QRectF(0, 0, width, 10000), Qt::TextWordWrap, text).height() + 4;
}

// Draws wrapped text at the top of `room` and takes its height off.
void drawText(QPainter &painter, QRectF &room, const QString &text, const QFont &font, const QColor &colour)
{
    const double height = heightOf(text, font, room.width());
    if (height <= 0)
        return;
    painter.setFont(font);
    painter.setPen(colour);
    painter.drawText(QRectF(room.topLeft(), QSizeF(room.width(), height)), Qt::TextWordWrap, text);
    room.setTop(room.top() + height);
}

} // namespace

Drawing drawingOf(const PaintedFigure &figure, const FigureStyle &style)
{
    QFont titleFont = pixelFont(style, kFontPixels);
    titleFont.setWeight(QFont::DemiBold);
    const QFont font = pixelFont(style, kFontPixels);
    const QFont fine = pixelFont(style, kFinePixels);
    const double width = style.widthMm / 25.4 * 96;
    const double textWidth = width - 2 * kMargin;
    const double head =
        heightOf(figure.title, titleFont, textWidth) + heightOf(figure.simulated, font, textWidth);
    const double foot = heightOf(figure.provenance, fine, textWidth);
    const double body = std::max(150.0, width * figure.heightShare);
    const double height = head + body + foot + 2 * kMargin;

    Drawing drawing;
    drawing.size = (QSizeF(width, height) * kUnitsPerPixel).toSize();
    drawing.widthMm = style.widthMm;
    drawing.title = figure.title;
    drawing.provenance = figure.provenance;
    const bool dark = style.palette == ChartPalette::Dark;
    drawing.draw = [=](QPainter &painter) {
        const Tokens &tokens = dark ? Tokens::dark() : Tokens::light();
        painter.save();
        painter.scale(kUnitsPerPixel, kUnitsPerPixel);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.fillRect(QRectF(0, 0, width, height), tokens.base);
        QRectF room(kMargin, kMargin, textWidth, height - 2 * kMargin);
        drawText(painter, room, figure.title, titleFont, tokens.text);
        drawText(painter, room, figure.simulated, font, tokens.sim);
        const QRectF place(room.topLeft(), QSizeF(textWidth, body));
        if (figure.paint)
            figure.paint(painter, place, {tokens, style.palette, font, fine});
        room.setTop(place.bottom());
        drawText(painter, room, figure.provenance, fine, tokens.text2);
        painter.restore();
    };
    return drawing;
}

PaintedChart::PaintedChart(QWidget *parent)
    : QWidget(parent)
{
    announceAsChart(this);
}

void PaintedChart::setFigure(const PaintedFigure &figure)
{
    m_figure = figure;
    setAccessibleName(figure.title);
    setAccessibleDescription(figure.description);
    update();
}

void PaintedChart::paintEvent(QPaintEvent *)
{
    if (!m_figure.paint)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Tokens &tokens = Tokens::of(palette());
    const ChartPalette kind = &tokens == &Tokens::dark() ? ChartPalette::Dark : ChartPalette::Light;
    m_figure.paint(painter, area(), {tokens, kind, resized(font(), -0.75), resized(font(), -1.5)});
    if (!m_figure.simulated.isEmpty()) {
        painter.setFont(resized(font(), -1.5));
        painter.setPen(tokens.sim);
        painter.drawText(area(), Qt::AlignRight | Qt::AlignTop, m_figure.simulated);
    }
}

void PaintedChart::mousePressEvent(QMouseEvent *event)
{
    if (m_figure.partAt)
        if (const auto part = m_figure.partAt(event->position(), area()))
            Q_EMIT partClicked(*part);
}

bool PaintedChart::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip && m_figure.tip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const QString text = m_figure.tip(help->pos(), area());
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace sb
