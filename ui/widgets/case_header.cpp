// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/case_header.h"

#include "models/case_grid_model.h"
#include "widgets/series_key.h"
#include "widgets/text.h"

#include <QPainter>

#include <algorithm>

namespace sb {

namespace {
constexpr int kKeyWidth = 24;
constexpr int kRowPadding = 11;
} // namespace

CaseColumnHeader::CaseColumnHeader(const CaseGridModel &grid, QWidget *parent)
    : QHeaderView(Qt::Horizontal, parent)
    , m_grid(grid)
{
    setSectionsClickable(false);
    setHighlightSections(false);
    setMinimumSectionSize(64);
}

int CaseColumnHeader::groupRowHeight() const
{
    return std::max(28, QFontMetrics(roleFont(TextRole::Body)).height() + 8);
}

QSize CaseColumnHeader::sizeHint() const
{
    const int lines = QFontMetrics(roleFont(TextRole::Secondary)).height() +
                      QFontMetrics(roleFont(TextRole::Fine)).height();
    return {QHeaderView::sizeHint().width(), groupRowHeight() + std::max(36, lines + 6)};
}

int CaseColumnHeader::neededWidth(int section) const
{
    const CaseGridModel::Column &column = m_grid.columns()[static_cast<std::size_t>(section)];
    const CaseGridModel::Group &group = m_grid.groups()[column.group];
    const QString devices = CaseGridModel::devicesText(column.scale.devices(), column.device);
    const int lines = QFontMetrics(roleFont(TextRole::Fine)).horizontalAdvance(devices);
    const int title = QFontMetrics(roleFont(TextRole::Body)).horizontalAdvance(m_grid.groupTitle(group));
    const int cell =
        QFontMetrics(roleFont(TextRole::Secondary)).horizontalAdvance(QStringLiteral("7 × 00.0 min"));
    return std::max({lines + 16, cell + 14, (title + 20) / std::max(1, group.columns)});
}

void CaseColumnHeader::paintSection(QPainter *painter, const QRect &rect, int section) const
{
    if (section < 0 || section >= m_grid.columnCount())
        return;
    const Tokens &tokens = Tokens::of(palette());
    const CaseGridModel::Column &column = m_grid.columns()[static_cast<std::size_t>(section)];
    const QRect cell = rect.adjusted(0, groupRowHeight(), 0, 0);
    painter->save();
    painter->fillRect(cell, tokens.alt);
    const bool groupStart = m_grid.groups()[column.group].firstColumn == section;
    painter->fillRect(QRect(cell.left(), cell.top(), 1, cell.height()),
                      groupStart ? tokens.border : tokens.grid);
    painter->fillRect(QRect(cell.left(), cell.bottom(), cell.width(), 1), tokens.border);
    const QFontMetrics name(roleFont(TextRole::Secondary));
    const QFontMetrics fine(roleFont(TextRole::Fine));
    const int top = cell.top() + (cell.height() - name.height() - fine.height()) / 2;
    painter->setPen(tokens.text2);
    painter->setFont(roleFont(TextRole::Secondary));
    painter->drawText(QRect(cell.left(), top, cell.width(), name.height()), static_cast<int>(Qt::AlignCenter),
                      m_grid.headerData(section, Qt::Horizontal).toString());
    painter->setFont(roleFont(TextRole::Fine));
    painter->drawText(QRect(cell.left(), top + name.height(), cell.width(), fine.height()),
                      static_cast<int>(Qt::AlignCenter),
                      CaseGridModel::devicesText(column.scale.devices(), column.device));
    painter->restore();
}

void CaseColumnHeader::paintEvent(QPaintEvent *event)
{
    QHeaderView::paintEvent(event);
    const Tokens &tokens = Tokens::of(palette());
    QPainter painter(viewport());
    const int height = groupRowHeight();
    painter.fillRect(QRect(0, 0, viewport()->width(), height), tokens.alt);
    painter.fillRect(QRect(0, height - 1, viewport()->width(), 1), tokens.border);
    if (const int rest = length() - offset(); rest < viewport()->width()) {
        const QRect empty(rest, height, viewport()->width() - rest, viewport()->height() - height);
        painter.fillRect(empty, tokens.alt);
        painter.fillRect(QRect(empty.left(), empty.bottom(), empty.width(), 1), tokens.border);
    }
    painter.setFont(roleFont(TextRole::Body));
    for (const CaseGridModel::Group &group : m_grid.groups()) {
        const int left = sectionViewportPosition(group.firstColumn);
        int width = 0;
        for (int i = 0; i < group.columns; ++i)
            width += sectionSize(group.firstColumn + i);
        const QRect box(left, 0, width, height);
        painter.fillRect(QRect(left, 0, 1, height), tokens.border);
        painter.setPen(tokens.text);
        // Centred in the part that is in sight, so that a wide group keeps its title while it scrolls.
        painter.drawText(box.intersected(viewport()->rect()), static_cast<int>(Qt::AlignCenter),
                         m_grid.groupTitle(group));
    }
}

CaseRowHeader::CaseRowHeader(const CaseGridModel &grid, QWidget *parent)
    : QHeaderView(Qt::Vertical, parent)
    , m_grid(grid)
{
    setSectionsClickable(false);
    setHighlightSections(false);
    setDefaultSectionSize(std::max(33, QFontMetrics(roleFont(TextRole::Body)).height() + 14));
}

QSize CaseRowHeader::sizeHint() const
{
    int width = 130;
    for (const std::string &title : m_grid.frameworkTitles())
        width = std::max(width, QFontMetrics(roleFont(TextRole::Body)).horizontalAdvance(toQString(title)) +
                                    kKeyWidth + 8 + 2 * kRowPadding);
    return {width, QHeaderView::sizeHint().height()};
}

void CaseRowHeader::paintEvent(QPaintEvent *event)
{
    QHeaderView::paintEvent(event);
    if (const int rest = length() - offset(); rest < viewport()->height()) {
        QPainter painter(viewport());
        painter.fillRect(QRect(0, rest, viewport()->width(), viewport()->height() - rest),
                         Tokens::of(palette()).base);
    }
}

void CaseRowHeader::paintSection(QPainter *painter, const QRect &rect, int section) const
{
    if (section < 0 || section >= m_grid.rowCount())
        return;
    const Tokens &tokens = Tokens::of(palette());
    painter->save();
    painter->fillRect(rect, tokens.base);
    painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), tokens.grid);
    painter->fillRect(QRect(rect.right(), rect.top(), 1, rect.height()), tokens.border);
    const QString framework = m_grid.index(section, 0).data(CaseGridModel::FrameworkRole).toString();
    const double middle = rect.center().y() + 0.5;
    paintSeriesKey(painter, QRectF(rect.left() + kRowPadding, middle - 8, kKeyWidth, 16), framework, tokens);
    painter->setFont(roleFont(TextRole::Body));
    painter->setPen(tokens.text);
    painter->drawText(rect.adjusted(kRowPadding + kKeyWidth + 8, 0, -4, 0),
                      static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft),
                      m_grid.headerData(section, Qt::Vertical).toString());
    painter->restore();
}

} // namespace sb
