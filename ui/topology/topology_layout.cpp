// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology/topology_layout.h"

#include "topology/layout_parts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace sb {

namespace {

constexpr double kTitle = 34;   // height of a socket's title row
constexpr double kGap = 20;     // between sockets: room for the words of links that cross
constexpr double kPadding = 12; // inside a socket
constexpr int kMaxLinksOfGpu = 18;

class Layouter {
public:
    Layouter(const Topology &topology, double width, double height)
        : m_topology(topology)
        , m_groups(socketGroups(topology))
        , m_cards(cardsByGpus(topology))
    {
        m_out.width = width;
        m_out.height = height;
    }

    GraphLayout run()
    {
        if (m_topology.gpuCount() == 0)
            return m_out;
        const bool two = m_groups.size() == 2;
        const auto partners =
            two ? meshPartners(m_topology, m_groups[0], m_groups[1]) : std::vector<std::size_t>();
        if (!partners.empty())
            placeMesh(partners);
        else if (isAllToAll(m_topology) && m_groups.size() <= 2)
            placeAllToAll();
        else
            placeGroups();
        addSocketLink();
        return m_out;
    }

private:
    // --- shared ---
    void addBox(const LayoutRect &rect, std::size_t group)
    {
        LayoutBox box;
        box.rect = rect;
        if (!m_groups[group].inferred && !(m_groups[group].numa.empty() && m_groups[group].cores.empty()))
            box.cpu = static_cast<int>(group);
        box.numa = m_groups[group].numa;
        box.cores = m_groups[group].cores;
        m_out.boxes.push_back(std::move(box));
    }

    void addGpu(std::size_t gpu, LayoutPoint centre)
    {
        const LayoutRect rect{centre.x - m_nodeW / 2, centre.y - m_nodeH / 2, m_nodeW, m_nodeH};
        m_place[gpu] = rect;
        m_out.nodes.push_back({LayoutNode::Kind::Gpu, rect, {gpu}, m_topology.devices[gpu].damaged});
    }

    void addCards(const std::vector<std::size_t> &cards, LayoutPoint centre, double width)
    {
        const LayoutRect rect{centre.x - width / 2, centre.y - (m_nodeH - 4) / 2, width, m_nodeH - 4};
        for (const std::size_t card : cards)
            m_place[card] = rect;
        const bool unread = std::any_of(cards.begin(), cards.end(),
                                        [&](std::size_t card) { return m_topology.devices[card].damaged; });
        m_out.nodes.push_back({LayoutNode::Kind::Card, rect, cards, unread});
    }

    // Where the line from one rectangle's middle to another's leaves the first.
    static LayoutPoint border(const LayoutRect &rect, LayoutPoint towards)
    {
        const LayoutPoint c = rect.centre();
        const double dx = towards.x - c.x;
        const double dy = towards.y - c.y;
        const double scale = std::max(std::abs(dx) / (rect.w / 2), std::abs(dy) / (rect.h / 2));
        return scale <= 1e-9 ? c : LayoutPoint{c.x + dx / scale, c.y + dy / scale};
    }

    LayoutEdge &addEdge(std::size_t a, std::size_t b)
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

    static LayoutPoint middle(const LayoutEdge &edge)
    {
        return {(edge.from.x + edge.to.x) / 2, (edge.from.y + edge.to.y) / 2 - edge.bow / 2};
    }

    // Edges from cards to the GPUs beside them. One for each GPU; alike cards share it.
    void addCardEdges(bool labels)
    {
        for (const auto &[gpus, cards] : m_cards)
            for (const std::size_t gpu : gpus) {
                LayoutEdge &edge = addEdge(gpu, cards[0]);
                if (labels)
                    edge.label = LayoutPoint{middle(edge).x + 16, middle(edge).y};
            }
    }

    std::vector<LayoutRect> twoColumns() const
    {
        const double w = (m_out.width - kGap) / 2;
        return {{0, 0, w, m_out.height}, {w + kGap, 0, w, m_out.height}};
    }

