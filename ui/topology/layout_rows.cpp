// SPDX-License-Identifier: GPL-3.0-or-later
// Anything else: boxes with rows of GPUs.
#include "topology/layouter.h"

#include <algorithm>
#include <cmath>

namespace sb {

void Layouter::placeGroups()
{
    const std::size_t count = m_groups.size();
    const std::size_t columns =
        count <= 3 ? count : static_cast<std::size_t>(std::ceil(std::sqrt(double(count))));
    const std::size_t rows = (count + columns - 1) / columns;
    const double idle = count == 1 || idleCards(kHomeless).empty() ? 0 : 62;
    const double w = (m_out.width - kGap * double(columns - 1)) / double(columns);
    const double h = (m_out.height - idle - kGap * double(rows - 1)) / double(rows);
    for (std::size_t g = 0; g < count; ++g) {
        const LayoutRect box{double(g % columns) * (w + kGap), double(g / columns) * (h + kGap), w, h};
        addBox(box, g);
        placeRows(box, m_groups[g].gpus, idleCards(static_cast<int>(g)).empty() ? 0 : 56);
    }
    addFabricEdges();
    addCardEdges(true);
    placeIdleInBoxes();
}

void Layouter::placeRows(const LayoutRect &box, const std::vector<std::size_t> &gpus, double below)
{
    const std::size_t fits = std::max<std::size_t>(1, static_cast<std::size_t>((box.w - 2 * kPadding) / 62));
    const std::size_t perRow = std::min({gpus.size(), fits, std::size_t{4}});
    const std::size_t rows = (gpus.size() + perRow - 1) / perRow;
    const double pitchX = (box.w - 2 * kPadding) / double(perRow);
    const double pitchY = (box.h - kTitle - kPadding - below) / double(rows);
    m_nodeW = std::clamp(pitchX * 0.6, 40.0, 84.0);
    m_nodeH = std::clamp(pitchY * 0.26, 20.0, 40.0);
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

bool Layouter::hasCards(const std::vector<std::size_t> &gpus) const
{
    return std::any_of(m_cards.begin(), m_cards.end(), [&](const auto &entry) {
        return !entry.first.empty() && std::find(gpus.begin(), gpus.end(), entry.first[0]) != gpus.end();
    });
}

// Neighbours in a row that at most one bridge parts share a switch, as far as one can tell.
void Layouter::addSwitches(const std::vector<std::size_t> &gpus)
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
void Layouter::addChain(const std::vector<std::size_t> &gpus, std::size_t perRow)
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

void Layouter::addFabricEdges()
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

} // namespace sb
