// SPDX-License-Identifier: GPL-3.0-or-later
// The work behind layoutTopology(): one object a drawing, used once.
#pragma once

#include "topology/layout_parts.h"
#include "topology/topology_layout.h"

#include <map>
#include <vector>

namespace sb {

class Layouter {
public:
    Layouter(const Topology &topology, double width, double height);
    GraphLayout run();

private:
    static constexpr double kTitle = 34;   // height of a socket's title row
    static constexpr double kGap = 20;     // between sockets: room for the words of links that cross
    static constexpr double kPadding = 12; // inside a socket

    void addBox(const LayoutRect &rect, std::size_t group);
    void addGpu(std::size_t gpu, LayoutPoint centre);
    void addCards(const std::vector<std::size_t> &cards, LayoutPoint centre, double width);
    static LayoutPoint border(const LayoutRect &rect, LayoutPoint towards);
    LayoutEdge &addEdge(std::size_t a, std::size_t b);
    static LayoutPoint middle(const LayoutEdge &edge);
    void addCardEdges(bool labels);
    std::vector<LayoutRect> twoColumns() const;
    std::vector<LayoutRect> twoRows() const;
    // Cards beside no GPU: those nearer to one socket than to the others, or (kHomeless) to none of them.
    static constexpr int kHomeless = -1;
    std::vector<std::size_t> idleCards(int socket) const;
    bool hasIdleCards() const { return m_cards.contains({}); }
    void placeIdle(const std::vector<std::size_t> &idle, double y, double left, double width);
    void placeIdleInBoxes();
    void addSocketLink();

    // layout_mesh.cpp
    void placeMesh(const std::vector<std::size_t> &partners);
    void placeMeshCards(const std::vector<LayoutRect> &boxes, double top, double bottom);

    // layout_all_to_all.cpp
    void placeAllToAll();
    double rowsFor(std::size_t rows, const LayoutRect &box);
    LayoutBar makeBar(const LayoutRect &rect, const std::vector<std::size_t> &members) const;
    void joinBar(const LayoutBar &bar);
    void placeBlock(const LayoutRect &box, const std::vector<std::size_t> &gpus);
    void placeAroundGap(const std::vector<LayoutRect> &boxes);
    void finishAllToAll();

    // layout_rows.cpp
    void placeGroups();
    void placeRows(const LayoutRect &box, const std::vector<std::size_t> &gpus, double below);
    bool hasCards(const std::vector<std::size_t> &gpus) const;
    void addSwitches(const std::vector<std::size_t> &gpus);
    void addChain(const std::vector<std::size_t> &gpus, std::size_t perRow);
    void addFabricEdges();

    const Topology &m_topology;
    std::vector<SocketGroup> m_groups;
    CardsByGpus m_cards;
    std::vector<std::size_t> m_members; // GPUs that are joined all to all; empty when the machine is not so
    std::map<std::size_t, LayoutRect> m_place;
    double m_nodeW = 58;
    double m_nodeH = 30;
    std::vector<LayoutRect> m_sockets; // boxes of the groups, in their order
    GraphLayout m_out;
};

} // namespace sb
