// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/topology_meaning.h"

#include <algorithm>

namespace sb {

namespace {

using Joined = std::vector<std::vector<bool>>;

std::vector<GpuSet> components(const Joined &joined)
{
    std::vector<GpuSet> sets;
    std::vector<bool> seen(joined.size(), false);
    for (std::size_t start = 0; start < joined.size(); ++start) {
        if (seen[start])
            continue;
        GpuSet set{static_cast<int>(start)};
        seen[start] = true;
        for (std::size_t i = 0; i < set.size(); ++i)
            for (std::size_t next = 0; next < joined.size(); ++next)
                if (!seen[next] && joined[static_cast<std::size_t>(set[i])][next]) {
                    seen[next] = true;
                    set.push_back(static_cast<int>(next));
                }
        std::sort(set.begin(), set.end());
        sets.push_back(std::move(set));
    }
    return sets;
}

bool isClique(const Joined &joined, const GpuSet &set)
{
    for (const int a : set)
        for (const int b : set)
            if (a != b && !joined[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)])
                return false;
    return true;
}

// Splits a component that is no clique into as few cliques as a search of bounded effort finds: the lowest
// GPU left goes into each clique it fits, or into one of its own.
struct CliqueSplit {
    const Joined &joined;
    const GpuSet &members;
    int effort = 20000;
    std::vector<GpuSet> current{};
    std::vector<GpuSet> best{};

    void place(std::size_t next)
    {
        if (--effort < 0 || (!best.empty() && current.size() >= best.size()))
            return;
        if (next == members.size()) {
            best = current;
            return;
        }
        const int gpu = members[next];
        for (std::size_t i = 0; i < current.size(); ++i) {
            const bool fits = std::all_of(current[i].begin(), current[i].end(), [&](int other) {
                return joined[static_cast<std::size_t>(gpu)][static_cast<std::size_t>(other)];
            });
            if (!fits)
                continue;
            current[i].push_back(gpu);
            place(next + 1);
            current[i].pop_back();
        }
        current.push_back({gpu});
        place(next + 1);
        current.pop_back();
    }
};

} // namespace

// With fast links: sets in which every pair has one. Without: what hangs together by links better than the
// worst there is.
std::vector<GpuSet> findIslands(const GpuGraph &graph)
{
    const auto n = static_cast<std::size_t>(graph.count);
    LinkClass worst = LinkClass::Self;
    bool fabric = false;
    bool alike = true;
    for (int a = 0; a < graph.count; ++a)
        for (int b = a + 1; b < graph.count; ++b) {
            const auto &kind = graph.link(a, b);
            if (!kind)
                return {};
            fabric |= kind->linkClass == LinkClass::Fabric;
            alike &= worst == LinkClass::Self || worst == kind->linkClass;
            worst = std::max(worst, kind->linkClass);
        }
    Joined joined(n, std::vector<bool>(n, false));
    for (int a = 0; a < graph.count; ++a)
        for (int b = 0; b < graph.count; ++b)
            if (a != b)
                joined[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] =
                    fabric ? graph.link(a, b)->linkClass == LinkClass::Fabric
                           : alike || graph.link(a, b)->linkClass < worst;
    std::vector<GpuSet> islands;
    for (const GpuSet &component : components(joined)) {
        if (!fabric || isClique(joined, component)) {
            islands.push_back(component);
            continue;
        }
        CliqueSplit split{joined, component};
        split.place(0);
        islands.insert(islands.end(), split.best.begin(), split.best.end());
    }
    std::sort(islands.begin(), islands.end());
    return islands;
}

} // namespace sb
