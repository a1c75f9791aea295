// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace sb {

// A cell of the case grid: what one case costs, when it runs, or what it gave. State is shown by shape and
// words as well as colour: refused is hatched with two words, done has a tick, failed a warning sign.
class CaseDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    enum class Show { Time, Order, Result };
    using QStyledItemDelegate::QStyledItemDelegate;

    void setShow(Show show) { m_show = show; }
    Show show() const { return m_show; }
    // The text of a cell without its marks, for copying and tests.
    QString cellText(const QModelIndex &index) const;

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    Show m_show = Show::Time;
};

} // namespace sb
