// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "topology/topology_painter.h"

#include <QWidget>

namespace sb {

// The drawing of a topology. Hover and selection are pairs of devices, shared with the matrix; the arrow keys
// go from link to link, Enter selects, Escape clears.
class GraphView : public QWidget {
    Q_OBJECT
public:
    explicit GraphView(QWidget *parent = nullptr);

    void setTopology(const Topology &topology);
    void setMeasured(const std::optional<LinkMeasurements> &measured);
    void setLanguage(WordLanguage language);
    void setSelected(std::optional<DevicePair> pair);
    void setHovered(std::optional<DevicePair> pair);
    const GraphLayout &graph() const { return m_layout; }
    std::optional<DevicePair> selected() const { return m_style.selected; }

    QSize sizeHint() const override { return {514, 390}; }
    QSize minimumSizeHint() const override { return {300, 200}; }

Q_SIGNALS:
    void pairHovered(std::optional<sb::DevicePair> pair);
    void pairSelected(std::optional<sb::DevicePair> pair);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void layOut();
    std::optional<GraphHit> hitAtPointer(QPointF position) const;

    Topology m_topology;
    GraphLayout m_layout;
    GraphStyle m_style;
    std::optional<std::size_t> m_current; // edge the keyboard is on
};

} // namespace sb