    std::vector<std::size_t> idleCards() const
    {
        const auto found = m_cards.find({});
        return found == m_cards.end() ? std::vector<std::size_t>() : found->second;
    }

    // Cards beside no GPU, two to a box, or one box with their number when there are many.
    void placeIdle(double y, double left, double width)
    {
        const std::vector<std::size_t> idle = idleCards();
        if (idle.empty())
            return;
        std::vector<std::vector<std::size_t>> boxes;
        if (idle.size() > 4)
            boxes.push_back(idle);
        else
            for (std::size_t i = 0; i < idle.size(); i += 2)
                boxes.emplace_back(idle.begin() + static_cast<std::ptrdiff_t>(i),
                                   idle.begin() + static_cast<std::ptrdiff_t>(std::min(i + 2, idle.size())));
        for (std::size_t i = 0; i < boxes.size(); ++i)
            addCards(boxes[i],
                     {left + width * (static_cast<double>(i) + 0.5) / static_cast<double>(boxes.size()), y},
                     boxes[i].size() == 1 ? m_nodeW + 18 : m_nodeW + 34);
        m_out.idleCards = LayoutPoint{left + width / 2, y + m_nodeH / 2 + 11};
    }

    void addSocketLink()
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
        const LayoutRect &left = m_out.boxes[0].rect;
        const LayoutRect &right = m_out.boxes[1].rect;
        m_out.socketLink = left.y == right.y
                               ? LayoutPoint{(left.x + left.w + right.x) / 2, left.y + left.h - 28}
                               : LayoutPoint{left.x + left.w / 2, (left.y + left.h + right.y) / 2};
    }

    // --- 4 + 4 in a cube mesh ---
    // Columns zig-zag, so that each link between the sockets is level and no link runs under a GPU.
    void placeMesh(const std::vector<std::size_t> &partners)
    {
        const auto boxes = twoColumns();
        const double h = m_out.height;
        m_nodeH = std::clamp(h * 0.085, 24.0, 34.0);
        m_nodeW = std::clamp(boxes[0].w * 0.26, 44.0, 64.0);
        const double rows[] = {0.18, 0.36, 0.58, 0.76, 0.92};
        for (std::size_t side = 0; side < 2; ++side) {
            addBox(boxes[side], side);
            for (std::size_t row = 0; row < 4; ++row) {
                const bool inner = row == 0 || row == 3;
                const double part = inner ? 0.805 : 0.23;
                const double x = side == 0 ? boxes[0].w * part : boxes[1].x + boxes[1].w * (1 - part);
                addGpu(side == 0 ? m_groups[0].gpus[row] : partners[row], {x, h * rows[row]});
            }
        }
        const auto gpus = m_topology.gpus();
        for (std::size_t i = 0; i < gpus.size(); ++i)
            for (std::size_t k = i + 1; k < gpus.size(); ++k)
                if (lanesOf(m_topology, gpus[i], gpus[k]) > 0) {
                    LayoutEdge &edge = addEdge(gpus[i], gpus[k]);
                    const bool crosses = std::abs(edge.from.y - edge.to.y) < 0.5 &&
                                         std::abs(m_place[gpus[i]].centre().x + m_place[gpus[k]].centre().x -
                                                  m_out.width) < 1.0;
                    if (crosses) {
                        edge.label = middle(edge);
                        edge.pill = true;
                    }
                }
        placeMeshCards(boxes, rows[0] * h, rows[4] * h);
    }

