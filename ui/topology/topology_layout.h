// SPDX-License-Identifier: GPL-3.0-or-later
// Where everything stands in the drawing of a topology. A pure function of the topology and the room there
// is: no colours, no fonts, no Qt. Coordinates are logical pixels, y downwards; rectangles are x, y, w, h.
#pragma once

#include "core/topology.h"

#include <optional>
#include <string>
#include <vector>

namespace sb {

struct LayoutPoint {
    double x = 0, y = 0;
    bool operator==(const LayoutPoint &) const = default;
};

struct LayoutRect {
    double x = 0, y = 0, w = 0, h = 0;
    LayoutPoint centre() const { return {x + w / 2, y + h / 2}; }
    bool contains(LayoutPoint p) const { return p.x >= x && p.x <= x + w && p.y >= y && p.y <= y + h; }
    bool overlaps(const LayoutRect &o) const
    {
        return x < o.x + o.w && o.x < x + w && y < o.y + o.h && o.y < y + h;
    }
    bool operator==(const LayoutRect &) const = default;
};

// A socket or NUMA node, or a PCIe switch (dashed, since a matrix does not show it; it is inferred).
struct LayoutBox {
    enum class Kind { Socket, Switch };
    Kind kind = Kind::Socket;
    LayoutRect rect;
    std::optional<int> cpu; // number of the socket as inferred from the order of the affinities
    std::string numa;       // as the text says; may be empty
    std::string cores;      // "0-11,24-35"
};

// A GPU, a network card, or several cards that are alike.
struct LayoutNode {
    enum class Kind { Gpu, Card };
    Kind kind = Kind::Gpu;
    LayoutRect rect;
    std::vector<std::size_t> devices; // indices into Topology::devices; more than one: collapsed
    bool unread = false;              // where it belongs could not be read
    bool apart = false;               // the one GPU without the links that all others have
};

struct LayoutEdge {
    std::size_t a = 0, b = 0; // indices into Topology::devices
    LayoutPoint from, to;
    double bow = 0; // height of the arc above the straight line; 0: straight
    LinkKind link;
    std::string word;
    std::optional<LayoutPoint> label; // centre of the word, where it is shown
    bool pill = false;                // the word stands in a frame: links between sockets
};

// All GPUs joined alike: one bar instead of n(n−1)/2 lines.
struct LayoutBar {
    LayoutRect rect;
    std::string word; // "NV18"
    int lanes = 0;
    int gpus = 0;
    bool isSwitch = false; // more links than a GPU has: there must be a switch
    std::vector<std::size_t> members;
};

struct GraphLayout {
    double width = 0, height = 0;
    std::vector<LayoutBox> boxes;
    std::vector<LayoutNode> nodes;
    std::vector<LayoutEdge> edges;
    std::vector<LayoutBar> bars;
    std::optional<LayoutPoint> socketLink; // centre of the word between the sockets, e.g. SYS
    std::string socketWord;
    std::vector<LayoutPoint> idleCards; // centres of the remark under cards that no GPU is beside
};

// Needs at least 240 × 160. A topology without GPUs gives an empty layout.
GraphLayout layoutTopology(const Topology &topology, double width, double height);

// What is drawn at a point: a pair of devices for an edge, one device for a node; nothing else.
struct GraphHit {
    std::size_t a = 0;
    std::optional<std::size_t> b;
    bool operator==(const GraphHit &) const = default;
};
std::optional<GraphHit> hitAt(const GraphLayout &layout, LayoutPoint point);

} // namespace sb
