// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology/matrix_view.h"

#include "topology/matrix_cells.h"

#include <QAbstractButton>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace sb {

namespace {

constexpr int kHeaderHeight = 26;

struct CellSize {
    int w, h;
    bool dense;
};

// Cells fill the room there is, within what can be read and taken in at a glance.
CellSize cellSize(int devices, int rows, QSize room)
{
    if (devices == 0 || rows == 0)
        return {50, 33, false};
    const int w = std::clamp(room.width() / devices, 34, 64);
    const int h = std::clamp(room.height() / rows, 22, 40);
    return {w, h, w < 40 || h < 26};
}

bool touches(const std::optional<DevicePair> &pair, std::size_t device)
{
    return pair && (pair->first == device || pair->second == device);
}

bool samePair(const std::optional<DevicePair> &pair, const DevicePair &other)
{
    return pair && (*pair == other || *pair == DevicePair{other.second, other.first});
}

} // namespace

void MatrixDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                           const QModelIndex &index) const
{
    const Tokens &tokens = Tokens::of(option.palette);
    const auto *model = static_cast<const MatrixModel *>(index.model());
    const auto pair = model->pairAt(index);
    CellLook look;
    look.selected = pair && samePair(selected, *pair) && pair->first != pair->second;
    look.dimmed = pair && hovered && !samePair(hovered, *pair);
    look.dense = dense;
    painter->save();
    painter->setFont(cellFont(option.font, dense && pair));
    paintCell(*painter, QRectF(option.rect), index, tokens, look);
    if (option.state & QStyle::State_HasFocus) {
        painter->setPen(QPen(tokens.accent, 1, Qt::DotLine));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
    }
    painter->restore();
}

MatrixHeader::MatrixHeader(Qt::Orientation orientation, QWidget *parent)
    : QHeaderView(orientation, parent)
{
    setSectionResizeMode(QHeaderView::Fixed);
    setHighlightSections(false);
}

// The whole header stands on the ground of the table, not on that of other tables' headers.
void MatrixHeader::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    painter.fillRect(event->rect(), Tokens::of(palette()).base);
    for (int section = 0; section < count(); ++section) {
        if (isSectionHidden(section))
            continue;
        const int at = sectionViewportPosition(section);
        const QRect rect = orientation() == Qt::Horizontal ? QRect(at, 0, sectionSize(section), height())
                                                           : QRect(0, at, width(), sectionSize(section));
        if (rect.intersects(event->rect()))
            paintSection(&painter, rect, section);
    }
}

void MatrixHeader::paintSection(QPainter *painter, const QRect &rect, int section) const
{
    const Tokens &tokens = Tokens::of(palette());
    const auto *matrix = static_cast<const MatrixModel *>(model());
    const auto column = static_cast<std::size_t>(section);
    const bool rows = orientation() == Qt::Vertical;
    const bool device = rows || column < matrix->topology().size();
    const std::size_t which = rows ? static_cast<std::size_t>(matrix->deviceOfRow(section)) : column;
    const bool chosen = device && touches(selected, which);
    const bool damaged = rows && matrix->topology().devices[which].damaged;
    painter->save();
    painter->fillRect(rect, tokens.base);
    QFont font = cellFont(this->font(), rect.width() < 40 && !rows && device);
    font.setWeight(chosen ? QFont::DemiBold : QFont::Normal);
    painter->setFont(font);
    painter->setPen(damaged ? tokens.err : chosen ? tokens.accent : device ? tokens.text : tokens.text2);
    QString text = matrix->headerData(section, orientation(), Qt::DisplayRole).toString();
    if (damaged)
        text = QStringLiteral("⚠ ") + text;
    const Qt::Alignment alignment = rows     ? Qt::AlignRight | Qt::AlignVCenter
                                    : device ? Qt::AlignCenter
                                             : Qt::AlignLeft | Qt::AlignVCenter;
    const QRect inner = rows ? rect.adjusted(0, 0, -8, 0) : device ? rect : rect.adjusted(10, 0, 0, 0);
    painter->drawText(inner, static_cast<int>(alignment), text);
    painter->restore();
}

MatrixView::MatrixView(QWidget *parent)
    : QTableView(parent)
    , m_delegate(new MatrixDelegate(this))
    , m_columns(new MatrixHeader(Qt::Horizontal, this))
    , m_rows(new MatrixHeader(Qt::Vertical, this))
{
    setModel(&m_model);
    setItemDelegate(m_delegate);
    setHorizontalHeader(m_columns);
    setVerticalHeader(m_rows);
    m_rows->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setCornerButtonEnabled(false);
    setSelectionMode(QAbstractItemView::NoSelection);
    setMouseTracking(true);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    if (auto *corner = findChild<QAbstractButton *>(QString(), Qt::FindDirectChildrenOnly))
        corner->installEventFilter(this);
    connect(this, &QTableView::clicked, this, &MatrixView::choose);
}

