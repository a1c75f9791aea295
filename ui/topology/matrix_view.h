// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "topology/matrix_model.h"

#include <QHeaderView>
#include <QStyledItemDelegate>
#include <QTableView>

namespace sb {

// Draws a cell by class and word; hatched where the row is damaged.
class MatrixDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;

    std::optional<DevicePair> selected;
    std::optional<DevicePair> hovered;
    bool dense = false;
};

// Names of the devices; those of the selected pair in the accent colour, damaged rows with a warning sign.
class MatrixHeader : public QHeaderView {
    Q_OBJECT
public:
    MatrixHeader(Qt::Orientation orientation, QWidget *parent);
    std::optional<DevicePair> selected;

protected:
    void paintEvent(QPaintEvent *event) override;
    void paintSection(QPainter *painter, const QRect &rect, int section) const override;
};

// The matrix. Arrow keys move, Enter or a click selects the pair, Escape clears.
class MatrixView : public QTableView {
    Q_OBJECT
public:
    explicit MatrixView(QWidget *parent = nullptr);

    void setTopology(const Topology &topology);
    void setMeasured(const std::optional<LinkMeasurements> &measured) { m_model.setMeasured(measured); }
    void setSelected(std::optional<DevicePair> pair);
    void setHovered(std::optional<DevicePair> pair);
    MatrixModel &matrix() { return m_model; }

Q_SIGNALS:
    void pairHovered(std::optional<sb::DevicePair> pair);
    void pairSelected(std::optional<sb::DevicePair> pair);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void fit();
    void choose(const QModelIndex &index);

    MatrixModel m_model;
    MatrixDelegate *m_delegate;
    MatrixHeader *m_columns;
    MatrixHeader *m_rows;
};

} // namespace sb
