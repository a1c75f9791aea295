// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology/layouter.h"

#include <algorithm>
#include <cmath>

namespace sb {

Layouter::Layouter(const Topology &topology, double width, double height)
    : m_topology(topology)
    , m_groups(socketGroups(topology))
    , m_cards(cardsByGpus(topology))
    , m_members(allToAll(topology))
{
    m_out.width = width;
    m_out.height = height;
}

GraphLayout Layouter::run()
{
    if (m_topology.gpuCount() == 0)
        return m_out;
    const bool two = m_groups.size() == 2;
    const auto partners =
        two ? meshPartners(m_topology, m_groups[0], m_groups[1]) : std::vector<std::size_t>();
    if (!partners.empty())
        placeMesh(partners);
    else if (!m_members.empty() && m_groups.size() <= 2)
        placeAllToAll();
    else
        placeGroups();
    addSocketLink();
    return m_out;
}

void Layouter::addBox(const LayoutRect &rect, std::size_t group)
{
    LayoutBox box;
    box.rect = rect;
    if (!m_groups[group].inferred && !(m_groups[group].numa.empty() && m_groups[group].cores.empty()))
        box.cpu = static_cast<int>(group);
    box.numa = m_groups[group].numa;
    box.cores = m_groups[group].cores;
    m_sockets.push_back(rect);
    m_out.boxes.push_back(std::move(box));
}

void Layouter::addGpu(std::size_t gpu, LayoutPoint centre)
{
    const LayoutRect rect{centre.x - m_nodeW / 2, centre.y - m_nodeH / 2, m_nodeW, m_nodeH};
    m_place[gpu] = rect;
    const bool apart =
        !m_members.empty() && std::find(m_members.begin(), m_members.end(), gpu) == m_members.end();
    m_out.nodes.push_back({LayoutNode::Kind::Gpu, rect, {gpu}, m_topology.devices[gpu].damaged, apart});
}

void Layouter::addCards(const std::vector<std::size_t> &cards, LayoutPoint centre, double width)
{
    const LayoutRect rect{centre.x - width / 2, centre.y - (m_nodeH - 4) / 2, width, m_nodeH - 4};
    for (const std::size_t card : cards)
        m_place[card] = rect;
    const bool unread = std::any_of(cards.begin(), cards.end(),
                                    [&](std::size_t card) { return m_topology.devices[card].damaged; });
    m_out.nodes.push_back({LayoutNode::Kind::Card, rect, cards, unread, false});
}

// Where the line from one rectangle's middle to another's leaves the first.
LayoutPoint Layouter::border(const LayoutRect &rect, LayoutPoint towards)
{
    const LayoutPoint c = rect.centre();
    const double dx = towards.x - c.x;
    const double dy = towards.y - c.y;
    const double scale = std::max(std::abs(dx) / (rect.w / 2), std::abs(dy) / (rect.h / 2));
    return scale <= 1e-9 ? c : LayoutPoint{c.x + dx / scale, c.y + dy / scale};
}

LayoutEdge &Layouter::addEdge(std::size_t a, std::size_t b)
{
    LayoutEdge edge;
    edge.a = a;
    edge.b = b;
    const LayoutRect &from = m_place[a];
    const LayoutRect &to = m_place[b];
    // Stacked boxes of different widths are joined by an upright line where they overlap.
    edge.from = border(from, to.centre());
    edge.to = border(to, from.centre());
    edge.word = m_topology.link(a, b).value_or("");
    edge.link = kindOf(m_topology, a, b);
    m_out.edges.push_back(std::move(edge));
    return m_out.edges.back();
}

LayoutPoint Layouter::middle(const LayoutEdge &edge)
{
    return {(edge.from.x + edge.to.x) / 2, (edge.from.y + edge.to.y) / 2 - edge.bow / 2};
}

// Edges from cards to the GPUs beside them. One for each GPU; alike cards share it.
void Layouter::addCardEdges(bool labels)
{
    for (const auto &[gpus, cards] : m_cards)
        for (const std::size_t gpu : gpus) {
            LayoutEdge &edge = addEdge(gpu, cards[0]);
            if (labels)
                edge.label = LayoutPoint{middle(edge).x + 16, middle(edge).y};
        }
}

std::vector<LayoutRect> Layouter::twoColumns() const
{
    const double w = (m_out.width - kGap) / 2;
    return {{0, 0, w, m_out.height}, {w + kGap, 0, w, m_out.height}};
}

std::vector<std::size_t> Layouter::idleCards(int socket) const
{
    std::vector<std::size_t> idle;
    const auto found = m_cards.find({});
    if (found == m_cards.end())
        return idle;
    for (const std::size_t card : found->second) {
        int home = kHomeless;
        LinkClass best = LinkClass::Unknown;
        for (std::size_t group = 0; group < m_groups.size(); ++group) {
            LinkClass way = LinkClass::Unknown;
            for (const std::size_t gpu : m_groups[group].gpus)
                way = std::min(way, kindOf(m_topology, gpu, card).linkClass);
            if (way < best) {
                best = way;
                home = static_cast<int>(group);
            } else if (way == best) {
                home = kHomeless;
            }
        }
        if ((m_groups.size() == 1 ? 0 : home) == socket)
            idle.push_back(card);
    }
    return idle;
}

// Two to a box, or one box with their number when there are many.
void Layouter::placeIdle(const std::vector<std::size_t> &idle, double y, double left, double width)
{
    if (idle.empty())
        return;
    std::vector<std::vector<std::size_t>> boxes;
    const std::size_t fits = std::max<std::size_t>(1, static_cast<std::size_t>(width / (m_nodeW + 46)));
    if (idle.size() > 2 * fits)
        boxes.push_back(idle);
    else
        for (std::size_t i = 0; i < idle.size(); i += 2)
            boxes.emplace_back(idle.begin() + static_cast<std::ptrdiff_t>(i),
                               idle.begin() + static_cast<std::ptrdiff_t>(std::min(i + 2, idle.size())));
    for (std::size_t i = 0; i < boxes.size(); ++i)
        addCards(boxes[i],
                 {left + width * (static_cast<double>(i) + 0.5) / static_cast<double>(boxes.size()), y},
                 boxes[i].size() == 1 ? m_nodeW + 18 : m_nodeW + 34);
    m_out.idleCards.push_back({left + width / 2, y + m_nodeH / 2 + 10});
}

std::vector<LayoutRect> Layouter::twoRows() const
{
    const double h = (m_out.height - kGap) / 2;
    return {{0, 0, m_out.width, h}, {0, h + kGap, m_out.width, h}};
}

// At the bottom of the socket they belong to; in the middle when none is nearer.
void Layouter::placeIdleInBoxes()
{
    for (std::size_t group = 0; group < m_groups.size(); ++group) {
        const LayoutRect &box = m_sockets[group];
        // The bar and the word between the sockets keep the middle clear.
        placeIdle(idleCards(static_cast<int>(group)), box.y + box.h - 38, box.x + kPadding,
                  box.w - 2 * kPadding);
    }
    placeIdle(m_groups.size() == 1 ? std::vector<std::size_t>() : idleCards(kHomeless), m_out.height - 42,
              kPadding, m_out.width - 2 * kPadding);
}

void Layouter::addSocketLink()
{
    if (m_groups.size() != 2)
        return;
    LinkClass worst = LinkClass::Self;
    for (std::size_t a = 0; a < m_topology.size(); ++a)
        for (std::size_t b = a + 1; b < m_topology.size(); ++b) {
            const LinkClass way = kindOf(m_topology, a, b).linkClass;
            if (way >= LinkClass::Phb && way <= LinkClass::Sys && way > worst) {
                worst = way;
                m_out.socketWord = *m_topology.link(a, b);
            }
        }
    if (worst == LinkClass::Self)
        return;
    const LayoutRect &left = m_sockets[0];
    const LayoutRect &right = m_sockets[1];
    m_out.socketLink =
        left.y == right.y
            ? LayoutPoint{(left.x + left.w + right.x) / 2,
                          left.y + left.h - (m_out.bars.empty() || m_out.bars.size() > 1 ? 28 : 14)}
            : LayoutPoint{left.x + left.w / 2, (left.y + left.h + right.y) / 2};
}

} // namespace sb