    // The free corners beside GPU0 and below GPU2 take the cards: top for those nearer to the upper GPUs.
    void placeMeshCards(const std::vector<LayoutRect> &boxes, double top, double bottom)
    {
        std::map<std::pair<int, bool>, std::vector<std::size_t>> slots;
        std::map<std::pair<int, bool>, std::vector<std::size_t>> beside;
        for (const auto &[gpus, cards] : m_cards) {
            if (gpus.empty())
                continue;
            double x = 0;
            double y = 0;
            for (const std::size_t gpu : gpus) {
                x += m_place[gpu].centre().x / static_cast<double>(gpus.size());
                y += m_place[gpu].centre().y / static_cast<double>(gpus.size());
            }
            const std::pair<int, bool> slot{x < m_out.width / 2 ? 0 : 1, y < m_out.height * 0.46};
            auto &here = slots[slot];
            here.insert(here.end(), cards.begin(), cards.end());
            beside[slot].insert(beside[slot].end(), gpus.begin(), gpus.end());
        }
        for (const auto &[slot, cards] : slots) {
            const LayoutRect &box = boxes[static_cast<std::size_t>(slot.first)];
            const double x = slot.first == 0 ? box.x + box.w * 0.23 : box.x + box.w * 0.77;
            addCards(cards, {x, slot.second ? top : bottom}, std::min(m_nodeW + 18, box.w * 0.38));
            const std::set<std::size_t> gpus(beside[slot].begin(), beside[slot].end());
            for (const std::size_t gpu : gpus) {
                // The card of this slot that is beside this GPU gives the line its word.
                const auto card = std::find_if(cards.begin(), cards.end(), [&](std::size_t c) {
                    return kindOf(m_topology, gpu, c).linkClass < LinkClass::Phb;
                });
                LayoutEdge &edge = addEdge(gpu, card == cards.end() ? cards[0] : *card);
                const LayoutPoint at = middle(edge);
                edge.label = LayoutPoint{at.x + (slot.first == 0 ? -1 : 1) *
                                                    (std::abs(edge.from.x - edge.to.x) < 4 ? 18 : -18),
                                         at.y + (slot.second ? -8 : 8)};
            }
        }
        const std::vector<std::size_t> idle = idleCards();
        if (!idle.empty())
            addCards(idle, {boxes[0].x + boxes[0].w * 0.6, bottom}, m_nodeW + 18);
    }

    // --- all to all: a bar instead of lines ---
    void placeAllToAll()
    {
        const std::size_t n = static_cast<std::size_t>(m_topology.gpuCount());
        const bool blocks = n > 8 && m_groups.size() == 2; // two blocks, each with a bar of its own
        if (m_groups.size() == 2) {
            const auto boxes = twoColumns();
            addBox(boxes[0], 0);
            addBox(boxes[1], 1);
            if (!blocks)
                return placeAroundGap(boxes);
            placeBlock(boxes[0], m_groups[0].gpus);
            placeBlock(boxes[1], m_groups[1].gpus);
        } else {
            addBox({0, 0, m_out.width, m_out.height}, 0);
            placeBlock(m_out.boxes[0].rect, m_groups[0].gpus);
        }
        finishAllToAll();
    }

    double rowsFor(std::size_t rows, const LayoutRect &box)
    {
        const double bottom = idleCards().empty() ? kPadding : 58;
        const double pitch = (box.h - kTitle - bottom) / static_cast<double>(rows);
        m_nodeH = std::clamp(pitch * 0.58, 18.0, 32.0);
        return pitch;
    }

    LayoutBar makeBar(const LayoutRect &rect, const std::vector<std::size_t> &members) const
    {
        const auto gpus = m_topology.gpus();
        LayoutBar bar;
        bar.rect = rect;
        bar.word = *m_topology.link(gpus[0], gpus[1]);
        bar.lanes = lanesOf(m_topology, gpus[0], gpus[1]);
        bar.gpus = static_cast<int>(gpus.size());
        bar.isSwitch = bar.lanes * (bar.gpus - 1) > kMaxLinksOfGpu;
        bar.members = members;
        return bar;
    }

