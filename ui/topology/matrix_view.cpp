// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology/matrix_view.h"

#include "topology/link_palette.h"

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

struct CellLook {
    bool selected = false;
    bool dimmed = false;
    bool dense = false;
};

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
    const QSize inside = maximumViewportSize();
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

int MatrixView::contentWidth() const
{
    return m_rows->width() + m_columns->length();
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
