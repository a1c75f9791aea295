// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_rows.h"

#include "widgets/icon.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace sb {

namespace {
constexpr int kIconSpace = 22;
}

RunRows::RunRows(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
}

int RunRows::rowHeight()
{
    return std::max(22, QFontMetrics(roleFont(TextRole::Body)).height() + 5);
}

void RunRows::setRows(const std::vector<Row> &rows)
{
    if (rows == m_rows)
        return;
    m_rows = rows;
    QStringList spoken;
    for (const Row &row : rows)
        spoken << row.title + QStringLiteral(", ") + row.value +
                      (row.note.isEmpty() ? QString() : QStringLiteral(", ") + row.note);
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

QSize RunRows::sizeHint() const
{
    return {200, rowHeight() * static_cast<int>(m_rows.size())};
}

bool RunRows::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const auto row = static_cast<std::size_t>(std::max(0, help->pos().y()) / rowHeight());
    QToolTip::showText(help->globalPos(), row < m_rows.size() ? m_rows[row].note : QString(), this);
    return true;
}

void RunRows::paintEvent(QPaintEvent *)
{
    const Tokens &tokens = Tokens::of(palette());
    QPainter painter(this);
    painter.setFont(roleFont(TextRole::Body));
    const QFontMetrics metrics(painter.font());
    int y = 0;
    for (const Row &row : m_rows) {
        if (y + rowHeight() > height())
            break;
        const QColor ink = toneColor(row.tone, tokens);
        paintIcon(&painter, row.icon, QRectF(0, y + (rowHeight() - 14) / 2.0, 14, 14), ink);
        const int valueWidth = metrics.horizontalAdvance(row.value);
        painter.setPen(tokens.text);
        painter.drawText(
            QRect(kIconSpace, y, width() - kIconSpace - valueWidth - 10, rowHeight()),
            static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft),
            metrics.elidedText(row.title, Qt::ElideRight, width() - kIconSpace - valueWidth - 10));
        painter.setPen(row.tone == Tone::Ok ? tokens.text : ink);
        painter.drawText(QRect(width() - valueWidth, y, valueWidth, rowHeight()),
                         static_cast<int>(Qt::AlignVCenter | Qt::AlignRight), row.value);
        y += rowHeight();
    }
}

} // namespace sb