    void joinBar(const LayoutBar &bar)
    {
        for (const std::size_t gpu : bar.members) {
            const LayoutRect &place = m_place[gpu];
            const std::size_t other = gpu == bar.members[0] ? bar.members[1] : bar.members[0];
            LayoutEdge edge;
            edge.a = gpu;
            edge.b = other;
            edge.link = {LinkClass::Fabric, bar.lanes};
            edge.word = bar.word;
            const bool left = place.centre().x < bar.rect.centre().x;
            edge.from = {left ? place.x + place.w : place.x, place.centre().y};
            edge.to = {left ? bar.rect.x : bar.rect.x + bar.rect.w, place.centre().y};
            m_out.edges.push_back(std::move(edge));
        }
    }

    // Half of the GPUs left of the bar, half right; cards outside.
    void placeBlock(const LayoutRect &box, const std::vector<std::size_t> &gpus)
    {
        const std::size_t rows = (gpus.size() + 1) / 2;
        const double pitch = rowsFor(rows, box);
        const bool cards = m_cards.size() > (m_cards.contains({}) ? 1U : 0U);
        m_nodeW = std::clamp(box.w * (cards ? 0.165 : 0.24), 40.0, 62.0);
        const double barW = std::clamp(box.w * 0.11, 22.0, 34.0);
        for (std::size_t i = 0; i < gpus.size(); ++i) {
            const bool left = i < rows;
            const double part = cards ? 0.345 : 0.25;
            const double y = box.y + kTitle + pitch * (static_cast<double>(left ? i : i - rows) + 0.5);
            addGpu(gpus[i], {box.x + box.w * (left ? part : 1 - part), y});
        }
        const LayoutRect bar{box.x + (box.w - barW) / 2, box.y + kTitle, barW,
                             pitch * static_cast<double>(rows)};
        m_out.bars.push_back(makeBar(bar, gpus));
        joinBar(m_out.bars.back());
        for (const auto &[beside, list] : m_cards) {
            if (beside.empty() || std::find(gpus.begin(), gpus.end(), beside[0]) == gpus.end())
                continue;
            const LayoutRect &gpu = m_place[beside[0]];
            const bool left = gpu.centre().x < box.x + box.w / 2;
            double y = 0;
            for (const std::size_t one : beside)
                y += m_place[one].centre().y / static_cast<double>(beside.size());
            addCards(list, {box.x + box.w * (left ? 0.115 : 0.885), y}, m_nodeW);
        }
    }

    // One bar in the gap between two sockets.
    void placeAroundGap(const std::vector<LayoutRect> &boxes)
    {
        const std::size_t rows = std::max(m_groups[0].gpus.size(), m_groups[1].gpus.size());
        const double pitch = rowsFor(rows, boxes[0]);
        m_nodeW = std::clamp(boxes[0].w * 0.28, 44.0, 66.0);
        const double barW = std::clamp(m_out.width * 0.07, 28.0, 36.0);
        for (std::size_t side = 0; side < 2; ++side)
            for (std::size_t i = 0; i < m_groups[side].gpus.size(); ++i) {
                const double part = side == 0 ? 0.68 : 0.32;
                addGpu(m_groups[side].gpus[i], {boxes[side].x + boxes[side].w * part,
                                                kTitle + pitch * (static_cast<double>(i) + 0.5)});
            }
        m_out.bars.push_back(makeBar(
            {(m_out.width - barW) / 2, kTitle, barW, pitch * static_cast<double>(rows)}, m_topology.gpus()));
        joinBar(m_out.bars.back());
        for (const auto &[beside, list] : m_cards) {
            if (beside.empty())
                continue;
            double y = 0;
            for (const std::size_t one : beside)
                y += m_place[one].centre().y / static_cast<double>(beside.size());
            const bool left = m_place[beside[0]].centre().x < m_out.width / 2;
            addCards(list, {left ? boxes[0].w * 0.22 : boxes[1].x + boxes[1].w * 0.78, y}, m_nodeW);
        }
        finishAllToAll();
    }

    void finishAllToAll()
    {
        addCardEdges(false);
        placeIdle(m_out.height - 36, kPadding, m_out.width - 2 * kPadding);
    }

