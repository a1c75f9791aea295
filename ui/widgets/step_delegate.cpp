// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/step_delegate.h"

#include "models/step_model.h"
#include "widgets/icon.h"
#include "widgets/style_painting.h"

#include <QPainter>

#include <algorithm>

namespace sb {

namespace {
constexpr int kTextLeft = 38;
constexpr int kMarkSpace = 28;

int rowHeight()
{
    const QFontMetrics title(roleFont(TextRole::Strong));
    const QFontMetrics line(roleFont(TextRole::Fine));
    return std::max(48, title.height() + line.height() + 12);
}
} // namespace

int StepDelegate::neededWidth(const QString &title, const QString &subLine)
{
    const int text = std::max(QFontMetrics(roleFont(TextRole::Strong)).horizontalAdvance(title),
                              QFontMetrics(roleFont(TextRole::Fine)).horizontalAdvance(subLine));
    return kTextLeft + text + kMarkSpace;
}

void StepDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                         const QModelIndex &index) const
{
    const Tokens &tokens = Tokens::of(option.palette);
    const bool selected = option.state & QStyle::State_Selected;
    const auto state = index.data(StepModel::StateRole).value<StepState>();
    const QRect row = option.rect.adjusted(0, 1, 0, -1);
    painter->save();
    if (selected) {
        paintCard(painter, QRectF(row), tokens.base, tokens.border);
        painter->fillRect(QRect(row.left(), row.top() + 7, 3, row.height() - 14), tokens.accent);
    } else if (option.state & QStyle::State_MouseOver) {
        paintCard(painter, QRectF(row), tokens.bar, Qt::transparent);
    }
    if ((option.state & QStyle::State_HasFocus) && (option.state & QStyle::State_KeyboardFocusChange))
        paintFocusRing(painter, row, tokens);

    const QString icon = index.data(StepModel::IconNameRole).toString();
    const QRectF iconBox(row.left() + 10, row.center().y() - 8, 18, 18);
    const bool quiet = state == StepState::Nothing && !selected;
    paintIcon(painter, icon, iconBox, selected ? tokens.accent : tokens.text2);
    if (m_collapsed) {
        if (state != StepState::Nothing) {
            painter->translate(row.right() - 12, row.top() + 4);
            painter->scale(0.72, 0.72);
            paintStateMark(painter, QRectF(0, 0, 14, 14), state, tokens);
        }
        painter->restore();
        return;
    }
    const QFont titleFont = roleFont(selected ? TextRole::Strong : TextRole::Body);
    const QFont lineFont = roleFont(TextRole::Fine);
    const int block = QFontMetrics(titleFont).height() + QFontMetrics(lineFont).height();
    const int top = row.top() + (row.height() - block) / 2;
    const int width = row.width() - kTextLeft - kMarkSpace;
    painter->setFont(titleFont);
    painter->setPen(quiet ? tokens.text2 : tokens.text);
    painter->drawText(QRect(row.left() + kTextLeft, top, width, QFontMetrics(titleFont).height()),
                      static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter),
                      index.data(Qt::DisplayRole).toString());
    painter->setFont(lineFont);
    painter->setPen(tokens.text2);
    painter->drawText(QRect(row.left() + kTextLeft, top + QFontMetrics(titleFont).height(), width + 4,
                            QFontMetrics(lineFont).height()),
                      static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter),
                      index.data(StepModel::SubLineRole).toString());
    paintStateMark(painter, QRectF(row.right() - 22, row.center().y() - 6, 14, 14), state, tokens);
    painter->restore();
}

QSize StepDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const
{
    return {40, rowHeight()};
}

} // namespace sb
