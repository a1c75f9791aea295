// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/recent_delegate.h"

#include "models/recent_model.h"
#include "widgets/icon.h"
#include "widgets/text.h"

#include <QPainter>

#include <algorithm>

namespace sb {

namespace {
constexpr int kIconSpace = 22;

QFont columnFont(int column)
{
    return roleFont(column == RecentModel::Folder ? TextRole::Mono : TextRole::Body);
}
} // namespace

void RecentDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                           const QModelIndex &index) const
{
    const Tokens &tokens = Tokens::of(option.palette);
    const bool selected = option.state & QStyle::State_Selected;
    const bool missing = index.data(RecentModel::MissingRole).toBool();
    painter->save();
    if (selected)
        painter->fillRect(option.rect, tokens.sel);
    painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), tokens.grid);
    QRect inside = option.rect.adjusted(11, 0, -11, 0);
    if (index.column() == RecentModel::Name) {
        paintIcon(painter, QStringLiteral("folder"),
                  QRectF(inside.left() + 1, inside.center().y() - 7, 16, 16), tokens.text2);
        inside.setLeft(inside.left() + kIconSpace);
    }
    QFont font = columnFont(index.column());
    font.setStrikeOut(missing &&
                      (index.column() == RecentModel::Name || index.column() == RecentModel::Folder));
    painter->setFont(font);
    const bool plain = index.column() == RecentModel::Name && !missing;
    const bool locate = missing && index.column() == RecentModel::Content;
    painter->setPen(locate ? tokens.warn : selected ? tokens.onSel : plain ? tokens.text : tokens.text2);
    const auto alignment = index.data(Qt::TextAlignmentRole).value<Qt::Alignment>();
    const auto mode = index.column() == RecentModel::Folder ? Qt::ElideMiddle : Qt::ElideRight;
    painter->drawText(inside, static_cast<int>(alignment),
                      QFontMetrics(font).elidedText(index.data().toString(), mode, inside.width()));
    painter->restore();
}

QSize RecentDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const
{
    const QFontMetrics metrics(columnFont(index.column()));
    const int icon = index.column() == RecentModel::Name ? kIconSpace : 0;
    return {std::min(260, metrics.horizontalAdvance(index.data().toString()) + icon + 26),
            metrics.height() + 8};
}

} // namespace sb
