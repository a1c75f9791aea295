// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>

namespace sb {

class CaseGridModel;

// The two rows above the case grid: groups ("FP32 · batch 128") over scales ("1n8g", "8 GPUs").
class CaseColumnHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit CaseColumnHeader(const CaseGridModel &grid, QWidget *parent = nullptr);

    QSize sizeHint() const override;
    // Width a column needs so that no text of the header or the cells is cut.
    int neededWidth(int section) const;

protected:
    void paintEvent(QPaintEvent *event) override;
    void paintSection(QPainter *painter, const QRect &rect, int section) const override;

private:
    int groupRowHeight() const;

    const CaseGridModel &m_grid;
};

// The frozen first column: key and name of each framework.
class CaseRowHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit CaseRowHeader(const CaseGridModel &grid, QWidget *parent = nullptr);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void paintSection(QPainter *painter, const QRect &rect, int section) const override;

private:
    const CaseGridModel &m_grid;
};

} // namespace sb
