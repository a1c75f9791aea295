// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace sb {

// A row of the rail: icon, title, one line of what it holds, state mark. Collapsed: the icon alone, with a
// small mark at its corner.
class StepDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void setCollapsed(bool collapsed) { m_collapsed = collapsed; }
    // Width a row needs so that no text of this row is cut.
    static int neededWidth(const QString &title, const QString &subLine);

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    bool m_collapsed = false;
};

} // namespace sb
