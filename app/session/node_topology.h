// SPDX-License-Identifier: GPL-3.0-or-later
// How the GPUs of a node are wired, asked from the node itself: one read-only script, and the choice among
// what it prints. Needs no root, leaves nothing behind.
#pragma once

#include "remote/host.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sb {

// A value: it crosses threads.
struct NodeTopology {
    std::string node;
    std::string text;            // for parseTopology; empty when there is none
    std::string source;          // "nvidia-smi topo -m", "rocm-smi --showtopo", "the PCI tree in sysfs"
    std::string note;            // why a better source gave nothing; may be empty
    std::string error;           // one sentence when `text` is empty
    std::int64_t readAtUtcS = 0; // by this machine's clock

    bool operator==(const NodeTopology &) const = default;
};

// The maker's tool if the node has one, with 20 s to answer, and always the PCI tree, which takes a few
// milliseconds a device.
ProcessSpec topologySpec();

// `output` of topologySpec() on `node`: the first source that holds a topology with a GPU.
NodeTopology chooseTopology(std::string_view output, const std::string &node);

} // namespace sb
