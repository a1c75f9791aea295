// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/node_delegate.h"

#include "models/node_model.h"
#include "widgets/text.h"

#include <QPainter>

namespace sb {

namespace {

constexpr int kWidestText = 220; // a longer name is elided, so that the other columns stay in view
constexpr int kMargin = 12;
constexpr int kMark = 16;
constexpr int kTextAt = 40;  // of the name, beside the mark
constexpr int kRounding = 3; // glyphs of another font than asked for may be wider than they say

QColor stepColor(QChar state, const Tokens &tokens)
{
    return state == u'd'   ? tokens.ok
           : state == u'a' ? tokens.accent
           : state == u'f' ? tokens.err
                           : tokens.border;
}

} // namespace

void NodeDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                         const QModelIndex &index) const
{
    const Tokens &tokens = Tokens::of(option.palette);
    const bool selected = (option.state & QStyle::State_Selected) != 0;
    painter->save();
    painter->fillRect(option.rect, selected ? tokens.sel : tokens.base);
    painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), tokens.border);
    QRect text = option.rect.adjusted(kMargin, 0, -kMargin, 0);
    if (index.column() == NodeModel::Name) {
        paintStateMark(
            painter, QRectF(option.rect.left() + kMargin, option.rect.center().y() - kMark / 2, kMark, kMark),
            index.data(NodeModel::MarkRole).value<StepState>(), tokens);
        text.setLeft(option.rect.left() + kTextAt);
    }
    const QString first = index.data().toString();
    QString second = index.data(NodeModel::SecondLineRole).toString();
    const StepState mark = index.data(NodeModel::MarkRole).value<StepState>();
    const QString steps = index.data(NodeModel::StepsRole).toString();
    const int middle = option.rect.center().y();
    QRect upper = text;
    upper.setBottom(middle);
    QRect lower = text;
    lower.setTop(middle + 1);
    const Qt::Alignment side = index.column() == NodeModel::Clock ? Qt::AlignRight : Qt::AlignLeft;
    const bool dots = index.column() == NodeModel::State && mark != StepState::Done && !steps.isEmpty();
    if (dots) { // the words go below
        for (qsizetype i = 0; i < steps.size(); ++i)
            painter->fillRect(QRect(text.left() + static_cast<int>(i) * 16, middle - 9, 14, 4),
                              stepColor(steps[i], tokens));
        second = first;
    }
    if (!dots) {
        painter->setFont(roleFont(TextRole::Body));
        painter->setPen(selected ? tokens.onSel : tokens.text);
        const QRect line = second.isEmpty() ? text : upper;
        painter->drawText(line,
                          static_cast<int>(side | (second.isEmpty() ? Qt::AlignVCenter : Qt::AlignBottom)),
                          painter->fontMetrics().elidedText(first, Qt::ElideRight, line.width()));
    }
    if (!second.isEmpty()) {
        painter->setFont(roleFont(TextRole::Fine));
        painter->setPen(dots && mark == StepState::Broken ? tokens.err
                        : selected                        ? tokens.onSel
                                                          : tokens.text2);
        painter->drawText(lower, static_cast<int>(side | Qt::AlignTop),
                          painter->fontMetrics().elidedText(second, Qt::ElideRight, lower.width()));
    }
    painter->restore();
}

NodeHeader::NodeHeader(QWidget *parent)
    : QHeaderView(Qt::Horizontal, parent)
{
    setSectionsClickable(false);
}

void NodeHeader::paintSection(QPainter *painter, const QRect &rect, int section) const
{
    const Tokens &tokens = Tokens::of(palette());
    painter->fillRect(rect, tokens.alt);
    painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), tokens.border);
    const int indent = section == NodeModel::Name ? kTextAt : kMargin;
    const Qt::Alignment side = section == NodeModel::Clock ? Qt::AlignRight : Qt::AlignLeft;
    painter->setFont(roleFont(TextRole::Body));
    painter->setPen(tokens.text);
    painter->drawText(rect.adjusted(indent, 0, -kMargin, -1), static_cast<int>(side | Qt::AlignVCenter),
                      model()->headerData(section, orientation(), Qt::DisplayRole).toString());
}

QSize NodeHeader::sectionSizeFromContents(int section) const
{
    const QFontMetrics metrics(roleFont(TextRole::Body));
    const QString text = model()->headerData(section, orientation(), Qt::DisplayRole).toString();
    return {metrics.horizontalAdvance(text) + kRounding + 2 * kMargin +
                (section == NodeModel::Name ? kTextAt - kMargin : 0),
            QHeaderView::sectionSizeFromContents(section).height()};
}

QSize NodeDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QFontMetrics body(roleFont(TextRole::Body));
    const QFontMetrics fine(roleFont(TextRole::Fine));
    const int width = std::max(body.horizontalAdvance(index.data().toString()),
                               fine.horizontalAdvance(index.data(NodeModel::SecondLineRole).toString()));
    return {std::min(width, kWidestText) + kRounding + 2 * kMargin +
                (index.column() == NodeModel::Name ? kTextAt - kMargin : 0),
            std::max(40, body.height() + fine.height() + 6) + 0 * option.rect.height()};
}

} // namespace sb
