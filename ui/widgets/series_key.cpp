// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/series_key.h"

#include "charts/chart_style.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace sb {

namespace {

constexpr double kSwatchWidth = 20;
constexpr double kSwatchGap = 3;
constexpr double kSwatchHeight = 12;

ChartPalette screenPalette(const Tokens &tokens)
{
    return &tokens == &Tokens::dark() ? ChartPalette::Dark : ChartPalette::Light;
}

int swatches()
{
    const auto &palette = frameworkPalette();
    return static_cast<int>(std::count_if(palette.begin(), palette.end(),
                                          [](const PaletteEntry &entry) { return !entry.spare; }));
}

} // namespace

void paintSeriesKey(QPainter *painter, const QRectF &rect, const QString &framework, const Tokens &tokens)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    drawSeriesKey(*painter, rect, frameworkStyle(framework.toStdString()), screenPalette(tokens),
                  tokens.base);
    painter->restore();
}

PaletteSwatches::PaletteSwatches(QWidget *parent)
    : QWidget(parent)
{
    QStringList names;
    for (const PaletteEntry &entry : frameworkPalette())
        if (!entry.spare)
            names << entry.title;
    setAccessibleName(names.join(QStringLiteral(", ")));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QRectF PaletteSwatches::swatchRect(int index) const
{
    const double width = std::min(kSwatchWidth, (this->width() - kSwatchGap * swatches()) / swatches());
    return {index * (width + kSwatchGap), (height() - kSwatchHeight) / 2, width, kSwatchHeight};
}

void PaletteSwatches::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const ChartPalette palette = screenPalette(Tokens::of(this->palette()));
    for (int i = 0; i < swatches(); ++i) {
        painter.setBrush(frameworkPalette()[static_cast<std::size_t>(i)].style.colour(palette));
        painter.drawRoundedRect(swatchRect(i), 2, 2);
    }
}

bool PaletteSwatches::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        for (int i = 0; i < swatches(); ++i)
            if (swatchRect(i).contains(help->pos()))
                QToolTip::showText(help->globalPos(), frameworkPalette()[static_cast<std::size_t>(i)].title,
                                   this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace sb
