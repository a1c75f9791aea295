// SPDX-License-Identifier: GPL-3.0-or-later
// How the cells of the matrix look, in the window and on paper.
#pragma once

#include "topology/matrix_model.h"

#include <QFont>
#include <QRectF>

class QPainter;

namespace sb {

struct CellLook {
    bool selected = false;
    bool dimmed = false;
    bool dense = false;
};

// Draws one cell: class and word, hatched where the row is damaged; affinities as text.
void paintCell(QPainter &painter, const QRectF &cell, const QModelIndex &index, const Tokens &tokens,
               const CellLook &look);
QFont cellFont(QFont font, bool dense);

// The matrix on paper: cells and headers, drawn at (0, 0). Gives its size.
QSizeF paintMatrix(QPainter &painter, const MatrixModel &model, const Tokens &tokens, const QFont &font);
QSizeF matrixSize(const MatrixModel &model, const QFont &font);

} // namespace sb
