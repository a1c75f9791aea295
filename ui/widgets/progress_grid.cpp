// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/progress_grid.h"

#include "models/case_grid_model.h"
#include "widgets/series_key.h"
#include "widgets/style_painting.h"
#include "widgets/text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace sb {

namespace {
constexpr int kCellWidth = 19;
constexpr int kCellHeight = 14;
constexpr int kCellGap = 3;
constexpr int kGroupGap = 9;
constexpr int kKeyWidth = 24;
constexpr int kRowGap = 8;
} // namespace

ProgressGrid::ProgressGrid(const CaseGridModel &grid, QWidget *parent)
    : QWidget(parent)
    , m_grid(grid)
{
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    const auto changed = [this] {
        updateGeometry();
        update();
    };
    connect(&grid, &QAbstractItemModel::modelReset, this, changed);
    connect(&grid, &QAbstractItemModel::dataChanged, this, [this] {
        setAccessibleDescription(legendText());
        update();
    });
}

// Names over their own line of cells where the cells would not fit beside them.
ProgressGrid::Layout ProgressGrid::arrange(int width) const
{
    Layout layout;
    const QFontMetrics body(roleFont(TextRole::Secondary));
    const QFontMetrics fine(roleFont(TextRole::Fine));
    int cellsWidth = 0;
    for (const CaseGridModel::Group &group : m_grid.groups())
        cellsWidth += group.columns * (kCellWidth + kCellGap) + kGroupGap;
    int nameWidth = 0;
    for (const std::string &title : m_grid.frameworkTitles())
        nameWidth = std::max(nameWidth, body.horizontalAdvance(toQString(title)) + kKeyWidth + 16);
    const bool beside = nameWidth + cellsWidth <= width;
    int y = 0;
    const bool captions = m_grid.groups().size() > 1;
    const int line = std::max(body.height(), kCellHeight);
    for (int row = 0; row < m_grid.rowCount(); ++row) {
        layout.names.emplace_back(QRect(0, y, beside ? nameWidth : width, line), row);
        int x = beside ? nameWidth : 0;
        if (!beside)
            y += line + 3;
        for (std::size_t g = 0; g < m_grid.groups().size(); ++g) {
            const CaseGridModel::Group &group = m_grid.groups()[g];
            const int captionWidth = captions ? fine.horizontalAdvance(m_grid.groupTitle(group)) : 0;
            if (captions && !beside) {
                layout.captions.emplace_back(QRect(0, y, captionWidth + 4, line), static_cast<int>(g));
                x = captionWidth + 10;
            }
            for (int i = 0; i < group.columns; ++i) {
                if (x + kCellWidth > width) {
                    x = beside ? nameWidth : 0;
                    y += line + kCellGap;
                }
                layout.cells.push_back({QRect(x, y + (line - kCellHeight) / 2, kCellWidth, kCellHeight),
                                        m_grid.index(row, group.firstColumn + i)});
                x += kCellWidth + kCellGap;
            }
            x += kGroupGap;
            if (captions && !beside && g + 1 < m_grid.groups().size())
                y += line + kCellGap;
        }
        y += line + kRowGap;
    }
    layout.legend = QRect(0, y, width, fine.height());
    layout.height = y + fine.height();
    return layout;
}

int ProgressGrid::heightForWidth(int width) const
{
    return arrange(width).height;
}

QSize ProgressGrid::sizeHint() const
{
    return {240, heightForWidth(std::max(240, width()))};
}

QSize ProgressGrid::minimumSizeHint() const
{
    return {120, heightForWidth(std::max(120, width()))};
}

QModelIndex ProgressGrid::cellAt(const QPoint &position) const
{
    for (const Place &place : arrange(width()).cells)
        if (place.rect.contains(position))
            return place.index;
    return {};
}

