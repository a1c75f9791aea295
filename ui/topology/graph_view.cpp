// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology/graph_view.h"

#include "charts/chart_accessible.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace sb {

namespace {
constexpr double kMargin = 16; // inside the panel
} // namespace

GraphView::GraphView(QWidget *parent)
    : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    announceAsChart(this);
}

void GraphView::setTopology(const Topology &topology)
{
    m_topology = topology;
    m_style.selected.reset();
    m_style.hovered.reset();
    m_style.hoveredDevice.reset();
    m_current.reset();
    layOut();
}

void GraphView::setMeasured(const std::optional<LinkMeasurements> &measured)
{
    m_style.measured = measured;
    update();
}

void GraphView::setLanguage(WordLanguage language)
{
    m_style.language = language;
    update();
}

void GraphView::setSelected(std::optional<DevicePair> pair)
{
    m_style.selected = pair;
    update();
}

void GraphView::setHovered(std::optional<DevicePair> pair)
{
    if (m_style.hovered == pair)
        return;
    m_style.hovered = pair;
    update();
}

void GraphView::layOut()
{
    m_layout = layoutTopology(m_topology, width() - 2 * kMargin, height() - 2 * kMargin);
    update();
}

void GraphView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    m_style.tokens = &Tokens::of(palette());
    m_style.font = font();
    painter.translate(kMargin, kMargin);
    paintTopology(painter, m_topology, m_layout, m_style);
    if (hasFocus() && m_current && *m_current < m_layout.edges.size()) {
        // Where the keyboard is: a ring around the middle of the link.
        const LayoutEdge &edge = m_layout.edges[*m_current];
        const QPointF middle((edge.from.x + edge.to.x) / 2, (edge.from.y + edge.to.y) / 2 - edge.bow / 2);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(m_style.tokens->accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(middle, 12, 12);
    }
}

void GraphView::resizeEvent(QResizeEvent *)
{
    layOut();
}

std::optional<GraphHit> GraphView::hitAtPointer(QPointF position) const
{
    return hitAt(m_layout, {position.x() - kMargin, position.y() - kMargin});
}

void GraphView::mouseMoveEvent(QMouseEvent *event)
{
    const auto hit = hitAtPointer(event->position());
    const auto device = hit && !hit->b ? std::optional(hit->a) : std::nullopt;
    const auto pair = hit && hit->b ? std::optional(DevicePair{hit->a, *hit->b}) : std::nullopt;
    if (device != m_style.hoveredDevice) {
        m_style.hoveredDevice = device;
        update();
    }
    if (pair != m_style.hovered) {
        setHovered(pair);
        Q_EMIT pairHovered(pair);
    }
    setCursor(hit ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

// A link selects its pair. A node selects the pair with the node chosen before, so that two clicks choose
// any pair, also one that no line is drawn for.
void GraphView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const auto hit = hitAtPointer(event->position());
    if (!hit)
        return;
    std::optional<DevicePair> pair;
    if (hit->b)
        pair = DevicePair{hit->a, *hit->b};
    else if (m_style.selected && m_style.selected->first != hit->a)
        pair = DevicePair{m_style.selected->first, hit->a};
    else
        pair = DevicePair{hit->a, hit->a};
    setSelected(pair);
    Q_EMIT pairSelected(pair);
}

void GraphView::leaveEvent(QEvent *)
{
    m_style.hoveredDevice.reset();
    setHovered(std::nullopt);
    update();
    Q_EMIT pairHovered(std::nullopt);
}

void GraphView::keyPressEvent(QKeyEvent *event)
{
    const std::size_t count = m_layout.edges.size();
    const bool forward = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down;
    const bool back = event->key() == Qt::Key_Left || event->key() == Qt::Key_Up;
    if (count > 0 && (forward || back)) {
        m_current = !m_current ? 0 : (*m_current + (forward ? 1 : count - 1)) % count;
        update();
    } else if (m_current && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) {
        const LayoutEdge &edge = m_layout.edges[*m_current];
        setSelected(DevicePair{edge.a, edge.b});
        Q_EMIT pairSelected(m_style.selected);
    } else if (event->key() == Qt::Key_Escape && m_style.selected) {
        setSelected(std::nullopt);
        Q_EMIT pairSelected(std::nullopt);
    } else {
        QWidget::keyPressEvent(event);
    }
}

} // namespace sb
