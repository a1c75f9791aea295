// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/scaling_table.h"

#include "charts/chart_text.h"
#include "charts/tokens.h"

#include <QPainter>
#include <QStyle>
#include <QWidget>

namespace sb {

namespace {
constexpr int kKeyWidth = 30;
constexpr int kGap = 14; // between columns
} // namespace

void ScalingTableDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                                 const QModelIndex &index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const auto *model = static_cast<const ScalingTableModel *>(index.model());
    const Tokens &tokens = Tokens::of(item.palette);
    const bool hidden = index.data(ScalingTableModel::HiddenRole).toBool();
    const bool selected = item.state.testFlag(QStyle::State_Selected);
    painter->save();
    if (selected)
        painter->fillRect(item.rect, tokens.sel);
    painter->setPen(tokens.grid);
    painter->drawLine(item.rect.bottomLeft(), item.rect.bottomRight());
    // As far from the edge as the header's text, so that figures stand under their heading.
    const int margin = item.widget ? item.widget->style()->pixelMetric(QStyle::PM_HeaderMargin) : 4;
    QRect area = item.rect.adjusted(margin, 0, -margin, 0);
    const QColor ink = selected ? tokens.onSel : tokens.text;
    painter->setFont(item.font);
    painter->setPen(hidden || item.text == QStringLiteral("—") ? tokens.text2 : ink);
    if (index.data(ScalingTableModel::StyleRole).isValid()) {
        const SeriesStyle &style = model->styleOf(index.row());
        const QRectF key(area.left(), area.center().y() - 7.5, kKeyWidth, 16);
        if (!hidden)
            drawSeriesKey(*painter, key, style,
                          &tokens == &Tokens::dark() ? ChartPalette::Dark : ChartPalette::Light,
                          selected ? tokens.sel : tokens.base);
        area.setLeft(area.left() + kKeyWidth + 8);
        if (hidden)
            item.text += QStringLiteral(" (") + ScalingTableModel::tr("hidden") + QLatin1Char(')');
    }
    if (const QVariant noise = index.data(ScalingTableModel::NoiseRole); noise.isValid()) {
        const int grade = noise.toInt();
        const QRectF tag(area.center().x() - 9, area.center().y() - 8.5, 19, 18);
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(grade == 0 ? tokens.ok : grade == 2 ? tokens.warn : tokens.strong);
        painter->setBrush(grade == 0 ? tokens.okBg : grade == 2 ? tokens.warnBg : tokens.alt);
        painter->drawRoundedRect(tag, 3, 3);
        painter->setPen(grade == 0 ? tokens.ok : grade == 2 ? tokens.warn : tokens.text2);
        painter->setFont(resized(item.font, -1.5));
        painter->drawText(tag, Qt::AlignCenter, item.text);
    } else {
        if (const QVariant coverage = index.data(ScalingTableModel::CoverageRole); coverage.isValid()) {
            const QFont fine = resized(item.font, -1.5);
            const QString text = coverage.toString();
            painter->setFont(fine);
            const QPen pen = painter->pen();
            painter->setPen(selected ? tokens.onSel : tokens.text2);
            painter->drawText(area, Qt::AlignRight | Qt::AlignVCenter, text);
            area.setRight(area.right() - QFontMetrics(fine).horizontalAdvance(text) - 5);
            painter->setPen(pen);
            painter->setFont(item.font);
        }
        const QFontMetrics metrics(item.font);
        painter->drawText(area, static_cast<int>(item.displayAlignment),
                          metrics.elidedText(item.text, Qt::ElideRight, area.width()));
    }
    painter->restore();
}

QSize ScalingTableDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    int width = item.fontMetrics.horizontalAdvance(item.text) + kGap;
    if (index.data(ScalingTableModel::StyleRole).isValid())
        width += kKeyWidth + 8;
    if (const QVariant coverage = index.data(ScalingTableModel::CoverageRole); coverage.isValid())
        width += QFontMetrics(resized(item.font, -1.5)).horizontalAdvance(coverage.toString()) + 8;
    return {width, 24};
}

} // namespace sb
