// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology/matrix_cells.h"

#include "topology/link_palette.h"

#include <QPainter>

#include <algorithm>

namespace sb {

void paintCell(QPainter &painter, const QRectF &cell, const QModelIndex &index, const Tokens &tokens,
               const CellLook &look)
{
    const QRectF rect = cell.adjusted(1, 1, -1, -1);
    const QString word = index.data(Qt::DisplayRole).toString();
    QFont font = painter.font();
    if (!index.data(MatrixModel::IsLinkRole).toBool()) {
        painter.setPen(tokens.text2);
        painter.drawText(cell.adjusted(10, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, word);
        return;
    }
    const LinkKind kind{static_cast<LinkClass>(index.data(MatrixModel::KindRole).toInt()),
                        index.data(MatrixModel::LanesRole).toInt()};
    const auto state = static_cast<CellState>(index.data(MatrixModel::CellStateRole).toInt());
    const bool damaged = index.data(MatrixModel::DamagedRole).toBool();
    const LinkColours colours = linkColours(kind, tokens);
    painter.setOpacity(look.dimmed ? 0.4 : 1);
    QColor ink = colours.text;
    if (state == CellState::Absent)
        return painter.setOpacity(1);
    if (damaged && kind.linkClass != LinkClass::Self) {
        painter.fillRect(rect, tokens.base);
        painter.fillRect(rect, QBrush(tokens.errLine.lighter(isDark(tokens) ? 90 : 150), Qt::BDiagPattern));
        // The word keeps a clear ground, or the hatching would run through it.
        const QRectF ground(rect.center().x() - QFontMetricsF(font).horizontalAdvance(word) / 2 - 2,
                            rect.y() + 4, QFontMetricsF(font).horizontalAdvance(word) + 4, rect.height() - 8);
        painter.fillRect(ground, tokens.base);
        ink = tokens.text;
        if (state == CellState::Unreadable) {
            painter.setPen(QPen(tokens.err, 1));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
            ink = tokens.err;
        }
    } else {
        painter.fillRect(rect, colours.fill);
        if (!colours.known) {
            painter.setPen(QPen(tokens.strong, 1, Qt::DashLine));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
        }
    }
    if (index.data(MatrixModel::SlowRole).toBool()) {
        painter.fillRect(rect, tokens.warnBg);
        painter.setPen(QPen(tokens.warnLine, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
        ink = tokens.warn;
        font.setWeight(QFont::DemiBold);
    }
    if (look.selected) {
        painter.setPen(QPen(tokens.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.drawRoundedRect(cell.adjusted(0, 0, -1, -1), 3, 3);
        painter.setPen(QPen(tokens.base, 1));
        painter.drawRoundedRect(cell.adjusted(2, 2, -3, -3), 2, 2);
        painter.setRenderHint(QPainter::Antialiasing, false);
        font.setWeight(QFont::DemiBold);
    }
    painter.setFont(font);
    painter.setPen(ink);
    painter.drawText(rect, Qt::AlignCenter,
                     QFontMetricsF(font).elidedText(word, Qt::ElideRight, rect.width()));
    painter.setOpacity(1);
}

QFont cellFont(QFont font, bool dense)
{
    font.setPointSizeF(font.pointSizeF() * (dense ? 10.0 / 13.0 : 12.0 / 13.0));
    return font;
}

QSizeF matrixSize(const MatrixModel &model, const QFont &font)
{
    const QFontMetricsF metrics(font);
    double affinities = 0;
    const auto devices = static_cast<int>(model.topology().size());
    for (int i = 0; i < model.affinityColumns(); ++i) {
        double width = metrics.horizontalAdvance(
            model.headerData(devices + i, Qt::Horizontal, Qt::DisplayRole).toString());
        for (int row = 0; row < model.rowCount(); ++row)
            width = std::max(width, metrics.horizontalAdvance(
                                        model.index(row, devices + i).data(Qt::DisplayRole).toString()));
        affinities += width + 20;
    }
    return {80 + 50.0 * devices + affinities, 26 + 33.0 * model.rowCount()};
}

QSizeF paintMatrix(QPainter &painter, const MatrixModel &model, const Tokens &tokens, const QFont &font)
{
    const auto devices = static_cast<int>(model.topology().size());
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setPen(tokens.text);
    double x = 80;
    std::vector<double> starts;
    for (int column = 0; column < model.columnCount(); ++column) {
        starts.push_back(x);
        const QString name = model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        double width = 50;
        if (column >= devices) {
            width = metrics.horizontalAdvance(name);
            for (int row = 0; row < model.rowCount(); ++row)
                width = std::max(width, metrics.horizontalAdvance(
                                            model.index(row, column).data(Qt::DisplayRole).toString()));
            width += 20;
        }
        painter.drawText(
            QRectF(x + (column < devices ? 0 : 10), 0, width, 26),
            static_cast<int>(column < devices ? Qt::AlignCenter : Qt::AlignLeft | Qt::AlignVCenter), name);
        x += width;
    }
    starts.push_back(x);
    for (int row = 0; row < model.rowCount(); ++row) {
        const double y = 26 + 33.0 * row;
        painter.setFont(font);
        painter.setPen(tokens.text);
        QString name = model.headerData(row, Qt::Vertical, Qt::DisplayRole).toString();
        if (model.topology().devices[static_cast<std::size_t>(model.deviceOfRow(row))].damaged)
            name = QStringLiteral("⚠ ") + name;
        painter.drawText(QRectF(0, y, 72, 33), static_cast<int>(Qt::AlignRight | Qt::AlignVCenter), name);
        for (int column = 0; column < model.columnCount(); ++column) {
            const auto at = static_cast<std::size_t>(column);
            painter.save();
            paintCell(painter, QRectF(starts[at], y, starts[at + 1] - starts[at], 33),
                      model.index(row, column), tokens, {});
            painter.restore();
        }
    }
    return {x, 26 + 33.0 * model.rowCount()};
}

} // namespace sb
