// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>
#include <QStyledItemDelegate>

namespace sb {

// A cell of the nodes' table: two lines; before the name the state's mark, in the state column a dot a step.
class NodeDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

// Names of the columns, above where the text of their cells begins.
class NodeHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit NodeHeader(QWidget *parent);

protected:
    void paintSection(QPainter *painter, const QRect &rect, int section) const override;
    QSize sectionSizeFromContents(int section) const override;
};

} // namespace sb