    // --- anything else: boxes with rows of GPUs ---
    void placeGroups()
    {
        const std::size_t count = m_groups.size();
        const std::size_t columns =
            count <= 3 ? count : static_cast<std::size_t>(std::ceil(std::sqrt(double(count))));
        const std::size_t rows = (count + columns - 1) / columns;
        const double idle = idleCards().empty() || count == 1 ? 0 : 62;
        const double w = (m_out.width - kGap * double(columns - 1)) / double(columns);
        const double h = (m_out.height - idle - kGap * double(rows - 1)) / double(rows);
        for (std::size_t g = 0; g < count; ++g) {
            const LayoutRect box{double(g % columns) * (w + kGap), double(g / columns) * (h + kGap), w, h};
            addBox(box, g);
            placeRows(box, m_groups[g].gpus, count == 1 && !idleCards().empty() ? 62 : 0);
        }
        addFabricEdges();
        addCardEdges(true);
        placeIdle(m_out.height - 42, kPadding, m_out.width - 2 * kPadding);
    }

    void placeRows(const LayoutRect &box, const std::vector<std::size_t> &gpus, double below)
    {
        const std::size_t fits =
            std::max<std::size_t>(1, static_cast<std::size_t>((box.w - 2 * kPadding) / 62));
        const std::size_t perRow = std::min({gpus.size(), fits, std::size_t{4}});
        const std::size_t rows = (gpus.size() + perRow - 1) / perRow;
        const double pitchX = (box.w - 2 * kPadding) / double(perRow);
        const double pitchY = (box.h - kTitle - kPadding - below) / double(rows);
        m_nodeW = std::clamp(pitchX * 0.62, 40.0, 64.0);
        m_nodeH = std::clamp(pitchY * 0.3, 20.0, 32.0);
        std::set<std::vector<std::size_t>> placed;
        for (std::size_t i = 0; i < gpus.size(); ++i) {
            const LayoutPoint centre{box.x + kPadding + pitchX * (double(i % perRow) + 0.5),
                                     box.y + kTitle +
                                         pitchY * (double(i / perRow) + (hasCards(gpus) ? 0.36 : 0.5))};
            addGpu(gpus[i], centre);
        }
        for (const auto &[beside, cards] : m_cards) {
            if (beside.empty() || std::find(gpus.begin(), gpus.end(), beside[0]) == gpus.end())
                continue;
            double x = 0;
            double y = 0;
            for (const std::size_t gpu : beside) {
                x += m_place[gpu].centre().x / double(beside.size());
                y = std::max(y, m_place[gpu].centre().y);
            }
            addCards(cards, {x, y + pitchY * 0.42}, std::min(pitchX * 0.9 + 8, m_nodeW + 22));
        }
        addSwitches(gpus);
        addChain(gpus, perRow);
    }

    bool hasCards(const std::vector<std::size_t> &gpus) const
    {
        return std::any_of(m_cards.begin(), m_cards.end(), [&](const auto &entry) {
            return !entry.first.empty() && std::find(gpus.begin(), gpus.end(), entry.first[0]) != gpus.end();
        });
    }

    // Neighbours in a row that at most one bridge parts share a switch, as far as one can tell.
    void addSwitches(const std::vector<std::size_t> &gpus)
    {
        for (std::size_t i = 0; i < gpus.size();) {
            std::size_t end = i + 1;
            while (end < gpus.size() && m_place[gpus[end]].y == m_place[gpus[i]].y &&
                   kindOf(m_topology, gpus[i], gpus[end]).linkClass == LinkClass::Pix)
                ++end;
            if (end - i > 1) {
                const LayoutRect &first = m_place[gpus[i]];
                const LayoutRect &last = m_place[gpus[end - 1]];
                LayoutBox box;
                box.kind = LayoutBox::Kind::Switch;
                box.rect = {first.x - 8, first.y - 8, last.x + last.w - first.x + 16, first.h + 16};
                m_out.boxes.push_back(std::move(box));
            }
            i = end;
        }
    }

