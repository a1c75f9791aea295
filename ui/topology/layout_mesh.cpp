// SPDX-License-Identifier: GPL-3.0-or-later
// Two sockets of four GPUs in a cube mesh.
#include "topology/layouter.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace sb {

// Columns zig-zag, so that each link between the sockets is level and no link runs under a GPU.
void Layouter::placeMesh(const std::vector<std::size_t> &partners)
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
                const bool crosses =
                    std::abs(edge.from.y - edge.to.y) < 0.5 &&
                    std::abs(m_place[gpus[i]].centre().x + m_place[gpus[k]].centre().x - m_out.width) < 1.0;
                if (crosses) {
                    edge.label = middle(edge);
                    edge.pill = true;
                }
            }
    placeMeshCards(boxes, rows[0] * h, rows[4] * h);
}

// The free corners beside GPU0 and below GPU2 take the cards: top for those nearer to the upper GPUs.
void Layouter::placeMeshCards(const std::vector<LayoutRect> &boxes, double top, double bottom)
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
    // Cards beside no GPU stand in the free corner of their socket, next to the middle.
    for (int side = 0; side < 2; ++side) {
        std::vector<std::size_t> idle = idleCards(side);
        if (side == 0)
            for (const std::size_t card : idleCards(kHomeless))
                idle.push_back(card);
        const LayoutRect &box = boxes[static_cast<std::size_t>(side)];
        if (!idle.empty())
            addCards(idle, {box.x + box.w * (side == 0 ? 0.64 : 0.36), bottom},
                     std::min(m_nodeW + 10, box.w * 0.36));
    }
}

} // namespace sb
