// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/figure_strip.h"

#include "widgets/style_painting.h"

#include <QEvent>
#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace sb {

namespace {
constexpr int kPadding = 14;
constexpr double kStaleOpacity = 0.55;

QString shownValue(const Figure &figure)
{
    return figure.value.isEmpty() ? QStringLiteral("—") : figure.value;
}
} // namespace

FigureStrip::FigureStrip(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void FigureStrip::setFigures(const std::vector<Figure> &figures)
{
    if (figures == m_figures)
        return;
    const bool resized = figures.size() != m_figures.size();
    m_figures = figures;
    setAccessibleDescription(spokenText());
    if (resized)
        updateGeometry();
    update();
}

QString FigureStrip::spokenText() const
{
    QStringList parts;
    for (const Figure &figure : m_figures)
        parts << shownValue(figure) + u' ' + figure.unit +
                     (figure.remark.isEmpty() ? QString() : QStringLiteral(", ") + figure.remark);
    return parts.join(QStringLiteral("; "));
}

int FigureStrip::figureWidth(const Figure &figure) const
{
    const int value = QFontMetrics(roleFont(TextRole::Figure)).horizontalAdvance(shownValue(figure));
    const int unit = QFontMetrics(roleFont(TextRole::Body)).horizontalAdvance(figure.unit);
    const int remark = QFontMetrics(roleFont(TextRole::Secondary)).horizontalAdvance(figure.remark);
    return std::max(value + 5 + unit, remark);
}

QSize FigureStrip::sizeHint() const
{
    int width = 0;
    for (const Figure &figure : m_figures)
        width += figureWidth(figure) + 2 * kPadding;
    const int height = QFontMetrics(roleFont(TextRole::Figure)).height() +
                       QFontMetrics(roleFont(TextRole::Secondary)).height() + 13;
    return {width, std::max(56, height)};
}

QSize FigureStrip::minimumSizeHint() const
{
    return {200, sizeHint().height()};
}

void FigureStrip::paintEvent(QPaintEvent *)
{
    const Tokens &tokens = Tokens::of(palette());
    QPainter painter(this);
    paintCard(&painter, QRectF(rect()), tokens.base, tokens.border);
    const QFontMetrics large(roleFont(TextRole::Figure));
    const QFontMetrics small(roleFont(TextRole::Secondary));
    const int base = (height() - large.height() - small.height()) / 2 + large.ascent();
    const int remarkBase = base + large.descent() + small.ascent();
    double x = kPadding;
    bool first = true;
    for (const Figure &figure : m_figures) {
        const double width = figureWidth(figure);
        if (!first && x + width > this->width()) // the last ones give way; they are in the description
            break;
        if (!first)
            painter.fillRect(QRectF(x - kPadding - 0.5, 7, 1, height() - 14), tokens.border);
        first = false;
        painter.setFont(roleFont(TextRole::Figure));
        painter.setPen(figure.value.isEmpty() ? tokens.text2 : tokens.text);
        painter.setOpacity(figure.stale ? kStaleOpacity : 1.0);
        painter.drawText(QPointF(x, base), shownValue(figure));
        painter.setOpacity(1.0);
        painter.setFont(roleFont(TextRole::Body));
        painter.setPen(tokens.text2);
        painter.drawText(QPointF(x + large.horizontalAdvance(shownValue(figure)) + 5, base), figure.unit);
        painter.setFont(roleFont(TextRole::Secondary));
        painter.setPen(figure.stale ? tokens.warn : tokens.text2);
        painter.drawText(QPointF(x, remarkBase), figure.remark);
        x += width + 2 * kPadding;
    }
}

void FigureStrip::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::ApplicationFontChange) {
        updateGeometry();
        update();
    }
}

} // namespace sb
