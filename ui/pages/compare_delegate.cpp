// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/tokens.h"
#include "pages/compare_models.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace sb {

namespace {

QColor verdictColour(Verdict verdict, const Tokens &tokens)
{
    return verdict == Verdict::Faster ? tokens.ok : verdict == Verdict::Slower ? tokens.err : tokens.text2;
}

void paintTag(QPainter *painter, const QStyleOptionViewItem &item, KeyRole role, const Tokens &tokens)
{
    const bool amber = role == KeyRole::Differs;
    const bool red = role == KeyRole::Blocks;
    const QFontMetricsF metrics(item.font);
    const QRectF tag(item.rect.left() + 4, item.rect.center().y() - 9,
                     metrics.horizontalAdvance(item.text) + 12, 19);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(red ? tokens.errLine : amber ? tokens.warnLine : tokens.strong);
    painter->setBrush(red ? tokens.errBg : amber ? tokens.warnBg : tokens.alt);
    painter->drawRoundedRect(tag, 3, 3);
    painter->setPen(red ? tokens.err : amber ? tokens.warn : tokens.text2);
    painter->drawText(tag, Qt::AlignCenter, item.text);
}

// The interval on an axis that has 1 in its middle.
void paintInterval(QPainter *painter, const QRect &rect, const CaseTableModel &model, const Comparison &one,
                   const Tokens &tokens)
{
    const QRectF area = QRectF(rect).adjusted(10, 0, -10, 0);
    const auto x = [&](double ratio) {
        return area.center().x() + (ratio - 1) / model.reach() * area.width() / 2;
    };
    const double y = area.center().y();
    painter->setRenderHint(QPainter::Antialiasing);
    QPen dots(tokens.text2, 1);
    dots.setDashPattern({1, 2});
    painter->setPen(dots);
    painter->drawLine(QPointF(x(1), area.top() + 2), QPointF(x(1), area.bottom() - 2));
    const QColor colour = verdictColour(one.verdict, tokens);
    painter->setPen(QPen(colour, 1.4));
    if (one.interval) {
        const double low = x(one.interval->low);
        const double high = x(one.interval->high);
        painter->drawLine(QPointF(low, y), QPointF(high, y));
        for (const double end : {low, high})
            painter->drawLine(QPointF(end, y - 4), QPointF(end, y + 4));
    }
    painter->setBrush(one.interval ? colour : tokens.base);
    painter->drawEllipse(QPointF(x(one.ratio), y), 3.5, 3.5);
}

} // namespace

void CompareDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                            const QModelIndex &index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const Tokens &tokens = Tokens::of(item.palette);
    const bool selected = item.state.testFlag(QStyle::State_Selected);
    painter->save();
    if (selected)
        painter->fillRect(item.rect, tokens.sel);
    painter->setPen(tokens.grid);
    painter->drawLine(item.rect.bottomLeft(), item.rect.bottomRight());
    painter->setFont(item.font);
    QColor ink = selected ? tokens.onSel : tokens.text;
    const auto *cases = qobject_cast<const CaseTableModel *>(index.model());
    const QVariant role = index.data(KeyTableModel::KeyRoleRole);
    if (!cases && index.column() == 3 && static_cast<KeyRole>(role.toInt()) != KeyRole::Same) {
        paintTag(painter, item, static_cast<KeyRole>(role.toInt()), tokens);
    } else if (cases && index.column() == CaseTableModel::Plot) {
        paintInterval(painter, item.rect, *cases, cases->cases().at(static_cast<std::size_t>(index.row())),
                      tokens);
    } else {
        if (cases && index.column() == CaseTableModel::VerdictColumn && !selected)
            ink = verdictColour(cases->cases().at(static_cast<std::size_t>(index.row())).verdict, tokens);
        if (!cases && (index.column() == 0 || index.column() == 3))
            ink = selected ? tokens.onSel : tokens.text2;
        if (cases && index.column() == CaseTableModel::Ratio) {
            item.font.setWeight(QFont::DemiBold);
            painter->setFont(item.font);
        }
        painter->setPen(ink);
        const QRect area = item.rect.adjusted(4, 0, -4, 0);
        painter->drawText(area, static_cast<int>(item.displayAlignment) | Qt::TextSingleLine,
                          QFontMetricsF(item.font).elidedText(item.text, Qt::ElideRight, area.width()));
    }
    if (item.state.testFlag(QStyle::State_HasFocus)) {
        painter->setPen(QPen(tokens.accent, 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(item.rect.adjusted(1, 1, -1, -1));
    }
    painter->restore();
}

QSize CompareDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    if (qobject_cast<const CaseTableModel *>(index.model()) && index.column() == CaseTableModel::Plot)
        size.setWidth(220);
    size.rwidth() += 18;
    return size;
}

} // namespace sb