// The corner between the headers is a button of the table's own; it stays empty here.
bool MatrixView::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::Paint || !qobject_cast<QAbstractButton *>(watched))
        return QTableView::eventFilter(watched, event);
    auto *corner = static_cast<QWidget *>(watched);
    QPainter(corner).fillRect(corner->rect(), Tokens::of(palette()).base);
    return true;
}

void MatrixView::setTopology(const Topology &topology)
{
    m_model.setTopology(topology);
    m_delegate->hovered.reset();
    setSelected(std::nullopt);
    fit();
}

void MatrixView::fit()
{
    const auto devices = static_cast<int>(m_model.topology().size());
    const QFontMetrics metrics(font());
    int rowNames = 0;
    for (int row = 0; row < m_model.rowCount(); ++row)
        rowNames = std::max(rowNames, metrics.horizontalAdvance(
                                          m_model.headerData(row, Qt::Vertical, Qt::DisplayRole).toString()));
    const bool damaged = m_model.topology().damaged();
    m_rows->setFixedWidth(rowNames + 16 + (damaged ? 16 : 0));
    std::vector<int> affinities;
    for (int i = 0; i < m_model.affinityColumns(); ++i) {
        int width = metrics.horizontalAdvance(
            m_model.headerData(devices + i, Qt::Horizontal, Qt::DisplayRole).toString());
        for (int row = 0; row < m_model.rowCount(); ++row)
            width = std::max(width, metrics.horizontalAdvance(
                                        m_model.index(row, devices + i).data(Qt::DisplayRole).toString()));
        affinities.push_back(std::min(width + 16, 160));
    }
    int taken = m_rows->width();
    for (const int width : affinities)
        taken += width;
    const QSize inside = size(); // less the headers, which are counted in `taken` and below
    // The cores give way first when there is no room for every cell.
    const bool drop = m_model.affinityColumns() > 1 && taken + devices * 34 > inside.width();
    for (int i = 0; i < m_model.affinityColumns(); ++i)
        setColumnHidden(devices + i, drop && i == 0);
    if (drop)
        taken -= affinities[0];
    const CellSize cell =
        cellSize(devices, m_model.rowCount(), QSize(inside.width() - taken, inside.height() - kHeaderHeight));
    m_delegate->dense = cell.dense;
    m_columns->setMinimumSectionSize(20);
    m_rows->setMinimumSectionSize(16);
    m_rows->setDefaultSectionSize(cell.h);
    m_columns->setFixedHeight(kHeaderHeight);
    for (int column = 0; column < m_model.columnCount(); ++column)
        setColumnWidth(column,
                       column < devices ? cell.w : affinities[static_cast<std::size_t>(column - devices)]);
}

void MatrixView::setSelected(std::optional<DevicePair> pair)
{
    m_delegate->selected = pair;
    m_columns->selected = pair;
    m_rows->selected = pair;
    if (pair) {
        const QModelIndex index = m_model.indexOf(*pair);
        if (index.isValid() && (!currentIndex().isValid() || m_model.pairAt(currentIndex()) != pair))
            setCurrentIndex(index);
    }
    viewport()->update();
    m_columns->viewport()->update();
    m_rows->viewport()->update();
}

void MatrixView::setHovered(std::optional<DevicePair> pair)
{
    if (m_delegate->hovered == pair)
        return;
    m_delegate->hovered = pair;
    viewport()->update();
}

void MatrixView::choose(const QModelIndex &index)
{
    const auto pair = m_model.pairAt(index);
    if (!pair || pair->first == pair->second)
        return;
    setSelected(pair);
    Q_EMIT pairSelected(pair);
}

void MatrixView::mouseMoveEvent(QMouseEvent *event)
{
    QTableView::mouseMoveEvent(event);
    auto pair = m_model.pairAt(indexAt(event->position().toPoint()));
    if (pair && pair->first == pair->second)
        pair.reset();
    if (pair != m_delegate->hovered) {
        setHovered(pair);
        Q_EMIT pairHovered(pair);
    }
}

void MatrixView::leaveEvent(QEvent *event)
{
    QTableView::leaveEvent(event);
    setHovered(std::nullopt);
    Q_EMIT pairHovered(std::nullopt);
}

void MatrixView::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space) {
        choose(currentIndex());
    } else if (event->key() == Qt::Key_Escape && m_delegate->selected) {
        setSelected(std::nullopt);
        Q_EMIT pairSelected(std::nullopt);
    } else {
        QTableView::keyPressEvent(event);
    }
}

void MatrixView::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    fit();
}

void MatrixView::changeEvent(QEvent *event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::LanguageChange)
        fit();
}

} // namespace sb
