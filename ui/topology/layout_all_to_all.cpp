// SPDX-License-Identifier: GPL-3.0-or-later
// All GPUs joined alike: a bar instead of lines.
#include "topology/layouter.h"

#include <algorithm>

namespace sb {

namespace {
constexpr int kMaxLinksOfGpu = 18;
} // namespace

void Layouter::placeAllToAll()
{
    const std::size_t n = static_cast<std::size_t>(m_topology.gpuCount());
    const bool blocks = n > 8 && m_groups.size() == 2; // two blocks, each with a bar of its own
    if (m_groups.size() == 2) {
        // Two blocks side by side need room for five boxes each; else they stand one above the other.
        const auto boxes = blocks && m_out.width < 440 ? twoRows() : twoColumns();
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

double Layouter::rowsFor(std::size_t rows, const LayoutRect &box)
{
    const double bottom = !hasIdleCards() ? kPadding + (m_groups.size() == 2 ? 14 : 0) : 62;
    const double pitch = (box.h - kTitle - bottom) / static_cast<double>(rows);
    m_nodeH = std::clamp(pitch * 0.58, 18.0, 32.0);
    return pitch;
}

LayoutBar Layouter::makeBar(const LayoutRect &rect, const std::vector<std::size_t> &members) const
{
    LayoutBar bar;
    bar.rect = rect;
    bar.word = *m_topology.link(m_members[0], m_members[1]);
    bar.lanes = lanesOf(m_topology, m_members[0], m_members[1]);
    bar.gpus = static_cast<int>(m_members.size());
    bar.isSwitch = bar.lanes * (bar.gpus - 1) > kMaxLinksOfGpu;
    for (const std::size_t gpu : members)
        if (std::find(m_members.begin(), m_members.end(), gpu) != m_members.end())
            bar.members.push_back(gpu);
    return bar;
}

void Layouter::joinBar(const LayoutBar &bar)
{
    for (const std::size_t gpu : bar.members) {
        const LayoutRect &place = m_place[gpu];
        const std::size_t other = gpu == m_members[0] ? m_members[1] : m_members[0];
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
void Layouter::placeBlock(const LayoutRect &box, const std::vector<std::size_t> &gpus)
{
    const std::size_t rows = (gpus.size() + 1) / 2;
    const double pitch = rowsFor(rows, box);
    const bool cards = m_cards.size() > (m_cards.contains({}) ? 1U : 0U);
    const double cardW = std::clamp(box.w * 0.165, 38.0, 62.0);
    m_nodeW = std::clamp(box.w * (cards ? 0.2 : 0.24), 44.0, 62.0);
    const double barW = std::clamp(box.w * 0.085, 18.0, 34.0);
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        const bool left = i < rows;
        const double part = cards ? (box.w < 300 ? 0.325 : 0.345) : 0.25;
        const double y = box.y + kTitle + pitch * (static_cast<double>(left ? i : i - rows) + 0.5);
        addGpu(gpus[i], {box.x + box.w * (left ? part : 1 - part), y});
    }
    const LayoutRect bar{box.x + (box.w - barW) / 2, box.y + kTitle, barW, pitch * static_cast<double>(rows)};
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
        addCards(list, {box.x + box.w * (left ? 0.115 : 0.885), y}, cardW);
    }
}

// One bar in the gap between two sockets.
void Layouter::placeAroundGap(const std::vector<LayoutRect> &boxes)
{
    const std::size_t rows = std::max(m_groups[0].gpus.size(), m_groups[1].gpus.size());
    const double pitch = rowsFor(rows, boxes[0]);
    m_nodeW = std::clamp(boxes[0].w * 0.28, 44.0, 66.0);
    const double barW = std::clamp(m_out.width * 0.07, 28.0, 36.0);
    for (std::size_t side = 0; side < 2; ++side)
        for (std::size_t i = 0; i < m_groups[side].gpus.size(); ++i) {
            const double part = side == 0 ? 0.68 : 0.32;
            addGpu(m_groups[side].gpus[i],
                   {boxes[side].x + boxes[side].w * part, kTitle + pitch * (static_cast<double>(i) + 0.5)});
        }
    m_out.bars.push_back(makeBar({(m_out.width - barW) / 2, kTitle, barW, pitch * static_cast<double>(rows)},
                                 m_topology.gpus()));
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

void Layouter::finishAllToAll()
{
    addCardEdges(false);
    placeIdleInBoxes();
}

} // namespace sb