QString ProgressGrid::legendText() const
{
    if (m_grid.rowCount() == 0 || m_grid.columnCount() == 0)
        return {};
    int failed = 0;
    int refused = 0;
    for (int row = 0; row < m_grid.rowCount(); ++row)
        for (int column = 0; column < m_grid.columnCount(); ++column) {
            const QModelIndex index = m_grid.index(row, column);
            failed += index.data(CaseGridModel::FailedRole).toInt();
            refused += index.data(CaseGridModel::StateRole).value<CaseState>() == CaseState::Refused ? 1 : 0;
        }
    QString text =
        tr("each cell: %n repeat(s)", nullptr, m_grid.index(0, 0).data(CaseGridModel::RepeatsRole).toInt());
    if (failed > 0)
        text += QStringLiteral(" · ") + tr("%n failed", nullptr, failed);
    if (refused > 0)
        text += QStringLiteral(" · ") + tr("%n refused", nullptr, refused);
    return text;
}

void ProgressGrid::paintCell(QPainter *painter, const Place &place) const
{
    const Tokens &tokens = Tokens::of(palette());
    const auto state = place.index.data(CaseGridModel::StateRole).value<CaseState>();
    if (state == CaseState::Absent)
        return;
    const int repeats = std::max(1, place.index.data(CaseGridModel::RepeatsRole).toInt());
    const int done = place.index.data(CaseGridModel::DoneRole).toInt();
    const int failed = place.index.data(CaseGridModel::FailedRole).toInt();
    const bool running = state == CaseState::Running;
    painter->fillRect(place.rect, tokens.base);
    const QRectF inside = QRectF(place.rect).adjusted(1, 1, -1, -1);
    if (state == CaseState::Refused)
        paintHatch(painter, inside, tokens.strong);
    const double doneWidth = inside.width() * std::min(1.0, static_cast<double>(done) / repeats);
    const double failedWidth = inside.width() * std::min(1.0, static_cast<double>(failed) / repeats);
    painter->fillRect(QRectF(inside.left(), inside.top(), doneWidth, inside.height()),
                      running ? tokens.infoLine : tokens.ok);
    if (failed > 0)
        painter->fillRect(QRectF(inside.right() - failedWidth, inside.top(), failedWidth, inside.height()),
                          tokens.warnLine);
    painter->setPen(QPen(running ? tokens.accent : tokens.strong, running ? 2 : 1));
    painter->setBrush(Qt::NoBrush);
    const double inset = running ? 1.0 : 0.5;
    painter->drawRect(QRectF(place.rect).adjusted(inset, inset, -inset, -inset));
}

void ProgressGrid::paintEvent(QPaintEvent *)
{
    const Tokens &tokens = Tokens::of(palette());
    QPainter painter(this);
    const Layout layout = arrange(width());
    painter.setFont(roleFont(TextRole::Secondary));
    for (const auto &[rect, row] : layout.names) {
        const QString framework = m_grid.index(row, 0).data(CaseGridModel::FrameworkRole).toString();
        paintSeriesKey(&painter, QRectF(rect.left(), rect.center().y() - 7.5, kKeyWidth, 16), framework,
                       tokens);
        painter.setPen(tokens.text);
        painter.drawText(rect.adjusted(kKeyWidth + 6, 0, 0, 0),
                         static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft),
                         m_grid.headerData(row, Qt::Vertical).toString());
    }
    painter.setFont(roleFont(TextRole::Fine));
    painter.setPen(tokens.text2);
    for (const auto &[rect, group] : layout.captions)
        painter.drawText(rect, static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft),
                         m_grid.groupTitle(m_grid.groups()[static_cast<std::size_t>(group)]));
    painter.drawText(layout.legend, static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), legendText());
    for (const Place &place : layout.cells)
        paintCell(&painter, place);
}

bool ProgressGrid::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const QModelIndex index = cellAt(help->pos());
    if (index.isValid())
        QToolTip::showText(help->globalPos(), index.data(Qt::AccessibleTextRole).toString(), this);
    else
        QToolTip::hideText();
    return true;
}

} // namespace sb
