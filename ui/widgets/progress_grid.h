// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <QWidget>

#include <utility>
#include <vector>

namespace sb {

class CaseGridModel;

// The sweep at a glance: one small cell a case, filled by the repeats that are done. The running one has an
// accent edge, a case with a failure an amber fill, a refused one a hatch.
class ProgressGrid : public QWidget {
    Q_OBJECT
public:
    explicit ProgressGrid(const CaseGridModel &grid, QWidget *parent = nullptr);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    QModelIndex cellAt(const QPoint &position) const;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    struct Place {
        QRect rect;
        QModelIndex index;
    };
    struct Layout {
        std::vector<Place> cells;
        std::vector<std::pair<QRect, int>> names;    // framework row
        std::vector<std::pair<QRect, int>> captions; // group
        QRect legend;
        int height = 0;
    };
    Layout arrange(int width) const;
    void paintCell(QPainter *painter, const Place &place) const;
    QString legendText() const;

    const CaseGridModel &m_grid;
};

} // namespace sb