    // The PCIe tree among the GPUs of one socket, as a chain of neighbours.
    void addChain(const std::vector<std::size_t> &gpus, std::size_t perRow)
    {
        for (std::size_t i = 1; i < gpus.size(); ++i) {
            const std::size_t before = i % perRow == 0 ? i - perRow : i - 1;
            const LinkClass way = kindOf(m_topology, gpus[before], gpus[i]).linkClass;
            if (way < LinkClass::Pix || way > LinkClass::Node)
                continue;
            LayoutEdge &edge = addEdge(gpus[before], gpus[i]);
            const bool level = edge.from.y == edge.to.y;
            edge.label = LayoutPoint{middle(edge).x + (level ? 0 : 18), middle(edge).y - (level ? 9 : 0)};
        }
    }

    void addFabricEdges()
    {
        const auto gpus = m_topology.gpus();
        for (std::size_t i = 0; i < gpus.size(); ++i)
            for (std::size_t k = i + 1; k < gpus.size(); ++k) {
                if (lanesOf(m_topology, gpus[i], gpus[k]) == 0)
                    continue;
                LayoutEdge &edge = addEdge(gpus[i], gpus[k]);
                const LayoutRect &a = m_place[gpus[i]];
                const LayoutRect &b = m_place[gpus[k]];
                const bool level = a.y == b.y;
                const bool between =
                    level && std::any_of(gpus.begin(), gpus.end(), [&](std::size_t other) {
                        const LayoutRect &o = m_place[other];
                        return o.y == a.y && o.x > std::min(a.x, b.x) && o.x < std::max(a.x, b.x);
                    });
                if (between) {
                    // Over the heads of those between, higher for longer ways.
                    edge.from = {a.centre().x, a.y};
                    edge.to = {b.centre().x, b.y};
                    edge.bow = std::min(16 + std::abs(a.x - b.x) * 0.16, std::max(16.0, a.y * 1.2));
                }
                edge.label = middle(edge);
                edge.pill = true;
            }
    }

    const Topology &m_topology;
    std::vector<SocketGroup> m_groups;
    CardsByGpus m_cards;
    std::map<std::size_t, LayoutRect> m_place;
    double m_nodeW = 58;
    double m_nodeH = 30;
    GraphLayout m_out;
};

double distanceTo(LayoutPoint p, const LayoutEdge &edge)
{
    // An arc is followed closely enough by a few straight pieces.
    double best = 1e9;
    LayoutPoint before = edge.from;
    const int pieces = edge.bow > 0 ? 12 : 1;
    for (int i = 1; i <= pieces; ++i) {
        const double t = double(i) / pieces;
        const LayoutPoint next{edge.from.x + (edge.to.x - edge.from.x) * t,
                               edge.from.y + (edge.to.y - edge.from.y) * t - edge.bow * 2 * t * (1 - t)};
        const double dx = next.x - before.x;
        const double dy = next.y - before.y;
        const double length = dx * dx + dy * dy;
        const double along =
            length <= 0 ? 0 : std::clamp(((p.x - before.x) * dx + (p.y - before.y) * dy) / length, 0.0, 1.0);
        best = std::min(best, std::hypot(before.x + along * dx - p.x, before.y + along * dy - p.y));
        before = next;
    }
    return best;
}

} // namespace

GraphLayout layoutTopology(const Topology &topology, double width, double height)
{
    return Layouter(topology, std::max(width, 240.0), std::max(height, 160.0)).run();
}

std::optional<GraphHit> hitAt(const GraphLayout &layout, LayoutPoint point)
{
    for (const LayoutNode &node : layout.nodes)
        if (node.rect.contains(point))
            return GraphHit{node.devices[0], std::nullopt};
    const LayoutEdge *best = nullptr;
    double distance = 6;
    for (const LayoutEdge &edge : layout.edges)
        if (const double here = distanceTo(point, edge); here < distance) {
            distance = here;
            best = &edge;
        }
    return best == nullptr ? std::nullopt : std::optional(GraphHit{best->a, best->b});
}

} // namespace sb
